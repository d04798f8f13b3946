# SPDX-License-Identifier: Apache-2.0
"""What the tests of the command share."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

FILIGREE = str(pathlib.Path(os.environ["FILIGREE_BIN"]).resolve() / "filigree")
# HDF5 loads the plug-in for portable sparse datasets from here. It reads the variable once, when h5py is imported.
os.environ["HDF5_PLUGIN_PATH"] = str(pathlib.Path(FILIGREE).parent.parent / "lib" / "hdf5-plugins")


def run(*arguments, **options):
    """The finished process of `filigree ARGUMENTS`, with text output."""
    return subprocess.run([FILIGREE, *map(str, arguments)], capture_output=True, encoding="utf-8", timeout=1800, **options)


def h5ls(*arguments, **options):
    """Lines of h5ls, with octal escapes of UTF-8 decoded, since filigree prints the characters."""
    done = subprocess.run(["h5ls", *map(str, arguments)], capture_output=True, check=True, timeout=1800, **options)
    wide = re.compile(rb"(?:\\[23][0-7][0-7])+")
    text = wide.sub(lambda m: bytes(int(code, 8) for code in m[0].split(b"\\")[1:]), done.stdout)
    return text.decode("utf-8").splitlines()


class FolderCase(unittest.TestCase):
    """A test with a folder of its own, which is where the command runs."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_here(self, *arguments):
        return run(*arguments, cwd=self.folder)

    def lines(self, *arguments):
        """Output lines of a run that must succeed."""
        done = self.run_here(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.splitlines()

    def assert_fails(self, message, *arguments, status=1):
        done = self.run_here(*arguments)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertRegex(done.stderr, message)
        return done
