# SPDX-License-Identifier: Apache-2.0
"""Every program of rfc/ goes through a proposal (RFC), statement by statement. All statements must hold; what the programs
found is printed as one table."""

import re
import sys
import tempfile
import unittest

import libraries

LINE = re.compile(r"^(?P<section>[^|]+) \| (?P<statement>[^|]+) \| (?P<result>holds|FAILS)$")
TABLE = []


class RfcTest(unittest.TestCase):
    def check(self, source):
        with tempfile.TemporaryDirectory() as folder:
            ours = libraries.both(folder)[1]
            status, output, errors = ours.run(ours.build(source))
        lines = output.splitlines()
        found = [LINE.match(line) for line in lines]
        TABLE.extend((source.stem, *match.groups()) for match in found if match)
        self.assertEqual([line for line, match in zip(lines, found) if not match], [], "lines of another form")
        self.assertEqual([line for line in lines if line.endswith("FAILS")], [])
        self.assertGreater(len(lines), 0, "nothing was checked")
        self.assertEqual(status, 0, errors[:2000])


def make(source):
    def test(self):
        self.check(source)

    return test


def print_table():
    widths = [max(len(row[i]) for row in TABLE) for i in range(4)]
    for row in TABLE:
        print("  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip())


if __name__ == "__main__":
    for path in sorted((libraries.HERE / "rfc").glob("*.c")):
        setattr(RfcTest, f"test_{path.stem}", make(path))
    result = unittest.main(exit=False).result
    if TABLE:
        print_table()
    sys.exit(not result.wasSuccessful())
