# SPDX-License-Identifier: Apache-2.0
"""`filigree dump` prints what h5dump prints, byte by byte."""

import contextlib
import subprocess
import unittest

from samples import add_frames, add_strange_names
from support import FILIGREE, FolderCase, run  # before h5py, which looks for plug-ins

import h5py
import numpy
from h5py import h5d, h5p, h5s, h5t


def simple(*dims):
    return h5s.create_simple(dims)


def add_numbers(file):
    file["i4"] = numpy.arange(30, dtype="i4").reshape(3, 10) * 1000003
    file["big endian"] = numpy.arange(100, dtype=">i8") * 12345678901
    file["i1"] = numpy.arange(-3, 100, dtype="i1")
    file["u8"] = numpy.array([2**64 - 1, 5], "u8")
    file["u1 of 3 dimensions"] = numpy.arange(24, dtype="u1").reshape(2, 3, 4)
    file["rows over two lines"] = numpy.arange(60, dtype="i8").reshape(2, 2, 15) * 100000
    file["f8"] = numpy.linspace(0, 1, 25)
    file["f4"] = numpy.linspace(-1e10, 1e10, 7, dtype=">f4")
    file["f2"] = numpy.array([1 / 3, 2.5], "f2")
    file["long double"] = numpy.array([1 / 3, 2.5], numpy.longdouble)
    file["special"] = numpy.array([numpy.nan, numpy.inf, -numpy.inf, 0.1, 1e300, 1e-300, -0.0])
    file["text in integers"] = numpy.array([list(b"abbbb\n\"b"), list(b"a\xc8\tbcdef")], "u1")
    bits = h5t.STD_B16LE.copy()
    h5d.create(file.id, b"bits", bits, simple(3)).write(h5s.ALL, h5s.ALL, numpy.array([1, 2, 0xABCD], "u2"), mtype=bits)
    h5d.create(file.id, b"bits of a byte", h5t.STD_B8LE, simple(40))
    odd = h5t.STD_I32LE.copy()
    odd.set_precision(17)
    h5d.create(file.id, b"odd precision", odd, simple(2))


def add_shapes(file):
    file["scalar"] = 5
    file.create_dataset("empty", (0,), maxshape=(None,), dtype="i4")
    file.create_dataset("empty of 3", (3, 0, 2), maxshape=(None, None, 7), chunks=(1, 1, 1), dtype="i4")
    file["null"] = h5py.Empty("f4")
    file["one"] = numpy.arange(1).reshape(1, 1)
    file["4 dimensions"] = numpy.arange(120).reshape(2, 3, 4, 5)


def add_texts(file):
    text = h5py.string_dtype()
    file.create_dataset("variable", data=numpy.array(["a", "b" * 120, "q\"'\\\n\t\x01\u00e9", "z", ""], object), dtype=text)
    file.create_dataset("variable, unwritten", (3,), dtype=text)
    file["padded"] = numpy.array([b"a", b"bb", b'x"y\\'], "S10")
    file["long"] = numpy.array([b"a" * 30, b"b" * 100, b"c" * 60], "S100")
    file["control"] = numpy.array([b"a\rb\tc\fd\be\ag\vh%d%s"], "S32")
    for name, padding in ((b"terminated", h5t.STR_NULLTERM), (b"spaces", h5t.STR_SPACEPAD)):
        kind = h5t.C_S1.copy()
        kind.set_size(6)
        kind.set_strpad(padding)
        h5d.create(file.id, name, kind, simple(2)).write(h5s.ALL, h5s.ALL, numpy.array([b"ab", b"abcde"], "S6"))


