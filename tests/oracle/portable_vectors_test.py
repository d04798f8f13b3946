# SPDX-License-Identifier: Apache-2.0
"""Envelopes and the dense chunks that they mean, in portable_vectors.txt: the plug-in, Filigree with HDF5's direct writes, and the
reader in Python agree on them, and damage to them is refused within bounds. --write makes the vectors anew: Filigree encodes those
without flag 0, the plug-in those with it."""
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import unittest

os.environ["HDF5_PLUGIN_PATH"] = str(pathlib.Path(os.environ["FILIGREE_BIN"]).parent / "lib" / "hdf5-plugins")

import h5py  # noqa: E402  (after the path of plug-ins is set)
import numpy as np  # noqa: E402

import plugin_filter  # noqa: E402
import read_portable  # noqa: E402
from portable_test import driver  # noqa: E402

BIN = pathlib.Path(os.environ["FILIGREE_BIN"])
VECTORS = pathlib.Path(__file__).with_name("portable_vectors.txt")
# Name, type, chunk, fill value, filters of the values and of the selection.
CASES = [("plain", "i4", (4, 6), 0, "none", "none"), ("fill", "f8", (4, 6), 2.5, "none", "none"),
         ("nan", "f4", (24,), "nan", "none", "none"), ("cube", "u1", (2, 3, 4), 7, "none", "none"),
         ("deflate", "i2", (8, 8), 0, "shuffle,deflate", "deflate"), ("packed", "i4", (8, 8), -1, "deflate", "packed"),
         *((name, "i4", (8, 16), 0, name, "packed") for name in (
             "zstd", "lz4", "lzf", "bitshuffle", "blosc", "szip", "nbit", "scaleoffset", "packed_values")),
         ("fletcher32", "u8", (5, 5), 0, "shuffle,deflate,fletcher32", "fletcher32")]
KNOWN = {"none", "deflate", "shuffle", "shuffle,deflate"}


def dense_chunk(case):
    """About a third of the elements differ from the fill value, more of them early in the chunk."""
    name, dtype, chunk, fill, *_ = case
    some = random.Random(name)
    dense = np.full(chunk, float(fill), dtype)
    for at in range(dense.size):
        if some.random() < 0.6 * (1 - at / dense.size):
            dense.reshape(-1)[at] = some.randint(0, 90)
    return dense


def write_file(path, case, written):
    name, dtype, chunk, fill, values, selection = case
    dims = ",".join(map(str, chunk))
    driver("create", path, "d", dtype, dims, dims, fill, values, selection)
    driver("write", path, "d", text="".join(f"{at} {value}\n" for at, value in written))


def make(folder):
    """Lines of the file: name, parameters, defined offsets, envelope, dense chunk."""
    plugin = plugin_filter.Plugin()
    for case in CASES:
        name, dtype, chunk, fill, *_ = case
        dense = dense_chunk(case)
        # One of the defined elements has the fill value.
        written = [(at, v) for at, v in enumerate(dense.reshape(-1).tolist()) if v != float(fill) and v == v]
        first = next(at for at in range(dense.size) if at not in dict(written))
        path = folder / f"{name}.h5"
        write_file(path, case, sorted([*written, (first, fill)]))
        with h5py.File(path, "r") as file:
            words = read_portable.words(file["d"])
            _, stored = file["d"].id.read_direct_chunk((0,) * dense.ndim)
        yield name, words, sorted([*dict(written), first]), stored, dense.tobytes()
        made = plugin.encode(words, dense.tobytes())
        yield f"{name}-plugin", words, sorted(dict(written)), made, dense.tobytes()
    empty = np.full((4, 6), 2.5, "f8").tobytes()
    words = [int(word) for word in driver("parameters", "f8", "4,6", 2.5, "deflate", "packed").split()[1:]]
    yield "empty-plugin", words, [], plugin.encode(words, empty), empty


def load():
    for line in VECTORS.read_text().splitlines():
        if line.startswith("#"):
            continue
        name, words, defined, stored, dense = line.split("|")
        yield (name, [int(w) for w in words.split()], [int(d) for d in defined.split()], bytes.fromhex(stored),
               bytes.fromhex(dense))


def case_of(name):
    return next(c for c in [*CASES, ("empty", "f8", (4, 6), 2.5, "deflate", "packed")] if c[0] == name.split("-")[0])


def damaged(stored):
    yield from (stored[:n] for n in range(len(stored)))
    for at in range(len(stored)):
        for bit in range(8):
            yield stored[:at] + bytes([stored[at] ^ 1 << bit]) + stored[at + 1:]
    yield stored + b"\0"


