# SPDX-License-Identifier: Apache-2.0
"""Random selections, encoded by HDF5 and by Filigree in one process. ORACLE_SEEDS="7 12" runs only these seeds."""
import os
import subprocess
import unittest

DRIVER = os.path.join(os.environ["FILIGREE_BIN"], "selection_encoding_driver")
SEEDS = [(int(s), 1) for s in os.environ.get("ORACLE_SEEDS", "").split()] or [(0, 5000), (100_000, 5000)]


class SelectionEncoding(unittest.TestCase):
    def test_bytes_are_those_of_hdf5_and_each_reads_the_other(self):
        for first, count in SEEDS:
            with self.subTest(first=first, count=count):
                run = subprocess.run([DRIVER, str(first), str(count)], capture_output=True, text=True)
                self.assertEqual(run.returncode, 0, run.stdout + run.stderr)


if __name__ == "__main__":
    unittest.main()
