# SPDX-License-Identifier: Apache-2.0
"""Damaged and hostile files: the texts of errors are those of the C++ API, and nothing crashes or takes memory."""
import os
import pathlib
import resource
import struct
import subprocess
import unittest

import numpy as np

import filigree
from support import Scratch

DRIVER = pathlib.Path(os.environ.get("FILIGREE_BIN", "")) / "values_driver"


def texts_of_cpp(path):
    """What the C++ API reports: the text for the file, or those of the datasets that cannot be read."""
    done = subprocess.run([DRIVER, path], capture_output=True)
    if done.returncode != 0:
        return done.stderr.decode("utf-8", "surrogateescape").rstrip("\n")
    lines = [line.split("\t") for line in done.stdout.decode("utf-8", "surrogateescape").splitlines()]
    return {line[0]: line[2] for line in lines if line[1:2] == ["error"]}


def text_of_python(path, name):
    """The text for a dataset; None if it can be read, and "no dtype" if numpy has none for the damaged datatype."""
    with filigree.File(path) as file:
        try:
            file[name][...]
        except filigree.Error as error:
            return str(error)
        except TypeError as error:
            return "no dtype" if "numpy has no" in str(error) else repr(error)
    return None


def make_file(path):
    """A small file with a dataset of each layout."""
    with filigree.File(path, "w") as file:
        values = np.arange(64, dtype="i4").reshape(8, 8)
        file["flat"] = values
        file.create_dataset("chunks", data=values, chunks=(4, 4), compression="gzip", fletcher32=True)
        file["strings"] = ["one", "two", "three"]
        file.create_sparse_dataset("sparse", (8, 8), "i4", chunks=(4, 4)).sparse[...] = ([[1, 5], [2, 6]], [3, 4])
        file.create_dataset("g/table", data=np.array([(1, 2.5)], [("a", "i4"), ("b", "f8")]))


class Damage(Scratch):
    def setUp(self):
        super().setUp()
        make_file(self.path())
        self.image = pathlib.Path(self.path()).read_bytes()

    def damaged(self, changes):
        image = bytearray(self.image)
        for position, new in changes.items():
            image[position:position + len(new)] = new
        path = self.path("damaged.h5")
        pathlib.Path(path).write_bytes(image)
        return path

    def compare(self, path):
        """Returns how many errors there were, all with the text of C++."""
        expected = texts_of_cpp(path)
        if isinstance(expected, str):
            with self.assertRaises(OSError) as caught:
                filigree.File(path)
            self.assertEqual(str(caught.exception), expected)
            return 1
        found = {name: text_of_python(path, name) for name in expected}
        for name in expected:
            if found[name] != "no dtype":
                self.assertEqual(found[name], expected[name])
        return sum(text != "no dtype" for text in found.values())

    def test_texts_are_those_of_cpp(self):
        if not DRIVER.is_file():
            self.skipTest("FILIGREE_BIN does not name the programs of the tests")
        errors = 0
        for position in range(0, len(self.image), 41):
            errors += self.compare(self.damaged({position: bytes([self.image[position] ^ 0x5a])}))
        self.assertGreater(errors, 20)
        for length in range(0, len(self.image), 509):
            path = self.path("damaged.h5")
            pathlib.Path(path).write_bytes(self.image[:length])
            errors += self.compare(path)
        self.assertGreater(errors, 30)

    def test_every_flipped_byte_raises_or_reads(self):
        outcomes = set()
        for position in range(8, len(self.image), 7):
            image = bytearray(self.image)
            image[position] ^= 0xff
            try:
                with filigree.File.in_memory(bytes(image)) as file:
                    file.visititems(lambda name, obj: obj[...] is None if isinstance(obj, filigree.Dataset) else None)
                    outcomes.add("read")
            except (filigree.Error, TypeError, ValueError) as error:
                outcomes.add(type(error).__name__)
        self.assertTrue({"read", "FormatError"} <= outcomes, outcomes)

    def test_claims_of_a_file_take_no_memory(self):
        """A dataset that claims terabytes, and has none of them, is an error or a lazy array, and no allocation."""
        with filigree.File(self.path("huge.h5"), "w") as file:
            file.create_dataset("late", (1 << 40,), "f8")
            file.create_dataset("chunks", (1 << 40, 1 << 10), "f8", chunks=(1, 1 << 10))
            file.create_sparse_dataset("sparse", (1 << 40, 1 << 10), "f8", chunks=(1, 1 << 10))
        image = bytearray(pathlib.Path(self.path("huge.h5")).read_bytes())
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with filigree.File.in_memory(bytes(image)) as file:
            for name in ("late", "chunks", "sparse"):
                with self.assertRaises((filigree.Error, MemoryError, ValueError)):
                    file[name][...]
                self.assertEqual(file[name][5, 5] if name != "late" else file[name][5], 0)
            self.assertEqual(file["sparse"].sparse[...].nnz, 0)
            self.assertEqual(file["sparse"].nnz, 0)
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 200_000)  # KiB

    def test_a_string_that_claims_more_than_the_file(self):
        found = self.image.find(b"one")
        self.assertGreater(found, 0)
        path = self.damaged({found - 8: struct.pack("<Q", 1 << 40)})
        with filigree.File(path) as file:
            with self.assertRaises(OSError) as caught:
                file["strings"][...]
            self.assertEqual(caught.exception.kind, "corrupt")


if __name__ == "__main__":
    unittest.main()
