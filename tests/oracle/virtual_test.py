# SPDX-License-Identifier: Apache-2.0
"""Virtual datasets: Filigree and HDF5 read the same from virtual datasets of either, and both report the same mappings."""

import os
import random
import re
import subprocess
import tempfile
import unittest

import h5py
import numpy as np

BIN = os.environ["FILIGREE_BIN"]
UNLIMITED = h5py.h5s.UNLIMITED
MODES = ["earliest", "latest"]


def number(n):
    return "u" if n == UNLIMITED else str(n)


def text(selection):
    """The selection in the format of virtual_driver."""
    if isinstance(selection, str):
        return selection
    return ",".join(":".join(map(number, d)) for d in selection)


def space(dims, selection, most=None):
    made = h5py.h5s.create_simple(tuple(dims), tuple(most or dims))
    if selection == "none":
        made.select_none()
    elif selection != "all":
        start, stride, count, block = (tuple(d[i] for d in selection) for i in range(4))
        made.select_hyperslab(start, count, stride, block)
    return made


def extent(selection, rank_one=4):
    """Dimensions that contain a selection, which HDF5 requires."""
    if isinstance(selection, str):
        return (rank_one,)
    return tuple(1 if UNLIMITED in (c, b) else s + (c - 1) * t + b for s, t, c, b in selection)


class Case:
    """A virtual dataset: dims, most, and mappings (file, dataset, dims of the source, source, virtual)."""

    def __init__(self, dims, most, mappings, fill=-7):
        self.dims, self.most, self.mappings, self.fill = dims, most or dims, mappings, fill

    def make_reference(self, file, name):
        plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        plist.set_fill_value(np.array(self.fill, "i4"))
        plist.set_layout(h5py.h5d.VIRTUAL)
        for path, dataset, dims, source, mapped in self.mappings:
            plist.set_virtual(space(self.dims, mapped, self.most), path.encode(), dataset.encode(), space(dims, source))
        h5py.h5d.create(file.id, name.encode(), h5py.h5t.NATIVE_INT32, space(self.dims, "all", self.most), plist)

    def script(self, name):
        lines = [f"source {path} {dataset} {text(source)} {text(mapped)}" for path, dataset, _, source, mapped in self.mappings]
        dims, most = (",".join(map(number, d)) for d in (self.dims, self.most))
        return "\n".join(lines + [f"create {name} {dims} {most} {self.fill}"]) + "\n"


def every(start, stride, count=UNLIMITED, block=1):
    return (start, stride, count, block)


COLUMNS = (0, 1, 1, 3)
CASES = {
    "rows": Case((4, 3), None, [
        ("a.h5", "d", (3,), "all", ((0, 1, 1, 1), COLUMNS)),
        ("b.h5", "g/d", (4, 3), ((1, 2, 2, 1), COLUMNS), ((2, 1, 2, 1), COLUMNS))]),
    # All elements are mapped. Otherwise HDF5 counts the ones that are mapped twice, and does not fill the others.
    "overlap": Case((5,), None, [
        ("a.h5", "d", (3,), "all", ((0, 1, 1, 3),)),
        (".", "own", (6,), ((0, 1, 1, 4),), ((1, 1, 1, 4),))]),
    "missing": Case((6,), None, [
        ("no.h5", "d", (3,), "all", ((0, 2, 3, 1),)),
        ("a.h5", "nothing", (3,), "all", ((1, 2, 3, 1),))]),
    "escaped": Case((3,), None, [("a.h5", "per%%cent", (3,), "all", "all")]),
    "strided": Case((12,), None, [("b.h5", "g/d", (4, 3), ((0, 1, 4, 1), (0, 2, 2, 1)), ((1, 3, 4, 2),))]),
    "other_types": Case((6,), None, [
        ("a.h5", "float", (3,), "all", ((0, 1, 1, 3),)),
        ("a.h5", "big", (3,), "all", ((3, 1, 1, 3),))]),
    "chunked": Case((7, 9), None, [("c.h5", "packed", (7, 9), "all", "all")]),
    "none": Case((3,), None, [("a.h5", "d", (3,), "none", "none")]),
    "without": Case((3,), None, []),
    "grows": Case((0, 3), (UNLIMITED, 3), [
        ("c.h5", "five", (5, 3), (every(0, 1), COLUMNS), (every(0, 2), COLUMNS)),
        ("c.h5", "eight", (8, 3), (every(0, 1), COLUMNS), (every(1, 2), COLUMNS))]),
    "grows_block": Case((3, 0), (3, UNLIMITED), [
        ("c.h5", "wide", (3, 4), ((0, 1, 3, 1), (0, 1, 1, UNLIMITED)), ((0, 1, 3, 1), (2, 1, 1, UNLIMITED)))]),
    "grows_in_blocks": Case((0,), (UNLIMITED,), [
        ("c.h5", "long", (11,), (every(1, 4, block=3),), (every(0, 5, block=2),))]),
    "grows_over_fixed": Case((9,), (UNLIMITED,), [
        ("a.h5", "d", (3,), "all", ((6, 1, 1, 3),)),
        ("no.h5", "long", (11,), (every(0, 1),), (every(0, 1),))]),
    "numbered": Case((0, 3), (UNLIMITED, 3), [("n%b.h5", "d%b", (2, 3), "all", ((0, 3, UNLIMITED, 2), COLUMNS))]),
    "numbered_datasets": Case((0,), (UNLIMITED,), [(".", "part%b", (4,), ((0, 2, 2, 1),), ((1, 2, UNLIMITED, 2),))]),
}


