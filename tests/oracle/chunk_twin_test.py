# SPDX-License-Identifier: Apache-2.0
"""Random operations on a chunked dataset, applied by Filigree and by HDF5. chunk_twin_driver generates them with RapidCheck, which
shrinks failures, applies Filigree's part, and compares. This script applies HDF5's part, one request per line:

  play FILE              applies the lines up to "end" to the file; see chunk_twin_driver.cpp
  look FILE              answers "DIMS STORAGE COUNT VALUES CHUNKS" as HDF5 reads them; chunks in the order of their addresses, since
                         HDF5 returns wrong coordinates if another dimension than the first is unlimited
  pack DEFINITION / MASK / VALUES   answers "MASK BYTES": a chunk as HDF5 stores it, without the filters of the mask
"""

import itertools
import os
import subprocess
import sys
import tempfile
import traceback
import unittest

import h5py
import numpy as np
from h5py import h5d, h5f, h5p, h5s, h5t, h5z

BIN = os.environ["FILIGREE_BIN"]
SEED = os.environ.get("FILIGREE_SEED", "1")  # set it to try other cases
CASES = os.environ.get("FILIGREE_CASES", "300")
ALLOCATION = {"incremental": h5d.ALLOC_TIME_INCR, "early": h5d.ALLOC_TIME_EARLY, "late": h5d.ALLOC_TIME_LATE}


def numbers(text):
    return tuple(h5s.UNLIMITED if n == "u" else int(n) for n in text.split(",")) if text != "-" else ()


def listed(values):
    return ",".join(map(str, values)) or "-"


def type_of(text):
    """i4, u2, ...; i4:12 has 12 bits of precision."""
    name, _, bits = text.partition(":")
    made = h5t.py_create(np.dtype("<" + name)).copy()
    if bits:
        made.set_precision(int(bits))
    return made


def filtered(dcpl, names):
    for name in names:
        if name == "deflate":
            dcpl.set_deflate(4)
        elif name == "shuffle":
            dcpl.set_shuffle()
        elif name == "fletcher32":
            dcpl.set_fletcher32()
        elif name == "scale":
            dcpl.set_scaleoffset(h5z.SO_INT, 0)
        elif name == "lzf":
            dcpl.set_filter(h5z.FILTER_LZF, h5z.FLAG_OPTIONAL)
        elif name == "nbit":
            dcpl.set_filter(h5z.FILTER_NBIT, h5z.FLAG_OPTIONAL)
        else:
            raise ValueError(name)


class Definition:
    def __init__(self, text):
        kind, dims, most, chunk, filters, self.fill, self.allocation = text.split()
        self.kind, self.dims, self.most, self.chunk = type_of(kind), numbers(dims), numbers(most), numbers(chunk)
        self.filters = [] if filters == "-" else filters.split(",")

    def create(self, file, dims, most, filters, name=b"d"):
        dcpl = h5p.create(h5p.DATASET_CREATE)
        dcpl.set_chunk(self.chunk)
        filtered(dcpl, filters)
        if self.fill != "-":
            dcpl.set_fill_value(np.array(int(self.fill), "<i8"))
        dcpl.set_alloc_time(ALLOCATION[self.allocation])
        return h5d.create(file, name, self.kind, h5s.create_simple(dims, most), dcpl)

    def pack(self, mask, values):
        kept = [name for i, name in enumerate(self.filters) if not mask >> i & 1]
        bits = [i for i in range(len(self.filters)) if not mask >> i & 1]
        with h5py.File("packing", "w", driver="core", backing_store=False) as file:
            data = self.create(file.id, self.chunk, self.chunk, kept)
            data.write(h5s.ALL, h5s.ALL, np.array(values, "<i8").reshape(self.chunk))
            skipped, raw = data.read_direct_chunk((0,) * len(self.chunk))
        for at, bit in enumerate(bits):
            mask |= (skipped >> at & 1) << bit
        return mask, raw


