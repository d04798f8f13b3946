# SPDX-License-Identifier: Apache-2.0
"""`filigree repack` with other layouts and filters, and from dense to sparse and back. HDF5 judges dense results."""

import ctypes
import ctypes.util
import json
import os
import random
import signal
import subprocess
import time
import unittest

from support import FILIGREE, FolderCase, run  # before h5py, which looks for plug-ins

import h5py
import numpy

PAIR = numpy.dtype([("x", "f4"), ("n", ">i2"), ("s", "S3")])
NAMED = numpy.dtype([("id", "i4"), ("name", h5py.string_dtype())])


def mostly_fill(shape, kind, seed=3):
    """An array of which a tenth is not the default fill value."""
    generator = numpy.random.default_rng(seed)
    chosen = generator.random(shape) < 0.1
    if kind == "text":
        values = numpy.full(shape, "", object)
        values[chosen] = [f"text {i}" * (i % 5 + 1) for i in range(chosen.sum())]
        return values
    values = numpy.zeros(shape, kind)
    if values.dtype.names:
        for i, name in enumerate(values.dtype.names):
            field = values[name]
            if field.dtype == object:
                field[...] = ""
            field[chosen] = [f"v{j}" for j in range(chosen.sum())] if field.dtype.kind in "SO" else numpy.arange(1, chosen.sum() + 1) + i
    else:
        values[chosen] = [f"{j % 100}" for j in range(chosen.sum())] if values.dtype.kind == "S" else generator.integers(1, 100, chosen.sum())
    return values


def filters_of(dataset):
    plist = dataset.id.get_create_plist()
    return [plist.get_filter(i)[:3] for i in range(plist.get_nfilters())]


def facts(path):
    """Layout, chunks, filters and values of all datasets."""
    found = {}
    with h5py.File(path, "r") as file:
        def add(name, item):
            if isinstance(item, h5py.Dataset):
                found[name] = (item.id.get_create_plist().get_layout(), item.chunks, filters_of(item), item.shape, item.dtype, item[()].tobytes(), dict(item.attrs))
        file.visititems(add)
    return found


