#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/format are what the descriptions of the structures print today."""

import os
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class FormatsTest(unittest.TestCase):
    def test_tables_are_up_to_date(self):
        done = subprocess.run([sys.executable, str(ROOT / "scripts" / "print-formats"), "--check", os.environ["FILIGREE_BIN"]],
                              capture_output=True, encoding="utf-8")
        self.assertEqual(done.returncode, 0, f"{done.stdout}{done.stderr}\nrun scripts/print-formats build/release/bin")


if __name__ == "__main__":
    unittest.main()