def add_compounds(file):
    kind = numpy.dtype([("a", "i4"), ("b", "f8"), ("s", "S5"), ("arr", "i2", (3, 2)), ("n", [("x", "u1"), ("y", "f4", (2,))])])
    file["compound"] = numpy.zeros(3, kind)
    file["short compounds"] = numpy.zeros(5, [("a", "i1")])
    file["arrays of compounds"] = numpy.zeros(2, [("x", "i1"), ("k", [("x", "i1"), ("y", "i1", (2, 2))], (2,))])
    kind = numpy.dtype([("a", "i4"), ("v", h5py.vlen_dtype("f4")), ("s", h5py.string_dtype()), ("n", [("x", "i1"), ("y", "i1")], (2,)), ("e", h5py.enum_dtype({"A": 1, "B": 2}))])
    mixed = file.create_dataset("mixed", (2, 2), kind)
    mixed[0, 0] = (1, numpy.arange(3), "hello\nworld", [(1, 2), (3, 4)], 2)
    inner = h5t.py_create(numpy.dtype([("x", "i1"), ("y", "f4")]))
    for name, kind in (
        (b"array", h5t.array_create(h5t.STD_I32LE, (2, 3))),
        (b"long array", h5t.array_create(h5t.STD_I32LE, (40,))),
        (b"array of arrays", h5t.array_create(h5t.array_create(h5t.STD_I8LE, (3,)), (2, 2))),
        (b"array of compounds", h5t.array_create(inner, (2, 2))),
        (b"sequences of compounds", h5t.vlen_create(inner)),
        (b"sequences of sequences", h5t.vlen_create(h5t.vlen_create(h5t.STD_I8LE))),
    ):
        h5d.create(file.id, name, kind, simple(3))


def add_others(file):
    file.create_dataset("enum", data=numpy.array([0, 1, 5], "i1"), dtype=h5py.enum_dtype({"RED": 0, "GREEN": 1, "a name of more than sixteen": 2}, "i1"))
    file.create_dataset("enum of 4 bytes", data=numpy.array([0, -1, 5], "i4"), dtype=h5py.enum_dtype({"RED": 0, "GREEN": -1}, "i4"))
    file["booleans"] = numpy.array([[True, False]])
    sequences = file.create_dataset("sequences", (3,), h5py.vlen_dtype("i4"))
    sequences[0], sequences[2] = numpy.arange(3), numpy.arange(60)
    strings = file.create_dataset("sequences of strings", (1,), h5py.vlen_dtype(h5py.string_dtype()))
    strings[0] = numpy.array(["a", "b"], object)
    file["opaque"] = numpy.array([b"abc", b"\x00\x01\x02"], "V3")
    file["complex"] = numpy.array([1 + 2j, 3])


def add_references(file):
    data, line = file["i4"], file["f8"]
    group = file.create_group("group")
    kind = h5py.regionref_dtype
    regions = [data.regionref[1:2, 2:5], data.regionref[:, 1::3], line.regionref[3:20:7], data.regionref[:, 0:2], line.regionref[:], h5py.RegionReference()]
    file.create_dataset("regions", data=numpy.array(regions, object), dtype=kind)
    points = data.id.get_space()
    points.select_elements(numpy.array([[0, 1], [2, 2]]))
    mixed = file.create_dataset("points", (3,), kind)
    mixed[0] = mixed[2] = h5py.h5r.create(file.id, b"i4", h5py.h5r.DATASET_REGION, points)
    mixed[1] = data.regionref[:, ::4]
    objects = file.create_dataset("objects", data=numpy.array([file["scalar"].ref, group.ref, h5py.Reference()], object), dtype=h5py.ref_dtype)
    file.create_dataset("references to references", data=numpy.array([objects.ref, file["regions"].ref], object), dtype=h5py.ref_dtype)
    kind = numpy.dtype([("a", "i4"), ("o", h5py.ref_dtype), ("r", kind)])
    file.create_dataset("compound of references", (2,), kind)[0] = (1, data.ref, regions[1])
    file.attrs.create("regions", numpy.array(regions[:2], object), dtype=h5py.regionref_dtype)
    file.attrs.create("objects", numpy.array([data.ref, group.ref], object), dtype=h5py.ref_dtype)


