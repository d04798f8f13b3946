#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No link of the documentation leads nowhere, and scripts/check-links would say so."""

import importlib.machinery
import importlib.util
import pathlib
import re
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LOADER = importlib.machinery.SourceFileLoader("check_links", str(ROOT / "scripts" / "check-links"))
check_links = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_links", LOADER))
LOADER.exec_module(check_links)


class LinksTest(unittest.TestCase):
    maxDiff = None

    def test_ours(self):
        self.assertEqual(list(check_links.Tree(ROOT).faults()), [])

    def test_every_page_is_in_the_navigation(self):
        listed = set(re.findall(r":\s+(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.M))
        pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
        self.assertEqual([page for page in sorted(pages - listed) if not page.startswith("design/")], [])
        decisions = {page.removeprefix("design/") for page in pages if page.startswith("design/0")}
        linked = {target for _, target in check_links.links((ROOT / "docs" / "design" / "index.md").read_text())}
        self.assertEqual(sorted(decisions - linked), [])

    def test_what_is_wrong_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "docs").mkdir()
            (root / "docs" / "a.md").write_text("# A `b` c\n\n## Two - parts\n")
            (root / "README.md").write_text(
                "[ok](docs/a.md) [ok](docs/a.md#a-b-c) [web](https://example.org/none) `[code](none.md)`\n"
                "```\n[code](none.md)\n```\n"
                "[file](docs/none.md)\n[heading](docs/a.md#none)\n[out](../none.md)\n![picture](none.png)\n"
                "[here](#none)\n[differs](docs/a.md#two---parts)\n[x]: docs/none.md\n<a href=\"docs/none.md\">x</a>\n")
            faults = list(check_links.Tree(root).faults())
        self.assertEqual([f.split(":")[1] for f in faults], ["5", "6", "7", "8", "9", "10", "11", "12"], faults)

    def test_a_site(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "sub").mkdir()
            (root / "sub" / "index.html").write_text('<h1 id="top">x</h1>')
            (root / "index.html").write_text(
                '<a href="sub/">1</a><a href="sub/index.html#top">2</a><a href="https://example.org">3</a>\n'
                '<a href="sub/index.html#none">4</a>\n<img src="none.png">\n')
            faults = list(check_links.site_faults(root))
        self.assertEqual([f.split(":")[1] for f in faults], ["2", "3"], faults)


if __name__ == "__main__":
    unittest.main()
