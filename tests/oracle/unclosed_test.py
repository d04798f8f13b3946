# SPDX-License-Identifier: Apache-2.0
"""Files that were not closed, written by Filigree and by HDF5, and read by both."""
import os
import subprocess
import sys
import unittest

import h5py
import numpy as np

from oracle import BIN, Case, run

DRIVER = os.path.join(BIN, "unclosed_driver")
FILIGREE = os.path.join(BIN, "filigree")
VERSIONS = {"earliest": 0, "v108": 2, "latest": 3}
REFERENCE_WRITER = """
import h5py, os, signal, sys
file = h5py.File(sys.argv[1], "w", libver=sys.argv[2])
file["a"] = list(range(1000))
file.flush()
os.kill(os.getpid(), signal.SIGKILL)
"""


def listing(path):
    return subprocess.run([FILIGREE, "ls", path], capture_output=True, text=True, timeout=1800)


def values(path):
    with h5py.File(path, "r") as file:
        return file["a"][...]


class Unclosed(Case):
    def refused(self, path):
        done = listing(path)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn(path, done.stderr)
        self.assertIn("was not closed", done.stderr)
        self.assertIn("filigree clear", done.stderr)

    def opens(self, path):
        done = listing(path)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("Dataset {1000}", done.stdout)

    def left(self, version, stage):
        path = self.file(f"{version}-{stage}.h5")
        run(DRIVER, path, version, stage)
        with open(path, "rb") as file:
            self.assertEqual(file.read(9)[8], VERSIONS[version])
        return path

    def test_what_was_flushed_opens_for_everyone(self):
        for version in VERSIONS:
            with self.subTest(version=version):
                path = self.left(version, "flushed")
                self.opens(path)
                np.testing.assert_array_equal(values(path), np.arange(1000))

    def test_what_was_closed_opens_for_everyone(self):
        for version in VERSIONS:
            with self.subTest(version=version):
                path = self.left(version, "closed")
                self.opens(path)
                np.testing.assert_array_equal(values(path), [-1] * 10 + list(range(10, 1000)))

    def test_what_was_being_changed_is_refused_until_the_mark_is_cleared(self):
        for version in VERSIONS:
            with self.subTest(version=version):
                path = self.left(version, "changed")
                self.refused(path)
                if version == "latest":
                    with self.assertRaises(OSError):
                        values(path)
                else:
                    self.assertEqual(len(values(path)), 1000)
                done = subprocess.run([FILIGREE, "clear", path, path], capture_output=True, text=True, timeout=1800)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual(done.stdout, f"{path}: cleared\n{path}: flags were not set\n")
                self.opens(path)
                np.testing.assert_array_equal(values(path), [-1] * 10 + list(range(10, 1000)))

    def test_hdf5_clears_the_mark_too(self):
        for version in VERSIONS:
            with self.subTest(version=version):
                path = self.left(version, "changed")
                if version == "latest":
                    subprocess.run(["h5clear", "-s", path], check=True, timeout=1800)
                else:
                    h5py.File(path, "r+").close()
                self.opens(path)
                np.testing.assert_array_equal(values(path)[10:], np.arange(10, 1000))

    def test_what_hdf5_left_is_refused_where_hdf5_refuses(self):
        for libver in ("earliest", "v108", "latest"):
            with self.subTest(libver=libver):
                path = self.file(f"reference-{libver}.h5")
                done = subprocess.run([sys.executable, "-c", REFERENCE_WRITER, path, libver], timeout=1800)
                self.assertEqual(done.returncode, -9)
                if libver != "latest":
                    self.opens(path)
                    np.testing.assert_array_equal(values(path), np.arange(1000))
                    continue
                with self.assertRaises(OSError):
                    values(path)
                self.refused(path)
                run(FILIGREE, "clear", path)
                self.opens(path)
                np.testing.assert_array_equal(values(path), np.arange(1000))


if __name__ == "__main__":
    unittest.main()
