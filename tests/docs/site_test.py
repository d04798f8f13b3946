#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The documentation builds as a site without a complaint, its links lead somewhere, and its menu is unambiguous. Only where mkdocs
and doxygen are installed: they are not among what the tests need. Where there is a browser, too: blocks of code and tables fit the
page, and the search works for a site that was opened from files."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import browser

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WIDTHS = (1300, 420)  # a screen, a telephone


def menu(html):
    """Names of the entries and captions of the navigation, without the headings of the page itself."""
    return [name.strip() for found in re.findall(r'class="toctree-l1[^"]*"><a[^>]*>([^<]+)</a>|class="caption-text">([^<]+)<', html)
            for name in found if name]


@unittest.skipUnless(shutil.which("mkdocs") and shutil.which("doxygen"), "needs mkdocs and doxygen")
class SiteTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.site = pathlib.Path(cls.folder.name) / "site"
        done = cls.run_script("build-docs", str(cls.site))
        if done.returncode != 0:
            raise AssertionError(f"{done.stdout[-3000:]}{done.stderr[-3000:]}")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @staticmethod
    def run_script(name, *arguments):
        return subprocess.run([sys.executable, str(ROOT / "scripts" / name), *arguments], capture_output=True, encoding="utf-8")

    def pages(self):
        """Pages that mkdocs made, as paths in the site."""
        paths = (path.relative_to(self.site) for path in sorted(self.site.rglob("*.html")))
        return [path.as_posix() for path in paths if path.parts[0] != "reference"]

    def test_the_site_builds(self):
        self.assertTrue((self.site / "tutorial.html").exists())
        self.assertTrue((self.site / "reference" / "index.html").exists())
        done = self.run_script("check-links", "--site", str(self.site))
        self.assertEqual(done.returncode, 0, done.stdout[-3000:])

    def test_every_page_is_in_the_menu(self):
        listed = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
        for path in sorted((ROOT / "docs").rglob("*.md")):
            name = path.relative_to(ROOT / "docs").as_posix()
            if name.startswith("design/"):
                name = "design/index.md"  # which links to all of them
                self.assertIn(path.name, (ROOT / "docs" / name).read_text(encoding="utf-8") + "index.md")
            self.assertRegex(listed, rf": {re.escape(name)}\n")

    def test_no_two_entries_of_the_menu_have_one_name(self):
        names = [name.lower() for name in menu((self.site / "tutorial.html").read_text(encoding="utf-8"))]
        self.assertGreater(len(names), 30)
        self.assertEqual(sorted(names), sorted(set(names)))

    def test_pages_use_our_styles_and_search(self):
        html = (self.site / "format" / "layout.html").read_text(encoding="utf-8")
        self.assertIn('href="../site/site.css"', html)
        self.assertIn('src="../search/main.js"', html)
        self.assertNotIn("Worker", (self.site / "search" / "main.js").read_text(encoding="utf-8"))
        self.assertTrue((self.site / "search" / "search_index.js").read_text(encoding="utf-8").startswith("window."))

    @unittest.skipUnless(browser.browser(), "needs chromium")
    def test_code_and_tables_fit_the_page(self):
        for width in WIDTHS:
            with self.subTest(width=width):
                self.assertEqual(browser.faults(self.site, self.pages(), width), [])

    @unittest.skipUnless(browser.browser(), "needs chromium")
    def test_what_does_not_fit_is_found(self):
        wide = self.site / "wide.html"
        text = (self.site / "glossary.html").read_text(encoding="utf-8")
        wide.write_text(text.replace("</table>", '</table><pre style="white-space:pre">' + "wide " * 100 + "</pre>", 1), encoding="utf-8")
        try:
            self.assertRegex(" ".join(browser.faults(self.site, ["wide.html"], WIDTHS[0])), "wide.html: does not fit: pre")
        finally:
            wide.unlink()

    @unittest.skipUnless(browser.browser(), "needs chromium")
    def test_the_search_works_from_files(self):
        self.assertIn("glossary.html", [link.partition("#")[0] for link in browser.search(self.site, "glossary")])
        self.assertEqual(browser.search(self.site, "nosuchwordanywhere"), [])


if __name__ == "__main__":
    unittest.main()
