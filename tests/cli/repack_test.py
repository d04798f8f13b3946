# SPDX-License-Identifier: Apache-2.0
"""`filigree repack`: copies between the forms of sparse data, with h5py as the judge of everything else."""

import json
import os
import shutil
import signal
import subprocess
import time
import unittest

from support import FILIGREE, FolderCase, run  # before h5py, which looks for plug-ins

import h5py
import numpy


def tree(path):
    """What h5py reads in a file: {path: facts}, without addresses, and the paths that share an object."""
    found = {}
    with h5py.File(path, "r") as file:
        def attributes(item):
            return {name: repr(translated(file, value)) for name, value in item.attrs.items()}

        def walk(group, prefix):
            for name in group:
                link, path_here = group.get(name, getlink=True), f"{prefix}/{name}"
                if not isinstance(link, h5py.HardLink):
                    found[path_here] = (type(link).__name__, link.path, getattr(link, "filename", None))
                    continue
                item = group[name]
                first = seen.setdefault(h5py.h5o.get_info(item.id).addr, path_here)
                facts = [type(item).__name__, first, attributes(item)]
                if isinstance(item, h5py.Datatype):
                    facts.append(repr(item.dtype))
                if isinstance(item, h5py.Dataset):
                    plist = item.id.get_create_plist()
                    filters = [plist.get_filter(i)[0] for i in range(plist.get_nfilters())]
                    facts += [repr(item.dtype), item.shape, item.maxshape, item.chunks, plist.get_layout(), item.id.get_type().committed(), filters]
                    if 502 not in filters and item.shape is not None:
                        facts.append(repr(translated(file, item[()])))
                found[path_here] = facts
                if isinstance(item, h5py.Group) and first == path_here:
                    walk(item, path_here)

        seen = {h5py.h5o.get_info(file.id).addr: "/"}
        found["/"] = attributes(file)
        walk(file, "")
    return found


def translated(file, value):
    """References as the paths that they lead to."""
    if isinstance(value, h5py.RegionReference):
        return (file[value].name, file[value].regionref.selection(value)) if value else None
    if isinstance(value, h5py.Reference):
        return file[value].name if value else None
    if isinstance(value, numpy.void):
        return [translated(file, value[name]) for name in value.dtype.names or ()] or value.tobytes()
    if isinstance(value, numpy.ndarray) and (value.dtype == object or value.dtype.names):
        return [translated(file, one) for one in value]
    return value


def everything(path, **options):
    """A file with objects, links, types, layouts and references of every kind."""
    with h5py.File(path, "w", **options) as file:
        file.attrs["title"] = "all of it"
        file["point"] = numpy.dtype([("x", "f4"), ("name", h5py.string_dtype())])
        file["numbers"] = numpy.arange(12, dtype=">i2").reshape(3, 4)
        group = file.create_group("group", track_order=True)
        for name in "zay":
            group.create_group(name).attrs["order"] = name
        group["typed"] = numpy.zeros(0)
        file.create_dataset("points", (3,), dtype=file["point"], data=numpy.array([(1, "a"), (2, "b\n"), (3, "")], dtype=file["point"].dtype))
        file["strings"] = ["one", "", "d\u00e9j\u00e0"]
        file.create_dataset("sequences", (2,), dtype=h5py.vlen_dtype("i4"))[:] = [numpy.arange(3), numpy.arange(2)]
        file.create_dataset("chunked", (20, 30), "f8", chunks=(7, 8), maxshape=(None, 30), compression="gzip", shuffle=True)[:5] = 1.5
        file.create_dataset("empty", (0,), "f8", chunks=(7,), maxshape=(None,))
        file["null"] = h5py.Empty("i4")
        compact = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        compact.set_layout(h5py.h5d.COMPACT)
        h5py.h5d.create(file.id, b"compact", h5py.h5t.NATIVE_INT32, h5py.h5s.create_simple((2,)), compact)
        layout = h5py.VirtualLayout((4,), "i2")
        layout[:] = h5py.VirtualSource(".", "numbers", (3, 4), "i2")[1]
        file.create_virtual_dataset("virtual", layout)
        file["again"] = file["group/z"]
        file["group/up"] = file["/"]
        file["soft"] = h5py.SoftLink("/group/a")
        file["dangling"] = h5py.SoftLink("/nowhere")
        file["external"] = h5py.ExternalLink("other.h5", "/there")
        h5py.h5o.set_comment(file["group"].id, b"a remark")
        # References: in datasets, attributes, compounds, and sequences, as netCDF's dimension scales have them.
        file["reference"] = numpy.array([file["group"].ref, file["numbers"].ref], dtype=h5py.ref_dtype)
        file["region"] = numpy.array([file["numbers"].regionref[1:3, ::2]], dtype=h5py.regionref_dtype)
        file["numbers"].attrs["group"] = file["group"].ref
        file["empty"].make_scale("rows")
        file["chunked"].dims[0].attach_scale(file["empty"])
        pair = numpy.dtype([("to", h5py.ref_dtype), ("number", "i4")])
        file.create_dataset("pairs", data=numpy.array([(file["again"].ref, 1), (file["strings"].ref, 2)], dtype=pair))
        file["pairs"].attrs["pair"] = numpy.array((file["pairs"].ref, 3), dtype=pair)


