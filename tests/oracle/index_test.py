# SPDX-License-Identifier: Apache-2.0
"""Chunk indexes: Filigree finds the chunks of HDF5's files, and HDF5 reads and extends indexes that Filigree rebuilt."""
import itertools
import os
import re
import subprocess
import tempfile
import unittest

import h5py
import numpy as np

DRIVER = os.path.join(os.environ["FILIGREE_BIN"], "index_driver")
N = None
OLD, NEW = ("earliest", "v110"), ("v110", "v110")

# name: bounds, shape, maximum shape, chunk, further options
KINDS = {
    "tree1": (OLD, (700,), (N,), (3,), {}),
    "tree1_deep": (OLD, (90, 80), (N, 80), (1, 1), {}),
    "tree1_filtered": (OLD, (40, 30), (N, N), (3, 4), {"compression": 1, "shuffle": True}),
    "tree1_cube": (OLD, (9, 9, 9), (9, 9, 20), (2, 2, 2), {"fletcher32": True}),
    "single": (NEW, (20, 30), (20, 30), (20, 30), {}),
    "single_filtered": (NEW, (20, 30), (20, 30), (20, 30), {"compression": 1}),
    "fixed": (NEW, (20, 30), (24, 34), (3, 4), {}),
    "fixed_filtered": (NEW, (20, 30), (20, 30), (3, 4), {"compression": 4}),
    "fixed_paged": (NEW, (60, 80), (64, 90), (1, 2), {}),
    "fixed_paged_filtered": (NEW, (60, 80), (60, 80), (1, 2), {"fletcher32": True}),
    "extensible": (NEW, (90,), (N,), (2,), {}),
    "extensible_long": (NEW, (40000,), (N,), (2,), {}),
    "extensible_filtered": (NEW, (9000,), (N,), (2,), {"fletcher32": True}),
    "extensible_row": (NEW, (300, 9), (N, 15), (1, 2), {}),
    "extensible_column": (NEW, (9, 300), (15, N), (2, 1), {"compression": 1}),
    "tree2": (NEW, (20, 30), (N, N), (3, 4), {}),
    "tree2_deep": (NEW, (90, 80), (N, N), (1, 1), {}),
    "tree2_filtered": (NEW, (60, 50), (N, N), (1, 2), {"compression": 1}),
    "tree2_cube": (NEW, (9, 9, 9), (N, 9, N), (2, 1, 2), {"fletcher32": True}),
}


def values(shape, salt):
    return (np.arange(np.prod(shape), dtype="<i4") * 7 + salt).reshape(shape)


def make(path, kind, holes):
    bounds, shape, most, chunk, more = KINDS[kind]
    with h5py.File(path, "w", libver=bounds) as f:
        d = f.create_dataset("d", shape, "<i4", maxshape=most, chunks=chunk, **more)
        if not holes:
            d[...] = values(shape, 1)
            return
        for i, corner in enumerate(d.iter_chunks()):
            if i % 3 != 1:
                d[corner] = values(d[corner].shape, i)


