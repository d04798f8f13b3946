#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The walks of docs/design/010-three-walks.md name functions that are where the tables say, and count them correctly."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WALK = re.compile(r"^## (?:The read|The sparse write|The defined query)$", re.M)
ROW = re.compile(r"^\| (\d+) \| `(\S+)` \| `(\S+)` \|$", re.M)
TOTAL = re.compile(r"^\| .* \| (\d+) \| (\d+) \|$", re.M)


class WalksTest(unittest.TestCase):
    def setUp(self):
        summary, *walks = WALK.split((ROOT / "docs/design/010-three-walks.md").read_text(encoding="utf-8"))
        self.totals, self.walks = TOTAL.findall(summary), [ROW.findall(walk) for walk in walks]

    def test_functions_are_where_the_tables_say(self):
        for number, function, name in [row for walk in self.walks for row in walk]:
            with self.subTest(row=number, function=function, file=name):
                text = (ROOT / ("" if name.startswith("include/") else "src") / name).read_text(encoding="utf-8")
                self.assertRegex(text, rf"\b{function.rpartition('::')[2]}\b")
                self.assertIn(function.partition("::")[0], text)

    def test_totals_are_those_of_the_tables(self):
        self.assertEqual([[int(number) for number, _, _ in walk] for walk in self.walks],
                         [[*range(1, len(walk) + 1)] for walk in self.walks])
        self.assertEqual(self.totals, [(str(len(walk)), str(len({name for _, _, name in walk}))) for walk in self.walks])


if __name__ == "__main__":
    unittest.main()