WORDS = ["--type", "u2", "--chunk", "4x8", "--values", "shuffle,zstd=3", "--selection", "packed"]


class Repack(FolderCase):
    def words(self, *arguments):
        return tuple(map(int, self.lines("portable-filter", "--words", *arguments)[0].split()))

    def add_sparse(self, path, name="sparse", words=WORDS, **options):
        """A portable dataset that h5py writes through the plug-in; returns what is in it."""
        values = numpy.zeros((10, 20), "u2")
        values[2:5, 3:17] = numpy.arange(42).reshape(3, 14)
        values[9, 19] = 65535
        with h5py.File(self.folder / path, "a") as file:
            file.create_dataset(name, values.shape, "<u2", maxshape=(None, 20), chunks=(4, 8), compression=502, compression_opts=self.words(*words), **options)[:] = values
        return values

    def test_all_that_is_not_sparse_is_the_same_for_h5py(self):
        for version in ("earliest", "latest"):
            everything(self.folder / f"{version}.h5", libver=version)
            self.lines("repack", "--portable", f"{version}.h5", f"{version}-copy.h5")
            self.assertEqual(tree(self.folder / f"{version}.h5"), tree(self.folder / f"{version}-copy.h5"))
            self.assertIn('    Comment:    "a remark"', self.lines("ls", "-v", f"{version}-copy.h5"))

    def test_user_blocks_and_file_properties_are_kept(self):
        with h5py.File(self.folder / "u.h5", "w", userblock_size=1024) as file:
            file["x"] = 1
        with open(self.folder / "u.h5", "r+b") as raw:
            raw.write(b"hello")
        self.lines("repack", "--portable", "u.h5", "v.h5")
        self.assertEqual((self.folder / "v.h5").read_bytes()[:5], b"hello")
        self.assertEqual(h5py.File(self.folder / "v.h5")["x"][()], 1)

    def test_h5diff_finds_no_difference(self):
        everything(self.folder / "a.h5")
        self.lines("repack", "--structured", "a.h5", "b.h5")
        shutil.copy(self.folder / "a.h5", self.folder / "same.h5")
        one, other = (subprocess.run(["h5diff", self.folder / "a.h5", self.folder / name], capture_output=True) for name in ("same.h5", "b.h5"))
        self.assertEqual((one.returncode, one.stdout), (other.returncode, other.stdout))
        self.assertEqual(other.returncode, 0)

    def test_forms_change_and_h5py_sees_the_portable_one(self):
        values = self.add_sparse("p.h5", fillvalue=0)
        self.assertRegex("\n".join(self.lines("repack", "--structured", "p.h5", "s.h5")), "(?m)^/sparse: portable to structured, .*, 42 defined elements equal$")
        self.assertIn("sparse chunks of {4, 8}", "\n".join(self.lines("ls", "-v", "s.h5/sparse")))
        self.assertRegex("\n".join(self.lines("repack", "--portable", "s.h5", "q.h5")), "(?m)^/sparse: structured to portable")
        with h5py.File(self.folder / "q.h5") as file:
            code, _, words, name = file["sparse"].id.get_create_plist().get_filter(0)
            self.assertEqual((code, words[:16]), (502, self.words(*WORDS)[:16]))  # h5py reads no more than 16
            self.assertIn(b"libh5z_filigree", name)
            self.assertEqual((file["sparse"].shape, file["sparse"].maxshape), ((10, 20), (None, 20)))
            numpy.testing.assert_array_equal(file["sparse"][:], values)
        self.assertEqual(self.run_here("diff", "--defined", "p.h5", "s.h5").returncode, 0)
        self.assertEqual(self.run_here("diff", "--defined", "s.h5", "q.h5").returncode, 0)

    def test_types_ranks_and_fill_values_survive_both_ways(self):
        random = numpy.random.default_rng(7)
        cases = [("f8", 1, "nan"), (">f4", 2, "-0.5"), ("u1", 3, "255"), ("i8", 4, "-7"), ("u2", 5, "0"), ("S3", 2, None), ("V6", 2, None)]
        for number, (kind, rank, fill) in enumerate(cases):
            shape = tuple(map(int, random.integers(2, 7, rank)))
            chunk = tuple(int(random.integers(1, min(4, size) + 1)) for size in shape)
            options = {} if fill is None else {"fillvalue": numpy.array(float(fill) if fill == "nan" else eval(fill), kind)[()]}
            fills = [] if fill is None else [f"--fill={fill}"]
            values = numpy.frombuffer(random.bytes(numpy.prod(shape) * numpy.dtype(kind).itemsize), kind).reshape(shape).copy()
            values[random.random(shape) < 0.6] = options.get("fillvalue", numpy.zeros((), kind)[()])
            with h5py.File(self.folder / "p.h5", "a") as file:
                file.create_dataset(str(number), shape, kind, chunks=chunk, compression=502, **options,
                                    compression_opts=self.words("--type", kind, "--chunk", "x".join(map(str, chunk)), "--values", "shuffle,deflate", *fills))[...] = values
        self.lines("repack", "--structured", "p.h5", "s.h5")
        self.lines("repack", "--portable", "s.h5", "q.h5")
        self.assertEqual(self.lines("diff", "--defined", "p.h5", "s.h5"), [])
        self.assertEqual(self.lines("diff", "--defined", "s.h5", "q.h5"), [])
        with h5py.File(self.folder / "p.h5") as one, h5py.File(self.folder / "q.h5") as other:
            for name in one:
                self.assertEqual(one[name][...].tobytes(), other[name][...].tobytes(), name)
                self.assertEqual(repr(one[name].fillvalue), repr(other[name].fillvalue))

    def test_what_happened_is_one_json_document(self):
        self.add_sparse("p.h5")
        report = json.loads("\n".join(self.lines("repack", "--structured", "--json", "p.h5", "s.h5")))
        self.assertEqual(report["datasets"][0]["form"], "structured")
        self.assertEqual(report["datasets"][0]["defined"], 42)
        self.assertEqual(report["output_bytes"], (self.folder / "s.h5").stat().st_size)

    def test_existing_files_and_the_input_are_not_replaced(self):
        self.add_sparse("p.h5")
        before = (self.folder / "p.h5").read_bytes()
        self.assert_fails("this is the input", "repack", "--structured", "p.h5", "./p.h5", status=2)
        (self.folder / "old.h5").write_text("precious")
        self.assert_fails("exists already; --force", "repack", "--structured", "p.h5", "old.h5")
        self.assertEqual((self.folder / "old.h5").read_text(), "precious")
        self.lines("repack", "--force", "--structured", "p.h5", "old.h5")
        self.assertEqual((self.folder / "p.h5").read_bytes(), before)

    def test_only_one_form_can_be_chosen(self):
        self.add_sparse("p.h5")
        self.assert_fails("excludes", "repack", "--portable", "--structured", "p.h5", "q.h5", status=2)

    def test_failures_leave_nothing(self):
        everything(self.folder / "a.h5")
        data = bytearray((self.folder / "a.h5").read_bytes())
        with h5py.File(self.folder / "a.h5") as file:
            address = h5py.h5o.get_info(file["group"].id).addr
        data[address] ^= 0xff
        (self.folder / "bad.h5").write_bytes(data)
        self.assert_fails("bad.h5", "repack", "--portable", "bad.h5", "out.h5")
        self.assert_fails("none.h5", "repack", "--portable", "none.h5", "out.h5")
        self.assert_fails("nowhere/out.h5", "repack", "--portable", "a.h5", "nowhere/out.h5")
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.h5", "bad.h5"])

    def test_a_full_device_leaves_nothing(self):
        with h5py.File(self.folder / "big.h5", "w") as file:
            file["x"] = numpy.random.default_rng(1).random(300_000)
        done = subprocess.run(["bash", "-c", f"ulimit -f 1000; trap '' XFSZ; exec {FILIGREE} repack --portable big.h5 out.h5"], cwd=self.folder, capture_output=True, encoding="utf-8")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, "File too large|no space")
        self.assertEqual(os.listdir(self.folder), ["big.h5"])

    def test_interrupts_at_any_moment_leave_nothing_or_all(self):
        with h5py.File(self.folder / "big.h5", "w") as file:
            for i in range(400):
                file[f"g/{i}"] = numpy.arange(5000.0)
        before = (self.folder / "big.h5").read_bytes()
        start = time.monotonic()
        self.lines("repack", "--portable", "big.h5", "whole.h5")
        longest = time.monotonic() - start
        os.remove(self.folder / "whole.h5")
        random = numpy.random.default_rng(5)
        for _ in range(25):
            process = subprocess.Popen([FILIGREE, "repack", "--portable", "big.h5", "out.h5"], cwd=self.folder, stdout=subprocess.DEVNULL)
            time.sleep(random.random() * longest * 1.2)
            process.send_signal(signal.SIGINT if random.random() < 0.5 else signal.SIGTERM)
            code = process.wait()
            left = sorted(os.listdir(self.folder))
            if "out.h5" in left:
                self.assertEqual(run("ls", "-r", self.folder / "out.h5").returncode, 0)
                os.remove(self.folder / "out.h5")
                left.remove("out.h5")
            else:
                self.assertIn(code, (130, 143, -2, -15))
            self.assertEqual(left, ["big.h5"])
        self.assertEqual((self.folder / "big.h5").read_bytes(), before)


if __name__ == "__main__":
    unittest.main()
