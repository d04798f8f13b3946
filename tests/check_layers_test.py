# SPDX-License-Identifier: Apache-2.0
"""The layer checker on trees made up to break the rules."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECKER = pathlib.Path(__file__).resolve().parent / "check_layers.py"

LAYERS = """\
# a comment
errors:
base: errors
store: base errors
public: errors
testing: base errors
tools: public errors
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

    def test_refuses_a_folder_that_layers_txt_does_not_name(self):
        self.expect_fault({"src/novel/a.cpp": "\n"}, "'novel' is missing")

    def test_refuses_layers_that_include_one_another(self):
        self.expect_fault({"layers.txt": LAYERS.replace("base: errors", "base: errors store", 1)}, "base -> store -> base")

    def test_refuses_an_unknown_layer_on_the_right(self):
        self.expect_fault({"layers.txt": LAYERS + "extra: nothing\n"}, "'nothing', which is no layer")

    def test_refuses_an_empty_tree(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "layers.txt").write_text(LAYERS)
            done = subprocess.run([sys.executable, CHECKER, folder], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1, done.stdout)


if __name__ == "__main__":
    unittest.main()
