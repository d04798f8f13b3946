# SPDX-License-Identifier: Apache-2.0
"""Packed values against a decoder that was written from the specification: it restores every chunk that our filter
stored, and our filter restores what it stored. The vectors of the page are checked too."""
import os
import re
import subprocess
import tempfile
import unittest

import h5py
import numpy as np
from h5py import h5t

import filters_reference as reference
import packed_selection
import packed_values as spec

PAGE = os.path.join(os.path.dirname(__file__), "../../docs/format/packed-values.md")
ORDERS = ["<", ">"]


def pipeline(w, flags):
    return [(501, 0, [w, flags])]


def vectors():
    """(name, w, flags, unpacked, stored) of the page."""
    with open(PAGE) as page:
        text = page.read().split("## Test vectors")[1]
    for name, w, flags, block in re.findall(r"^(\w[^\n]*), parameters (\d) and (\d):\n\n```\n(.*?)\n```", text, re.S | re.M):
        unpacked, stored = (bytes.fromhex(part) for part in block.split("\n\n"))
        yield name, int(w), int(flags), unpacked, stored


def counts(rng, size):
    """Most are 1, few are large."""
    return np.minimum(rng.geometric(0.79, size) + (rng.random(size) < 0.002) * rng.integers(0, 5000, size), 5000)