def reference_chunks(d, most):
    """A sample of about `most` chunks, present or not. HDF5 traverses the whole index for each of them."""
    corners = list(itertools.product(*(range(0, n, c) for n, c in zip(d.shape, d.chunks))))
    found = {}
    for corner in corners[::max(1, len(corners) // most)]:
        info = d.id.get_chunk_info_by_coord(corner)
        there = info.byte_offset is not None and info.size > 0
        scaled = tuple(x // c for x, c in zip(corner, d.chunks))
        found[scaled] = (info.byte_offset, info.size, info.filter_mask) if there else None
    return found


def driver(*args):
    run = subprocess.run([DRIVER, *map(str, args)], capture_output=True, text=True, timeout=1800)
    if run.returncode != 0:
        raise AssertionError(f"{args}: {run.stderr}")
    return run.stdout


def our_chunks(path):
    lines = driver("list", path, "/d").splitlines()
    return [tuple(map(int, line.split())) for line in lines[:-1]], int(lines[-1].split()[1])


class Indexes(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.directory.name, "x.h5")
        self.addCleanup(self.directory.cleanup)

    def each(self, check):
        for kind, holes in itertools.product(KINDS, (False, True)):
            with self.subTest(kind=kind, holes=holes):
                make(self.path, kind, holes)
                check(kind)

    def compare(self, kind):
        ours, index_bytes = our_chunks(self.path)
        with h5py.File(self.path, "r") as f:
            # HDF5 finds no chunk by its coordinates when an extensible array grows along another dimension than the first.
            swapped = f["d"].maxshape[0] is not None and None in f["d"].maxshape and kind.startswith("extensible")
            theirs = {} if swapped else reference_chunks(f["d"], 40)
            rank = len(f["d"].shape)
            self.assertEqual(f["d"].id.get_num_chunks(), len(ours))
        self.assertEqual(ours, sorted(ours))
        mine = {line[:rank]: line[rank:] for line in ours}
        self.assertEqual({at: mine.get(at) for at in theirs}, theirs)
        return index_bytes

    def test_what_hdf5_wrote(self):
        def check(kind):
            size = self.compare(kind)
            report = subprocess.run(["h5stat", "-S", self.path], capture_output=True, text=True).stdout
            self.assertTrue(report)
            report = subprocess.run(["h5stat", self.path], capture_output=True, text=True).stdout
            seen = re.search(r"Chunked datasets:\s*\n\s*Index: (\d+)", report)
            self.assertIsNotNone(seen, report)
            # When HDF5 opens an extensible array, it computes the size of the index block without super blocks:
            # 29 addresses of 8 bytes are missing from its sum.
            missed = 29 * 8 if kind.startswith("extensible") else 0
            self.assertEqual(size, int(seen.group(1)) + missed)
        self.each(check)

    def test_implicit(self):
        with h5py.File(self.path, "w", libver=NEW) as f:
            dcpl = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            dcpl.set_chunk((2, 4))
            dcpl.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
            space = h5py.h5s.create_simple((7, 9), (10, 20))
            h5py.h5d.create(f.id, b"d", h5py.h5t.STD_I32LE, space, dcpl)
            f["d"][...] = values((7, 9), 1)
        self.compare("implicit")

    def test_hdf5_reads_and_extends_what_we_rebuilt(self):
        def check(kind):
            for seed in (0, 5):
                with h5py.File(self.path, "r") as f:
                    before = f["d"][...]
                driver("rebuild", self.path, "/d", seed)
                self.compare(kind)
                with h5py.File(self.path, "r+", libver=KINDS[kind][0]) as f:
                    d = f["d"]
                    np.testing.assert_array_equal(d[...], before)
                    d[...] = values(d.shape, 2)
                    most = d.maxshape
                    larger = tuple(n + 13 if m is None else m for n, m in zip(d.shape, most))
                    d.resize(larger)
                    d[...] = values(larger, 3)
                self.compare(kind)
                with h5py.File(self.path, "r+", libver=KINDS[kind][0]) as f:
                    d = f["d"]
                    np.testing.assert_array_equal(d[...], values(larger, 3))
                    if not kind.startswith("single"):
                        smaller = tuple(n // 2 + 1 for n in larger)
                        d.resize(smaller)
                        np.testing.assert_array_equal(d[...], values(larger, 3)[tuple(map(slice, smaller))])
                        d.resize(KINDS[kind][1])
                self.compare(kind)
                subprocess.run(["h5dump", "-o", os.devnull, self.path], check=True, capture_output=True)
        self.each(check)

    def test_chunks_that_we_removed_are_missing_and_can_come_back(self):
        def check(kind):
            with h5py.File(self.path, "r") as f:
                expected = f["d"][...]
                size = f["d"].chunks
            chunks = [line[:expected.ndim] for line in our_chunks(self.path)[0]]
            driver("thin", self.path, "/d", 2)
            self.compare(kind)
            for chunk in chunks[::2]:
                expected[tuple(slice(x * c, (x + 1) * c) for x, c in zip(chunk, size))] = 0
            with h5py.File(self.path, "r+", libver=KINDS[kind][0]) as f:
                d = f["d"]
                np.testing.assert_array_equal(d[...], expected)
                d[...] = values(d.shape, 4)
            self.compare(kind)
            driver("thin", self.path, "/d", 1)
            self.compare(kind)
            with h5py.File(self.path, "r+", libver=KINDS[kind][0]) as f:
                d = f["d"]
                np.testing.assert_array_equal(d[...], 0)
                d[...] = values(d.shape, 5)
            with h5py.File(self.path, "r") as f:
                np.testing.assert_array_equal(f["d"][...], values(f["d"].shape, 5))
            self.compare(kind)
        self.each(check)


if __name__ == "__main__":
    unittest.main()
