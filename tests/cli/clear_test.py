# SPDX-License-Identifier: Apache-2.0
"""filigree clear: files that were not closed. The oracle tests check what such files contain afterwards."""

import subprocess
import sys
import unittest

import h5py

from support import FolderCase, run

LEFT_OPEN = """
import h5py, os, sys
file = h5py.File(sys.argv[1], "w", libver="latest")
file.create_group("group")
file.flush()
os._exit(0)
"""


class Clear(FolderCase):
    def test_clears_the_flags_once(self):
        subprocess.run([sys.executable, "-c", LEFT_OPEN, "left.h5"], cwd=self.folder, check=True, timeout=1800)
        self.assert_fails("left.h5: .*was not closed.*filigree clear", "ls", "left.h5")
        self.assertEqual(self.lines("clear", "left.h5"), ["left.h5: cleared"])
        self.assertEqual(self.lines("ls", "left.h5"), ["group                    Group"])
        before = (self.folder / "left.h5").read_bytes()
        self.assertEqual(self.lines("clear", "left.h5"), ["left.h5: flags were not set"])
        self.assertEqual((self.folder / "left.h5").read_bytes(), before)

    def test_continues_after_a_file_that_cannot_be_opened(self):
        h5py.File(self.folder / "good.h5", "w").close()
        done = self.assert_fails("^filigree: missing.h5: ", "clear", "missing.h5", "good.h5")
        self.assertEqual(done.stdout, "good.h5: flags were not set\n")

    def test_help_warns(self):
        self.assertIn("may be incomplete", run("clear", "--help").stdout)


if __name__ == "__main__":
    unittest.main()
