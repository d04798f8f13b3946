# SPDX-License-Identifier: Apache-2.0
"""What the tests of the Python package share."""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import numpy as np

try:
    import hypothesis
except ImportError:  # the tests that need it are skipped
    pass
else:
    # The same sequences in each run: a test of a change fails because of that change.
    hypothesis.settings.register_profile("repeatable", derandomize=True, database=None)
    hypothesis.settings.load_profile("repeatable")


class Scratch(unittest.TestCase):
    """A test with an empty folder."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="filigree-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name="a.h5"):
        return str(self.folder / name)

    def assert_same(self, a, b):
        """Two arrays have one shape, and equal elements; objects within them are arrays or strings."""
        a, b = np.asarray(a), np.asarray(b)
        self.assertEqual(a.shape, b.shape)
        if a.dtype.names is not None:
            self.assertEqual(a.dtype.names, b.dtype.names)
            for name in a.dtype.names:
                self.assert_same(a[name], b[name])
        elif a.dtype.kind == "O":
            for x, y in zip(a.flat, b.flat):
                if isinstance(x, np.ndarray) or isinstance(y, np.ndarray):
                    self.assert_same(x, y)
                elif isinstance(x, (str, bytes)):
                    self.assertEqual(x, y)
        else:
            np.testing.assert_array_equal(a, b)

    def assert_h5diff(self, a, b):
        """HDF5's h5diff finds no difference between two files."""
        done = subprocess.run(["h5diff", "-v", a, b], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
