# SPDX-License-Identifier: Apache-2.0
"""Whoever adds a filter or a command writes one file and one row of a table. Each test does so in a scratch copy of the tree,
compiles the file and the table, and uses what it has added."""
import pathlib
import tempfile
import unittest

import h5py

from scratch import Scratch

HERE = pathlib.Path(__file__).resolve().parent


class Extending(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="filigree_extending_")
        self.addCleanup(folder.cleanup)
        self.scratch = Scratch(folder.name)

    def one_file_and_one_row(self):
        self.assertEqual(len(self.scratch.touched), 2, self.scratch.touched)

    def test_a_filter(self):
        self.scratch.add(HERE / "filter" / "invert.cpp", "src/filter/invert.cpp")
        self.scratch.add_row("src/filter/builtin.hpp", "#define FILIGREE_BUILTIN_FILTERS", "  row(invert) \\")
        self.one_file_and_one_row()
        self.scratch.library([self.scratch.compile("src/filter/invert.cpp", like="src/filter/fletcher32.cpp"),
                              self.scratch.compile("src/filter/table.cpp")])
        self.assertEqual(self.scratch.run(self.scratch.program(HERE / "filter" / "use_filter.cpp")), "the filter works\n")

    def test_a_command(self):
        self.scratch.add(HERE / "command" / "count.cpp", "tools/count.cpp")
        self.scratch.add_row("tools/commands.inc", "FILIGREE_COMMAND(clear", 'FILIGREE_COMMAND(count, "Count the links of the root group")')
        self.one_file_and_one_row()
        command = self.scratch.link("bin/filigree", [self.scratch.compile("tools/count.cpp", like="tools/clear.cpp"),
                                                     self.scratch.compile("tools/main.cpp")], replaced=["main.cpp"])
        self.assertRegex(self.scratch.run(command, "--help"), r"(?m)^  count +Count the links of the root group$")
        with h5py.File(self.scratch.build / "links.h5", "w") as file:
            file.create_group("a")
            file.create_group("b")
        self.assertEqual(self.scratch.run(command, "count", "links.h5"), "2 links\n")


if __name__ == "__main__":
    unittest.main()