def columns(rng, size):
    """Values for every form."""
    yield np.full(size, 7)
    yield np.arange(size) // 3 + 50
    yield counts(rng, size)
    yield rng.poisson(20, size)
    yield rng.choice([3, 90, 111, 113, 17], size)
    yield np.repeat(rng.integers(0, 100, size // 50 + 1), 50)[:size]
    yield rng.integers(0, 120, size)
    yield np.where(rng.random(size) < 0.01, 127, rng.integers(0, 8, size))
    yield rng.integers(-5, 5, size)
    yield (rng.random(size) < 0.02).astype(int)


class PackedValues(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.driver = reference.Driver()
        cls.forms = set()

    @classmethod
    def tearDownClass(cls):
        cls.driver.close()

    def check(self, data, w, flags):
        mask, stored = self.driver.encode(pipeline(w, flags), data)
        self.assertEqual(mask, 0)
        self.assertLessEqual(len(stored), len(data) + 1)
        self.forms.add(stored[0])
        self.assertEqual(spec.decode(stored, w, flags), data)
        self.assertEqual(self.driver.decode(pipeline(w, flags), 0, stored, len(data)), data)

    def test_vectors(self):
        names = set()
        for name, w, flags, unpacked, stored in vectors():
            with self.subTest(name):
                names.add(name)
                self.assertEqual(spec.decode(stored, w, flags), unpacked)
                self.assertEqual(self.driver.encode(pipeline(w, flags), unpacked), (0, stored))
                self.assertEqual(self.driver.decode(pipeline(w, flags), 0, stored, len(unpacked)), unpacked)
        self.assertGreaterEqual(len(names), 7)

    def test_numbers_of_all_types(self):
        rng = np.random.default_rng(1)
        for size in 1, 2, 9, 300, 2500, 5000:
            for order in ORDERS:
                for kind in "i1", "u2", "i4", "u8", "f4", "f8":
                    flags = (order == ">" and kind[1] != "1") + 2 * (kind[0] == "f")
                    for values in columns(rng, size):
                        data = values.astype(order + kind).tobytes()
                        self.check(data, int(kind[1]), flags)
        self.assertLessEqual({1, 2, 3, 4, 5, 0x81, 0x82, 0x85}, self.forms)

    def test_fractions_and_noise(self):
        rng = np.random.default_rng(2)
        for w, dtype in (4, "<f4"), (8, "<f8"):
            self.check(rng.random(500).astype(dtype).tobytes(), w, 2)
            self.check(rng.choice([0.5, 0.25, 3.75], 500).astype(dtype).tobytes(), w, 2)
            self.check(np.array([0.0, -0.0, 1.0, 2.0] * 100, dtype).tobytes(), w, 2)
            self.check(np.array([np.nan, np.inf, -np.inf, 1.0] * 100, dtype).tobytes(), w, 2)
            self.check(np.array([2.0**24, -2.0**24, 1.0] * 100, dtype).tobytes(), w, 2)
            self.check(np.array([2.0**53, -2.0**63, 1.0] * 100, dtype).tobytes(), w, 2)
        for w in 1, 2, 4, 8:
            self.check(rng.bytes(1000), w, 0)
            self.check(b"", w, 0)

    def test_incomplete_numbers(self):
        rng = np.random.default_rng(3)
        for w in 2, 4, 8:
            data = counts(rng, 3000).astype(f"<u{w}").tobytes()
            for rest in range(1, w):
                self.check(data + rng.bytes(rest), w, 0)
                self.check(rng.bytes(rest), w, 0)

    def test_parameters_of_new_datasets(self):
        for kind, params in [("<i4", [4, 0]), (">u2", [2, 1]), ("<f4", [4, 2]), (">f8", [8, 3]), ("(3,)<i4", [4, 0]),
                             ("V12", [4, 0]), ("V3", [1, 0]), ("S1", [1, 0]), ("<f2", [2, 0])]:
            found = self.driver.prepare(501, [], [10], h5t.py_create(np.dtype(kind)), None)
            self.assertEqual(found, params, kind)

    def test_unusual_choices_of_a_writer(self):
        rng = np.random.default_rng(4)
        for w in 1, 2, 4, 8:
            for size in 1, 7, 100, 1000:
                values = [int(v) for v in counts(rng, size) % 256]
                data = b"".join(v.to_bytes(w, "little") for v in values)
                stored = [spec.encode_packed(values, w, bits, base) for bits in (0, 1, 3, 8) for base in (0, 1, 200)]
                stored.append(spec.encode_table(values, w, sorted(set(values)) + [9]))
                stored += [spec.encode_groups(values, w, longest, segments, known, bits)
                           for longest in (1, 2, 5, 11, 32) for segments in (1, 2, 4, 5, 16) for known in (2, 9)
                           for bits in (1, 4, 17, 64) if len(set(values)) > 1]
                for one in stored:
                    self.assertEqual(spec.decode(one, w, 0), data)
                    self.assertEqual(self.driver.decode(pipeline(w, 0), 0, one, len(data)), data)


class PackedFiles(unittest.TestCase):
    """Chunks of files that the library wrote. HDF5 does not know the filters, but returns the stored bytes."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "packed.h5")
        program = os.path.join(reference.BIN, "packed_files_driver")
        self.lines = subprocess.run([program, self.path], check=True, capture_output=True, text=True).stdout.splitlines()

    def test_chunks_through_hdf5(self):
        forms = set()
        with h5py.File(self.path) as file:
            for name in "counts", "floats", "ramp", "steps":
                packed, plain = file[name], file[name + "_plain"][:]
                code, _, params, title = packed.id.get_create_plist().get_filter(0)
                self.assertEqual((code, title), (501, b"filigree packed values"))
                for start in range(0, len(plain), 3000):
                    mask, stored = packed.id.read_direct_chunk((start,))
                    self.assertEqual(mask, 0)
                    forms.add(stored[0])
                    found = np.frombuffer(spec.decode(stored, *params), plain.dtype)
                    self.assertEqual(found[:len(plain) - start].tolist(), plain[start:start + 3000].tolist())
        self.assertLessEqual({2, 4, 5, 0x85}, forms)

    def test_sections_of_a_sparse_chunk(self):
        selection, values = (bytes.fromhex(word) for word in self.lines[0].split())
        form, dims, offsets = packed_selection.decode_set(selection)
        self.assertEqual((form, dims), (packed_selection.LINES, [200, 300]))
        self.assertEqual(offsets, [int(word) for word in self.lines[1].split()])
        found = np.frombuffer(spec.decode(values, 4, 0), "<i4")
        self.assertEqual(found.tolist(), [int(word) for word in self.lines[2].split()])


if __name__ == "__main__":
    unittest.main()
