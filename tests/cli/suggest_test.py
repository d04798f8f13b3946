# SPDX-License-Identifier: Apache-2.0
"""filigree suggest: chunk dimensions. tests/api/suggest_chunks_test.cpp checks which ones are chosen."""

import unittest

from support import FolderCase, run


class Suggest(FolderCase):
    def test_prints_chunks_of_dense_datasets(self):
        self.assertEqual(self.lines("suggest", "4096,4096", "--access", "rows"),
                         ["64 x 4096", "262144 elements per chunk, 1.0 MiB before compression"])
        self.assertEqual(self.lines("suggest", "4096x4096", "-a", "rows", "-b", 8)[0], "32 x 4096")
        self.assertEqual(self.lines("suggest", "7", "-b", 1)[1], "7 elements per chunk, 7 bytes before compression")

    def test_prints_chunks_of_sparse_datasets(self):
        self.assertEqual(self.lines("suggest", "0/Inf,2048,2048", "--per-slice", 4150, "--access", "frames"),
                         ["1 x 2048 x 2048", "4194304 elements per chunk, about 4150 of them defined"])
        self.assertEqual(self.lines("suggest", "0/100,8,8", "--density", 1, "--access", "frames")[0], "64 x 8 x 8")
        self.assertEqual(self.lines("suggest", "1000,1000", "-s")[0], "500 x 1000")

    def test_refuses_what_makes_no_sense(self):
        for dims in ("", "x", "5,", ",5", "5/", "-5", "Inf", "5/4,3", "1e3", "99999999999999999999"):
            self.assert_fails("^filigree: ", "suggest", "--", dims, status=2)
        self.assert_fails("a density of 2", "suggest", "5,5", "--density", 2, status=2)
        self.assert_fails("0 defined elements", "suggest", "5,5", "--per-slice", 0, status=2)
        self.assert_fails("excludes", "suggest", "5,5", "--per-slice", 3, "--density", 0.1, status=2)
        self.assert_fails("access", "suggest", "5,5", "--access", "sideways", status=2)

    def test_help_shows_an_example(self):
        self.assertIn("0/Inf,2048,2048", run("suggest", "--help").stdout)


if __name__ == "__main__":
    unittest.main()
