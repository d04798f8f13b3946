# SPDX-License-Identifier: Apache-2.0
"""Damaged files with data of every kind: truncated or overwritten anywhere, they are read or cause an error."""
import itertools
import os
import unittest

import h5py
import numpy as np
from h5py import h5d, h5p, h5s, h5t, h5z

from oracle import BIN, Case, run

CASES = int(os.environ.get("FILIGREE_DAMAGE_CASES", "2500"))
TEXTS = h5py.string_dtype()
RAGGED = h5py.vlen_dtype("i4")


def create(group, name, kind, shape, values=None, compact=False):
    """A dataset of a low-level type, with values of the numpy type that belongs to it."""
    plist = h5p.create(h5p.DATASET_CREATE)
    if compact:
        plist.set_layout(h5d.COMPACT)
    made = h5d.create(group.id, name.encode(), kind, h5s.create_simple(shape), plist)
    if values is not None:
        made.write(h5s.ALL, h5s.ALL, values)
    return h5py.Dataset(made)


def sequence_of_sequences():
    return h5t.vlen_create(h5t.vlen_create(h5t.STD_I16LE))


def fill(group, compact, external):
    texts = np.array(["one", "", "three"], dtype=object)
    create(group, "texts", h5t.py_create(TEXTS, logical=True), (3,), texts.astype(TEXTS), compact)
    ragged = np.empty(2, dtype=RAGGED)
    ragged[0], ragged[1] = np.arange(2, dtype="i4"), np.arange(3, dtype="i4")
    create(group, "ragged", h5t.py_create(RAGGED, logical=True), (2,), ragged, compact)
    create(group, "deep", sequence_of_sequences(), (2,), None, compact)
    mixed = np.dtype([("a", ">i2"), ("t", TEXTS), ("v", "<f8", (2, 2)), ("s", "S5")])
    values = np.zeros(2, dtype=mixed)
    values["t"] = ["x", "yy"]
    create(group, "mixed", h5t.py_create(mixed, logical=True), (2,), values, compact)
    colours = h5py.enum_dtype({"red": 0, "green": 1}, basetype="i2")
    create(group, "colours", h5t.py_create(colours, logical=True), (3,), np.array([0, 1, 7], "i2").astype(colours), compact)
    create(group, "arrays", h5t.array_create(h5t.IEEE_F32BE, (2, 3)), (2,), None, compact)
    create(group, "bits", h5t.STD_B16BE, (3,), None, compact)
    group.create_dataset("references", data=[group.ref], dtype=h5py.ref_dtype)
    group.create_dataset("regions", data=[group["bits"].regionref[0:2]], dtype=h5py.regionref_dtype)
    group.create_dataset("filled", shape=(5,), dtype=">f4", fillvalue=-3)
    group.create_dataset("outside", shape=(4,), dtype="i4", external=[(external, 4, h5py.h5f.UNLIMITED)])
    group["outside"][...] = [1, 2, 3, 4]
    group.attrs["texts"] = ["a", "bc", ""]
    group.attrs.create("mixed", values, dtype=mixed)
    group.attrs.create("ragged", ragged, dtype=RAGGED)
    group.attrs["reference"] = group.ref


def chunked(file):
    """Every chunk index and filter, with full and partial edge chunks."""
    shapes = {"single": ((6, 5), None, (6, 5)), "fixed": ((13, 10), None, (4, 5)), "extensible": ((13, 10), (None, 10), (4, 5)),
              "tree": ((13, 10), (None, None), (4, 5)), "line": ((300,), (None,), (3,))}
    chains = {"plain": {}, "packed": {"compression": "gzip", "shuffle": True, "fletcher32": True}, "lzf": {"compression": "lzf"},
              "scaled": {"scaleoffset": 0}}
    for (shape, (dims, most, chunk)), (chain, options) in itertools.product(shapes.items(), chains.items()):
        values = np.arange(np.prod(dims)).reshape(dims).astype("<i4")
        file.create_dataset(f"{shape}_{chain}", data=values, maxshape=most, chunks=chunk, **options)
    for name, setting in {"szip": lambda p: p.set_szip(h5z.SZIP_NN_OPTION_MASK, 4), "nbit": lambda p: p.set_filter(h5z.FILTER_NBIT)}.items():
        plist = h5p.create(h5p.DATASET_CREATE)
        plist.set_chunk((4, 5))
        setting(plist)
        kind = h5t.STD_I32LE.copy()
        kind.set_precision(16)
        made = h5d.create(file.id, name.encode(), kind, h5s.create_simple((13, 10)), plist)
        made.write(h5s.ALL, h5s.ALL, np.arange(130, dtype="<i4").reshape(13, 10))
    file.create_dataset("texts", data=["t" * i for i in range(20)], dtype=TEXTS, chunks=(7,), maxshape=(None,), compression="gzip")


def virtual(file):
    """Fixed, unlimited and numbered mappings."""
    unlimited = h5s.UNLIMITED
    file.create_dataset("source", data=np.arange(40).reshape(4, 10), maxshape=(None, 10), chunks=(2, 5))
    for i in range(3):
        file.create_dataset(f"source{i}", data=np.arange(10) + i)

    def create(name, dims, mappings):
        plist = h5p.create(h5p.DATASET_CREATE)
        for source_name, source, start, count, block in mappings:
            space = h5s.create_simple(dims, (unlimited, 10))
            space.select_hyperslab(start, count, None, block)
            plist.set_virtual(space, b".", source_name, source)
        h5d.create(file.id, name, h5t.STD_I64LE, h5s.create_simple(dims, (unlimited, 10)), plist)

    row = h5s.create_simple((10,))
    create(b"rows", (3, 10), [(b"source%d" % i, row, (i, 0), (1, 1), (1, 10)) for i in range(3)])
    create(b"numbered", (3, 10), [(b"source%b", row, (0, 0), (unlimited, 1), (1, 10))])
    growing = h5s.create_simple((4, 10), (unlimited, 10))
    growing.select_hyperslab((0, 0), (1, 1), None, (unlimited, 10))
    create(b"growing", (4, 10), [(b"source", growing, (0, 0), (1, 1), (unlimited, 10))])


class Damage(Case):
    def test_chunks_and_mappings(self):
        for libver, made in itertools.product((("earliest", "v110"), "latest"), (chunked, virtual)):
            with self.subTest(libver=libver, made=made.__name__):
                path = self.file("reference.h5")
                with h5py.File(path, "w", libver=libver) as file:
                    made(file)
                run(f"{BIN}/damage_driver", path, str(CASES // 2))

    def test_whatever_is_stored_in_the_file(self):
        for libver in ("earliest", "latest"):
            for compact in (False, True):
                with self.subTest(libver=libver, compact=compact):
                    path = self.file("reference.h5")
                    with h5py.File(path, "w", libver=libver) as file:
                        fill(file.create_group("data"), compact, self.file("outside.raw"))
                    run(f"{BIN}/damage_driver", path, str(CASES))


if __name__ == "__main__":
    unittest.main()
