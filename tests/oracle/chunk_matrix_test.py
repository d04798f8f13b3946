# SPDX-License-Identifier: Apache-2.0
"""A matrix of chunked datasets: chunk indexes x filter pipelines x types x edge chunks x version bounds. Filigree or HDF5 creates
each dataset, then both write to it alternately, beyond the old extent if it may grow. After every turn both read everything, and
a numpy array has the expected values."""

import ctypes
import itertools
import os
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np
from h5py import h5d, h5f, h5p, h5s, h5t, h5z

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "corpus"))
import compare_values  # noqa: E402

BIN = os.environ["FILIGREE_BIN"]
LIBRARY = ctypes.CDLL("libhdf5_serial.so.103")  # the library that h5py uses, so that their ids are the same
LIBRARY.H5Pset_chunk_opts.argtypes = [ctypes.c_int64, ctypes.c_uint]

U = h5s.UNLIMITED
# Extent, maximum extent, chunk. The names say which chunk index HDF5 1.10 and later choose; older formats use version 1 B-trees.
SHAPES = {
    "single": ((6, 10), (6, 10), (6, 10)),
    "implicit": ((13, 10), (13, 10), (4, 5)),
    "fixed": ((13, 10), (17, 12), (4, 5)),
    "fixed_even": ((12, 10), (20, 20), (4, 5)),
    "fixed_paged": ((8300,), (9000,), (8,)),
    "extensible": ((13, 10), (U, 12), (4, 5)),
    "extensible_column": ((9, 11), (12, U), (4, 5)),
    "extensible_long": ((3001,), (U,), (8,)),
    "tree2": ((13, 10), (U, U), (4, 5)),
    "tree2_cube": ((3, 7, 9), (U, 7, U), (2, 3, 4)),
    "larger_chunk": ((3, 4), (U, U), (8, 8)),
}
CHAINS = ["-", "deflate", "shuffle,deflate", "fletcher32", "shuffle,deflate,fletcher32", "lzf", "nbit", "scale", "szip", "shuffle,lzf,fletcher32"]
TYPES = ["<i4", ">u2", "<f8", ">f4", "<i1", ">i8"]
WIDE = ["<i4", ">i8"]
EDGES = ["-", "raw"]
BOUNDS = {"earliest": (h5f.LIBVER_EARLIEST, h5f.LIBVER_LATEST), "v108": (h5f.LIBVER_V18, h5f.LIBVER_V18),
          "v110": (h5f.LIBVER_V110, h5f.LIBVER_V110), "latest": (h5f.LIBVER_LATEST, h5f.LIBVER_LATEST)}


def text(numbers):
    return ",".join("u" if n == U else str(n) for n in numbers)


