# SPDX-License-Identifier: Apache-2.0
"""Portable sparse datasets: Filigree, HDF5 with the plug-in, HDF5 without it, and a reader in Python agree on every value, and
Filigree knows which elements are defined after each of them has written."""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

BIN = pathlib.Path(os.environ["FILIGREE_BIN"])
PLUGINS = BIN.parent / "lib" / "hdf5-plugins"
os.environ["HDF5_PLUGIN_PATH"] = str(PLUGINS)

import h5py  # noqa: E402  (after the path of plug-ins is set)
import numpy as np  # noqa: E402

import read_portable  # noqa: E402

TYPES = ("u1", "i2", "i4", "u8", "f4", "f8")
FILTERS = (("none", "none"), ("deflate", "none"), ("shuffle,zstd", "packed"), ("shuffle,deflate", "deflate"),
           ("lz4", "packed"), ("deflate,fletcher32", "none"))


def driver(*arguments, text=""):
    done = subprocess.run([BIN / "portable_driver", *map(str, arguments)], input=text, capture_output=True, text=True, timeout=1800)
    if done.returncode:
        raise AssertionError(f"{arguments}: {done.stderr}")
    return done.stdout


def words(dims, dtype, fill=0, values=(), selection=()):
    """The parameters of the filter for a new dataset, from the specification. Filters are (number, flags, parameters)."""
    element = np.array(fill, dtype).tobytes()
    stored = element if any(element) else b""
    made = [1, len(dims), *dims, len(element), len(stored)]
    made += np.frombuffer(stored.ljust((len(stored) + 3) // 4 * 4, b"\0"), "<u4").tolist()
    for filters in (selection, values):
        made.append(len(filters))
        for number, flags, parameters in filters:
            made += [number, flags, len(parameters), *parameters]
    return tuple(made)


class Twin:
    """A dataset beside an array with a mask of defined elements."""

    def __init__(self, case, path, dtype, dims, chunk, fill):
        self.case, self.path, self.chunk, self.fill = case, path, chunk, np.array(fill, dtype)[()]
        self.values = np.full(dims, self.fill, dtype)
        self.defined = np.zeros(dims, bool)

    def differs(self, values):
        """Elements that are not the fill value, bit by bit."""
        raw = np.ascontiguousarray(values).view("u1").reshape(*values.shape, -1)
        return (raw != np.frombuffer(self.fill.tobytes(), "u1")).any(axis=-1)

    def chunks(self, box):
        """Boxes of the chunks that a box touches, cut by the extent."""
        firsts = [range(b.start // c * c, b.stop, c) for b, c in zip(box, self.chunk)]
        for corner in np.ndindex(*(len(f) for f in firsts)):
            yield tuple(slice(f[i], min(f[i] + c, n)) for f, i, c, n in zip(firsts, corner, self.chunk, self.values.shape))

    def write_with_filigree(self, some):
        offsets = sorted(some.sample(range(self.values.size), some.randint(1, min(60, self.values.size))))
        numbers = [int(self.fill) if some.random() < 0.2 and self.fill == self.fill else some.randint(0, 100) for _ in offsets]
        driver("write", self.path, "d", text="".join(f"{o} {v}\n" for o, v in zip(offsets, numbers)))
        self.values.reshape(-1)[offsets] = numbers
        self.defined.reshape(-1)[offsets] = True

    def some_box(self, some):
        starts = [some.randrange(n) for n in self.values.shape]
        return tuple(slice(a, some.randint(a + 1, n)) for a, n in zip(starts, self.values.shape))

    def erase_with_filigree(self, some):
        box = self.some_box(some)
        driver("erase", self.path, "d", ",".join(str(b.start) for b in box), ",".join(str(b.stop - b.start) for b in box))
        self.values[box] = self.fill
        self.defined[box] = False

    def write_with_hdf5(self, some):
        box = self.some_box(some)
        new = np.array([some.randint(0, 3) for _ in range(self.values[box].size)], self.values.dtype).reshape(self.values[box].shape)
        with h5py.File(self.path, "r+") as file:
            file["d"][box] = new
        self.values[box] = new
        for chunk in self.chunks(box):  # HDF5 rewrites whole chunks, and the plug-in sees values only
            self.defined[chunk] = self.differs(self.values[chunk])

    def resize_with(self, some, hdf5):
        dims = tuple(max(1, n + some.randint(-4, 5)) for n in self.values.shape)
        if hdf5:
            with h5py.File(self.path, "r+") as file:
                file["d"].resize(dims)
        else:
            driver("resize", self.path, "d", ",".join(map(str, dims)))
        common = tuple(slice(0, min(a, b)) for a, b in zip(dims, self.values.shape))
        values, defined = np.full(dims, self.fill, self.values.dtype), np.zeros(dims, bool)
        values[common], defined[common] = self.values[common], self.defined[common]
        self.values, self.defined = values, defined
        if hdf5:  # chunks that the new extent cuts are rewritten, if something was cut off
            found = self.found()[1]
            self.case.assertFalse((found & ~defined).any())
            self.case.assertFalse((defined & self.differs(values) & ~found).any())
            self.defined = found

    def found(self):
        values, defined = np.full(self.values.shape, self.fill, self.values.dtype), np.zeros(self.values.shape, bool)
        for line in driver("list", self.path, "d").splitlines():
            offset, value = line.split()
            values.reshape(-1)[int(offset)] = float(value)
            defined.reshape(-1)[int(offset)] = True
        return values, defined

    def check(self, what):
        values, defined = self.found()
        np.testing.assert_array_equal(defined, self.defined, what)
        np.testing.assert_array_equal(values, self.values, what)
        with h5py.File(self.path, "r") as file:
            np.testing.assert_array_equal(file["d"][...], self.values, what)


class Portable(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="filigree_portable_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def create(self, name, dtype, dims, chunk, fill, values, selection, *more):
        path = self.folder / name
        driver("create", path, "d", dtype, ",".join(map(str, dims)), ",".join(map(str, chunk)), fill, values, selection, *more)
        return path

    def test_random_changes_by_both(self):
        some = random.Random(3)
        for number in range(24):
            rank = some.randint(1, 4)
            dims = tuple(some.randint(1, (60, 20, 10, 6)[rank - 1]) for _ in range(rank))
            chunk = tuple(some.randint(1, (30, 9, 5, 4)[rank - 1]) for _ in range(rank))
            dtype, (values, selection) = TYPES[number % len(TYPES)], FILTERS[number // 2 % len(FILTERS)]
            fill = some.choice((0, 0, 7)) if dtype[0] != "f" else some.choice((0, 2.5, "nan"))
            with self.subTest(number=number, dtype=dtype, dims=dims, chunk=chunk, fill=fill, filters=(values, selection)):
                path = self.create(f"{number}.h5", dtype, dims, chunk, fill, values, selection)
                twin = Twin(self, path, dtype, dims, chunk, float(fill))
                for step in range(12):
                    change = some.choice(("filigree", "filigree", "hdf5", "hdf5", "erase", "resize", "resize_hdf5"))
                    if change == "filigree":
                        twin.write_with_filigree(some)
                    elif change == "hdf5":
                        twin.write_with_hdf5(some)
                    elif change == "erase":
                        twin.erase_with_filigree(some)
                    else:
                        twin.resize_with(some, change == "resize_hdf5")
                    twin.check(f"step {step}: {change}")

    def test_the_reader_in_python_agrees(self):
        some = random.Random(5)
        for number, (values, selection) in enumerate((("none", "none"), ("deflate", "deflate"), ("shuffle,deflate", "none"))):
            path = self.create(f"{number}.h5", "i4", (30, 20), (12, 8), 7, values, selection)
            twin = Twin(self, path, "i4", (30, 20), (12, 8), 7)
            for _ in range(4):
                twin.write_with_filigree(some)
            twin.write_with_hdf5(some)
            with h5py.File(path, "r") as file:
                data = file["d"]
                parameters = data.id.get_create_plist().get_filter(0)
                self.assertEqual(parameters[0], read_portable.FILTER)
                for i in range(data.id.get_num_chunks()):
                    corner = data.id.get_chunk_info(i).chunk_offset
                    _, stored = data.id.read_direct_chunk(corner)
                    got, mask = read_portable.read_chunk(stored, read_portable.words(data), np.dtype("<i4"))
                    inside = tuple(slice(a, min(a + c, n)) for a, c, n in zip(corner, twin.chunk, data.shape))
                    cut = tuple(slice(0, s.stop - s.start) for s in inside)
                    np.testing.assert_array_equal(got[cut], twin.values[inside])
                    np.testing.assert_array_equal(mask[cut], twin.defined[inside])

    def test_hdf5_creates_datasets(self):
        parameters = words((16, 16), "<f4", 1.5, values=((2, 1, (4,)), (1, 1, (4,))))
        path = self.folder / "made.h5"
        with h5py.File(path, "w") as file:
            data = file.create_dataset("d", (40, 30), "<f4", chunks=(16, 16), maxshape=(None, None), fillvalue=1.5,
                                       compression=read_portable.FILTER, compression_opts=parameters)
            data[3:9, 2:28] = np.arange(6 * 26).reshape(6, 26)
        twin = Twin(self, path, "<f4", (40, 30), (16, 16), 1.5)
        twin.values[3:9, 2:28] = np.arange(6 * 26).reshape(6, 26)
        twin.defined = twin.differs(twin.values)
        twin.check("created by HDF5")
        some = random.Random(9)
        for _ in range(3):
            twin.write_with_filigree(some)
            twin.check("changed by Filigree")
            twin.write_with_hdf5(some)
            twin.check("changed by HDF5")

    def test_hdf5_creates_datasets_with_the_parameters_of_filigree(self):
        """What portable_filter() returns is ready for create_dataset() of h5py."""
        some = random.Random(11)
        for number, (dtype, chunk, fill, values, selection) in enumerate((
                ("u1", (7,), 0, "none", "none"), ("i2", (1, 16, 16), 0, "shuffle,zstd", "packed"),
                ("f4", (3, 4, 2, 5), "nan", "lz4", "packed"), ("f8", (5, 9), -0.0, "shuffle,deflate", "deflate"),
                ("i4", (2, 3, 2, 3, 2), -7, "scaleoffset", "none"), ("u8", (8, 8), 9, "bitshuffle", "packed"))):
            with self.subTest(dtype=dtype, chunk=chunk, fill=fill):
                name, *parameters = map(int, driver("parameters", dtype, ",".join(map(str, chunk)), fill, values, selection).split())
                self.assertEqual(name, read_portable.FILTER)
                dims, path = tuple(2 * c + 1 for c in chunk), self.folder / f"{number}.h5"
                with h5py.File(path, "w") as file:
                    file.create_dataset("d", dims, dtype, chunks=chunk, maxshape=(None,) * len(dims), fillvalue=float(fill),
                                        compression=name, compression_opts=tuple(parameters))
                twin = Twin(self, path, dtype, dims, chunk, float(fill))
                twin.check("created")
                for _ in range(3):
                    twin.write_with_hdf5(some)
                    twin.check("written by HDF5")
                    twin.write_with_filigree(some)
                    twin.check("written by Filigree")

    def test_the_command_says_which_chunks_hdf5_has_stored(self):
        path = self.create("stored.h5", "i4", (40,), (10,), 0, "deflate", "packed")
        driver("write", path, "d", text="3 1\n12 0\n33 4\n")  # three chunks by Filigree

        def loaded():
            command = [BIN / "filigree"]
            facts = json.loads(subprocess.check_output([*command, "info", "--json", path], timeout=1800))
            shown = subprocess.check_output([*command, "ls", "-v", path], text=True, timeout=1800)
            text = subprocess.check_output([*command, "info", path], text=True, timeout=1800)
            lines = [line.split(None, 1)[1] for line in shown.splitlines() if line.strip().startswith("HDF5:")]
            self.assertEqual(facts["chunks_from_hdf5"], facts["largest"][0]["chunks_from_hdf5"])
            self.assertEqual(bool(facts["chunks_from_hdf5"]), "From HDF5:" in text, text)
            return facts["chunks_from_hdf5"], lines

        self.assertEqual(loaded(), (0, []))
        with h5py.File(path, "r+") as file:
            file["d"][15] = 7  # the defined zero of this chunk is lost
            file["d"].id.write_direct_chunk((20,), np.arange(10, dtype="<i4").tobytes(), 1)  # without the filter
        text = "stored 2 of 4 chunks, where no element with the fill value is defined"
        self.assertEqual(loaded(), (2, [text]))
        self.assertEqual([int(line.split()[0]) for line in driver("list", path, "d").splitlines()],
                         [3, 15, *range(21, 30), 33])
        driver("write", path, "d", text="16 0\n")
        self.assertEqual(loaded()[0], 1)

    def test_types_that_are_not_numbers(self):
        compound = np.dtype([("a", "<i4"), ("b", "<f8"), ("c", "S3")])
        cases = {"compound": (compound, np.array([(1, 2.5, b"xy"), (0, 0, b""), (3, 0, b"q")], compound)),
                 "opaque": (np.dtype("V5"), np.array([b"abcde", b"\0\0\0\0\0", b"x\0\0\0\0"], "V5")),
                 "bool": (np.dtype(bool), np.array([True, False, True])),
                 "string": (np.dtype("S4"), np.array([b"abcd", b"", b"e"], "S4")),
                 "enum": (h5py.enum_dtype({"a": 0, "b": 1, "c": 300}, "<i2"), np.array([0, 1, 300], "<i2")),
                 "reference": (h5py.ref_dtype, None), "region": (h5py.regionref_dtype, None),
                 "array": (np.dtype(("<i2", (3,))), np.array([[1, 2, 3], [0, 0, 0], [0, 5, 0]], "<i2"))}
        path = self.folder / "types.h5"
        with h5py.File(path, "w") as file:
            pointed = file.create_dataset("pointed", data=np.arange(10))
            references = np.array([pointed.ref, h5py.Reference(), pointed.ref], object)
            regions = np.array([pointed.regionref[2:4], h5py.RegionReference(), pointed.regionref[7:8]], object)
            cases["reference"], cases["region"] = (h5py.ref_dtype, references), (h5py.regionref_dtype, regions)
            for name, (dtype, elements) in cases.items():
                size = {"reference": 8, "region": 12}.get(name, dtype.itemsize)
                data = file.create_dataset(name, (9,), dtype, chunks=(4,), compression=read_portable.FILTER,
                                           compression_opts=words((4,), f"V{size}", bytes(size)))
                data[2:5] = elements
        listed = subprocess.run([BIN / "filigree", "ls", "-v", path], capture_output=True, text=True, check=True, timeout=1800)
        self.assertEqual(listed.stdout.count("portable sparse chunks of {4}"), len(cases), listed.stdout)
        folder = BIN.parent / "lib" / "hdf5-1.10"
        script = """
import h5py, sys
file = h5py.File(sys.argv[1], "r")
def shown(d):
    if h5py.check_ref_dtype(d.dtype) is None:
        return d[...].tobytes().hex()
    return [(r and (file[r].name, d.dtype.metadata["ref"] is h5py.Reference or file[r][r].tolist())) for r in d[...]]
for n, d in file.items():
    print(n, shown(d))
"""
        both = [subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True, timeout=1800,
                               env=dict(os.environ, **more)) for more in ({}, {"LD_LIBRARY_PATH": str(folder)})]
        self.assertEqual(both[0].stdout, both[1].stdout, both[0].stderr + both[1].stderr)
        self.assertEqual(both[0].stdout.count("\n"), len(cases) + 1)
        self.assertIn("/pointed", both[0].stdout)

    def test_tools_without_the_plug_in(self):
        path = self.create("alone.h5", "i4", (20, 20), (8, 8), 0, "deflate", "packed")
        Twin(self, path, "i4", (20, 20), (8, 8), 0).write_with_filigree(random.Random(1))
        with h5py.File(path, "r+") as file:
            file["other"] = np.arange(5)
        alone = dict(os.environ, HDF5_PLUGIN_PATH=str(self.folder))

        def tool(*arguments):
            return subprocess.run(arguments, capture_output=True, text=True, timeout=1800, env=alone)

        self.assertIn("filigree sparse chunks, plug-in libh5z_filigree", tool("h5ls", "-v", path).stdout)
        self.assertEqual(tool("h5dump", "-H", "-p", path).returncode, 0)
        self.assertEqual(tool("h5stat", path).returncode, 0)
        other = tool("h5dump", "-d", "/other", path)
        self.assertEqual((other.returncode, "0, 1, 2, 3, 4" in other.stdout), (0, True))
        copy = self.folder / "copy.h5"
        self.assertEqual(tool("h5copy", "-i", path, "-o", copy, "-s", "/d", "-d", "/d").returncode, 0)
        with h5py.File(path, "r") as a, h5py.File(copy, "r") as b:
            for i in range(a["d"].id.get_num_chunks()):
                corner = a["d"].id.get_chunk_info(i).chunk_offset
                self.assertEqual(a["d"].id.read_direct_chunk(corner), b["d"].id.read_direct_chunk(corner))
        self.assertEqual(driver("list", copy, "d"), driver("list", path, "d"))
        script = "import h5py, sys\nf = h5py.File(sys.argv[1], 'r')\nprint(sorted(f))\nf.visititems(lambda *_: None)\nf['d'][...]"
        failed = tool(sys.executable, "-c", script, path)
        self.assertIn("['d', 'other']", failed.stdout)
        self.assertRegex(failed.stderr, "required filter .*filigree sparse chunks, plug-in libh5z_filigree.* is not registered")

    def test_tools_with_the_plug_in(self):
        path = self.create("with.h5", "i4", (20, 20), (8, 8), 3, "shuffle,deflate", "packed")
        twin = Twin(self, path, "i4", (20, 20), (8, 8), 3)
        twin.write_with_filigree(random.Random(2))
        for arguments in (["h5dump", "-d", "/d", path], ["h5repack", path, self.folder / "r.h5"],
                          ["h5repack", "-f", "GZIP=1", path, self.folder / "g.h5"], ["h5diff", path, self.folder / "r.h5"],
                          ["h5diff", path, self.folder / "g.h5"]):
            done = subprocess.run(arguments, capture_output=True, text=True, timeout=1800)
            self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        with h5py.File(path, "r") as file:
            data = file["d"]
            np.testing.assert_array_equal(data[[1, 5, 19]], twin.values[[1, 5, 19]])
            np.testing.assert_array_equal(data[data[...] != 3], twin.values[twin.values != 3])
            for box in data.iter_chunks():
                np.testing.assert_array_equal(data[box], twin.values[box])

    def test_the_plug_in_needs_nothing_of_hdf5(self):
        plugin = PLUGINS / "libh5z_filigree.so"
        names = subprocess.run(["nm", "-D", plugin], capture_output=True, text=True, check=True, timeout=1800).stdout
        exported = {line.split()[-1] for line in names.splitlines() if " T " in line or " D " in line or " R " in line}
        self.assertEqual(exported, {"H5PLget_plugin_type", "H5PLget_plugin_info"})
        undefined = [line.split()[-1] for line in names.splitlines() if " U " in line]
        self.assertEqual([name for name in undefined if name.startswith("H5")], [])
        script = "import ctypes, sys\np = ctypes.CDLL(sys.argv[1])\nprint(p.H5PLget_plugin_type())"
        done = subprocess.run([sys.executable, "-c", script, plugin], capture_output=True, text=True, timeout=1800)
        self.assertEqual((done.stdout, done.returncode), ("0\n", 0), done.stderr)

    def test_damaged_chunks(self):
        path = self.create("damaged.h5", "i4", (8, 8), (8, 8), 0, "deflate", "packed")
        twin = Twin(self, path, "i4", (8, 8), (8, 8), 0)
        twin.write_with_filigree(random.Random(4))
        with h5py.File(path, "r") as file:
            _, stored = file["d"].id.read_direct_chunk((0, 0))
        some = random.Random(6)
        damaged = [stored[:n] for n in range(1, len(stored), 3)]
        damaged += [bytes(b ^ (1 << some.randrange(8) if i == at else 0) for i, b in enumerate(stored)) for at in range(len(stored))]
        right = 0
        with h5py.File(path, "r+") as file:
            data = file["d"]
            for bytes_ in damaged:
                data.id.write_direct_chunk((0, 0), bytes_)
                file.flush()
                try:
                    right += bool((data[...] == twin.values).all())
                except OSError:
                    pass
                data.id.write_direct_chunk((0, 0), stored)
        self.assertLess(right, 3)

    def test_size_is_that_of_the_structured_form(self):
        some = random.Random(8)
        offsets = sorted(some.sample(range(512 * 512), 20000))
        text = "".join(f"{o} {some.randint(1, 300)}\n" for o in offsets)
        sizes = []
        for more in ((), ("structured",)):
            path = self.create(f"size{len(more)}.h5", "i2", (512, 512), (128, 128), 0, "shuffle,zstd", "packed", *more)
            driver("write", path, "d", text=text)
            chunks, _ = map(int, driver("chunks", path, "d").split())
            sizes.append(path.stat().st_size)
        self.assertLess(sizes[0], sizes[1] * 1.01 + 64 * chunks)


if __name__ == "__main__":
    unittest.main()