def add_types(file):
    file["type"] = numpy.dtype("f4")
    file["compound type"] = numpy.dtype([("a", "i4")])
    for name, kind in (("enum type", h5py.enum_dtype({"A": 1, "B": 2})), ("string type", h5py.string_dtype()), ("short string", numpy.dtype("S7"))):
        file[name] = kind
        file[name].attrs["x"] = 1
    tagged = h5t.create(h5t.OPAQUE, 4)
    tagged.set_tag(b'my "tag"')
    for name, kind in ((b"t array", h5t.array_create(h5t.STD_I32LE, (2, 3))), (b"t sequence", h5t.vlen_create(h5t.STD_I32LE)), (b"t opaque", tagged), (b"t reference", h5t.STD_REF_OBJ.copy())):
        kind.commit(file.id, name)
    file.create_dataset("of a committed type", (2,), file["type"])
    file["unlinked"] = numpy.dtype("i2")
    file.create_dataset("of an unlinked type", (2,), file["unlinked"])
    del file["unlinked"]


def add_links(file):
    group = file.create_group("links")
    group["hard"] = file["i4"]
    group["loop"] = group
    group["soft"] = h5py.SoftLink("/i4")
    group["dangling"] = h5py.SoftLink("nowhere")
    group["external"] = h5py.ExternalLink("missing.h5", "/x")
    group["external found"] = h5py.ExternalLink("other.h5", "/group")
    group["external again"] = h5py.ExternalLink("other.h5", "/group/data")
    for holder in (file, group, file["i4"]):
        for name, value in dict(s="text", n=3, a=numpy.arange(30), e=h5py.Empty("i4"), f=2.5, b=numpy.bytes_("abc")).items():
            holder.attrs[name] = value
    h5py.h5o.set_comment(group.id, b"a comment")
    h5py.h5o.set_comment(file["i4"].id, b"another comment")


def add_layouts(file):
    zeros = numpy.zeros((100, 100), "i4")
    file.create_dataset("deflate", data=zeros, chunks=(10, 10), compression=4, shuffle=True, fletcher32=True, fillvalue=3)
    file.create_dataset("scale-offset", (20,), "f4", chunks=(5,), scaleoffset=2)
    file.create_dataset("lzf", (100,), "i4", chunks=(10,), compression="lzf")
    file.create_dataset("strings in chunks", data=numpy.array(["a", "b"], object), dtype=h5py.string_dtype(), chunks=(2,), compression=1)
    file.create_dataset("szip", (100,), "i4", chunks=(50,), compression="szip")
    file.create_dataset("in other files", (10,), "i4", external=[("one.bin", 0, 20), ("two.bin", 4, 20)])[:] = numpy.arange(10)
    file.create_dataset("number", (2,), "f8", fillvalue=2.5)
    file.create_dataset("string", (2,), "S5", fillvalue=b"ab")
    file.create_dataset("fill of a compound", (2,), [("a", "i4"), ("b", "f4")], fillvalue=numpy.array((1, 2.5), [("a", "i4"), ("b", "f4")])[()], chunks=(2,))
    options = h5p.create(h5p.DATASET_CREATE)
    options.set_layout(h5d.COMPACT)
    h5d.create(file.id, b"compact", h5t.STD_I32LE, simple(3), options)
    options = h5p.create(h5p.DATASET_CREATE)
    options.set_chunk((3,))
    options.set_fill_time(h5d.FILL_TIME_NEVER)
    options.set_alloc_time(h5d.ALLOC_TIME_EARLY)
    h5d.create(file.id, b"early", h5t.STD_I32LE, simple(3), options)
    layout = h5py.VirtualLayout((2, 25), "f8")
    layout[1] = h5py.VirtualSource(".", "f8", (25,))
    file.create_virtual_dataset("virtual", layout, fillvalue=-1)


PARTS = (add_numbers, add_shapes, add_texts, add_compounds, add_others, add_references, add_types, add_links, add_layouts)


