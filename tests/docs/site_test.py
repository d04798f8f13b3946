#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The documentation builds as a site without a complaint, and its links lead somewhere. Only where mkdocs and doxygen are
installed: they are not among what the tests need."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


@unittest.skipUnless(shutil.which("mkdocs") and shutil.which("doxygen"), "needs mkdocs and doxygen")
class SiteTest(unittest.TestCase):
    def run_script(self, name, *arguments):
        done = subprocess.run([sys.executable, str(ROOT / "scripts" / name), *arguments], capture_output=True, encoding="utf-8")
        self.assertEqual(done.returncode, 0, f"{done.stdout[-3000:]}{done.stderr[-3000:]}")

    def test_the_site_builds(self):
        with tempfile.TemporaryDirectory() as folder:
            site = pathlib.Path(folder) / "site"
            self.run_script("build-docs", str(site))
            self.assertTrue((site / "tutorial.html").exists())
            self.assertTrue((site / "reference" / "index.html").exists())
            self.run_script("check-links", "--site", str(site))


if __name__ == "__main__":
    unittest.main()