class Vectors(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="filigree_vectors_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_there_are_vectors_of_every_case(self):
        names = {name for name, *_ in load()}
        self.assertEqual(names, {"empty-plugin", *(c[0] for c in CASES), *(c[0] + "-plugin" for c in CASES)})
        for name, _, _, stored, _ in load():
            self.assertEqual(stored[5], name.endswith("-plugin"), name)
            masks = stored[17:21], stored[34:38]
            self.assertEqual(masks, (b"\0" * 4,) * 2, f"{name}: a filter was skipped")

    def test_the_plug_in_decodes_and_encodes_them(self):
        plugin = plugin_filter.Plugin()
        for name, words, _, stored, dense in load():
            self.assertEqual(plugin.decode(words, stored), dense, name)
            self.assertEqual(plugin.decode(words, plugin.encode(words, dense)), dense, name)

    def test_several_threads_use_the_plug_in(self):
        done = subprocess.run([BIN / "plugin_threads_driver", plugin_filter.PATH, VECTORS, "8", "20"], capture_output=True, text=True,
                              timeout=1800)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_filigree_reads_them(self):
        for name, words, defined, stored, dense in load():
            _, dtype, chunk, fill, *_ = case_of(name)
            path = self.folder / f"{name}.h5"
            with h5py.File(path, "w") as file:
                data = file.create_dataset("d", chunk, dtype, chunks=chunk, fillvalue=float(fill), compression=read_portable.FILTER,
                                           compression_opts=tuple(words))
                data.id.write_direct_chunk((0,) * len(chunk), stored)
            values = np.frombuffer(dense, dtype)
            found = [line.split() for line in driver("list", path, "d").splitlines()]
            self.assertEqual([int(at) for at, _ in found], defined, name)
            np.testing.assert_array_equal(np.array([float(v) for _, v in found]), values[defined].astype(float), name)

    def test_the_reader_in_python_reads_them(self):
        read = 0
        for name, words, defined, stored, dense in load():
            _, dtype, chunk, _, values, selection = case_of(name)
            if not {values, selection} <= KNOWN:
                continue
            got, mask = read_portable.read_chunk(stored, words, np.dtype(dtype))
            self.assertEqual(got.tobytes(), dense, name)
            self.assertEqual(np.flatnonzero(mask).tolist(), defined, name)
            read += 1
        self.assertGreaterEqual(read, 10)

    def test_damage_is_refused_or_harmless(self):
        """A changed value is not noticed without a checksum of its section; everything else is."""
        plugin = plugin_filter.Plugin()
        for name, words, _, stored, dense in load():
            for bad in damaged(stored):
                made = plugin.decode(words, bad)
                self.assertTrue(made is None or len(made) == len(dense), name)
                if len(bad) != len(stored) or bad[:54] != stored[:54]:
                    self.assertIsNone(made, name)

    def test_damaged_parameters_are_refused_or_harmless(self):
        plugin = plugin_filter.Plugin()
        some = random.Random(1)
        for name, words, _, stored, dense in load():
            for n in range(len(words)):
                self.assertIsNone(plugin.decode(words[:n], stored), name)
                self.assertIsNone(plugin.encode(words[:n], dense), name)
            for _ in range(300):
                changed = list(words)
                changed[some.randrange(len(words))] = some.choice((0, 1, 3, 0xffff, 0x7fffffff, 0xffffffff, some.getrandbits(32)))
                plugin.decode(changed, stored)

    def test_bombs_take_no_memory(self):
        """Sections that claim, or inflate to, far more than the chunk has. In a process of its own, whose peak is measured."""
        done = subprocess.run([sys.executable, __file__, "--bombs"], capture_output=True, text=True, timeout=1800,
                              env={**os.environ, "PYTHONPATH": str(pathlib.Path(__file__).parent)})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


def envelope(defined, sections, split, unfiltered, mask=(0, 0)):
    """An envelope with a right checksum and any numbers."""
    import struct
    head = struct.pack("<4sBBHQ", b"FGSC", 1, 0, 2, defined)
    stored = (split, len(sections) - split)
    for kind in range(2):
        head += struct.pack("<BIIQ", kind, mask[kind], stored[kind] & 0xffffffff, unfiltered[kind])
    return head + struct.pack("<I", lookup3(head)) + sections


def lookup3(data):
    """Bob Jenkins's hashlittle() with the initial value 0."""
    def rot(x, k):
        return (x << k | x >> 32 - k) & 0xffffffff
    m = 0xffffffff
    a = b = c = (0xdeadbeef + len(data)) & m
    at = 0
    while len(data) - at > 12:
        a = a + int.from_bytes(data[at:at + 4], "little") & m
        b = b + int.from_bytes(data[at + 4:at + 8], "little") & m
        c = c + int.from_bytes(data[at + 8:at + 12], "little") & m
        a = (a - c & m) ^ rot(c, 4); c = c + b & m
        b = (b - a & m) ^ rot(a, 6); a = a + c & m
        c = (c - b & m) ^ rot(b, 8); b = b + a & m
        a = (a - c & m) ^ rot(c, 16); c = c + b & m
        b = (b - a & m) ^ rot(a, 19); a = a + c & m
        c = (c - b & m) ^ rot(b, 4); b = b + a & m
        at += 12
    if at == len(data):
        return c
    tail = data[at:].ljust(12, b"\0")
    a = a + int.from_bytes(tail[0:4], "little") & m
    b = b + int.from_bytes(tail[4:8], "little") & m
    c = c + int.from_bytes(tail[8:12], "little") & m
    c = (c ^ b) - rot(b, 14) & m
    a = (a ^ c) - rot(c, 11) & m
    b = (b ^ a) - rot(a, 25) & m
    c = (c ^ b) - rot(b, 16) & m
    a = (a ^ c) - rot(c, 4) & m
    b = (b ^ a) - rot(a, 14) & m
    return (c ^ b) - rot(b, 24) & m


def bombs():
    """Decodes hostile envelopes through the plug-in, and checks the peak of memory: the dense chunk and 16 MiB."""
    import zlib
    plugin = plugin_filter.Plugin()
    side = 1024  # 4 MiB when dense
    most = 4 * side * side
    parameters = [int(w) for w in driver("parameters", "i4", f"{side},{side}", 0, "deflate", "deflate").split()[1:]]
    packed = [int(w) for w in driver("parameters", "i4", f"{side},{side}", 0, "zstd", "packed").split()[1:]]
    # A quarter of a MiB that inflates to 256 MiB, made without so much memory.
    deflater = zlib.compressobj(9)
    zeros = b"".join(deflater.compress(bytes(1 << 20)) for _ in range(256)) + deflater.flush()
    hostile = []
    # 16 bytes in each dimension for each element are more than any encoding of a selection takes.
    for claim in (0, 1, most, most + 1, 16 * 2 * side * side, 1 << 30, 1 << 40, (1 << 64) - 1):
        for defined in (1, side * side, 1 << 40, (1 << 64) - 1):
            hostile.append(envelope(defined, zeros + zeros, len(zeros), (claim, claim)))
            hostile.append(envelope(defined, zeros + zeros, len(zeros), (claim, most)))
            hostile.append(envelope(defined, b"\0" * 100, 50, (claim, claim)))
            hostile.append(envelope(defined, b"", 0, (claim, claim)))
    hostile.append(envelope(5, b"\1" * 64, 80, (50, 20)))  # sections that are larger than the chunk
    hostile.append(envelope(5, b"\1" * 64, 32, (32, 32), (3, 3)))  # masks of filters that are not there
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for words in (parameters, packed):
        for chunk in hostile:
            if plugin.decode(words, chunk) is not None:
                raise SystemExit("a hostile envelope was decoded")
        for number in (3, 499, 65535, 0xffffffff):  # filters that do not exist
            at = words.index(1, 6)
            if plugin.decode([*words[:at + 1], number, *words[at + 2:]], hostile[0]) is not None:
                raise SystemExit(f"filter {number} was run")
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    print("grown by", grown)
    if grown > most + (16 << 20):
        raise SystemExit(f"the process has grown by {grown} bytes")


if __name__ == "__main__":
    if sys.argv[1:] == ["--bombs"]:
        bombs()
    elif sys.argv[1:] == ["--write"]:
        with tempfile.TemporaryDirectory(prefix="filigree_vectors_") as name:
            lines = [f"{n}|{' '.join(map(str, w))}|{' '.join(map(str, o))}|{s.hex()}|{d.hex()}\n" for n, w, o, s, d in
                     make(pathlib.Path(name))]
        VECTORS.write_text("# name|parameters of the filter|defined offsets|stored chunk|dense chunk; made by portable_vectors_test.py\n"
                           + "".join(lines))
    else:
        unittest.main()