class Dump(FolderCase):
    def make(self, name="all.h5", **options):
        with h5py.File(self.folder / "other.h5", "w") as file:
            file["group/data"] = numpy.arange(3)
            file["group/data"].attrs["x"] = "y"
        with h5py.File(self.folder / name, "w", **options) as file:
            for part in PARTS:
                with contextlib.chdir(self.folder):  # for external files
                    part(file)
        return name

    def assert_same(self, *arguments, status=0):
        done = subprocess.run([FILIGREE, "dump", *arguments], capture_output=True, cwd=self.folder, timeout=600)
        judge = subprocess.run(["h5dump", *arguments], capture_output=True, cwd=self.folder, timeout=600)
        self.assertEqual((done.returncode, judge.returncode), (status, status), done.stderr + judge.stderr)
        ours, theirs = (text.decode("latin1").splitlines() for text in (done.stdout, judge.stdout))
        self.assertEqual(ours, theirs, arguments)
        self.assertEqual(done.stdout, judge.stdout, arguments)
        return ours

    def test_every_type_layout_link_and_attribute(self):
        lines = self.assert_same(self.make())
        self.assertGreater(len(lines), 1500)

    def test_new_format(self):
        self.assert_same(self.make(libver="latest"))

    def test_whole_files_with_options(self):
        name = self.make()
        for options in (["-H"], ["-p"], ["-p", "-H"], ["-A"], ["-A", "0"], ["-n"], ["-n", "1"], ["-y"], ["-e"], ["-r"], ["-r", "-e"], ["-R"],
                        ["-w", "0"], ["-w", "200", "-y"], ["-m", "%.3f"], ["-m", "%10.2e"], ["-B"], ["-B", "-H"],
                        ["-q", "creation_order"], ["-e", "-y"]):
            with self.subTest(options=options):
                self.assert_same(*options, name)

    def test_creation_order(self):
        with h5py.File(self.folder / "order.h5", "w", track_order=True) as file:
            for name in ("z", "a", "m"):
                file.create_group(name, track_order=True).attrs["of " + name] = 1
                file.attrs[name] = 1
        for options in ([], ["-q", "creation_order"], ["-q", "creation_order", "-z", "descending"]):
            self.assert_same(*options, "order.h5")

    def test_chosen_objects(self):
        name = self.make()
        for options in (["-d", "/i4"], ["-d", "i4", "-d", "/links/hard"], ["-g", "/links"], ["-g", "/"], ["-t", "/type"], ["-t", "enum type"],
                        ["-l", "/links/soft"], ["-l", "/links/external"], ["-a", "/i4/s"], ["-a", "/regions"], ["-a", "/links/a"],
                        ["-d", "/i4", "-g", "/links", "-a", "/s", "-t", "/type"], ["-N", "/i4"], ["-N", "x"]):
            with self.subTest(options=options):
                self.assert_same(*options, name)

    def test_missing_objects_are_reported_and_the_others_printed(self):
        name = self.make()
        self.assert_same("-d", "/nope", "-d", "/i4", name, status=1)
        self.assert_fails("nope", "dump", "-d", "/nope", name)

    def test_subsets(self):
        name = self.make()
        for dataset, *options in (
            ("i4", "-s", "0,1", "-c", "2,2", "-S", "1,3", "-k", "1,2"), ("i4", "-c", "2,2"), ("i4", "-s", "1"), ("i4", "-k", "2,2"),
            ("i4", "-s", "0,0", "-c", "2,2", "-H"), ("f8", "-s", "3", "-S", "5", "-c", "4", "-k", "2"), ("f8", "-s", "3", "-S", "1", "-c", "20"),
            ("u1 of 3 dimensions", "-s", "0,1,1", "-c", "2,2,2"), ("4 dimensions", "-s", "0,1,1,1", "-S", "1,1,2,2", "-c", "2,2,2,2"),
            ("compound", "-s", "1", "-c", "2"), ("variable", "-s", "1", "-c", "2"), ("i4", "-c", "0,5"), ("u1 of 3 dimensions", "-k", "1,2,3", "-y"),
        ):
            with self.subTest(dataset=dataset, options=options):
                self.assert_same("-d", dataset, *options, name)
        self.assert_same("-d", "/i4[0,1;1,3;2,2;1,2]", name)
        self.assert_same("-d", "/i4[;;2,2;]", "-d", "/f8[3;;5;]", name)

    def test_slices_are_subsets_too(self):
        name = self.make()
        done = self.run_here("dump", name + "/i4[0:2, 3]")
        self.assertEqual(done.stdout, self.run_here("dump", "-d", "/i4", "-s", "0,3", "-c", "2,1", name).stdout)
        self.assert_fails(r"expected '\]'", "dump", name + "/i4[0", status=2)

    def test_an_object_in_the_target_is_chosen(self):
        name = self.make()
        self.assertEqual(self.lines("dump", name + "/links"), self.lines("dump", "-g", "/links", name))

    def test_values_in_a_file(self):
        name = self.make()
        for program in ([FILIGREE, "dump"], ["h5dump"]):
            out = program[0].rsplit("/", 1)[-1]
            for number, options in enumerate((["-A", "0", "-d", "/i4", "-d", "/f8"], ["-y", "-d", "/compound"])):
                subprocess.run([*program, *options, "-o", f"{out}{number}", "-O", f"{out}{number}.ddl", name], cwd=self.folder, check=True)
        for suffix in ("0", "1", "0.ddl", "1.ddl"):
            self.assertEqual((self.folder / ("filigree" + suffix)).read_bytes(), (self.folder / ("h5dump" + suffix)).read_bytes())

    def test_the_input_is_not_overwritten(self):
        name = self.make()
        content = (self.folder / name).read_bytes()
        for option in ("-o", "-O"):
            self.assert_fails("is the file to be dumped", "dump", option, "./" + name, name, status=2)
        self.assertEqual((self.folder / name).read_bytes(), content)

    def test_a_new_file_is_complete_or_missing(self):
        name = self.make()
        files = sorted(path.name for path in self.folder.iterdir())
        # The limit on the size of files is reached by the values.
        done = subprocess.run(["bash", "-c", f"ulimit -f 8; exec {FILIGREE} dump -w 20 -o out.txt {name} {name} {name} >/dev/null"], capture_output=True, cwd=self.folder, timeout=600)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(b"out.txt", done.stderr)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), files)
        self.assertEqual(self.run_here("dump", "-d", "/i4", "-o", "/dev/null", name).returncode, 0)

    def test_ddl_can_be_suppressed(self):
        done = self.run_here("dump", "-O", "", "-d", "/f8", self.make())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(done.stdout.startswith("\n   (0): 0, 0.0416667,"), done.stdout)

    def test_binary_values(self):
        name = self.make()
        for dataset in ("i4", "big endian", "f4", "compound", "enum", "padded", "array", "opaque"):
            orders = (["LE"], ["BE"]) if dataset in ("i4", "big endian", "f4") else ()  # h5dump writes nothing for others
            for form in ([], ["NATIVE"], ["FILE"], *orders):
                for program, out in (([FILIGREE, "dump"], "ours"), (["h5dump"], "theirs")):
                    subprocess.run([*program, "-d", dataset, "-o", out, "-b", *form, name], cwd=self.folder, check=True, capture_output=True)
                with self.subTest(dataset=dataset, form=form):
                    self.assertEqual((self.folder / "ours").read_bytes(), (self.folder / "theirs").read_bytes())
        self.assert_same("-d", "i4", "-o", "out", "-b", "LE", name)  # without the attributes of i4
        self.assert_fails("-o FILE", "dump", "-d", "i4", "-b", name, status=2)
        self.assert_fails("no binary form", "dump", "-d", "variable", "-o", "x", "-b", name)

    def test_large_datasets_are_read_in_parts(self):
        with h5py.File(self.folder / "large.h5", "w") as file:
            file["line"] = numpy.arange(300_000, dtype="i8") * 7
            file["table"] = numpy.arange(400_000, dtype="i8").reshape(2, 200_000)
            file["box"] = numpy.arange(400_000, dtype="i8").reshape(4, 1000, 100)
            file.create_dataset("strings", data=numpy.array([str(i) for i in range(5000)], object), dtype=h5py.string_dtype())
        self.assert_same("large.h5")
        self.assert_same("-d", "box", "-s", "0,1,2", "-c", "4,300,12", "-k", "1,3,8", "-S", "1,3,8", "large.h5")

    def test_several_files(self):
        name = self.make()
        self.assert_same(name, "other.h5")
        done = self.run_here("dump", "missing.h5", "other.h5")
        self.assertEqual(done.returncode, 1)
        self.assertIn('HDF5 "other.h5" {', done.stdout)

    def test_damage_is_reported_and_the_rest_printed(self):
        with h5py.File(self.folder / "damaged.h5", "w") as file:
            file.create_dataset("a", data=numpy.arange(100), chunks=(100,), compression=9)
            file["b"] = numpy.arange(3)
            where = file["a"].id.get_chunk_info(0)
        content = bytearray((self.folder / "damaged.h5").read_bytes())
        content[where.byte_offset:where.byte_offset + where.size] = b"\xff" * where.size
        (self.folder / "damaged.h5").write_bytes(content)
        done = self.assert_fails("damaged.h5/a: .*deflate", "dump", "damaged.h5")
        self.assertEqual(done.stdout.count("DATA {\n"), 2)
        self.assertIn("      (0): 0, 1, 2\n", done.stdout)
        self.assertTrue(done.stdout.endswith("}\n}\n"))

    def test_braces_are_closed_behind_damage(self):
        with h5py.File(self.folder / "damaged.h5", "w") as file:
            file.create_dataset("a", data=numpy.arange(100), chunks=(10,))
            file["b"] = numpy.arange(3)
        content = (self.folder / "damaged.h5").read_bytes()
        chunk_index = b"TREE\x01"
        self.assertIn(chunk_index, content)
        (self.folder / "damaged.h5").write_bytes(content.replace(chunk_index, b"EERT\x01"))
        for options in (["-p"], ["-p", "-H"], []):
            done = self.assert_fails("damaged.h5/a: ", "dump", *options, "damaged.h5")
            self.assertEqual(done.stdout.count("{"), done.stdout.count("}"), done.stdout)
            self.assertIn('   DATASET "b" {\n', done.stdout)

    def test_references_that_lead_back_end(self):
        with h5py.File(self.folder / "loop.h5", "w") as file:
            data = file.create_dataset("d", (1,), h5py.ref_dtype)
            data[0] = data.ref
        self.assertEqual(self.run_here("dump", "loop.h5").stdout.count("DATASET"), 2)

    def test_names_are_escaped(self):
        add_strange_names(self.folder / "strange.h5")
        done = self.run_here("dump", "strange.h5")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("\x1b", done.stdout)
        self.assertIn(r'GROUP "line\nfeed" {', done.stdout)

    def test_wrong_usage(self):
        name = self.make()
        for options, message in ((["-x"], "XML"), (["-u"], "XML"), (["-m", "%d"], "floating-point"), (["-m", "%s%f"], "floating-point"),
                                 (["-m", "%f%n"], "floating-point"), (["-s", "1"], "behind the option -d"), (["-d", "i4", "-s", "x"], "numbers"),
                                 (["-q", "size"], "creation_order"), (["-z", "up"], "descending")):
            with self.subTest(options=options):
                done = self.assert_fails(message, "dump", *options, name, status=2)
                self.assertEqual(done.stdout, "")
        self.assert_fails("3 numbers", "dump", "-d", "i4", "-s", "1,2,3", name)


class Sparse(FolderCase):
    def test_a_portable_dataset_lists_what_is_defined(self):
        add_frames(self.folder / "f.h5")
        lines = self.lines("dump", "--sparse-locations", "-d", "run1/frames", "f.h5")
        self.assertIn("      DEFINED_SPARSE_DATA POINT (5,39,49)", lines)
        self.assertIn("      DEFINED_SPARSE_DATA BLOCK (1,10,20)-(1,11,23)", lines)


if __name__ == "__main__":
    unittest.main()
