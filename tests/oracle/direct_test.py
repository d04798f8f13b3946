# SPDX-License-Identifier: Apache-2.0
"""Raw chunks: each library reads what the other wrote with direct chunk writes, and both report the same for every chunk."""

import itertools
import os
import random
import re
import subprocess
import tempfile
import unittest
import zlib

import h5py
import numpy as np

BIN = os.environ["FILIGREE_BIN"]
FIRST_SEED = int(os.environ.get("FILIGREE_SEED", "1"))  # set it to try other cases

# Shape, chunk, maximum shape. The name says which chunk index the newest bounds choose.
SHAPES = {
    "single": ((6, 5), (6, 5), (6, 5)),
    "fixed": ((13, 10), (4, 5), (13, 10)),
    "extensible": ((13, 10), (4, 5), (None, 10)),
    "tree": ((13, 10), (4, 5), (None, None)),
    "line": ((3000,), (7,), (None,)),
    "rank3": ((3, 5, 7), (2, 2, 3), (None, 5, 7)),
}


def text(numbers):
    return ",".join("u" if n is None else str(n) for n in numbers)


def corners(shape, chunk):
    return itertools.product(*(range(0, n, c) for n, c in zip(shape, chunk)))


def packed(block):
    return zlib.compress(block.tobytes(), 6)


def full_chunk(values, corner, chunk):
    """The chunk at the corner, with zeros beyond the edge."""
    block = np.zeros(chunk, "<i4")
    inside = values[tuple(slice(a, a + c) for a, c in zip(corner, chunk))]
    block[tuple(slice(0, n) for n in inside.shape)] = inside
    return block


def ours(path, mode, lines):
    result = subprocess.run([os.path.join(BIN, "direct_driver"), path, mode], input="\n".join(lines).encode(),
                            capture_output=True, timeout=1800)
    if result.returncode != 0:
        raise AssertionError(result.stderr.decode())
    return result.stdout.decode().splitlines()


def reference_list(data):
    """The chunks in the format of direct_driver."""
    infos = [data.id.get_chunk_info(i) for i in range(data.id.get_num_chunks())]
    return [f"{text(i.chunk_offset)} {i.filter_mask} {i.byte_offset} {i.size}" for i in infos]


