# SPDX-License-Identifier: Apache-2.0
"""libfiligree, libfiligree_hdf5 and the reference's libhdf5 work in one process and exchange files."""

import subprocess
import sys
import tempfile
import unittest

import libraries


@unittest.skipIf(libraries.sanitized(), "the reference is built without sanitizers")
class OneProcessTest(unittest.TestCase):
    def test_three_libraries_read_what_the_others_write(self):
        with tempfile.TemporaryDirectory() as folder:
            program = f"{folder}/one_process"
            flags = [f"-I{libraries.ROOT / 'include'}", f"-L{libraries.LIB}", f"-Wl,-rpath,{libraries.LIB}", "-lfiligree"]
            source = libraries.HERE / "helpers" / "one_process.cpp"
            done = subprocess.run(["g++", "-std=c++20", "-w", str(source), "-o", program, *flags, *libraries.reference_flags(), "-ldl"],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr[:3000])
            done = subprocess.run([program, str(libraries.LIB / "libfiligree_hdf5.so")], cwd=folder, capture_output=True, text=True,
                                  timeout=1800)
            self.assertEqual(done.returncode, 0, done.stderr[:2000])
            sides = ("filigree", "reference", "loaded")
            expected = ["two libraries: 1"] + [f"{a} -> {b}: same" for a in sides for b in sides]
            self.assertEqual(done.stdout.splitlines(), expected)

    def test_h5py_on_reference_and_ours_exchange_files(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, str(libraries.HERE / "helpers" / "with_h5py.py"), str(libraries.LIB / "libfiligree_hdf5.so")],
                                  cwd=folder, capture_output=True, text=True, timeout=1800)
            self.assertEqual((done.returncode, done.stdout), (0, "ours reads 1 2 3\nh5py reads 4 5 6\n"), done.stderr[-2000:])


if __name__ == "__main__":
    unittest.main()
