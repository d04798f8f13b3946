# SPDX-License-Identifier: Apache-2.0
"""Files that HDF5 2.x writes are read and extended, and HDF5 2.x reads and extends ours. It comes with a wheel of h5py:

    python3 -m venv build/venv-hdf5-2 && build/venv-hdf5-2/bin/pip install h5py

FILIGREE_HDF5_2_PYTHON names another Python. Without one of them the test is skipped, with exit code 77."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "capi"))
import libraries  # noqa: E402

PYTHON = pathlib.Path(os.environ.get("FILIGREE_HDF5_2_PYTHON", ROOT / "build" / "venv-hdf5-2" / "bin" / "python"))


def version():
    """The version of HDF5 behind PYTHON as numbers, or None."""
    if not PYTHON.exists():
        return None
    done = subprocess.run([PYTHON, "-c", "import h5py; print(h5py.version.hdf5_version)"], capture_output=True, text=True)
    return None if done.returncode != 0 else tuple(int(part) for part in done.stdout.strip().split("."))


class ExchangeTest(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.ours = libraries.both(self.temporary.name)[1]
        self.program = self.ours.build(HERE / "exchange.c")
        self.file = pathlib.Path(self.temporary.name) / "exchange.h5"

    def with_ours(self, command):
        code, output, errors = self.ours.run(self.program, arguments=(command, str(self.file)))
        self.assertEqual(code, 0, output + errors[:2000])

    def with_hdf5(self, command):
        done = subprocess.run([PYTHON, HERE / "exchange.py", command, self.file], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr[:2000])

    def test_hdf5_reads_and_extends_ours(self):
        self.with_ours("write")
        self.with_hdf5("check")
        self.with_hdf5("extend")
        self.with_ours("check-extended")

    def test_files_of_hdf5_are_read_and_extended(self):
        self.with_hdf5("write")
        self.with_ours("check")
        self.with_ours("extend")
        self.with_hdf5("check-extended")
        self.with_ours("check-extended")


if __name__ == "__main__":
    found = version()
    if found is None or found < (2,):
        print(f"there is no HDF5 2.x behind {PYTHON.name}: skipped")
        sys.exit(77)
    unittest.main()
