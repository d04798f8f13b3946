# SPDX-License-Identifier: Apache-2.0
"""The C programs of this folder print the same with the reference and with Filigree, and write equivalent files. The programs
in only/, whose functions the reference lacks or implements differently, print what is in the .expected file beside them."""

import pathlib
import subprocess
import tempfile
import unittest

import libraries


class ProgramsTest(unittest.TestCase):
    maxDiff = 4000

    def compare(self, source):
        with tempfile.TemporaryDirectory() as folder:
            reference, ours = libraries.both(folder)
            expected = reference.run(reference.build(source))
            found = ours.run(ours.build(source))
            self.assertEqual(expected[0], 0, f"the reference itself failed: {expected}")
            self.assertEqual(expected[1], found[1], found[2][:2000])
            self.assertEqual(expected[0], found[0], found[2][:2000])
            self.assertEqual(reference.files(), ours.files())
            for path in reference.files():
                self.assertEqual(libraries.dump(reference.folder, path), libraries.dump(ours.folder, path), str(path))

    def compare_with_expected(self, source):
        with tempfile.TemporaryDirectory() as folder:
            ours = libraries.both(folder)[1]
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
    for path in sorted(libraries.HERE.glob("*.c")):
        setattr(ProgramsTest, f"test_{path.stem}", make(path))
    for path in sorted((libraries.HERE / "only").glob("*.c")):
        setattr(ProgramsTest, f"test_only_{path.stem}", make_only(path))
    unittest.main()