class RepackStorage(FolderCase):
    def path(self, name):
        return self.folder / name

    def write(self, name="in.h5", mode="w"):
        """A file with datasets of several layouts."""
        with h5py.File(self.path(name), mode) as file:
            file["flat"] = numpy.arange(600, dtype=">i4").reshape(20, 30)
            file["flat"].attrs["unit"] = "mm"
            file.create_dataset("run/chunked", data=numpy.arange(2000.0).reshape(40, 50), chunks=(7, 8), maxshape=(None, 50), compression="gzip")
            file.create_dataset("run/deep/cube", data=numpy.arange(24 * 36, dtype="u2").reshape(4, 6, 36), chunks=(2, 3, 36), shuffle=True, fletcher32=True)
            file["scalar"] = 7.5
            file["line"] = numpy.arange(100, dtype="i8")
            file["link"] = h5py.SoftLink("/flat")
            file["same"] = file["flat"]
        return self.path(name)

    def assert_same_for_hdf5(self, *arguments):
        done = subprocess.run(["h5diff", *arguments], cwd=self.folder, capture_output=True, encoding="utf-8")
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def repacked_as_by_h5repack(self, *arguments, source="in.h5"):
        """Compares the result with that of h5repack with the same arguments."""
        self.lines("repack", "--verify", "--force", *arguments, source, "ours.h5")
        subprocess.run(["h5repack", *arguments, source, "theirs.h5"], cwd=self.folder, check=True, capture_output=True)
        ours, theirs = facts(self.path("ours.h5")), facts(self.path("theirs.h5"))
        self.assertEqual(ours.keys(), theirs.keys())
        for name in ours:
            self.assertEqual(repr(ours[name]), repr(theirs[name]), (name, arguments))
        self.assert_same_for_hdf5(source, "ours.h5")

    def test_without_options_only_free_space_goes(self):
        with h5py.File(self.path("in.h5"), "w") as file:
            file["big"] = numpy.arange(50_000.0)
        self.write(mode="a")
        with h5py.File(self.path("in.h5"), "a") as file:
            del file["big"]
        before = facts(self.path("in.h5"))
        self.assertEqual(len(self.lines("repack", "in.h5", "out.h5")), 1)
        self.assertEqual(repr(facts(self.path("out.h5"))), repr(before))
        self.assertLess(self.path("out.h5").stat().st_size, self.path("in.h5").stat().st_size - 300_000)
        with h5py.File(self.path("out.h5")) as file:
            self.assertEqual(file["same"], file["flat"])
            self.assertEqual(file.get("link", getlink=True).path, "/flat")
            self.assertEqual(file["run/chunked"].maxshape, (None, 50))

    def test_layouts_are_those_of_h5repack(self):
        self.write()
        self.repacked_as_by_h5repack("-l", "flat:CHUNK=5x10")
        self.repacked_as_by_h5repack("-l", "run/chunked:CHUNK=13x50", "-l", "flat,line:COMPA")
        with h5py.File(self.path("ours.h5")) as file:
            self.assertEqual(file["run/chunked"].maxshape, (None, 50))
        self.repacked_as_by_h5repack("-l", "run/chunked,run/deep/cube:CONTI")
        self.repacked_as_by_h5repack("-l", "CONTI")

    def test_filters_are_those_of_h5repack(self):
        self.write()
        for filters in (["SHUF", "GZIP=6"], ["GZIP=1"], ["FLET"], ["NBIT"], ["SOFF=12,IN"], ["SZIP=8,NN"], ["NONE"], ["UD=2,1,0"]):
            arguments = [word for one in filters for word in ("-f", f"flat,run/deep/cube:{one}")]
            with self.subTest(filters=filters):
                self.repacked_as_by_h5repack("-l", "flat:CHUNK=10x15", *arguments)

    def test_our_names_of_filters_and_groups(self):
        self.write()
        self.lines("repack", "-f", "run:shuffle,zstd=5", "-f", "run/deep/cube:none", "--verify", "in.h5", "out.h5")
        with h5py.File(self.path("out.h5")) as file:
            self.assertEqual([f[0] for f in filters_of(file["run/chunked"])], [2, 32015])
            self.assertEqual(filters_of(file["run/chunked"])[1][2], (5,))
            self.assertEqual(filters_of(file["run/deep/cube"]), [])
            self.assertEqual(file["flat"].chunks, None)
        self.assertEqual(self.lines("diff", "in.h5", "out.h5"), [])

    def test_filters_for_all_make_chunks(self):
        self.write()
        self.lines("repack", "-f", "shuffle,deflate=6", "-m", "1000", "--verify", "in.h5", "out.h5")
        with h5py.File(self.path("out.h5")) as file:
            self.assertEqual([f[:1] + f[2:] for f in filters_of(file["flat"])], [(2, (4,)), (1, (6,))])
            self.assertIsNone(file["line"].chunks)  # 800 bytes
            self.assertEqual(file["scalar"].chunks, None)
            self.assertEqual(file["flat"].attrs["unit"], "mm")
        self.assertEqual(self.lines("diff", "in.h5", "out.h5"), [])

    def test_hdf5_extends_what_was_repacked(self):
        self.write()
        for low in ("earliest", "1.10"):
            self.lines("repack", "--force", "--low", low, "-l", "run/chunked:CHUNK=16x16", "-f", "run/chunked:shuffle,deflate=4", "in.h5", "out.h5")
            with h5py.File(self.path("out.h5"), "a") as file:
                data = file["run/chunked"]
                data.resize((60, 50))
                data[50:] = 3
                file["more"] = 1
            with h5py.File(self.path("out.h5")) as file:
                numpy.testing.assert_array_equal(file["run/chunked"][:40], numpy.arange(2000.0).reshape(40, 50))
                self.assertEqual(file["run/chunked"][55].sum(), 150)
            self.assertEqual(self.run_here("show", "out.h5/run/chunked[59, 49]").returncode, 0)

    def test_low_and_high_bounds(self):
        self.write()
        self.lines("repack", "--low", "1.10", "in.h5", "new.h5")
        self.lines("repack", "--low", "earliest", "--high", "1.8", "in.h5", "old.h5")
        with open(self.path("new.h5"), "rb") as new, open(self.path("old.h5"), "rb") as old:
            self.assertEqual((new.read(9)[8], old.read(9)[8]), (3, 0))
        self.assert_fails("there are earliest, 1.8", "repack", "--low", "7", "in.h5", "x.h5", status=2)

    def test_dense_to_sparse_to_dense(self):
        kinds = {"u2": "u2", "float": "f8", "big": ">i4", "bytes": "S4", "pair": PAIR, "text": "text", "named": NAMED}
        with h5py.File(self.path("in.h5"), "w") as file:
            for name, kind in kinds.items():
                for shape, chunks in (((50,), (7,)), ((20, 30), None), ((6, 11, 13), (2, 5, 13))):
                    dtype = h5py.string_dtype() if kind == "text" else kind
                    data = file.create_dataset(f"{name}{len(shape)}", shape, dtype, chunks=chunks)
                    data[...] = mostly_fill(shape, kind)
        self.lines("repack", "-l", "SPARSECHUNK", "in.h5", "sparse.h5")
        self.assertEqual(self.lines("diff", "in.h5", "sparse.h5"), [])
        facts_before = facts(self.path("in.h5"))
        for name in facts_before:
            found = json.loads(self.run_here("ls", "--json", f"sparse.h5/{name}").stdout)
            text = json.dumps(found)
            self.assertIn('"sparse":true', text.replace(" ", ""), name)
        self.lines("repack", "-l", "CONTI", "sparse.h5", "dense.h5")
        self.assert_same_for_hdf5("in.h5", "dense.h5")
        # The other way round: chunks again.
        self.lines("repack", "-l", "u22:CHUNK=4x30", "-l", "text3:CHUNK=3x3x3", "sparse.h5", "chunks.h5")
        with h5py.File(self.path("in.h5")) as one, h5py.File(self.path("chunks.h5")) as other:
            self.assertEqual(other["u22"].chunks, (4, 30))
            for name in ("u22", "text3"):
                numpy.testing.assert_array_equal(one[name][()], other[name][()])

    def test_what_is_defined_survives_in_a_mask(self):
        """A defined element with the fill value is what a dense dataset cannot tell from an undefined one."""
        kinds = {"u2": "u2", "pair": PAIR, "bytes": "S4", "text": "text", "named": NAMED}
        with h5py.File(self.path("in.h5"), "w") as file:
            for name, kind in kinds.items():
                dtype = h5py.string_dtype() if kind == "text" else kind
                file.create_dataset(f"g/{name}", (6, 11, 13), dtype, chunks=(2, 5, 13), maxshape=(None, 11, 13))[...] = mostly_fill((6, 11, 13), kind)
        elements = "BLOCK (0,2,3)-(4,7,12) POINT (5,9,1), (5,10,12)"
        self.lines("repack", "-l", "SPARSECHUNK=2x4x13", "--defined-elements", elements, "in.h5", "sparse.h5")
        self.lines("repack", "--keep-defined", "-l", "CHUNK=3x3x3", "sparse.h5", "dense.h5")
        with h5py.File(self.path("dense.h5")) as file:
            for name in kinds:
                data = file["g"][name]
                mask = data.parent[data.attrs["FILIGREE_DEFINED_ELEMENTS"]]
                wanted = numpy.zeros((6, 11, 13), "u1")
                wanted[0:5, 2:8, 3:13] = wanted[5, 9, 1] = wanted[5, 10, 12] = 1
                numpy.testing.assert_array_equal(mask[()], wanted)
                self.assertEqual(mask.maxshape, (None, 11, 13))
        for arguments in (["-l", "SPARSECHUNK=2x4x13"], ["--sparse", "auto"]):
            self.lines("repack", "--force", *arguments, "dense.h5", "again.h5")
            self.assertEqual(self.lines("diff", "--defined", "sparse.h5", "again.h5"), [])
            self.assertEqual(self.lines("ls", "again.h5/g"), self.lines("ls", "sparse.h5/g"))  # without masks
            self.assertEqual(self.lines("attr", "get", "again.h5/g/u2"), [])

    def test_h5repack_keeps_masks(self):
        with h5py.File(self.path("in.h5"), "w") as file:
            file["x"] = mostly_fill((20, 30), "f8")
        self.lines("repack", "-l", "SPARSECHUNK=5x5", "--defined-elements", "x:BLOCK (2,2)-(4,7)", "in.h5", "sparse.h5")
        self.lines("repack", "-l", "CONTI", "--keep-defined", "sparse.h5", "dense.h5")
        subprocess.run(["h5repack", "-f", "GZIP=3", "dense.h5", "stock.h5"], cwd=self.folder, check=True, capture_output=True)
        self.lines("repack", "-l", "x:SPARSECHUNK=5x5", "stock.h5", "again.h5")
        self.assertEqual(self.lines("diff", "--defined", "sparse.h5", "again.h5"), [])

    def test_masks_that_are_no_longer_true_go(self):
        with h5py.File(self.path("in.h5"), "w") as file:
            file["x"] = mostly_fill((20, 30), "f8")
        self.lines("repack", "-l", "SPARSECHUNK=5x5", "--defined-elements", "BLOCK (2,2)-(4,7)", "in.h5", "sparse.h5")
        self.lines("repack", "-l", "CONTI", "--keep-defined", "sparse.h5", "dense.h5")
        self.lines("repack", "-l", "x:SPARSECHUNK=5x5", "--defined-elements", "x:POINT (0,0)", "dense.h5", "again.h5")
        self.assertEqual(len(self.lines("ls", "again.h5")), 1)
        self.assertEqual(self.lines("attr", "get", "again.h5/x"), [])
        # A dataset that has the name of a mask, but not its type, is none.
        with h5py.File(self.path("dense.h5"), "a") as file:
            del file["x_defined"]
            file["x_defined"] = numpy.zeros((20, 30), "u1")
        self.lines("repack", "-l", "x:SPARSECHUNK=5x5", "dense.h5", "other.h5")
        with h5py.File(self.path("other.h5")) as file:
            self.assertEqual(sorted(file), ["x", "x_defined"])

    def test_a_mask_of_another_size_is_no_longer_used(self):
        with h5py.File(self.path("in.h5"), "w") as file:
            file.create_dataset("x", data=mostly_fill((20, 30), "f8"), chunks=(5, 5), maxshape=(None, 30))
        self.lines("repack", "-l", "SPARSECHUNK", "in.h5", "sparse.h5")
        self.lines("repack", "-l", "CHUNK", "--keep-defined", "sparse.h5", "dense.h5")
        with h5py.File(self.path("dense.h5"), "a") as file:
            file["x"].resize((25, 30))
        done = self.run_here("repack", "-l", "x:SPARSECHUNK", "dense.h5", "again.h5")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "/x: stays .*the mask '/x_defined' has other dimensions")
        self.assertEqual(self.lines("diff", "dense.h5", "again.h5"), [])

    def test_fill_values_of_all_kinds(self):
        with h5py.File(self.path("in.h5"), "w") as file:
            for name, set_up in (("never", lambda p: p.set_fill_time(h5py.h5d.FILL_TIME_NEVER)), ("early", lambda p: p.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)), ("value", lambda p: p.set_fill_value(numpy.array(7, "i4")))):
                for chunk in (None, (4, 4)):
                    plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
                    set_up(plist)
                    if chunk:
                        plist.set_chunk(chunk)
                    data = h5py.Dataset(h5py.h5d.create(file.id, f"{name}{'c' if chunk else ''}".encode(), h5py.h5t.NATIVE_INT32, h5py.h5s.create_simple((10, 10)), plist))
                    data[...] = 0
                    data[3:5, 7] = 7
        self.lines("repack", "-l", "SPARSECHUNK=3x3", "in.h5", "sparse.h5")
        self.lines("repack", "-l", "CHUNK=5x4", "-f", "deflate", "sparse.h5", "dense.h5")
        with h5py.File(self.path("dense.h5")) as file:
            for name in file:
                self.assertEqual((file[name][...].sum(), file[name].fillvalue), (14, 7 if name.startswith("value") else 0))
        self.assertIn("98 of 100", "\n".join(self.lines("ls", "-v", "sparse.h5/value")))
        self.assertIn("2 of 100", "\n".join(self.lines("ls", "-v", "sparse.h5/neverc")))

    def test_datasets_without_a_fill_value(self):
        hdf5 = ctypes.CDLL(ctypes.util.find_library("hdf5_serial"))  # h5py cannot create them
        hdf5.H5Pset_fill_value.argtypes = [ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p]
        with h5py.File(self.path("in.h5"), "w") as file:
            for name, chunk, rows in (("flat", None, 10), ("part", (4, 4), 4), ("empty", (4, 4), 0), ("nothing", None, 0)):
                plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
                self.assertGreaterEqual(hdf5.H5Pset_fill_value(plist.id, h5py.h5t.NATIVE_INT32.id, None), 0)
                if chunk:
                    plist.set_chunk(chunk)
                data = h5py.Dataset(h5py.h5d.create(file.id, name.encode(), h5py.h5t.NATIVE_INT32, h5py.h5s.create_simple((10, 10)), plist))
                if rows:
                    data[:rows] = numpy.arange(10 * rows).reshape(rows, 10)
        for arguments in (["-l", "SPARSECHUNK"], ["--sparse", "auto"], ["-l", "CHUNK=3x3", "--verify"], ["-l", "CONTI", "--verify"]):
            self.lines("repack", "--force", *arguments, "in.h5", "out.h5")
            text = self.run_here("show", "out.h5/part[0:4]", "--json").stdout
            self.assertEqual(numpy.sum(json.loads(text)["values"]), sum(range(40)))
        self.lines("repack", "-l", "SPARSECHUNK", "in.h5", "sparse.h5")
        self.assertIn("99 of 100", "\n".join(self.lines("ls", "-v", "sparse.h5/flat")))
        self.lines("repack", "-l", "CONTI", "sparse.h5", "dense.h5")
        with h5py.File(self.path("dense.h5")) as file:
            self.assertEqual((file["flat"][()].sum(), file["part"][()].sum(), file["empty"][()].sum()), (4950, 780, 0))

    def test_datasets_whose_filters_are_missing_stay_as_they_are(self):
        with h5py.File(self.path("in.h5"), "w") as file:
            plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            plist.set_chunk((4,))
            plist.set_filter(40000, h5py.h5z.FLAG_OPTIONAL)
            h5py.h5d.create(file.id, b"x", h5py.h5t.NATIVE_INT32, h5py.h5s.create_simple((8,)), plist)
            file["y"] = numpy.arange(100)
        for arguments in (["-f", "deflate"], ["-l", "CONTI"], ["-l", "SPARSECHUNK"]):
            done = self.run_here("repack", "--force", *arguments, "in.h5", "out.h5")
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, "/x: stays chunks of .*: its filter 40000 is not available")
            self.assertEqual(self.lines("diff", "in.h5", "out.h5"), [])

    def test_huge_extents_cost_what_is_stored(self):
        with h5py.File(self.path("in.h5"), "w") as file:
            data = file.create_dataset("x", (1 << 28, 1 << 28), "u2", chunks=(64, 64))
            data[5, 7] = data[1 << 27, 1 << 27] = 9
            file.create_dataset("unwritten", (1 << 40,), "i4")
        text = "\n".join(self.lines("repack", "--sparse", "auto", "in.h5", "sparse.h5"))
        self.assertRegex(text, "(?m)^/x: .*, 2 defined elements equal; 2 of")
        self.lines("repack", "-l", "x:CHUNK=100x100", "--keep-defined", "sparse.h5", "dense.h5")
        with h5py.File(self.path("dense.h5")) as file:
            self.assertEqual((file["x"][5, 7], file["x"][1 << 27, 1 << 27]), (9, 9))
            self.assertEqual((file["x_defined"][5, 7], file["x_defined"][1 << 27, 1 << 27], file["x_defined"][0, 0]), (1, 1, 0))
        for name in ("x", "x_defined"):
            self.assertRegex("\n".join(self.lines("ls", "-v", f"dense.h5/{name}")), ", 2 chunks")
        self.lines("repack", "--sparse", "auto", "dense.h5", "again.h5")
        self.assertEqual(self.lines("diff", "--defined", "sparse.h5", "again.h5"), [])

    def test_damaged_chunks_leave_nothing(self):
        with h5py.File(self.path("in.h5"), "w") as file:
            data = file.create_dataset("g/x", data=numpy.arange(400).reshape(20, 20), chunks=(10, 10), compression="gzip")
            at = data.id.get_chunk_info(2)
        with open(self.path("in.h5"), "r+b") as raw:
            raw.seek(at.byte_offset + at.size // 2)
            raw.write(b"\xff" * 8)
        for arguments in (["-f", "shuffle"], ["-l", "SPARSECHUNK"], ["-l", "CONTI"]):
            self.assert_fails("g/x", "repack", *arguments, "in.h5", "out.h5")
            self.assertEqual(os.listdir(self.folder), ["in.h5"])

    def test_masks_of_others(self):
        generator = numpy.random.default_rng(1)
        with h5py.File(self.path("in.h5"), "w") as file:
            file["x"] = generator.random((20, 30))
            file["mask"] = generator.random((20, 30)) < 0.2  # an enumeration of FALSE and TRUE
            file["small"] = numpy.zeros((3, 3), "u1")
            file["real"] = numpy.zeros((20, 30))
            mask, values = file["mask"][()], file["x"][()]
        self.lines("repack", "-l", "x:SPARSECHUNK=6x7", "--defined-elements", "x:/mask", "in.h5", "out.h5")
        self.lines("repack", "-l", "x:CONTI", "out.h5", "dense.h5")
        with h5py.File(self.path("dense.h5")) as file:
            numpy.testing.assert_array_equal(file["x"][()], numpy.where(mask, values, 0))
        self.assertIn(f"{mask.sum()} of 600", "\n".join(self.lines("ls", "-v", "out.h5/x")))
        for bad, why in (("/small", "other dimensions"), ("/real", "neither integers")):
            done = self.run_here("repack", "--force", "-l", "x:SPARSECHUNK=6x7", "--defined-elements", bad, "in.h5", "bad.h5")
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, f"/x: stays contiguous: .*{why}")
            self.assert_same_for_hdf5("in.h5", "bad.h5", "/x")
        self.assert_fails("nowhere", "repack", "-l", "x:SPARSECHUNK", "--defined-elements", "/nowhere", "in.h5", "no.h5")

    def test_excluded_values(self):
        with h5py.File(self.path("in.h5"), "w") as file:
            for name, kind, value in (("i", "i2", -1), ("f", ">f4", numpy.nan), ("s", "S4", b"none")):
                values = numpy.full((30, 40), value, kind)
                values[3:5, 7:11] = {"i": 0, "f": 1.5, "s": b"full"}[name]
                file.create_dataset(name, data=values, chunks=(10, 40))
            colour = h5py.enum_dtype({"RED": 1, "BLUE": 5})
            file.create_dataset("e", data=numpy.full((30, 40), 5, "i1"), dtype=colour)
            # Half of the chunks were never written: they are fill values, which are not excluded.
            file.create_dataset("half", (30, 40), "i2", chunks=(10, 40), fillvalue=3)[:10] = -1
            file.create_dataset("pairs", (3,), PAIR)
        for name, value, defined in (("i", "-1", 8), ("f", "nan", 8), ("s", "none", 8), ("e", "BLUE", 0), ("e", "RED", 1200), ("half", "-1", 800), ("half", "3", 400)):
            with self.subTest(name=name, value=value):
                text = "\n".join(self.lines("repack", "--force", "-l", f"{name}:SPARSECHUNK=10x40", f"--exclude={value}", "in.h5", "out.h5"))
                self.assertIn(f", {defined:,} defined elements equal", text)
                self.lines("repack", "--force", "-l", f"{name}:CONTI", "out.h5", "dense.h5")
                with h5py.File(self.path("in.h5")) as one, h5py.File(self.path("dense.h5")) as other:  # h5diff ignores what is not stored
                    self.assertEqual(one[name][()].tobytes(), other[name][()].tobytes())
        for name, value in (("i", "70000"), ("i", "x"), ("e", "GREEN"), ("pairs", "1")):
            done = self.run_here("repack", "--force", "-l", f"{name}:SPARSECHUNK", f"--exclude={value}", "in.h5", "out.h5")
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertIn(f"/{name}: stays", done.stderr)

    def test_the_fill_value_is_compared_bit_by_bit(self):
        with h5py.File(self.path("in.h5"), "w") as file:
            values = numpy.zeros((4, 5))
            values[1, 1], values[2, 2] = -0.0, numpy.nan
            file.create_dataset("x", data=values, chunks=(2, 5))
        self.assertIn("2 defined elements equal", "\n".join(self.lines("repack", "-l", "x:SPARSECHUNK", "in.h5", "out.h5")))

    def test_auto_measures_the_density(self):
        with h5py.File(self.path("in.h5"), "w") as file:
            file["few"] = mostly_fill((100, 100), "u2")
            file["many"] = numpy.ones((100, 100), "u2")
            file.create_dataset("unwritten", (1000, 1000), "f4", chunks=(100, 100))
            file["scalar"] = 1
            file["texts"] = ["a", "b"]
        count = int((mostly_fill((100, 100), "u2") != 0).sum())
        text = "\n".join(self.lines("repack", "--sparse", "auto", "in.h5", "out.h5"))
        self.assertRegex(text, f"(?m)^/few: contiguous to sparse chunks of .*; {count:,} of 10,000 elements differ from the fill value$")
        self.assertRegex(text, "(?m)^/many: stays contiguous: more than 25 % of the elements differ from the fill value$")
        self.assertRegex(text, "(?m)^/unwritten: chunks of {100, 100} to sparse chunks of {100, 100}, .*; 0 of 1,000,000 elements differ")
        self.assertNotIn("scalar", text)
        self.assertEqual(self.lines("diff", "in.h5", "out.h5"), [])

    def test_sections_have_filters_of_their_own(self):
        with h5py.File(self.path("in.h5"), "w") as file:
            file["x"] = mostly_fill((100, 100), "u2")
        self.lines("repack", "-l", "SPARSECHUNK=20x100", "-f", "x:values=shuffle,zstd=3", "-f", "x:selection=deflate=9", "in.h5", "a.h5")
        text = "\n".join(self.lines("ls", "-v", "a.h5/x"))
        self.assertRegex(text, "selection, .*deflate 9\n")
        self.assertRegex(text, "elements, .*shuffle, zstd 3")
        # Other filters, the same chunks; then other chunks, the same filters; then another form as well.
        self.lines("repack", "-f", "selection=packed", "a.h5", "b.h5")
        self.lines("repack", "-l", "SPARSECHUNK=30x30", "b.h5", "c.h5")
        self.lines("repack", "--portable", "-l", "x:SPARSECHUNK=50x10", "c.h5", "d.h5")
        self.assertRegex("\n".join(self.lines("ls", "-v", "c.h5/x")), "(?s)of {30, 30}.*packed selection.*shuffle, zstd 3")
        with h5py.File(self.path("d.h5")) as file:
            self.assertEqual(file["x"].chunks, (50, 10))
            numpy.testing.assert_array_equal(file["x"][()], mostly_fill((100, 100), "u2"))
        for name in ("a", "b", "c"):
            self.assertEqual(self.lines("diff", "--defined", f"{name}.h5", "d.h5"), [])

    def test_references_lead_to_the_copies(self):
        with h5py.File(self.path("in.h5"), "w") as file:
            targets = [file.create_group(f"z{i}") for i in range(5)]
            pair = numpy.dtype([("to", h5py.ref_dtype), ("name", h5py.string_dtype())])
            objects = file.create_dataset("objects", (40, 10), h5py.ref_dtype, chunks=(7, 10))
            pairs = file.create_dataset("pairs", (40,), pair)
            file["values"] = numpy.arange(30)
            regions = file.create_dataset("regions", (12,), h5py.regionref_dtype)
            for i in range(5):
                objects[3 * i, i] = targets[i].ref
                pairs[2 * i] = (targets[i].ref, f"name {i}")
            regions[3] = file["values"].regionref[4:9]
        for arguments in (["-l", "SPARSECHUNK"], ["-l", "objects:CHUNK=4x4", "-f", "pairs,regions:deflate"]):
            self.lines("repack", "--force", "--verify", *arguments, "in.h5", "out.h5")
            self.assertEqual(self.lines("diff", "in.h5", "out.h5"), [])
        self.lines("repack", "-l", "SPARSECHUNK", "in.h5", "sparse.h5")
        self.assertIn("5 of 400", "\n".join(self.lines("ls", "-v", "sparse.h5/objects")))
        self.lines("repack", "-l", "CONTI", "sparse.h5", "dense.h5")
        for name in ("out.h5", "dense.h5"):
            with h5py.File(self.path(name)) as file:
                for i in range(5):
                    self.assertEqual(file[file["objects"][3 * i, i]].name, f"/z{i}")
                    self.assertEqual(file[file["pairs"][2 * i]["to"]].name, f"/z{i}")
                self.assertFalse(file["objects"][0, 5])
                numpy.testing.assert_array_equal(file[file["regions"][3]][file["regions"][3]], numpy.arange(4, 9))

    def test_committed_datatypes_stay(self):
        with h5py.File(self.path("in.h5"), "w") as file:
            file["type"] = numpy.dtype("f4")
            file.create_dataset("x", (10, 10), file["type"])
        self.lines("repack", "-f", "deflate", "in.h5", "out.h5")
        with h5py.File(self.path("out.h5"), "a") as file:
            self.assertTrue(file["x"].id.get_type().committed())
            self.assertEqual(h5py.h5o.get_info(file["type"].id).rc, 2)
            del file["x"]
            self.assertEqual(h5py.h5o.get_info(file["type"].id).rc, 1)

    def test_virtual_and_external_datasets_become_real_if_they_are_named(self):
        with h5py.File(self.path("in.h5"), "w") as file:
            file["source"] = numpy.arange(12).reshape(3, 4)
            layout = h5py.VirtualLayout((3, 4), "i8")
            layout[:] = h5py.VirtualSource(".", "source", (3, 4))
            file.create_virtual_dataset("virtual", layout)
            file.create_dataset("external", (4,), "i4", external=[(str(self.path("raw.bin")), 0, 16)])[:] = [4, 3, 2, 1]
        self.lines("repack", "-f", "deflate", "--sparse", "auto", "in.h5", "same.h5")
        self.lines("repack", "-l", "virtual:CHUNK=2x2", "-l", "external:CHUNK=2", "in.h5", "real.h5")
        with h5py.File(self.path("same.h5")) as same, h5py.File(self.path("real.h5")) as real:
            self.assertTrue(same["virtual"].is_virtual)
            self.assertTrue(same["external"].external)
            self.assertEqual((real["virtual"].chunks, real["external"].chunks), ((2, 2), (2,)))
            numpy.testing.assert_array_equal(real["virtual"][()], numpy.arange(12).reshape(3, 4))
            numpy.testing.assert_array_equal(real["external"][()], [4, 3, 2, 1])

    def test_what_is_impossible_stays_as_it_is(self):
        self.write()
        for choice, name, why in ((["-l", "flat:CHUNK=2x2x2"], "flat", "2 dimensions"), (["-l", "scalar:CHUNK"], "scalar", "a scalar has no chunks"),
                                  (["-l", "flat:CONTI", "-f", "flat:GZIP=3"], "flat", "only chunks have filters"), (["-f", "flat:selection=packed"], "flat", "only sparse chunks"),
                                  (["-l", "flat:SPARSECHUNK", "--defined-elements", "POINT (20,0)"], "flat", "reaches 20")):
            done = self.run_here("repack", "--force", *choice, "in.h5", "out.h5")
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertRegex(done.stderr, f"/{name}: stays .*: .*{why}")
            self.assertEqual(repr(facts(self.path("out.h5"))), repr(facts(self.path("in.h5"))))
        with h5py.File(self.path("big.h5"), "w") as file:
            file["x"] = numpy.zeros(100_000)
        done = self.run_here("repack", "-l", "COMPA", "big.h5", "out2.h5")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "/x: stays contiguous: ")

    def test_wrong_usage(self):
        self.write()
        for arguments, why in ((["-l", "CHUNKS=3"], "there are CHUNK"), (["-l", "flat:CHUNK=3x"], "not a number"), (["-l", "flat:CHUNK=0x3"], "at least one"), (["-f", "flat:gzap"], "no such filter"),
                               (["-f", "UD=1"], "parameters are"), (["-l", "SPARSECHUNK", "--defined-elements", "BLOCK (1,2"], "is missing"), (["-l", "SPARSECHUNK", "--defined-elements", "BLOCK (1,2)-(0,3)"], "in front of"),
                               (["--exclude", "0"], "need -l OBJ:SPARSECHUNK"), (["--portable", "--structured"], "excludes"), (["--sparse", "always"], "auto")):
            with self.subTest(arguments=arguments):
                self.assert_fails(why, "repack", *arguments, "in.h5", "out.h5", status=2)
        self.assert_fails("nothing", "repack", "-l", "nothing:CONTI", "in.h5", "out.h5")
        self.assertEqual(os.listdir(self.folder), ["in.h5"])

    def test_a_dry_run_writes_nothing(self):
        self.write()
        lines = self.lines("repack", "-n", "-f", "flat:deflate", "-l", "line:SPARSECHUNK=10", "in.h5", "out.h5")
        self.assertRegex("\n".join(lines), "(?m)^/flat: would change from contiguous to chunks of .*, deflate 6$")
        self.assertRegex("\n".join(lines), "(?m)^/line: would change from contiguous to sparse chunks of [{]10[}].*; elements other than the fill value are defined$")
        report = json.loads("\n".join(self.lines("repack", "-n", "--json", "-f", "flat:deflate", "in.h5", "out.h5")))
        self.assertTrue(report["dry_run"])
        self.assertEqual([d["path"] for d in report["datasets"]], ["/flat"])
        self.assertEqual(os.listdir(self.folder), ["in.h5"])

    def test_the_report_has_all_datasets_that_change(self):
        self.write()
        report = json.loads("\n".join(self.lines("repack", "--json", "--verify", "-f", "run:zstd", "-l", "flat:SPARSECHUNK=5x5", "in.h5", "out.h5")))
        found = {d["path"]: d for d in report["datasets"]}
        self.assertEqual(sorted(found), ["/flat", "/run/chunked", "/run/deep/cube"])
        self.assertEqual(found["/flat"]["form"], "structured")
        self.assertEqual(found["/flat"]["defined"], 599)
        self.assertEqual(found["/run/chunked"]["compared"], 2000)
        self.assertEqual(found["/run/chunked"]["after"], "chunks of {7, 8}, zstd 3")

    def test_names_that_are_hard_to_write(self):
        with h5py.File(self.path("in.h5"), "w") as file:
            for name in ("a,b", "c:d", "e=f x", "\u00e9"):
                file[name] = numpy.zeros((4, 4))
        self.lines("repack", "-l", "a,b:CHUNK=2x2", "-l", "c:d:CHUNK=1x1", "-f", "e=f x:deflate", "-f", "\u00e9:shuffle", "in.h5", "out.h5")
        with h5py.File(self.path("out.h5")) as file:
            self.assertEqual((file["a,b"].chunks, file["c:d"].chunks), ((2, 2), (1, 1)))
            self.assertEqual([len(filters_of(file[name])) for name in ("e=f x", "\u00e9")], [1, 1])

    def write_large(self):
        with h5py.File(self.path("big.h5"), "w") as file:
            file["x"] = numpy.random.default_rng(1).integers(0, 1000, (700, 1000))
            file["y"] = mostly_fill((700, 1000), "f4")
        return self.path("big.h5").read_bytes()

    def test_a_full_device_leaves_nothing(self):
        before = self.write_large()
        for arguments in ("-f GZIP=1", "-l SPARSECHUNK", "-l CONTI -l y:CHUNK=100x100", "--sparse auto --verify"):
            command = f"ulimit -f 500; trap '' XFSZ; exec {FILIGREE} repack {arguments} big.h5 out.h5"
            done = subprocess.run(["bash", "-c", command], cwd=self.folder, capture_output=True, encoding="utf-8")
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertRegex(done.stderr, "File too large|no space")
            self.assertEqual(os.listdir(self.folder), ["big.h5"])
        self.assertEqual(self.path("big.h5").read_bytes(), before)

    def test_interrupts_at_any_moment_leave_nothing_or_all(self):
        before = self.write_large()
        arguments = ["-f", "x:shuffle,deflate=6", "-l", "y:SPARSECHUNK=100x100", "--verify"]
        start = time.monotonic()
        self.lines("repack", *arguments, "big.h5", "whole.h5")
        longest = time.monotonic() - start
        os.remove(self.path("whole.h5"))
        moments = random.Random(5)
        for _ in range(50):
            process = subprocess.Popen([FILIGREE, "repack", *arguments, "big.h5", "out.h5"], cwd=self.folder, stdout=subprocess.DEVNULL)
            time.sleep(moments.random() * longest * 1.2)
            process.send_signal(moments.choice([signal.SIGINT, signal.SIGTERM]))
            code = process.wait()
            left = sorted(os.listdir(self.folder))
            if "out.h5" in left:
                self.assertEqual(run("diff", self.path("big.h5"), self.path("out.h5")).returncode, 0)
                os.remove(self.path("out.h5"))
                left.remove("out.h5")
            else:
                self.assertIn(code, (130, 143, -2, -15))
            self.assertEqual(left, ["big.h5"])
        self.assertEqual(self.path("big.h5").read_bytes(), before)


if __name__ == "__main__":
    unittest.main()
