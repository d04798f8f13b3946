# SPDX-License-Identifier: Apache-2.0
"""libfiligree, libfiligree_hdf5 and stock's libhdf5 live in one process and exchange files."""

import subprocess
import sys
import tempfile
import unittest

import twins


@unittest.skipIf(twins.sanitized(), "stock is built without sanitizers")
class OneProcessTest(unittest.TestCase):
    def test_three_libraries_read_what_the_others_write(self):
        with tempfile.TemporaryDirectory() as folder:
            program = f"{folder}/one_process"
            flags = [f"-I{twins.ROOT / 'include'}", f"-L{twins.LIB}", f"-Wl,-rpath,{twins.LIB}", "-lfiligree"]
            source = twins.HERE / "helpers" / "one_process.cpp"
            done = subprocess.run(["g++", "-std=c++20", "-w", str(source), "-o", program, *flags, *twins.stock_flags(), "-ldl"],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr[:3000])
            done = subprocess.run([program, str(twins.LIB / "libfiligree_hdf5.so")], cwd=folder, capture_output=True, text=True,
                                  timeout=1800)
            self.assertEqual(done.returncode, 0, done.stderr[:2000])
            sides = ("filigree", "stock", "loaded")
            expected = ["two libraries: 1"] + [f"{a} -> {b}: same" for a in sides for b in sides]
            self.assertEqual(done.stdout.splitlines(), expected)

    def test_h5py_on_stock_and_ours_exchange_files(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, str(twins.HERE / "helpers" / "beside_h5py.py"), str(twins.LIB / "libfiligree_hdf5.so")],
                                  cwd=folder, capture_output=True, text=True, timeout=1800)
            self.assertEqual((done.returncode, done.stdout), (0, "ours reads 1 2 3\nh5py reads 4 5 6\n"), done.stderr[-2000:])


if __name__ == "__main__":
    unittest.main()