class Case:
    def __init__(self, shape, chain, kind, edge):
        self.name = f"{shape}_{chain}_{kind}_{edge}".replace(",", "+").replace("<", "le_").replace(">", "be_")
        self.shape, self.most, self.chunk = SHAPES[shape]
        self.chain, self.kind, self.edge = chain, kind, edge
        self.early = shape == "implicit"
        self.values = np.zeros(self.shape, kind)

    def make_ours(self):
        how = "early" if self.early and self.edge == "-" else self.edge
        return f"make {self.name} {self.kind} {text(self.shape)} {text(self.most)} {text(self.chunk)} {self.chain} {how}"

    def make_reference(self, file):
        dcpl = h5p.create(h5p.DATASET_CREATE)
        dcpl.set_chunk(self.chunk)
        for name in self.chain.split(",") if self.chain != "-" else []:
            if name == "deflate":
                dcpl.set_deflate(4)
            elif name == "shuffle":
                dcpl.set_shuffle()
            elif name == "fletcher32":
                dcpl.set_fletcher32()
            elif name == "scale":
                dcpl.set_scaleoffset(h5z.SO_INT, 0)
            elif name == "szip":
                dcpl.set_szip(h5z.SZIP_NN_OPTION_MASK, 4)
            else:
                dcpl.set_filter({"lzf": h5z.FILTER_LZF, "nbit": h5z.FILTER_NBIT}[name], h5z.FLAG_OPTIONAL)
        if self.edge == "raw" and LIBRARY.H5Pset_chunk_opts(dcpl.id, 2) < 0:
            raise RuntimeError("H5Pset_chunk_opts")
        if self.early and self.edge == "-":
            dcpl.set_alloc_time(h5d.ALLOC_TIME_EARLY)
        space = h5s.create_simple(self.shape, self.most)
        h5d.create(file.id, self.name.encode(), h5t.py_create(np.dtype(self.kind)), space, dcpl)

    def turns(self):
        """Extents and boxes, one for each turn: growing, then shrinking into a chunk, then growing again."""
        yield self.shape, tuple(0 for _ in self.shape), self.shape
        old = self.shape
        for step in (5, -3, 6):
            dims = tuple(n if m == n else max(1, n + step) if m == U else min(m, max(1, n + step)) for n, m in zip(old, self.most))
            start = tuple(n // 3 for n in dims)
            yield dims, start, tuple(n - s for n, s in zip(dims, start))
            old = dims

    def apply(self, turn, number):
        """Writes to the numpy array; returns the numbers."""
        dims, start, count = turn
        grown = np.zeros(dims, self.kind)
        common = tuple(slice(0, min(a, b)) for a, b in zip(dims, self.values.shape))
        grown[common] = self.values[common]
        # All chunks compress. HDF5 keeps the old filter mask of a chunk that is overwritten with the same number of bytes, so there
        # must be no chunk with a skipped filter.
        index = np.arange(int(np.prod(count)))
        numbers = np.where(index % 37 == 0, index % 100, 7 * number + 1)
        grown[tuple(slice(s, s + c) for s, c in zip(start, count))] = numbers.reshape(count)
        self.values = grown
        return numbers


def cases(bounds):
    for shape, chain, kind, edge in itertools.product(SHAPES, CHAINS, TYPES, EDGES):
        if edge == "raw" and (chain == "-" or bounds in ("earliest", "v108") or shape == "fixed_even"):
            continue
        if edge == "raw" and kind == "<i1":
            continue  # filtered chunks as large as raw ones cause the same fault of HDF5
        if chain == "scale" and "f" in kind:
            continue  # is lossy
        if shape in ("fixed_paged", "extensible_long") and kind != WIDE[len(chain) % len(WIDE)]:
            continue  # very many chunks: one type for each chain
        yield Case(shape, chain, kind, edge)


class ChunkMatrix(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "matrix.h5")

    def tearDown(self):
        self.folder.cleanup()

    def ours(self, bounds, all_cases, turns, number):
        script = []
        for case, turn in zip(all_cases, turns):
            if number == 0 and bounds != "open":
                script.append(case.make_ours())
            dims, start, count = turn
            case.apply(turn, number)
            if number > 0:
                script.append(f"resize {case.name} {text(dims)}")
            script.append(f"marks {case.name} {text(start)} {text(count)} {7 * number + 1}")
        done = subprocess.run([os.path.join(BIN, "chunks_driver"), self.path, bounds], input="\n".join(script) + "\n", text=True,
                              capture_output=True, timeout=1800)
        self.assertEqual(done.returncode, 0, done.stderr)

    def reference(self, bounds, all_cases, turns, number):
        fapl = h5p.create(h5p.FILE_ACCESS)
        fapl.set_libver_bounds(*BOUNDS[bounds])
        fapl.set_fclose_degree(h5f.CLOSE_STRONG)
        made = number == 0
        low = h5f.create(self.path.encode(), h5f.ACC_TRUNC, fapl=fapl) if made else h5f.open(self.path.encode(), h5f.ACC_RDWR, fapl)
        with h5py.File(low) as file:
            for case, turn in zip(all_cases, turns):
                if made:
                    case.make_reference(file)
                dims, start, count = turn
                data = file[case.name]
                if data.shape != dims:
                    data.resize(dims)
                numbers = case.apply(turn, number)
                data[tuple(slice(s, s + c) for s, c in zip(start, count))] = numbers.reshape(count)

    def compare(self, all_cases, note):
        with h5py.File(self.path, "r") as file:
            for case in all_cases:
                np.testing.assert_array_equal(file[case.name][()], case.values, err_msg=f"{note}: {case.name}")
        totals = dict.fromkeys(["same", "different", "explained", "not looked at", "not read by h5py", "not opened by h5py"], 0)
        self.assertEqual(compare_values.compare(os.path.join(BIN, "values_driver"), self.path, {}, totals), [], note)
        self.assertEqual(totals["same"], len(all_cases), note)

    def lead(self, bounds, ours_first):
        all_cases = list(cases(bounds))
        self.assertGreater(len(all_cases), 500)
        turns = [list(case.turns()) for case in all_cases]
        for number in range(4):
            now = [turn[number] for turn in turns]
            who = "ours" if (number % 2 == 0) == ours_first else "reference"
            if who == "ours":
                self.ours(bounds if number == 0 else "open", all_cases, now, number)
            else:
                self.reference(bounds, all_cases, now, number)
            self.compare(all_cases, f"{bounds}, turn {number} by {who}")

    def test_all_is_the_same_at_any_number_of_threads(self):
        """Large enough for all threads. Compares values and raw chunks."""
        script = []
        for name, chain in {"plain": "-", "packed": "shuffle,deflate", "szip": "szip"}.items():
            script += [f"make {name} <i4 1000,900 u,u 64,50 {chain} -", f"marks {name} 0,0 1000,900 3", f"box {name} 17,33 700,500 1",
                       f"resize {name} 890,910", f"marks {name} 5,7 880,903 9"]
        seen = []
        for threads in ("1", "2", "7"):
            environment = dict(os.environ, FILIGREE_THREADS=threads)
            subprocess.run([os.path.join(BIN, "chunks_driver"), self.path, "latest"], input="\n".join(script) + "\n", text=True,
                           check=True, timeout=1800, env=environment)
            read = subprocess.run([os.path.join(BIN, "values_driver"), self.path], capture_output=True, check=True, timeout=1800,
                                  env=environment).stdout
            with h5py.File(self.path, "r") as file:
                raw = {name: {offset: data.id.read_direct_chunk(offset) for offset in itertools.product(range(0, 890, 64), range(0, 910, 50))}
                       for name, data in file.items()}
                seen.append((read, raw))
                self.assertEqual(len(raw), 3)
        for one in seen[1:]:
            self.assertEqual(one, seen[0])

    def test_ours_are_read_and_extended_by_hdf5(self):
        for bounds in BOUNDS:
            with self.subTest(bounds):
                self.lead(bounds, True)

    def test_those_of_hdf5_are_read_and_extended_by_us(self):
        for bounds in BOUNDS:
            with self.subTest(bounds):
                self.lead(bounds, False)


if __name__ == "__main__":
    unittest.main()
