# SPDX-License-Identifier: Apache-2.0
"""h5ls -v and h5stat report the same for our chunked datasets as Filigree does, and as they do for datasets of HDF5 with the
same properties and contents."""

import os
import re
import subprocess
import tempfile
import unittest

import h5py
import numpy as np
from h5py import h5s

from chunk_twin_test import Definition

BIN = os.environ["FILIGREE_BIN"]
# Shape, largest shape, chunk: the name says which index the newest bounds choose.
SHAPES = {
    "single": ("12,9", "12,9", "12,9"),
    "fixed": ("13,10", "17,10", "4,5"),
    "extensible": ("13,10", "u,10", "4,5"),
    "tree": ("13,10", "u,u", "4,5"),
    "line": ("700", "u", "7"),
    "cube": ("3,5,7", "u,5,u", "2,2,3"),
}
FILTERS = ["-", "deflate", "shuffle,deflate", "fletcher32", "shuffle", "lzf", "nbit", "scale", "shuffle,deflate,fletcher32"]
# Filters for which both libraries produce the same bytes.
SAME_SIZE = {"-", "fletcher32", "shuffle", "nbit", "scale"}
ALLOCATION = {"-": "incremental", "early": "early", "late": "late"}
TYPES = {"i4": (4, 1), "u2": (2, 0), "i8": (8, 1)}


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=1800, **more).stdout


def listing(path):
    """Chunks, storage and filters of every dataset, as h5ls -v reports them."""
    seen = {}
    name = None
    for line in run("h5ls", "-v", path).splitlines():
        if match := re.match(r"(\S+)\s+Dataset", line):
            name = match.group(1)
            seen[name] = {"filters": []}
        elif match := re.match(r"\s+Chunks:\s+(.*)", line):
            seen[name]["chunks"] = match.group(1)
        elif match := re.match(r"\s+Storage:\s+(\d+) logical bytes?, (\d+) allocated bytes?", line):
            seen[name]["logical"], seen[name]["allocated"] = map(int, match.groups())
        elif match := re.match(r"\s+Filter-\d+:\s+(.*)", line):
            seen[name]["filters"].append(match.group(1))
    return seen


def statistics(path):
    """Layouts, filters and sizes of datasets, as h5stat reports them."""
    wanted = re.compile(r"\s*(Dataset layout counts|Number of datasets|.* filter:|USER-DEFINED|Total raw data size|Dataset rank|\(?Chunked).*")
    return [line.strip() for line in run("h5stat", path).splitlines() if wanted.match(line)]


class Tools(unittest.TestCase):
    def cases(self):
        kinds = list(TYPES)
        for i, (shape, filters) in enumerate((s, f) for s in SHAPES for f in FILTERS):
            for allocation in ALLOCATION:
                yield f"d{i}{allocation[:1].replace('-', 'i')}", SHAPES[shape], filters, kinds[i % 3], allocation

    def write_ours(self, path, bounds, written):
        lines = []
        for name, (dims, most, chunk), filters, kind, allocation in self.cases():
            size, signed = TYPES[kind]
            lines.append(f"create {name} {size} {signed} {dims} {most} {chunk} {filters} {allocation}")
            counts = written(dims)
            if counts:
                lines.append(f"box {name} {','.join('0' for _ in counts)} {','.join(map(str, counts))} 3")
        run(os.path.join(BIN, "chunks_driver"), path, bounds, input="\n".join(lines) + "\n")

    def write_reference(self, path, bounds, written):
        with h5py.File(path, "w", libver=bounds) as file:
            for name, (dims, most, chunk), filters, kind, allocation in self.cases():
                one = Definition(f"{kind} {dims} {most} {chunk} {filters} - {ALLOCATION[allocation]}")
                data = one.create(file.id, one.dims, one.most, one.filters, name.encode())
                counts = written(dims)
                if counts:
                    space = data.get_space()
                    space.select_hyperslab((0,) * len(counts), counts)
                    data.write(h5s.create_simple(counts), space, np.arange(3, 3 + np.prod(counts), dtype="<i8").reshape(counts))

    def check(self, bounds, written):
        with tempfile.TemporaryDirectory() as folder:
            ours, theirs = os.path.join(folder, "ours.h5"), os.path.join(folder, "theirs.h5")
            self.write_ours(ours, bounds, written)
            self.write_reference(theirs, bounds, written)
            a, b = listing(ours), listing(theirs)
            names = [case[0] for case in self.cases()]
            self.assertEqual(sorted(a), sorted(names))
            seen = run(os.path.join(BIN, "direct_driver"), ours, "read", input="".join(f"total {name}\n" for name in names))
            self.assertEqual([int(line.split()[1]) for line in seen.splitlines()], [a[name]["allocated"] for name in names])
            with h5py.File(ours) as file:
                counts = [file[name].id.get_num_chunks() for name in names]
            self.assertEqual([int(line.split()[0]) for line in seen.splitlines()], counts)
            with h5py.File(theirs) as file:
                self.assertEqual(counts, [file[name].id.get_num_chunks() for name in names])
            for name, _, filters, _, allocation in self.cases():
                if filters not in SAME_SIZE:
                    for one in (a, b):
                        del one[name]["allocated"]
                self.assertEqual(a[name], b[name], f"{name} {filters} {allocation}")
            x, y = statistics(ours), statistics(theirs)
            total = [line for line in x if line.startswith("Total raw data size")]
            self.assertEqual(total, [f"Total raw data size: {sum(int(line.split()[1]) for line in seen.splitlines())}"])
            self.assertGreater(len(x), 10)
            self.assertEqual([line for line in x if line not in total], [line for line in y if not line.startswith("Total raw data")])

    def test_agree_on_what_is_full(self):
        for bounds in ("earliest", "latest"):
            self.check(bounds, lambda dims: tuple(map(int, dims.split(","))))

    def test_agree_on_what_is_partly_written(self):
        for bounds in ("earliest", "latest"):
            self.check(bounds, lambda dims: tuple((int(n) + 2) // 3 for n in dims.split(",")))

    def test_agree_on_what_is_only_made(self):
        for bounds in ("earliest", "latest"):
            self.check(bounds, lambda dims: ())


if __name__ == "__main__":
    unittest.main()
