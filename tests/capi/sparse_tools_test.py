# SPDX-License-Identifier: Apache-2.0
"""Debian's h5py, h5dump, h5diff, h5copy and h5repack, unmodified on the library for HDF5 1.10, read and copy sparse datasets."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import libraries

FOLDER = libraries.LIB / "hdf5-1.10"
READ = """
import h5py, numpy
with h5py.File("sparse.h5") as file:
    sparse, dense = file["sparse"], file["dense"]
    assert (sparse[...] == dense[...]).all() and (sparse[3:12, ::7] == dense[3:12, ::7]).all()
    assert sparse[3, 4] == 94 and sparse[0, 0] == -7
    print(sparse.shape, sparse.dtype, int(sparse[...].sum()))
"""


@unittest.skipIf(libraries.sanitized(), "programs of Debian are built without sanitizers")
class SparseToolsTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        (self.folder / "build").mkdir()
        ours = libraries.both(self.folder / "build")[1]
        program = ours.build(libraries.HERE / "exchange" / "sparse_file.c")
        subprocess.run([str(program)], cwd=self.folder, check=True)

    def run_tool(self, *command, ours=True):
        environment = dict(os.environ)
        if ours:
            environment["LD_LIBRARY_PATH"] = f"{FOLDER}:{libraries.LIB}"
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, errors="replace", timeout=300)
        self.assertEqual(done.returncode, 0, f"{command}: {done.stdout[-1000:]} {done.stderr[-2000:]}")
        return done.stdout

    def data(self, path, name, ours=True):
        """The values that h5dump prints."""
        return re.search(r"DATA \{.*", self.run_tool("h5dump", "-d", name, path, ours=ours), re.S)[0]

    def test_h5py_reads(self):
        self.assertEqual(self.run_tool(sys.executable, "-c", READ), "(20, 30) int32 -1608\n")

    def test_h5dump_prints_and_h5diff_compares(self):
        self.assertIn("-7, 94, -7", self.data("sparse.h5", "sparse"))
        self.assertEqual(self.data("sparse.h5", "sparse"), self.data("sparse.h5", "dense"))
        self.assertEqual(self.run_tool("h5diff", "sparse.h5", "sparse.h5", "/sparse", "/dense"), "")

    def test_h5copy_copies(self):
        self.run_tool("h5copy", "-i", "sparse.h5", "-o", "copy.h5", "-s", "sparse", "-d", "sparse")
        self.assertEqual(self.data("copy.h5", "sparse"), self.data("sparse.h5", "dense"))

    def test_h5repack_copies_and_converts(self):
        self.run_tool("h5repack", "sparse.h5", "packed.h5")
        self.assertEqual(self.data("packed.h5", "sparse"), self.data("sparse.h5", "dense"))
        self.run_tool("h5repack", "-l", "CONTI", "sparse.h5", "dense.h5")
        self.assertEqual(self.data("dense.h5", "sparse", ours=False), self.data("sparse.h5", "dense"))


if __name__ == "__main__":
    unittest.main()
