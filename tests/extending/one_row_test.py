# SPDX-License-Identifier: Apache-2.0
"""A new filter, driver, chunk format or command is one file or folder and one row of a table. Each test adds one to a scratch copy
of the tree, compiles the new sources and the table, and uses the result."""
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

    def one_folder_and_one_table(self):
        """New files have one stem, such as NAME.hpp and NAME.cpp; one file of the tree has changed."""
        new, changed = self.scratch.added, self.scratch.changed
        self.assertEqual((len({path.rsplit(".", 1)[0] for path in new}), len(changed)), (1, 1), (new, changed))

    def build_library(self, *sources):
        """Compiles sources, each with the command of an existing one, and links the library with them."""
        self.one_folder_and_one_table()
        self.scratch.library([self.scratch.compile(source, like) for source, like in sources])

    def test_a_filter(self):
        self.scratch.add(HERE / "filter" / "invert.cpp", "src/filter/invert.cpp")
        self.scratch.add_row("src/filter/builtin.hpp", "#define FILIGREE_BUILTIN_FILTERS", "  row(invert) \\")
        self.build_library(("src/filter/invert.cpp", "src/filter/fletcher32.cpp"), ("src/filter/table.cpp", None))
        self.assertEqual(self.scratch.run(self.scratch.program(HERE / "filter" / "use_filter.cpp")), "the filter works\n")

    def test_a_driver(self):
        for name in ("local_driver.hpp", "local_driver.cpp"):
            self.scratch.add(HERE / "driver" / name, f"src/io/local/{name}")
        self.scratch.add_row("src/io/drivers.cpp", '#include "io/posix/posix_driver.hpp"', '#include "io/local/local_driver.hpp"')
        self.scratch.add_row("src/io/drivers.cpp", "      posix_driver(),", "      local_driver(),")
        self.build_library(("src/io/local/local_driver.cpp", "src/io/posix/posix_driver.cpp"), ("src/io/drivers.cpp", None))
        self.assertEqual(self.scratch.run(self.scratch.program(HERE / "driver" / "use_driver.cpp")), "the driver works\n")
        self.assertEqual(self.scratch.run(self.scratch.c_program(HERE / "driver" / "use_driver.c")), "the driver works in C\n")

    def test_a_chunk_format(self):
        for name in ("reversed_format.hpp", "reversed_format.cpp"):
            self.scratch.add(HERE / "chunk_format" / name, f"src/chunk/format/{name}")
        table = "src/chunk/format/make_format.cpp"
        self.scratch.add_row(table, '#include "chunk/format/dense_format.hpp"', '#include "chunk/format/reversed_format.hpp"')
        self.scratch.add_row(table, "constexpr std::array formats{", '    FormatRow{"reversed", is_reversed, make_reversed_format},')
        self.build_library(("src/chunk/format/reversed_format.cpp", "src/chunk/format/dense_format.cpp"), (table, None))
        self.assertEqual(self.scratch.run(self.scratch.program(HERE / "chunk_format" / "use_chunk_format.cpp")), "the chunk format works\n")

    def test_a_command(self):
        self.scratch.add(HERE / "command" / "count.cpp", "tools/count.cpp")
        self.scratch.add_row("tools/commands.inc", "FILIGREE_COMMAND(clear", 'FILIGREE_COMMAND(count, "Count the links of the root group")')
        self.one_folder_and_one_table()
        command = self.scratch.link("bin/filigree", [self.scratch.compile("tools/count.cpp", like="tools/clear.cpp"),
                                                     self.scratch.compile("tools/main.cpp")], replaced=["main.cpp"])
        self.assertRegex(self.scratch.run(command, "--help"), r"(?m)^  count +Count the links of the root group$")
        with h5py.File(self.scratch.build / "links.h5", "w") as file:
            file.create_group("a")
            file.create_group("b")
        self.assertEqual(self.scratch.run(command, "count", "links.h5"), "2 links\n")


if __name__ == "__main__":
    unittest.main()
