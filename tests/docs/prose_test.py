#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pages have lines that fit, and none of the words that docs/glossary.md avoids."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COLUMNS = 120
FENCED = re.compile(r"^(```+|~~~+).*?^\1[ ]*$", re.M | re.S)
CODE = re.compile(r"`[^`\n]*`")
# Only words that are wrong in every sense. Others of the glossary's list need a reader.
AVOIDED = re.compile(
    r"\b(stock|in vain|and kin|likewise|drivers of programs|filters of programs|far away|far file|far files|takes? turns|"
    r"one behind the other|side by side|puts? together|taken? apart|with the others' leave|the one who)\b", re.I)
NOT_PAGES = ("glossary.md",)  # which names them


def pages():
    return [path for path in sorted(ROOT.glob("*.md")) if path.name != "CHANGELOG.md"] + sorted((ROOT / "docs").rglob("*.md"))


def prose(text):
    """The page with code blanked out; lines keep their numbers and lengths."""
    def blank(found):
        return re.sub(r"[^\n]", " ", found[0])
    return CODE.sub(blank, FENCED.sub(blank, text))


def long_lines(text):
    """Numbers of lines that are too long: neither rows of a table nor in a block of code, which show exact output."""
    outside = FENCED.sub(lambda found: "\n" * found[0].count("\n"), text)
    return [number for number, line in enumerate(outside.splitlines(), 1) if len(line) > COLUMNS and not line.startswith("|")]


def avoided_words(text):
    return [(number, found[0]) for number, line in enumerate(prose(text).splitlines(), 1) for found in AVOIDED.finditer(line)]


class ProseTest(unittest.TestCase):
    def test_lines_fit(self):
        for path in pages():
            with self.subTest(page=str(path.relative_to(ROOT))):
                self.assertEqual(long_lines(path.read_text(encoding="utf-8")), [])

    def test_avoided_words(self):
        for path in pages():
            if path.name in NOT_PAGES:
                continue
            with self.subTest(page=str(path.relative_to(ROOT))):
                self.assertEqual(avoided_words(path.read_text(encoding="utf-8")), [])

    def test_faults_are_found(self):
        self.assertEqual(long_lines("short\n" + "word " * 30 + "\n| " + "cell " * 40 + "|\n```\n" + "x" * 200 + "\n```\n"), [2])
        self.assertEqual(avoided_words("HDF5\n`stock` is code\nStock is not\n```\nstock\n```\nThreads take turns.\n"),
                         [(3, "Stock"), (7, "take turns")])


if __name__ == "__main__":
    unittest.main()
