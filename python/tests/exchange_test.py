# SPDX-License-Identifier: Apache-2.0
"""The same calls of filigree and of h5py write equal files, and each reads what the other wrote."""
import unittest

import h5py
import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import filigree
from support import Scratch

RANDOM = np.random.default_rng(5)


def numbers(dtype, shape=(4, 3)):
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return RANDOM.integers(0, 2, shape).astype(bool)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return RANDOM.integers(limits.min, limits.max, shape, dtype.newbyteorder("="), endpoint=True).astype(dtype)
    if dtype.kind == "c":
        return (RANDOM.normal(size=shape) + 1j * RANDOM.normal(size=shape)).astype(dtype)
    return RANDOM.normal(size=shape).astype(dtype)


NUMBERS = [f"{order}{kind}" for order in "<>" for kind in
           ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16")] + ["?", "g"]


def values_of_every_dtype():
    """(name, dtype for create_dataset as a function of the module, values)."""
    for dtype in NUMBERS:
        values = numbers(dtype)
        yield f"n{dtype}", lambda h5, dtype=dtype: np.dtype(dtype), values
    yield "S5", lambda h5: np.dtype("S5"), np.array([b"a", b"bcdef", b""])
    yield "S5u", lambda h5: h5.string_dtype("utf-8", 7), np.array(["ä".encode(), b"bcdef"], "S7")
    yield "str", lambda h5: h5.string_dtype(), np.array(["", "b", "äöü" * 9], object)
    yield "bytes", lambda h5: h5.string_dtype("ascii"), np.array([b"", b"xyz"], object)
    yield "enum", lambda h5: h5.enum_dtype({"RED": 0, "GREEN": 1, "BLUE": 200}, "u1"), np.array([0, 200, 1], "u1")
    yield "enumi", lambda h5: h5.enum_dtype({"LOW": -2, "HIGH": 7}, ">i4"), np.array([-2, 7], ">i4")
    yield "opaque", lambda h5: h5.opaque_dtype("<M8[s]"), np.array([0, 10 ** 9], "<M8[s]")
    yield "void", lambda h5: np.dtype("V6"), np.array([b"abcdef", b"\0\1\2\3\4\5"], "V6")
    yield "array", lambda h5: np.dtype(("<i4", (2, 3))), np.arange(18, dtype="<i4").reshape(3, 2, 3)
    inner = np.dtype([("a", "<i2"), ("b", ">f8")])
    yield "compound", lambda h5: inner, np.array([(1, 2.5), (-3, 4)], inner)
    nested = np.dtype([("x", inner), ("y", "u1", (2,)), ("z", "S3"), ("c", "<c8"), ("t", "?")])
    yield "nested", lambda h5: nested, np.array([((1, 2), (3, 4), b"ab", 1 + 2j, True)] * 2, nested)
    aligned = np.dtype([("a", "u1"), ("b", "<f8")], align=True)
    yield "aligned", lambda h5: aligned, np.array([(1, 2.0), (3, 4.0)], aligned)
    ragged = np.empty(3, object)
    ragged[:] = [np.arange(3, dtype="<i4"), np.arange(0, dtype="<i4"), np.arange(7, dtype="<i4")]
    yield "vlen", lambda h5: h5.vlen_dtype(np.dtype("<i4")), ragged


CASES = list(values_of_every_dtype())


def write_all(h5, path, **kwds):
    with h5.File(path, "w") as file:
        for name, dtype, values in CASES:
            made = dtype(h5)
            shape = values.shape if made.subdtype is None else values.shape[:1]
            data = file.create_dataset(name, shape, made, **(kwds if made.kind != "O" else {}))
            values = values.astype(made) if made.kind in "SM" else values
            data[...] = values
            if made.subdtype is None:
                file["/"].attrs.create(name, values, dtype=made)


class EveryDtype(Scratch):
    KINDS = ({}, {"chunks": True, "compression": "gzip", "shuffle": True}, {"chunks": True, "fletcher32": True})

    def test_files_are_equal_and_read_by_the_other(self):
        for number, kwds in enumerate(self.KINDS):
            ours, theirs = self.path(f"ours{number}.h5"), self.path(f"theirs{number}.h5")
            write_all(filigree, ours, **kwds)
            write_all(h5py, theirs, **kwds)
            self.assert_h5diff(ours, theirs)
            for path in (ours, theirs):
                with filigree.File(path) as a, h5py.File(path) as b:
                    for name, _, values in CASES:
                        with self.subTest(name=name, path=path):
                            self.assertEqual(a[name].dtype, b[name].dtype)
                            self.assertEqual(self.meta(a[name].dtype), self.meta(b[name].dtype))
                            self.assert_same(a[name][...], b[name][...])
                            self.assert_same(a[name][:1], b[name][:1])
                            if name in b.attrs:
                                self.assert_same(a.attrs[name], b.attrs[name])

    @staticmethod
    def meta(dtype):
        found = dict(dtype.metadata or {})
        if "vlen" in found and found["vlen"] not in (str, bytes):
            found["vlen"] = np.dtype(found["vlen"])
        return found

    def test_each_extends_the_file_of_the_other(self):
        for first, second in ((filigree, h5py), (h5py, filigree)):
            path = self.path(f"{first.__name__}.h5")
            with first.File(path, "w") as file:
                file.create_dataset("log", data=np.arange(5), maxshape=(None,), chunks=(4,), compression="gzip")
                file.create_group("g").attrs["a"] = "first"
            with second.File(path, "a") as file:
                file["log"].resize((9,))
                file["log"][5:] = np.arange(5, 9)
                file["g"].attrs["a"] = "second"
                file["g/new"] = [1.5, 2.5]
                del file["g"].attrs["a"]
                file["g"].attrs["b"] = np.arange(3)
            with first.File(path) as file:
                self.assertEqual(file["log"][...].tolist(), list(range(9)))
                self.assertEqual(file["g/new"][...].tolist(), [1.5, 2.5])
                self.assertEqual(list(file["g"].attrs), ["b"])

    def test_dtypes_of_h5py_are_accepted(self):
        with filigree.File(self.path(), "w") as file:
            for name, dtype, values in CASES:
                shape = values.shape if dtype(h5py).subdtype is None else values.shape[:1]
                file.create_dataset(name, shape, dtype(h5py))[...] = values
                self.assertEqual(file[name].dtype, dtype(h5py))


def structure(h5, file):
    group = file.create_group("a/b")
    data = file.create_dataset("a/data", data=np.arange(24).reshape(4, 6))
    file["soft"] = h5.SoftLink("/a/data")
    file["dangling"] = h5.SoftLink("/nowhere")
    file["external"] = h5.ExternalLink("other.h5", "/x")
    file["hard"] = data
    file["type"] = np.dtype("<f8")
    file["refs"] = np.array([data.ref, group.ref, file.ref], h5.ref_dtype)
    file.create_dataset("regions", data=np.array([data.regionref[1:3, ::2], data.regionref[[0, 2], 1]],
                                                 h5.regionref_dtype), dtype=h5.regionref_dtype)
    file.create_dataset("empty", data=h5.Empty("f4"))
    file.attrs["empty"] = h5.Empty("i4")
    file.attrs["text"] = "äöü"
    file.attrs["texts"] = ["a", "bc"]
    file.attrs["bytes"] = b"abc"
    file.attrs["fixed"] = np.bytes_("fixed")
    file.attrs["ref"] = data.ref
    data.dims[0].label = "rows"
    file["scale"] = np.arange(4)
    file["scale"].make_scale("numbers")
    data.dims[0].attach_scale(file["scale"])
    file.create_dataset("filled", (5,), "f4", fillvalue=1.5)
    file.create_dataset("text", data="scalar")
    file.copy("a", "copied")
    file.move("hard", "moved")
    layout = h5.VirtualLayout((2, 6), "i8")
    layout[0] = h5.VirtualSource(data)[1]
    layout[1] = h5.VirtualSource(data)[3]
    file.create_virtual_dataset("virtual", layout, fillvalue=-1)


class Structure(Scratch):
    def test_groups_links_references_scales(self):
        for name, h5 in (("ours.h5", filigree), ("theirs.h5", h5py)):
            with h5.File(self.path(name), "w") as file:
                structure(h5, file)
        self.assert_h5diff(self.path("ours.h5"), self.path("theirs.h5"))
        found = {(path, h5.__name__): self.describe(h5, path)
                 for path in ("ours.h5", "theirs.h5") for h5 in (filigree, h5py)}
        first = next(iter(found.values()))
        for key, each in found.items():
            self.maxDiff = None
            self.assertEqual(each, first, key)

    def describe(self, h5, path):
        """What a module finds in a file."""
        with h5.File(self.path(path)) as file:
            found = {"keys": list(file), "attrs": sorted(file.attrs)}
            file.visititems(lambda name, each: found.update({name: repr(each)[:60]}))
            for name in file:
                link = file.get(name, getlink=True)
                found["link " + name] = (type(link).__name__, getattr(link, "path", None))
            for each in file["refs"][...]:
                self.assertEqual(file[file[each].name], file[each])
            data = file["a/data"]
            found["regions"] = [data[each].tolist() for each in file["regions"][...]]
            found["shapes"] = [data.regionref.selection(each) for each in file["regions"][...]]
            found["label"] = data.dims[0].label, data.dims[0].keys(), data.dims[0]["numbers"][...].tolist()
            found["scale"] = file["scale"].attrs["CLASS"], len(data.dims)
            found["virtual"] = file["virtual"][...].tolist(), file["virtual"].is_virtual
            for name in ("empty", "text", "bytes", "fixed"):
                found["attr " + name] = repr(file.attrs[name])
            found["texts"] = file.attrs["texts"].tolist()
            found["fill"] = file["filled"].fillvalue, file["filled"][...].tolist()
            found["text"] = file["text"][()], file["text"].asstr()[()]
            self.assertEqual(file["empty"][()], h5.Empty("<f4"))
            return found


class Unusual(Scratch):
    """What h5py makes with its low-level interface."""

    def test_numbers_that_numpy_lacks(self):
        with h5py.File(self.path(), "w") as file:
            space = h5py.h5s.create_simple((3,))
            small, shifted = h5py.h5t.STD_I32LE.copy(), h5py.h5t.STD_I32LE.copy()
            small.set_size(3)
            small.set_precision(24)
            shifted.set_precision(12)
            shifted.set_offset(4)
            padded = h5py.h5t.C_S1.copy()
            padded.set_size(6)
            padded.set_strpad(h5py.h5t.STR_SPACEPAD)
            for name, made in (("small", small), ("shifted", shifted), ("bits", h5py.h5t.STD_B16BE),
                               ("padded", padded), ("time", h5py.h5t.UNIX_D32LE)):
                h5py.h5d.create(file.id, name.encode(), made, space)
        with filigree.File(self.path(), "r+") as file:
            for name in ("small", "shifted", "bits"):
                file[name][...] = [5, 6, 700]
                self.assertEqual(file[name][...].tolist(), [5, 6, 700])
            file["padded"][...] = [b"ab", b"abcdef", "x"]
            self.assertIn("time", repr(file["time"]))
            with self.assertRaises(TypeError):
                file["time"][...]
        with h5py.File(self.path()) as file:
            self.assertEqual(file["shifted"][...].tolist(), [5, 6, 700])
            self.assertEqual(file["bits"][...].tolist(), [5, 6, 700])
            self.assertEqual(file["padded"][...].tolist(), [b"ab", b"abcdef", b"x"])

    def test_virtual_datasets_that_grow(self):
        with filigree.File(self.path(), "w") as file:
            source = file.create_dataset("s", data=np.ones((5, 3), "i4"), maxshape=(None, 3), chunks=(2, 3))
            layout = filigree.VirtualLayout((5, 3), "i4", maxshape=(None, 3))
            layout[:filigree.UNLIMITED] = filigree.VirtualSource(source)[:filigree.UNLIMITED]
            made = file.create_virtual_dataset("v", layout)
            source.resize((8, 3))
            source[5:] = 2
            self.assertEqual((made.shape, made[...].sum()), ((8, 3), 33))
            counts = made.virtual_sources()[0].src_space.get_regular_hyperslab()[2]
            self.assertEqual(counts[0], filigree.UNLIMITED)
        with h5py.File(self.path()) as file:
            self.assertEqual((file["v"].shape, file["v"][...].sum()), ((8, 3), 33))

    def test_a_swmr_reader_sees_what_was_flushed(self):
        with filigree.File(self.path(), "w", libver="latest") as writer:
            data = writer.create_dataset("d", (0,), "i4", maxshape=(None,), chunks=(10,))
            writer.swmr_mode = True
            with filigree.File(self.path(), swmr=True) as reader, h5py.File(self.path(), swmr=True) as other:
                data.resize((5,))
                data[...] = range(5)
                writer.flush()
                reader["d"].refresh()
                other["d"].refresh()
                self.assertEqual(reader["d"][...].tolist(), list(range(5)))
                self.assertEqual(other["d"][...].tolist(), list(range(5)))


def part(length):
    return st.one_of(st.integers(-length, length - 1), st.just(slice(None)), st.just(Ellipsis),
                     st.tuples(st.integers(-length, length), st.integers(-length, length),
                               st.integers(1, 3)).map(lambda t: slice(*t)),
                     st.lists(st.integers(0, length - 1), min_size=1, max_size=4, unique=True).map(sorted),
                     st.lists(st.booleans(), min_size=length, max_size=length).map(np.array))


def one_list(index):
    return (sum(isinstance(each, (list, np.ndarray)) for each in index) < 2
            and sum(each is Ellipsis for each in index) < 2)


class Indexing(Scratch):
    @settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(part(6), max_size=3).map(tuple).filter(one_list), st.booleans())
    def test_reading_and_writing_as_h5py(self, index, chunked):
        kwds = {"chunks": (2, 3, 4)} if chunked else {}
        values = np.arange(216).reshape(6, 6, 6)
        with filigree.File.in_memory() as a, h5py.File("x", "w", driver="core", backing_store=False) as b:
            ours, theirs = a.create_dataset("d", data=values, **kwds), b.create_dataset("d", data=values, **kwds)
            try:
                wanted = theirs[index]
            except (ValueError, TypeError, IndexError) as error:
                with self.assertRaises(type(error)):
                    ours[index]
                return
            np.testing.assert_array_equal(ours[index], wanted)
            new = np.arange(1000, 1000 + np.size(wanted)).reshape(np.shape(wanted))
            for value in (new, -1):
                ours[index] = value
                np.testing.assert_array_equal(ours[index], np.broadcast_to(value, np.shape(wanted)))
                try:
                    theirs[index] = value
                except TypeError:  # h5py does not broadcast to lists, nor write to a mask of nothing
                    theirs[...] = ours[...]
                np.testing.assert_array_equal(ours[...], theirs[...])

    @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(st.integers(-6, 5), min_size=1, max_size=9), st.lists(st.integers(-6, 5), min_size=1, max_size=9))
    def test_lists_in_any_order_as_numpy(self, rows, columns):
        values = np.arange(36).reshape(6, 6)
        with filigree.File.in_memory() as file:
            data = file.create_dataset("d", data=values, chunks=(4, 4))
            np.testing.assert_array_equal(data[rows], values[rows])
            np.testing.assert_array_equal(data[1:, columns], values[1:, columns])
            np.testing.assert_array_equal(data.oindex[rows, columns], values[np.ix_(rows, columns)])
            both = min(len(rows), len(columns))
            np.testing.assert_array_equal(data.vindex[rows[:both], columns[:both]], values[rows[:both], columns[:both]])
            new = np.arange(len(rows) * 6).reshape(-1, 6)
            data[rows] = new
            for row, line in zip(rows, new):
                values[row] = line
            np.testing.assert_array_equal(data[...], values)


if __name__ == "__main__":
    unittest.main()
