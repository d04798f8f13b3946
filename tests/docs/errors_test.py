#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The error catalogue has every kind of error, in the order of the header, and an example of each but of bugs."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class ErrorsTest(unittest.TestCase):
    def setUp(self):
        header = (ROOT / "include" / "filigree" / "error.hpp").read_text()
        body = re.search(r"enum class ErrorKind[^{]*\{(.*?)\};", header, re.S)[1]
        self.kinds = re.findall(r"^\s*(\w+),", body, re.M)
        page = (ROOT / "docs" / "errors.md").read_text()
        self.sections = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", page, re.M | re.S))

    def test_every_kind_has_a_section(self):
        self.assertGreater(len(self.kinds), 10)
        self.assertEqual(list(self.sections), self.kinds)

    def test_every_kind_has_an_example(self):
        for kind in self.kinds:
            if kind != "internal":
                self.assertIn("```text\n", self.sections[kind], kind)


if __name__ == "__main__":
    unittest.main()
