# SPDX-License-Identifier: Apache-2.0
"""Chunked datasets that HDF5 wrote, read by us: indexes x filters x types x edges x bounds."""

import itertools
import os
import sys
import tempfile
import unittest

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "corpus"))
import compare_values  # noqa: E402

BIN = os.environ["FILIGREE_BIN"]

FILTERS = {
    "plain": {},
    "deflate": {"compression": "gzip", "compression_opts": 4},
    "shuffled": {"compression": "gzip", "shuffle": True},
    "lzf": {"compression": "lzf"},
    "checked": {"fletcher32": True},
    "scaled": {"scaleoffset": 0},
}
# Shape, chunk, maximum shape. The name says which chunk index the newest bounds choose.
SHAPES = {
    "single": ((6, 5), (6, 5), None),
    "fixed": ((13, 10), (4, 5), None),
    "fixed_paged": ((6000,), (2,), None),
    "extensible": ((13, 10), (4, 5), (None, 10)),
    "extensible_long": ((9000,), (3,), (None,)),
    "tree": ((13, 10), (4, 5), (None, None)),
    "tree_deep": ((70, 90), (1, 2), (None, None)),
    "larger_chunk": ((3, 4), (8, 8), (None, None)),
    "rank4": ((3, 4, 5, 6), (2, 2, 3, 4), None),
}
TYPES = ["<i4", ">u2", "<f8", "i1"]


def values(shape, kind):
    count = int(np.prod(shape))
    return (np.arange(count) * 7919 % 251 - (0 if "u" in kind else 100)).astype(kind).reshape(shape)


class Chunks(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "chunks.h5")

    def tearDown(self):
        self.folder.cleanup()

    def check(self, least):
        """Compares every dataset of the file; there must be at least this many."""
        totals = dict.fromkeys(["same", "different", "explained", "not looked at", "not read by h5py", "not opened by h5py"], 0)
        faults = compare_values.compare(os.path.join(BIN, "values_driver"), self.path, {}, totals)
        self.assertEqual(faults, [])
        self.assertGreaterEqual(totals["same"], least)
        self.assertEqual(totals["not looked at"] + totals["not read by h5py"] + totals["not opened by h5py"], 0, totals)

    def test_matrix(self):
        for bounds in ["earliest", "latest"]:
            with self.subTest(bounds):
                made = 0
                with h5py.File(self.path, "w", libver=bounds) as file:
                    for (name, (shape, chunk, largest)), (filters, options) in itertools.product(SHAPES.items(), FILTERS.items()):
                        for kind in TYPES if name in ("fixed", "tree") else TYPES[:1]:
                            if filters == "scaled" and "f" in kind:
                                continue
                            file.create_dataset(f"{name}_{filters}_{kind[-2:]}{kind[0]}", data=values(shape, kind), chunks=chunk,
                                                maxshape=largest, **options)
                            made += 1
                self.check(made)

    def test_unwritten_and_partly_written(self):
        for bounds in ["earliest", "latest"]:
            with h5py.File(self.path, "w", libver=bounds) as file:
                for (name, (shape, chunk, largest)), (filters, options) in itertools.product(SHAPES.items(), FILTERS.items()):
                    if filters == "scaled":
                        continue
                    for fill in (None, 7):
                        data = file.create_dataset(f"{name}_{filters}_{fill}", shape, "<i4", chunks=chunk, maxshape=largest,
                                                   fillvalue=fill, **options)
                        if filters != "plain":
                            data[tuple(n // 2 for n in shape)] = -5
            self.check(2 * len(SHAPES) * (len(FILTERS) - 1))

    def test_grown_and_shrunk(self):
        for bounds in ["earliest", "latest"]:
            with h5py.File(self.path, "w", libver=bounds) as file:
                for filters, options in FILTERS.items():
                    data = file.create_dataset(filters, data=values((13, 10), "<i4"), chunks=(4, 5), maxshape=(None, None), **options)
                    data.resize((30, 22))
                    data[20:, 15:] = 3
                    data.resize((22, 18))
                    data.resize((25, 25))
            self.check(len(FILTERS))

    def test_early_allocation(self):
        for bounds in ["earliest", "latest"]:
            with h5py.File(self.path, "w", libver=bounds) as file:
                plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
                plist.set_chunk((4, 5))
                plist.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
                space = h5py.h5s.create_simple((13, 10))
                h5py.h5d.create(file.id, b"implicit", h5py.h5t.STD_I32LE, space, plist)
                file["implicit"][3:9, 2:8] = values((6, 6), "<i4")
            self.check(1)

    def test_strings_and_compounds(self):
        with h5py.File(self.path, "w") as file:
            texts = [f"text {i}" * (i % 4) for i in range(50)]
            file.create_dataset("texts", data=texts, dtype=h5py.string_dtype(), chunks=(7,), compression="gzip")
            pairs = np.zeros(40, dtype=[("a", "<i2"), ("b", ">f8")])
            pairs["a"] = np.arange(40)
            pairs["b"] = np.arange(40) / 8
            file.create_dataset("pairs", data=pairs, chunks=(6,), compression="gzip", shuffle=True)
        self.check(2)

    def test_masked_chunks(self):
        """The filter mask of a chunk says which filters of the pipeline were skipped."""
        with h5py.File(self.path, "w") as file:
            data = file.create_dataset("masked", (8,), "<i4", chunks=(4,), compression="gzip", shuffle=True)
            data[:] = np.arange(8)
            data.id.write_direct_chunk((4,), np.arange(4, dtype="<i4").tobytes(), filter_mask=3)
        self.check(1)


if __name__ == "__main__":
    unittest.main()