class Direct(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "direct.h5")

    def tearDown(self):
        self.folder.cleanup()

    def check_same_story(self, names):
        """HDF5 and Filigree report the same for all chunks, and return the same bytes."""
        lines = [f"list {name}" for name in names]
        with h5py.File(self.path) as file:
            expected = []
            for name in names:
                data = file[name]
                listed = reference_list(data)
                expected += listed + [f"{len(listed)} {data.id.get_storage_size()}"]
                for corner in [line.split()[0] for line in listed][:5]:
                    mask, raw = data.id.read_direct_chunk(tuple(map(int, corner.split(","))))
                    lines.append(f"raw {name} {corner}")
                    expected.append((mask, raw))
        seen = ours(self.path, "read", lines)
        # The raw chunks come after all lists.
        lists = [e for e in expected if isinstance(e, str)]
        raws = [e for e in expected if not isinstance(e, str)]
        self.assertEqual(seen[: len(lists)], lists)
        self.assertEqual(seen[len(lists):], [f"{mask} {raw.hex()}" for mask, raw in raws])

    def test_hdf5_reads_what_we_wrote(self):
        for bounds in ["earliest", "latest"]:
            with self.subTest(bounds):
                lines = []
                twins = {}
                for name, (shape, chunk, most) in SHAPES.items():
                    values = (np.arange(np.prod(shape)) * 7919 % 1009).astype("<i4").reshape(shape)
                    twins[name] = values
                    lines.append(f"create {name} {text(shape)} {text(most)} {text(chunk)} deflate")
                    for n, corner in enumerate(corners(shape, chunk)):
                        block = full_chunk(values, corner, chunk)
                        skipped = n % 5 == 4
                        raw = block.tobytes() if skipped else packed(block)
                        lines.append(f"chunk {name} {text(corner)} {int(skipped)} {raw.hex()}")
                ours(self.path, bounds, lines)
                with h5py.File(self.path) as file:
                    for name, values in twins.items():
                        np.testing.assert_array_equal(file[name][...], values, name)
                self.check_same_story(twins)

    def test_we_read_what_hdf5_wrote(self):
        for bounds in ["earliest", "latest"]:
            with self.subTest(bounds):
                twins = {}
                with h5py.File(self.path, "w", libver=bounds) as file:
                    for name, (shape, chunk, most) in SHAPES.items():
                        values = (np.arange(np.prod(shape)) * 104729 % 1013).astype("<i4").reshape(shape)
                        twins[name] = values
                        data = file.create_dataset(name, shape, "<i4", chunks=chunk, maxshape=most, compression="gzip")
                        for n, corner in enumerate(corners(shape, chunk)):
                            block = full_chunk(values, corner, chunk)
                            if n % 5 == 4:
                                data.id.write_direct_chunk(corner, block.tobytes(), 1)
                            else:
                                data.id.write_direct_chunk(corner, packed(block), 0)
                seen = ours(self.path, "read", [f"values {name}" for name in twins])
                for line, (name, values) in zip(seen, twins.items()):
                    self.assertEqual(list(map(int, line.split())), values.ravel().tolist(), name)
                self.check_same_story(twins)

    def test_each_overwrites_the_chunks_of_the_other(self):
        for bounds in ["earliest", "latest"]:
            shape, chunk, most = SHAPES["tree"]
            rng = np.random.default_rng(3)
            values = np.zeros(shape, "<i4")
            ours(self.path, bounds, [f"create d {text(shape)} {text(most)} {text(chunk)} deflate"])
            for turn in range(8):
                corner = rng.choice(list(corners(shape, chunk)))
                box = tuple(slice(a, a + c) for a, c in zip(corner, chunk))
                values[box] = rng.integers(0, 10 ** (turn + 1), values[box].shape)
                raw = packed(full_chunk(values, corner, chunk))
                if turn % 2:
                    ours(self.path, "open", [f"chunk d {text(corner)} 0 {raw.hex()}"])
                else:
                    with h5py.File(self.path, "r+") as file:
                        file["d"].id.write_direct_chunk(tuple(int(n) for n in corner), raw, 0)
                with h5py.File(self.path) as file:
                    np.testing.assert_array_equal(file["d"][...], values)
                self.check_same_story(["d"])

    def test_random_mixtures(self):
        """Elements, direct chunks, other extents, flushes: the twin is a numpy array."""
        for seed in range(FIRST_SEED, FIRST_SEED + 30):
            with self.subTest(seed):
                rng = random.Random(seed)
                shape = [rng.randint(1, 40) for _ in range(rng.randint(1, 2))]
                chunk = [rng.randint(1, n) for n in shape]
                values = np.zeros(shape, "<i4")
                lines = [f"create d {text(shape)} {text([None] * len(shape))} {text(chunk)} deflate"]
                for step in range(25):
                    what = rng.choice(["box", "box", "chunk", "chunk", "resize", "flush", "append"])
                    if what == "box":
                        start = [rng.randrange(n) for n in shape]
                        count = [rng.randint(1, n - s) for n, s in zip(shape, start)]
                        block = np.arange(np.prod(count)) + step * 1000
                        values[tuple(slice(s, s + c) for s, c in zip(start, count))] = block.reshape(count)
                        lines.append(f"box d {text(start)} {text(count)} {step * 1000}")
                    elif what == "chunk":
                        corner = [rng.randrange(n) // c * c for n, c in zip(shape, chunk)]
                        block = np.full(chunk, -step, "<i4")
                        block.flat[0] = rng.randrange(10**6)
                        box = tuple(slice(a, a + c) for a, c in zip(corner, chunk))
                        values[box] = block[tuple(slice(0, n) for n in values[box].shape)]
                        skipped = rng.random() < 0.3
                        raw = block.tobytes() if skipped else packed(block)
                        lines.append(f"chunk d {text(corner)} {int(skipped)} {raw.hex()}")
                        # Growing shows what was written beyond the edge, here and in HDF5.
                        lines.append(f"box d {text(corner)} {text([1] * len(shape))} {block.flat[0]}")
                        beyond = any(a + c > n for a, c, n in zip(corner, chunk, shape))
                        if beyond:
                            lines += [f"resize d {text(a + 1 if a + c > n else n for a, c, n in zip(corner, chunk, shape))}",
                                      f"resize d {text(shape)}"]
                            kept = values[tuple(slice(0, a + 1 if a + c > n else n) for a, c, n in zip(corner, chunk, shape))].copy()
                            values = np.zeros(shape, "<i4")
                            values[tuple(slice(0, n) for n in kept.shape)] = kept
                    elif what == "resize":
                        shape = [rng.randint(1, 50) for _ in shape]
                        grown = np.zeros(shape, "<i4")
                        common = tuple(slice(0, min(a, b)) for a, b in zip(shape, values.shape))
                        grown[common] = values[common]
                        values = grown
                        lines.append(f"resize d {text(shape)}")
                    elif what == "append":
                        slices = rng.randint(1, 9)
                        rest = shape[1:]
                        block = (np.arange(slices * int(np.prod(rest))) + step).reshape([slices, *rest])
                        values = np.concatenate([values, block.astype("<i4")])
                        shape[0] += slices
                        lines.append(f"append d {slices} {step}")
                    else:
                        lines.append("flush")
                    if rng.random() < 0.2:
                        lines.append("list d")
                ours(self.path, rng.choice(["earliest", "latest"]), lines)
                with h5py.File(self.path) as file:
                    np.testing.assert_array_equal(file["d"][...], values)
                self.check_same_story(["d"])

    def test_a_selection_shows_its_chunks_only(self):
        shape, chunk, most = SHAPES["extensible"]
        lines = [f"create d {text(shape)} {text(most)} {text(chunk)} deflate"]
        lines += [f"chunk d {text(c)} 0 {packed(np.ones(chunk, '<i4')).hex()}" for c in corners(shape, chunk)]
        ours(self.path, "latest", lines)
        seen = ours(self.path, "read", ["list d 3,4 2,1"])
        self.assertEqual([line.split()[0] for line in seen], ["0,0", "4,0", "2"])

    def test_h5ls_and_h5stat_agree(self):
        for bounds in ["earliest", "latest"]:
            shape, chunk, most = SHAPES["line"]
            raw = packed(np.ones(chunk, "<i4"))
            lines = [f"create d {text(shape)} {text(most)} {text(chunk)} deflate"]
            lines += [f"chunk d {text(c)} 0 {raw.hex()}" for c in corners(shape, chunk)]
            ours(self.path, bounds, lines)
            stored = int(ours(self.path, "read", ["list d"])[-1].split()[1])
            listing = subprocess.run(["h5ls", "-v", self.path], capture_output=True, text=True, check=True).stdout
            self.assertEqual(int(re.search(r"(\d+) allocated bytes", listing).group(1)), stored)
            statistics = subprocess.run(["h5stat", self.path], capture_output=True, text=True, check=True).stdout
            self.assertEqual(int(re.search(r"Total raw data size: (\d+)", statistics).group(1)), stored)
            dump = subprocess.run(["h5dump", "-d", "/d", self.path], capture_output=True, text=True)
            self.assertEqual(dump.returncode, 0, dump.stderr)


if __name__ == "__main__":
    unittest.main()
