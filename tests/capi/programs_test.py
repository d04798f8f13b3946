# SPDX-License-Identifier: Apache-2.0
"""C programs of this folder print the same with stock HDF5 and with Filigree, and leave files that are alike. Those of
only/, which stock has not all the functions for or answers otherwise, print what is written beside them."""

import pathlib
import subprocess
import tempfile
import unittest

import twins


class ProgramsTest(unittest.TestCase):
    maxDiff = 4000

    def compare(self, source):
        with tempfile.TemporaryDirectory() as folder:
            stock, ours = twins.both(folder)
            expected = stock.run(stock.build(source))
            found = ours.run(ours.build(source))
            self.assertEqual(expected[0], 0, f"stock itself failed: {expected}")
            self.assertEqual(expected[1], found[1], found[2][:2000])
            self.assertEqual(expected[0], found[0], found[2][:2000])
            self.assertEqual(stock.files(), ours.files())
            for path in stock.files():
                self.assertEqual(twins.dump(stock.folder, path), twins.dump(ours.folder, path), str(path))

    def compare_with_expected(self, source):
        with tempfile.TemporaryDirectory() as folder:
            ours = twins.both(folder)[1]
            found = ours.run(ours.build(source))
            self.assertEqual(source.with_suffix(".expected").read_text(), found[1], found[2][:2000])
            self.assertEqual(found[0], 0, found[2][:2000])


def make_only(source):
    def test(self):
        self.compare_with_expected(source)

    return test


def make(source):
    def test(self):
        self.compare(source)

    return test


if __name__ == "__main__":
    for path in sorted(twins.HERE.glob("*.c")):
        setattr(ProgramsTest, f"test_{path.stem}", make(path))
    for path in sorted((twins.HERE / "only").glob("*.c")):
        setattr(ProgramsTest, f"test_only_{path.stem}", make_only(path))
    unittest.main()
