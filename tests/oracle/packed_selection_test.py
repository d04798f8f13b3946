# SPDX-License-Identifier: Apache-2.0
"""Packed selections against a decoder that was written from the specification: sets of all densities, with rows and
columns that differ, and the vectors of the page."""
import os
import re
import struct
import unittest

import numpy as np

import filters_reference as reference
import packed_selection as spec

PAGE = os.path.join(os.path.dirname(__file__), "../../docs/format/packed-selection.md")
PIPELINE = [(500, 0, [])]


def encoded(mask):
    """The selection of the true elements as HDF5 encodes it: an extent, and every run of a row as a block."""
    dims = mask.shape
    extent = struct.pack("<BBBI", 1, 0, 8, 8 + 16 * len(dims)) + struct.pack("<BBB5x", 1, len(dims), 1)
    extent += 2 * struct.pack(f"<{len(dims)}Q", *dims)
    boxes = []
    rows = [tuple(row) for row in mask]
    at = 0
    while at < len(rows):
        last = at
        while last + 1 < len(rows) and rows[last + 1] == rows[at]:
            last += 1
        edges = np.flatnonzero(np.diff(np.concatenate([[0], mask[at], [0]])))
        boxes += [(at, begin, last, end - 1) for begin, end in zip(edges[::2], edges[1::2])]
        at = last + 1
    body = struct.pack("<II", len(dims), len(boxes)) + b"".join(struct.pack("<4I", *box) for box in boxes)
    return extent + struct.pack("<IIII", 2, 1, 0, len(body)) + body


def block_offsets(blob, rank=2):
    """The offsets of the blocks of an unpacked vector of rank 2."""
    dims = struct.unpack_from(f"<{rank}Q", blob, 15)
    count, at = struct.unpack_from("<I", blob, 15 + 16 * rank + 20)[0], 15 + 16 * rank + 24
    found = []
    for i in range(count):
        top, left, bottom, right = struct.unpack_from("<4I", blob, at + 16 * i)
        found += [y * dims[1] + x for y in range(top, bottom + 1) for x in range(left, right + 1)]
    return sorted(found)


class PackedSelection(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.driver = reference.Driver()
        cls.forms = set()

    @classmethod
    def tearDownClass(cls):
        cls.driver.close()

    def check(self, mask):
        plain = encoded(mask)
        _, stored = self.driver.encode(PIPELINE, plain)
        self.assertEqual(self.driver.decode(PIPELINE, 0, stored, len(plain)), plain)
        form = stored[0] & 127
        self.forms.add(form)
        if form in (spec.ELEMENTS, spec.RUNS, spec.HOLES, spec.LINES):
            _, dims, offsets = spec.decode_set(stored)
            self.assertEqual(tuple(dims), mask.shape)
            self.assertEqual(offsets, np.flatnonzero(mask).tolist())

    def test_densities_that_differ(self):
        rng = np.random.default_rng(1)
        for rows, columns in (60, 40), (128, 70), (33, 200), (200, 31):
            for spread in 0.0, 1.0, 2.0:
                for mean in 0.02, 0.1, 0.4:
                    density = np.clip(mean * np.exp(spread * rng.standard_normal(columns)), 0, 1)
                    self.check(rng.random((rows, columns)) < density)
                    self.check((rng.random((columns, rows)) < density[:, None]))
                    self.check(rng.random((rows, columns)) < np.where(density > mean, 0.97, 0.05))
        self.assertLessEqual({spec.ELEMENTS, spec.RUNS, spec.LINES}, self.forms)

    def test_vectors_of_sets(self):
        with open(PAGE) as page:
            text = page.read().split("## Test vectors")[1]
        found = dict(re.findall(r"^(Elements|Holes|Lines, [a-z]+):\n\n```\n(.*?)\n```", text, re.S | re.M))
        self.assertEqual(set(found), {"Elements", "Holes", "Lines, columns", "Lines, rows"})
        for name, block in found.items():
            unpacked, stored = (bytes.fromhex(part) for part in block.split("\n\n"))
            self.assertEqual(spec.decode_set(stored)[2], block_offsets(unpacked), name)
            self.assertEqual(self.driver.encode(PIPELINE, unpacked), (0, stored), name)
            self.assertEqual(self.driver.decode(PIPELINE, 0, stored, len(unpacked)), unpacked, name)


if __name__ == "__main__":
    unittest.main()