class Player:
    """Applies operations with HDF5."""

    def __init__(self, path):
        self.path, self.file, self.data = path, None, None

    def access(self, bounds):
        fapl = h5p.create(h5p.FILE_ACCESS)
        fapl.set_fclose_degree(h5f.CLOSE_STRONG)
        if bounds == "latest":
            fapl.set_libver_bounds(h5f.LIBVER_LATEST, h5f.LIBVER_LATEST)
        return fapl

    def open(self, bounds):
        self.bounds = bounds
        self.file = h5f.open(self.path.encode(), h5f.ACC_RDWR, self.access(bounds))
        self.data = h5d.open(self.file, b"d")

    def close(self):
        self.data = None
        self.file.close()

    def write(self, space, first):
        count = space.get_select_npoints()
        values = (first + np.arange(count, dtype="<i8")) % 251 if self.wide() else (first + np.arange(count, dtype="<i8")) % 127
        self.data.write(h5s.create_simple((count,)), space, values)

    def write_chunk(self, offset, raw, mask):
        """Avoids two faults of HDF5. It keeps the old mask of a chunk that is overwritten with the same number of bytes, so the chunk
        gets another size first. Its cached location of the last chunk is stale afterwards, until the dataset is reopened."""
        was_mask, was_raw = self.stored(offset)
        if was_mask != mask and len(was_raw) == len(raw):
            self.data.write_direct_chunk(offset, raw + b"x", mask)
            self.forget_last_chunk()
        self.data.write_direct_chunk(offset, raw, mask)
        self.forget_last_chunk()

    def stored(self, offset):
        """Mask and bytes. H5Dget_chunk_info describes a wrong chunk if another dimension than the first is unlimited."""
        try:
            return self.data.read_direct_chunk(offset)
        except (OSError, RuntimeError, ValueError):
            return 0, b""

    def unmask(self):
        """For the same reason, stores chunks with all filters before HDF5 stores them again."""
        if not any(self.data.get_chunk_info(i).filter_mask for i in range(self.data.get_num_chunks())):
            return
        shape, chunk = self.data.shape, self.made.chunk
        for offset in itertools.product(*(range(0, n, c) for n, c in zip(shape, chunk))):
            if not self.stored(offset)[0]:
                continue
            count = tuple(min(c, n - o) for o, c, n in zip(offset, chunk, shape))
            space = self.data.get_space()
            space.select_hyperslab(offset, count)
            inside = np.empty(count, "<i8")
            self.data.read(h5s.create_simple(count), space, inside)
            block = np.full(chunk, 0 if self.made.fill == "-" else int(self.made.fill))
            block[tuple(slice(0, n) for n in count)] = inside
            mask, raw = self.made.pack(0, block)
            self.write_chunk(offset, raw, mask)

    def forget_last_chunk(self):
        self.data = None
        self.data = h5d.open(self.file, b"d")

    def wide(self):
        return self.data.get_type().get_size() > 1

    def play(self, line):
        what, *rest = line.split(" ", 1)
        words = rest[0].split() if rest else []
        if what == "create":
            bounds, definition = rest[0].split(" ", 1)
            self.bounds = bounds
            self.file = h5f.create(self.path.encode(), h5f.ACC_TRUNC, fapl=self.access(bounds))
            one = self.made = Definition(definition)
            self.data = one.create(self.file, one.dims, one.most, one.filters)
        elif what == "open":
            bounds, definition = rest[0].split(" ", 1)
            self.made = Definition(definition)
            self.open(bounds)
        elif what == "reopen":
            self.close()
            self.open(self.bounds)
        elif what == "flush":
            h5f.flush(self.file)
        elif what == "resize":
            self.unmask()
            self.data.set_extent(numbers(words[0]))
        elif what == "chunk":
            self.write_chunk(numbers(words[0]), bytes.fromhex(words[2]), int(words[1]))
        elif what in ("blocks", "points"):
            self.unmask()
            space = self.data.get_space()
            if what == "blocks":
                start, stride, count, block = map(numbers, words[:4])
                space.select_hyperslab(start, count, stride, block)
            else:
                points = np.array(numbers(words[0])).reshape(-1, len(space.shape))
                space.select_elements(points)
            self.write(space, int(words[-1]))
        else:
            raise ValueError(line)


def look(path):
    with h5py.File(path, "r") as file:
        data = file["d"].id
        values = np.zeros(data.shape, "<i8")
        if values.size:
            data.read(h5s.ALL, h5s.ALL, values)
        count = data.get_num_chunks()
        infos = [data.get_chunk_info(i) for i in range(count)]
        seen = ";".join(f"{i.filter_mask}:{i.size}" for i in sorted(infos, key=lambda i: i.byte_offset)) or "-"
        ends = sorted((i.byte_offset, i.byte_offset + i.size) for i in infos)
        if any(a[1] > b[0] for a, b in zip(ends, ends[1:])):
            raise ValueError("chunks overlap")
        return f"{listed(data.shape)} {data.get_storage_size()} {count} {listed(values.ravel())} {seen}"


def play(path, lines):
    player = Player(path)
    try:
        for line in lines:
            player.play(line)
    finally:
        if player.file:
            player.close()
    return "done"


def serve(requests, answers):
    for request in requests:
        what, rest = request.rstrip("\n").split(" ", 1)
        try:
            if what == "play":
                lines = list(iter(lambda: next(requests).rstrip("\n"), "end"))
                answer = play(rest, lines)
            elif what == "look":
                answer = look(rest)
            else:
                definition, mask, values = rest.split(" / ")
                mask, raw = Definition(definition).pack(int(mask), numbers(values))
                answer = f"{mask} {raw.hex()}"
        except Exception:  # the driver reports failures of HDF5, with the script
            answer = "failed " + traceback.format_exc().replace("\n", " | ")
        print(answer, file=answers, flush=True)


class Twins(unittest.TestCase):
    def test_lead_the_same_life(self):
        environment = dict(os.environ, RC_PARAMS=f"seed={SEED} max_success={CASES} max_size=60")
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+") as story:
            driver = subprocess.Popen([os.path.join(BIN, "chunk_twin_driver"), folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=story, text=True, env=environment)
            serve(driver.stdout, driver.stdin)
            driver.stdin.close()
            code = driver.wait(1800)
            driver.stdout.close()
            story.seek(0)
            text = story.read()
            if os.environ.get("FILIGREE_TELL"):
                print(text, file=sys.stderr)
            self.assertEqual(code, 0, text)


if __name__ == "__main__":
    unittest.main()