def make_sources(folder):
    path = lambda name: os.path.join(folder, name)
    with h5py.File(path("a.h5"), "w") as f:
        f["d"] = np.arange(3, dtype="i4") + 10
        f["per%cent"] = np.arange(3, dtype="i4") + 20
        f["float"] = np.array([1.5, -2.5, 1e6])
        f["big"] = np.arange(3, dtype=">i2") - 300
    with h5py.File(path("b.h5"), "w") as f:
        f["g/d"] = np.arange(12, dtype="i4").reshape(4, 3) + 100
    with h5py.File(path("c.h5"), "w", libver="latest") as f:
        f.create_dataset("packed", data=np.arange(63, dtype="i8").reshape(7, 9), chunks=(2, 4), compression="gzip")
        f.create_dataset("five", data=np.arange(15, dtype="i4").reshape(5, 3), maxshape=(None, 3))
        f.create_dataset("eight", data=-np.arange(24, dtype="i4").reshape(8, 3), maxshape=(None, 3))
        f.create_dataset("wide", data=np.arange(12, dtype="i4").reshape(3, 4), maxshape=(3, None))
        f.create_dataset("long", data=np.arange(11, dtype="i4"), maxshape=(None,))
    for i in (0, 1, 3):
        with h5py.File(path(f"n{i}.h5"), "w") as f:
            f[f"d{i}"] = np.arange(6, dtype="i4").reshape(2, 3) + 10 * i


def add_own(file):
    file["own"] = np.arange(6, dtype="i4") + 60
    for i in range(3):
        file[f"part{i}"] = np.arange(4, dtype="i4") + 1000 * i


