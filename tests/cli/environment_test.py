# SPDX-License-Identifier: Apache-2.0
"""Wrong environment variables are reported when a file is opened."""

import os
import unittest

import h5py

from support import FolderCase, run

WRONG = {"FILIGREE_THREADS": ("0", "many", "-1", ""), "FILIGREE_CHUNK_CACHE_BYTES": ("many", "-1", "64MB", "")}


class Environment(FolderCase):
    def test_wrong_values_are_named(self):
        h5py.File(self.folder / "empty.h5", "w").close()
        for name, values in WRONG.items():
            for value in values:
                with self.subTest(variable=name, value=value):
                    done = run("ls", "empty.h5", cwd=self.folder, env=dict(os.environ, **{name: value}))
                    self.assertNotEqual(done.returncode, 0)
                    self.assertIn(f"{name} is '{value}'", done.stderr)


if __name__ == "__main__":
    unittest.main()
