# SPDX-License-Identifier: Apache-2.0
"""Runs the layer checker on small trees that break one rule each, and on the tree that CMake reads."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

CHECKER = pathlib.Path(__file__).resolve().parent / "check_layers.py"
ROOT = CHECKER.parent.parent

LAYERS = """\
# a comment

errors (include/filigree/error.hpp include/filigree/export.hpp):
public (include/filigree): errors
base: errors
store: base errors
testing: base errors
tools (tools): public errors
"""

GOOD = {
    "layers.txt": LAYERS,
    "include/filigree/error.hpp": "#include <string>\n#include <filigree/export.hpp>\n",
    "include/filigree/export.hpp": "",
    "include/filigree/file.hpp": "#include <filigree/error.hpp>\n",
    "src/base/bytes.hpp": "#include <filigree/error.hpp>\n",
    "src/base/bytes_test.cpp": '#include "base/bytes.hpp"\n#include "testing/hex.hpp"\n',
    "src/testing/hex.hpp": '#include "base/bytes.hpp"\n',
    "src/store/cache.cpp": '#include "base/bytes.hpp"\n#include "store/cache.hpp"\n#include <fmt/format.h>\n',
    "src/store/cache.hpp": "",
    "src/store/heaps/local_heap.hpp": '#include "store/cache.hpp"\n',
    "tools/ls.cpp": '#include "ls.hpp"\n#include <filigree/file.hpp>\n',
    "tools/ls.hpp": "",
}


class Checker(unittest.TestCase):
    def run_on(self, changes):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (GOOD | changes).items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            done = subprocess.run([sys.executable, CHECKER, folder], capture_output=True, text=True, check=False)
            return done.returncode, done.stdout + done.stderr

    def expect_fault(self, changes, *words):
        code, output = self.run_on(changes)
        self.assertEqual(code, 1, output)
        for word in words:
            self.assertIn(word, output)
        self.assertIn(" 1 faults", output)

    def test_accepts_a_good_tree(self):
        code, output = self.run_on({})
        self.assertEqual(code, 0, output)

    def test_names_file_and_line_of_an_upward_include(self):
        self.expect_fault({"src/base/a.cpp": '\n#include "store/cache.hpp"\n'}, "src/base/a.cpp:2:", "'store'")

    def test_checks_files_in_subfolders(self):
        include = '#include "store/heaps/local_heap.hpp"\n'
        self.expect_fault({"src/base/deep/a.cpp": include}, "src/base/deep/a.cpp:1:", "'store'")

    def test_sees_through_angle_brackets(self):
        self.expect_fault({"src/base/a.cpp": "#include <store/cache.hpp>\n"}, "src/base/a.cpp:1:", "'store'")

    def test_sees_through_relative_paths(self):
        self.expect_fault({"src/base/a.cpp": '#  include "../store/cache.hpp"\n'}, "src/base/a.cpp:1:", "'store'")

    def test_refuses_public_headers_below_the_public_api(self):
        self.expect_fault({"src/base/a.hpp": "#include <filigree/file.hpp>\n"}, "src/base/a.hpp:1:", "'public'")

    def test_refuses_internals_in_public_headers(self):
        self.expect_fault({"include/filigree/file.hpp": '#include "base/bytes.hpp"\n'}, "file.hpp:1:", "'base'")

    def test_refuses_public_headers_in_the_error_header(self):
        self.expect_fault({"include/filigree/error.hpp": "#include <filigree/file.hpp>\n"}, "error.hpp:1:", "'public'")

    def test_refuses_internals_in_tools(self):
        self.expect_fault({"tools/ls.cpp": '#include "store/cache.hpp"\n'}, "tools/ls.cpp:1:", "'store'")

    def test_refuses_testing_outside_tests(self):
        self.expect_fault({"src/base/a.cpp": '#include "testing/hex.hpp"\n'}, "src/base/a.cpp:1:", "'testing'")

    def test_refuses_headers_of_no_layer(self):
        self.expect_fault({"src/base/a.cpp": '#include "elsewhere/x.hpp"\n'}, "src/base/a.cpp:1:", "'elsewhere'")

    def test_refuses_headers_that_do_not_exist(self):
        include = '#include "missing.hpp"\n'
        self.expect_fault({"src/base/a.cpp": include}, "src/base/a.cpp:1:", 'no header "missing.hpp"')

    def test_refuses_a_folder_of_src_without_a_row(self):
        self.expect_fault({"src/novel/a.cpp": "\n"}, "src/novel has sources, but no row")

    def test_refuses_a_source_outside_of_all_layers(self):
        self.expect_fault({"src/a.cpp": "\n"}, "src/a.cpp:1: no layer owns this file")

    def test_accepts_a_layer_in_a_folder_of_its_own(self):
        code, output = self.run_on({
            "layers.txt": LAYERS + "python (python): public errors\n",
            "python/module.cpp": "#include <filigree/file.hpp>\n",
        })
        self.assertEqual(code, 0, output)

    def test_checks_a_layer_in_a_folder_of_its_own(self):
        self.expect_fault({
            "layers.txt": LAYERS + "python (python): public errors\n",
            "python/module.cpp": '#include "base/bytes.hpp"\n',
        }, "python/module.cpp:1: 'python' may not include 'base'")

    def test_refuses_a_row_for_a_folder_that_does_not_exist(self):
        changed = LAYERS + "python (python): public\n"
        self.expect_fault({"layers.txt": changed}, "'python' names python, which does not exist")

    def test_refuses_layers_that_form_a_cycle(self):
        changed = LAYERS.replace("base: errors", "base: errors store", 1)
        self.expect_fault({"layers.txt": changed}, "the layers form a cycle: base -> store -> base")

    def test_refuses_an_unknown_layer_on_the_right(self):
        changed = LAYERS.replace("testing: base", "testing: base nothing")
        self.expect_fault({"layers.txt": changed}, "'testing' may include 'nothing', which has no row")

    def test_refuses_two_rows_for_a_layer(self):
        self.expect_fault({"layers.txt": LAYERS + "base: errors\n"}, "layers.txt:9: the layer 'base' has two rows")

    def test_refuses_a_row_without_a_colon(self):
        self.expect_fault({"layers.txt": LAYERS + "extra errors\n"}, "layers.txt:9: expected 'LAYER: ")

    def test_refuses_an_empty_tree(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "layers.txt").write_text("")
            done = subprocess.run([sys.executable, CHECKER, folder], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertIn("there are no sources below", done.stdout)


class Build(unittest.TestCase):
    """layers.txt is the only description of the graph: the build does not repeat it."""

    def test_no_layer_links_another_layer_by_name(self):
        layers = "|".join(path.name for path in (ROOT / "src").iterdir() if path.is_dir())
        for file in sorted((ROOT / "src").glob("*/CMakeLists.txt")):
            for call in re.findall(r"(?:filigree_layer|target_link_libraries)\(([^)]*)\)", file.read_text()):
                linked = re.findall(rf"\bfiligree_(?:{layers})\b", call.partition(" ")[2])
                self.assertEqual(linked, [], f"{file.relative_to(ROOT)}: {call}")


if __name__ == "__main__":
    unittest.main()