class Virtual(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "v.h5")
        make_sources(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def drive(self, script, mode="read", view="last", gap=0):
        result = subprocess.run([os.path.join(BIN, "virtual_driver"), self.path, mode, view, str(gap)],
                                input=script.encode(), capture_output=True, timeout=1800)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return result.stdout.decode()

    def values(self, name, view="last", gap=0):
        dims, _, elements = self.drive(f"read {name} all\n", "read", view, gap).partition(":")
        return np.array(elements.split(), "i8").reshape(tuple(map(int, dims.split())))

    def reference_values(self, name, view="last", gap=0):
        access = h5py.h5p.create(h5py.h5p.DATASET_ACCESS)
        access.set_virtual_view(h5py.h5d.VDS_FIRST_MISSING if view == "first" else h5py.h5d.VDS_LAST_AVAILABLE)
        access.set_virtual_printf_gap(gap)
        with h5py.File(self.path, "r") as f:
            opened = h5py.h5d.open(f.id, name.encode(), access)
            return h5py.Dataset(opened)[...]

    def compare(self, name):
        for view, gap in (("last", 0), ("last", 1), ("first", 0)):
            with self.subTest(name=name, view=view, gap=gap):
                ours, theirs = self.values(name, view, gap), self.reference_values(name, view, gap)
                self.assertEqual(ours.shape, theirs.shape)
                np.testing.assert_array_equal(ours, theirs)

    def dump(self, name):
        shown = subprocess.run(["h5dump", "-p", "-H", "-d", name, self.path], capture_output=True, timeout=1800, cwd=self.folder.name)
        self.assertEqual(shown.returncode, 0, shown.stderr.decode())
        return re.sub(r'HDF5 ".*"', "", shown.stdout.decode())

    def test_hdf5_makes_and_we_read(self):
        for mode in MODES:
            with h5py.File(self.path, "w", libver=mode) as f:
                add_own(f)
                for name, case in CASES.items():
                    case.make_reference(f, name)
            for name in CASES:
                self.compare(name)

    def test_we_make_and_hdf5_reads_and_shows_the_same_mappings(self):
        for mode in MODES:
            with h5py.File(self.path, "w", libver=mode) as f:
                for name, case in CASES.items():
                    case.make_reference(f, name)
            theirs = {name: self.dump(name) for name in CASES}
            self.drive("".join(case.script(name) for name, case in CASES.items()), mode)
            for name in CASES:
                self.assertEqual(self.dump(name), theirs[name])
            with h5py.File(self.path, "r+") as f:
                add_own(f)
            for name in CASES:
                self.compare(name)

    def test_the_blocks_of_mappings_are_the_same(self):
        def blocks(path):
            with open(path, "rb") as f:
                image = f.read()
            found, at = [], image.find(b"GCOL")
            end = at + int.from_bytes(image[at + 8:at + 16], "little")
            at += 16
            while at < end and int.from_bytes(image[at:at + 2], "little") != 0:
                size = int.from_bytes(image[at + 8:at + 16], "little")
                found.append(image[at + 16:at + 16 + size])
                at += 16 + (size + 7) // 8 * 8
            return found

        for mode in MODES:
            with h5py.File(self.path, "w", libver=mode) as f:
                for name, case in CASES.items():
                    case.make_reference(f, name)
            theirs = blocks(self.path)
            self.drive("".join(case.script(name) for name, case in CASES.items()), mode)
            self.assertEqual(blocks(self.path), theirs)

    def test_mappings_are_listed_as_hdf5_stored_them(self):
        with h5py.File(self.path, "w") as f:
            for name in ("rows", "strided", "grows", "numbered"):
                CASES[name].make_reference(f, name)
        self.assertEqual(self.drive("list grows\n").split("\n")[0], "c.h5 five 0:1:u:1,0:1:1:3 0:2:u:1,0:1:1:3")
        self.assertEqual(self.drive("list numbered\n"), "n%b.h5 d%b all 0:3:u:2,0:1:1:3\n")
        self.assertEqual(self.drive("list strided\n"), "b.h5 g/d 0:1:1:4,0:2:2:1 1:3:4:2\n")

    def test_writes_go_through_to_sources_that_hdf5_reads(self):
        with h5py.File(self.path, "w") as f:
            for name in ("rows", "grows", "numbered"):
                CASES[name].make_reference(f, name)
        self.drive("write rows 0:1:1:1,0:1:1:3 500\nwrite rows 2:1:1:2,1:1:1:2 600\n"
                   "write grows 0:1:1:10,0:1:1:3 2000\nwrite numbered 3:1:1:2,0:1:1:3 3000\n", "open")
        with h5py.File(os.path.join(self.folder.name, "a.h5"), "r") as f:
            self.assertEqual(f["d"][...].tolist(), [500, 501, 502])
        with h5py.File(os.path.join(self.folder.name, "n1.h5"), "r") as f:
            self.assertEqual(f["d1"][...].ravel().tolist(), list(range(3000, 3006)))
        for name in ("rows", "grows", "numbered"):
            self.compare(name)

    def test_random_boxes_of_random_mappings(self):
        rng = random.Random(17)
        with h5py.File(self.path, "w") as f:
            f["s"] = np.arange(20 * 30, dtype="i4").reshape(20, 30)
            for i in range(12):
                mappings = []
                for _ in range(rng.randint(1, 5)):
                    mapped, source = [], []
                    for n, m in ((15, 20), (18, 30)):
                        count, block = rng.randint(1, 3), rng.randint(1, 3)
                        for side, extent in ((mapped, n), (source, m)):
                            stride = rng.randint(block, (extent - block) // count)
                            side.append((rng.randint(0, extent - (count - 1) * stride - block), stride, count, block))
                    mappings.append((".", "s", (20, 30), tuple(source), tuple(mapped)))
                Case((15, 18), None, mappings).make_reference(f, f"v{i}")
        with h5py.File(self.path, "r") as f:
            for i in range(12):
                whole = f[f"v{i}"][...]
                np.testing.assert_array_equal(self.values(f"v{i}"), whole)
                low = (rng.randint(0, 9), rng.randint(0, 9))
                box = f"{low[0]}:2:3:1,{low[1]}:4:2:3"
                columns = [low[1] + 4 * k + j for k in range(2) for j in range(3)]
                expected = whole[low[0]:low[0] + 5:2][:, columns].ravel().tolist()
                self.assertEqual(self.drive(f"read v{i} {box}\n").split(":")[1].split(), list(map(str, expected)))


if __name__ == "__main__":
    unittest.main()
