#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of environment variables in docs/debugging.md is complete, and names none that nobody reads."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDERS = ("src", "tools", "fuzz", "bench", "examples", "tests", "scripts", "cmake")
# Names in calls and in constants that are passed to them, in C++, Python, shell and CMake.
READS = re.compile(
    r"getenv\(\"(\w+)\"\)|environ(?:\.get\(|\[)[\"'](\w+)[\"']|\"(HDF5_[A-Z_]+)\"|\$\{(FILIGREE_[A-Z_]+):-|ENV\{(FILIGREE_\w+)\}")
SYSTEM = {"PATH", "DESTDIR", "HOME", "TMPDIR"}


def variables(text):
    return {name for found in READS.findall(text) for name in found if name} - SYSTEM


def listed():
    page = (ROOT / "docs" / "debugging.md").read_text(encoding="utf-8")
    return re.findall(r"^\| `(\w+)` \|", page, re.M)


def sources():
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and path.suffix not in (".pyc", ".h5", ".txt") and path != pathlib.Path(__file__).resolve():
                yield path


class EnvironmentTest(unittest.TestCase):
    def test_the_table_is_complete(self):
        read = set().union(*(variables(path.read_text(encoding="utf-8", errors="replace")) for path in sources()))
        self.assertGreater(len(read), 10)
        names = listed()
        self.assertEqual(len(names), len(set(names)), "a variable is listed twice")
        self.assertEqual(sorted(read - set(names)), [], "read somewhere, but not in docs/debugging.md")
        self.assertEqual(sorted(set(names) - read), [], "in docs/debugging.md, but read nowhere")

    def test_reads_are_found(self):
        self.assertEqual(variables('std::getenv("A_B"); os.environ.get("C", 1); os.environ["D"]; f("HDF5_E"); "${FILIGREE_F:-x}"'),
                         {"A_B", "C", "D", "HDF5_E", "FILIGREE_F"})


if __name__ == "__main__":
    unittest.main()
