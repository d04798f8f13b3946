#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every code block of the documentation that is marked as runnable runs, and prints what the page says it does; blocks.py
says how they are marked. With names of pages as arguments only these are run."""

import pathlib
import sys
import tempfile
import unittest

import blocks


def pages(names):
    paths = [pathlib.Path(name).resolve() for name in names] or sorted((blocks.ROOT / "docs").rglob("*.md"))
    found = {}
    for path in paths:
        name = path.relative_to(blocks.ROOT)
        if marked := blocks.read_blocks(name, path.read_text(encoding="utf-8")):
            found[name] = marked
    return found


class Pages(unittest.TestCase):
    names = []

    def test_marked_blocks_run(self):
        marked = pages(self.names)
        self.assertTrue(marked)
        with tempfile.TemporaryDirectory() as scratch:
            runner = blocks.Runner(scratch)
            self.assertIsNone(runner.build(blocks.Program(marked.values())), "the C++ of the pages does not compile")
            for number, (name, of_page) in enumerate(marked.items()):
                folder = pathlib.Path(scratch) / f"page{number}"
                folder.mkdir()
                for block in of_page:
                    with self.subTest(block=block.place()):
                        self.assertIsNone(runner.run(block, folder))


FENCE = "```"


def page(*parts):
    """Text of a page: (mark, language, code) each."""
    return "\n".join(f"{mark}\n{FENCE}{language}\n{code}\n{FENCE}\n" for mark, language, code in parts)


class Machinery(unittest.TestCase):
    """What is wrong is found."""

    def fault(self, text):
        """The first fault of a page."""
        with tempfile.TemporaryDirectory() as scratch:
            marked = blocks.read_blocks("page.md", text)
            runner = blocks.Runner(scratch)
            if any(b.language == "cpp" for b in marked):
                if complaint := runner.build(blocks.Program([marked])):
                    return complaint
            return next((found for b in marked if (found := runner.run(b, scratch))), None)

    def test_shell(self):
        self.assertIsNone(self.fault(page(("<!-- run -->", "sh", "echo a; echo b"), ("<!-- output -->", "text", "a\nb"))))
        self.assertIn("exit code 1", self.fault(page(("<!-- run -->", "sh", "false; true"))))
        self.assertIn("instead of", self.fault(page(("<!-- run -->", "sh", "echo a"), ("<!-- output -->", "text", "b"))))
        self.assertIsNone(self.fault(page(("", "sh", "false"))), "not marked")

    def test_console(self):
        self.assertIsNone(self.fault(page(("<!-- run -->", "console", "$ echo 12 a\n... a\n$ true"))))
        self.assertIn("instead of", self.fault(page(("<!-- run -->", "console", "$ echo a\nb"))))
        self.assertIn("instead of", self.fault(page(("<!-- run -->", "console", "$ echo a"))))

    def test_c(self):
        self.assertIsNone(self.fault(page(("<!-- run -->", "c", "int main(void) { return 0; }"))))
        self.assertIn("exit code 3", self.fault(page(("<!-- run -->", "c", "int main(void) { return 3; }"))))
        self.assertIn("page.md:3", self.fault(page(("<!-- run -->", "c", "int main(void) { return no; }"))))

    def test_cpp_that_does_not_compile(self):
        self.assertIn("page.md:3:", self.fault(page(("<!-- run -->", "cpp", "File file = no;"))))

    def test_cpp(self):
        text = page(("<!-- run: declare -->", "cpp", "constexpr int one = 1;"),
                    ("<!-- run -->", "cpp", "int n = one;\nstd::cout << n;"), ("<!-- output -->", "text", "1"),
                    ("<!-- run: go on -->", "cpp", "std::cout << n + 1;"), ("<!-- output -->", "text", "2"),
                    ("<!-- run -->", "cpp", "int main() { return 0; }"))
        self.assertIsNone(self.fault(text))
        wrong = page(("<!-- run -->", "cpp", 'File::open("none.h5");'))
        marked = blocks.read_blocks("page.md", text.replace("\n2\n", "\n3\n") + "\n" + wrong)
        with tempfile.TemporaryDirectory() as scratch:
            runner = blocks.Runner(scratch)
            self.assertIsNone(runner.build(blocks.Program([marked])))
            faults = [runner.run(b, scratch) for b in marked]
        self.assertEqual([f is None for f in faults], [True, True, False, True, False])
        self.assertIn("none.h5", faults[4])

    def test_marks(self):
        for text in ("<!-- run -->\nwords\n", page(("<!-- run -->", "fortran", "")), page(("<!-- run: twice -->", "sh", "")),
                     page(("<!-- output -->", "text", ""))):
            self.assertRaises(ValueError, blocks.read_blocks, "page.md", text)

    def test_expected_output(self):
        self.assertFalse(blocks.differs("a ... c\n...\nz\n", "a b c\nd\ne\nz\n"))
        self.assertTrue(blocks.differs("a ... c\n", "a b d\n"))
        self.assertTrue(blocks.differs("a\n", "a\nb\n"))
        self.assertTrue(blocks.differs("12 bytes\n", "13 bytes\n"))
        self.assertFalse(blocks.differs("12 bytes, 1.5 %\n", "13 bytes, 7 %\n", about=True))
        self.assertTrue(blocks.differs("12 bytes\n", "13 chunks\n", about=True))


if __name__ == "__main__":
    Pages.names = [a for a in sys.argv[1:] if not a.startswith("-")]
    unittest.main(argv=sys.argv[:1] + [a for a in sys.argv[1:] if a.startswith("-")] + (["Pages"] if Pages.names else []))
