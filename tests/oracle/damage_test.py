# SPDX-License-Identifier: Apache-2.0
"""Files of stock HDF5 with data of every kind, cut and overwritten all over: they are read, or give an error."""
import os
import unittest

import h5py
import numpy as np
from h5py import h5d, h5p, h5s, h5t

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


class Damage(Case):
    def test_whatever_stands_in_the_file(self):
        for libver in ("earliest", "latest"):
            for compact in (False, True):
                with self.subTest(libver=libver, compact=compact):
                    path = self.file("stock.h5")
                    with h5py.File(path, "w", libver=libver) as file:
                        fill(file.create_group("data"), compact, self.file("outside.raw"))
                    run(f"{BIN}/damage_driver", path, str(CASES))


if __name__ == "__main__":
    unittest.main()
