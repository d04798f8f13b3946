# SPDX-License-Identifier: Apache-2.0
"""Files as users of h5py make them, with datasets and types that Filigree does not write yet."""
import random
import unittest

import h5py
import numpy as np

import reference
from oracle import Case, apply_ours, dumped, random_ops

LIBVERS = {"earliest": 0, "v108": 1, "v110": 2, "latest": 3}


def fill(file):
    """Groups, datasets of every layout, and attributes of every type h5py knows."""
    attrs = file.create_group("attrs").attrs
    attrs["int"] = 7
    attrs["text"] = "grüße"
    attrs["bytes"] = np.bytes_(b"fixed")
    attrs["texts"] = ["a", "bc", ""]
    attrs["empty"] = h5py.Empty("f4")
    attrs["compound"] = np.array([(1, 2.5, b"x")], dtype=[("a", "<i4"), ("b", ">f8"), ("c", "S3")])
    attrs["nested"] = np.zeros(2, dtype=[("p", [("x", "i2"), ("y", "i2")]), ("v", "f4", (2, 2))])
    attrs["bool"] = np.array([True, False])
    attrs["enum"] = np.array([0, 1], dtype=h5py.enum_dtype({"RED": 0, "GREEN": 1}, basetype="i2"))
    attrs["complex"] = 1 + 2j
    attrs["half"] = np.float16(0.5)
    attrs["opaque"] = np.void(b"\1\2\3")
    attrs.create("vlen", np.array([np.arange(3), np.arange(5)], dtype=object), dtype=h5py.vlen_dtype("i4"))
    array = h5py.h5a.create(file["attrs"].id, b"array", h5py.h5t.array_create(h5py.h5t.IEEE_F32LE, (3,)), h5py.h5s.create_simple((2,)))
    array.write(np.zeros((2,), dtype="V12"), mtype=array.get_type())
    attrs["reference"] = file["attrs"].ref
    file["type"] = np.dtype([("x", "<f8"), ("y", "<i4")])
    attrs.create("typed", np.zeros(3, dtype=[("x", "<f8"), ("y", "<i4")]), dtype=file["type"])
    data = file.create_group("data")
    data["contiguous"] = np.arange(100).reshape(10, 10)
    data["scalar"] = 3.5
    data["null"] = h5py.Empty("i4")
    data.create_dataset("chunked", data=np.arange(1000), chunks=(64,), maxshape=(None,), compression="gzip", shuffle=True, fletcher32=True)
    data.create_dataset("filled", shape=(5,), dtype="i2", fillvalue=-3)
    data.create_dataset("texts", data=["x", "yy"], dtype=h5py.string_dtype())
    data["chunked"].make_scale("scale")
    data["contiguous"].dims[0].attach_scale(data["chunked"])
    for i in range(12):
        data["contiguous"].attrs[f"more{i}"] = i
    file["soft"] = h5py.SoftLink("/data/contiguous")
    file["external"] = h5py.ExternalLink("elsewhere.h5", "/there")
    file["hard"] = data["scalar"]


class ReferenceFiles(Case):
    def test_what_h5py_writes_we_read_and_extend(self):
        for libver, low in LIBVERS.items():
            for track in (False, True):
                with self.subTest(libver=libver, track_order=track):
                    self.extend(libver, low, track)

    def extend(self, libver, low, track):
        path = self.file("reference.h5")
        with h5py.File(path, "w", libver=libver, track_order=track) as file:
            fill(file)
        contents = self.agree(path)
        self.unchanged_by_opening(path)
        rng = random.Random(low)
        plain = {p: e for p, e in contents.items() if not p.startswith("/data/contiguous") and not p.startswith("/data/chunked")}
        for turn, side in enumerate([apply_ours, reference.apply, apply_ours]):
            side(path, [op for op in random_ops(plain, rng, 25, f"t{turn}") if op[0] in ("group", "attr", "soft", "comment")], low)
            contents = self.agree(path)
            plain = {p: e for p, e in contents.items() if not p.startswith("/data/c")}
            self.unchanged_by_opening(path)
        apply_ours(path, [("attr_remove", "/attrs", "vlen"), ("attr_remove", "/attrs", "texts"), ("attr_rename", "/attrs", "enum", "flags"),
                          ("remove", "/hard"), ("rename", "/data/chunked", "/moved"), ("attr", "/moved", "ours", "<i4", (), [1])], low)
        self.agree(path)
        dumped(path)
        with h5py.File(path, "r+") as file:
            self.assertEqual(file["moved"][()].tolist(), list(range(1000)))
            self.assertEqual(file["data/contiguous"][3].tolist(), list(range(30, 40)))
            self.assertEqual([x.decode() for x in file["data/texts"][()]], ["x", "yy"])
            self.assertEqual(file["attrs"].attrs["compound"][0].tolist(), (1, 2.5, b"x"))
            self.assertEqual(file["data/contiguous"].dims[0][0].name, "/moved")
            file["moved"].resize((2000,))
            del file["data/contiguous"]
        self.agree(path)

    def test_deleting_datasets(self):
        for libver, low in LIBVERS.items():
            with self.subTest(libver=libver):
                path = self.file("delete.h5")
                with h5py.File(path, "w", libver=libver) as file:
                    fill(file)
                    del file["data/contiguous"].attrs["DIMENSION_LIST"], file["data/chunked"].attrs["REFERENCE_LIST"]
                apply_ours(path, [("remove", "/data/contiguous"), ("remove", "/data/scalar"), ("remove", "/data/null"), ("remove", "/soft")], low)
                self.agree(path)
                try:
                    apply_ours(path, [("remove", "/data/chunked"), ("remove", "/data/texts"), ("remove", "/hard")], low)
                finally:
                    self.agree(path)
                dumped(path)


if __name__ == "__main__":
    unittest.main()
