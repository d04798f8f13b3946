# SPDX-License-Identifier: Apache-2.0
"""`filigree show`: values as h5py reads them."""

import csv
import json
import unittest

from samples import add_frames
from support import FolderCase  # before h5py, which looks for plug-ins

import h5py
import numpy


class Show(FolderCase):
    def write(self, **datasets):
        with h5py.File(self.folder / "f.h5", "a") as file:
            for name, value in datasets.items():
                file[name] = value

    def test_a_page_of_a_sparse_dataset(self):
        add_frames(self.folder / "f.h5")
        self.assertEqual(self.lines("show", "f.h5/run1/frames[1, 9:12, 19:25]"), [
            "frames[1, 9:12, 19:25]  uint16 {3, 6}, 8 of 18 defined, fill 0",
            "    19  20  21  22  23  24",
            " 9   .   .   .   .   .   .",
            "10   .   2   9   8   2   .",
            "11   .   1   5   3   7   .",
        ])

    def test_defined_zeros_are_not_undefined(self):
        add_frames(self.folder / "p.h5")
        self.lines("repack", "--structured", "p.h5", "s.h5")
        self.assertIn("8 of 8 defined", self.lines("show", "s.h5/run1/frames[1, 10:12, 20:24]")[0])
        self.assertEqual(self.lines("show", "s.h5::run1/frames[0, 0, 0]")[1], ".")

    def test_sparse_lists_coordinates(self):
        values = add_frames(self.folder / "f.h5")
        expected = [f"({', '.join(map(str, at))})  {values[tuple(at)]}" for at in numpy.argwhere(values)]
        self.assertEqual(self.lines("show", "--sparse", "f.h5/run1/frames")[1:], expected)
        self.assertEqual(self.lines("show", "-n", "2", "--sparse", "f.h5/run1/frames")[1:], [expected[0], "... 7 more", expected[-1]])

    def test_slices_select_what_numpy_selects(self):
        data = numpy.arange(6 * 7 * 8, dtype="i4").reshape(6, 7, 8)
        self.write(x=data)
        random = numpy.random.default_rng(3)
        for _ in range(40):
            items = []
            for size in data.shape:
                kind = random.integers(4)
                bound = lambda: random.choice(["", str(random.integers(-size - 3, size + 4))])
                items.append(str(random.integers(-size, size)) if kind == 0 else ":".join([bound(), bound()] + ([str(random.integers(1, 4))] if kind == 1 else [])))
            text = ", ".join(items) if random.random() < 0.7 else f"..., {items[-1]}"
            got = json.loads(self.lines("show", "--json", f"f.h5/x[{text}]")[0])
            expected = eval(f"data[{text}]")
            self.assertEqual((got["values"], got["shape"]), (expected.ravel().tolist(), list(expected.shape)), text)

    def test_malformed_slices_point_at_the_character(self):
        self.write(x=numpy.zeros((3, 4)))
        for slice_, column in (("[1:x]", 10), ("[1", 9), ("[0, 9]", 11), ("[0,0,0]", 12), ("[::0]", 10), ("[]", 8)):
            done = self.assert_fails(".", "show", f"f.h5/x{slice_}", status=2)
            lines = done.stderr.splitlines()
            self.assertEqual(lines[1], f"  f.h5/x{slice_}")
            self.assertEqual(lines[2].index("^") - 2, column - 1, slice_)

    def test_values_of_every_type(self):
        kinds = numpy.dtype([("x", "f4"), ("n", "S3"), ("a", "i2", (2,))])
        color = h5py.enum_dtype({"RED": 1, "BLUE": 2}, "i1")
        with h5py.File(self.folder / "f.h5", "w") as file:
            file["compound"] = numpy.array([(0.1, b"ab", [1, 2])], kinds)
            file.create_dataset("enum", data=numpy.array([1, 2, 3], "i1"), dtype=color)
            file["texts"] = ["a\nb", "", "d\u00e9"]
            file.create_dataset("sequences", (2,), h5py.vlen_dtype("u1"))[:] = [numpy.array([1, 2], "u1"), numpy.array([], "u1")]
            file["half"], file["big"], file["tiny"] = numpy.float16([0.5]), numpy.uint64([2**64 - 1]), numpy.float32([0.1])
            file["opaque"] = numpy.array([b"\x01\x02"], "V2")
            file["bools"] = numpy.array([True, False])
            file["ref"] = numpy.array([file["half"].ref], h5py.ref_dtype)
            file["region"] = numpy.array([file["half"].regionref[:]], h5py.regionref_dtype)
            file["nan"] = [numpy.nan, numpy.inf, -0.0]
            file["scalar"], file["null"] = 5, h5py.Empty("f4")
            file["fixed"] = numpy.array([b"ab", b"\xff"], "S4")
        value = lambda name: [line.split(None, 1)[1] for line in self.lines("show", f"f.h5/{name}")[1:]]
        self.assertEqual(value("compound"), ['{x: 0.1, n: "ab", a: [1, 2]}'])
        self.assertEqual(value("enum"), ["RED", "BLUE", "3"])
        self.assertEqual(value("texts")[0], '"a\\nb"')
        self.assertEqual(value("sequences"), ["[1, 2]", "[]"])
        self.assertEqual((value("half"), value("big"), value("tiny")), (["0.5"], ["18446744073709551615"], ["0.1"]))
        self.assertEqual((value("opaque"), value("bools"), value("ref"), value("region")), (["0x0102"], ["TRUE", "FALSE"], ["/half"], ["/half (1 elements)"]))
        self.assertEqual(value("nan"), ["nan", "inf", "-0"])
        self.assertEqual(self.lines("show", "f.h5/scalar")[1], "5")
        self.assertEqual(self.lines("show", "f.h5/null"), ["null  float32 null"])
        documents = {name: json.loads(self.lines("show", "--json", f"f.h5/{name}")[0]) for name in h5py.File(self.folder / "f.h5")}
        self.assertEqual(documents["compound"]["values"], [{"x": 0.1, "n": "ab", "a": [1, 2]}])
        self.assertEqual(documents["nan"]["values"], ["NaN", "Infinity", 0])
        self.assertEqual(documents["fixed"]["values"], ["ab", {"hex": "ff"}])
        self.assertEqual(documents["texts"]["values"], ["a\nb", "", "d\u00e9"])

    def test_long_dimensions_show_head_and_tail(self):
        self.write(x=numpy.arange(1000), m=numpy.arange(10000).reshape(100, 100), cube=numpy.zeros((9, 2, 2)))
        self.assertEqual(self.lines("show", "-n", "4", "f.h5/x")[1:], ["  0    0", "  1    1", "...", "998  998", "999  999"])
        lines = self.lines("show", "-n", "2", "f.h5/m")
        self.assertEqual([line.split() for line in lines[1:]], [["0", "...", "99"], ["0", "0", "...", "99"], ["..."], ["99", "9900", "...", "9999"]])
        self.assertEqual(len(self.lines("show", "-n", "0", "f.h5/x")), 1001)
        self.assertIn("... 5 more pages; -n 0 prints all", self.lines("show", "f.h5/cube"))

    def test_csv_has_every_defined_element(self):
        values = add_frames(self.folder / "f.h5")
        self.write(texts=["a,b", 'say "x"', ""])
        rows = list(csv.reader(self.lines("show", "--csv", "f.h5/run1/frames")))
        self.assertEqual(rows[0], ["dim0", "dim1", "dim2", "value"])
        self.assertEqual(rows[1:], [[*map(str, at), str(values[tuple(at)])] for at in numpy.argwhere(values)])
        rows = list(csv.reader(self.lines("show", "--csv", "f.h5/texts")))
        self.assertEqual(rows[1][1], "a,b")
        self.assertEqual(rows[3], ["2", ""])

    def test_statistics_are_those_of_numpy(self):
        random = numpy.random.default_rng(2)
        data = random.normal(5, 3, 10_000)
        data[[3, 7]] = numpy.nan
        self.write(x=data, words=["a", "b"], big=numpy.array([2**63 - 1, -(2**63)]))
        got = json.loads(self.lines("show", "--stats", "--json", "f.h5/x")[0])
        good = data[~numpy.isnan(data)]
        self.assertEqual((got["count"], got["defined"], got["nan"], got["min"], got["max"]), (10000, 10000, 2, good.min(), good.max()))
        numpy.testing.assert_allclose([got["mean"], got["std"]], [good.mean(), good.std()], rtol=1e-12)
        numpy.testing.assert_allclose(got["quantiles"], numpy.quantile(good, [.01, .05, .25, .5, .75, .95, .99]), rtol=1e-12)
        self.assertIn("max       9223372036854775807", self.lines("show", "--stats", "f.h5/big"))
        self.assertEqual(self.lines("show", "--stats", "f.h5/words")[1:], ["count     2", "defined   2"])

    def test_statistics_of_sparse_datasets_are_of_what_is_defined(self):
        values = add_frames(self.folder / "f.h5")
        got = json.loads(self.lines("show", "--stats", "--json", "f.h5/run1/frames")[0])
        defined = values[values != 0].astype(float)
        self.assertEqual((got["count"], got["defined"], got["max"]), (values.size, 9, 65535))
        numpy.testing.assert_allclose([got["mean"], got["std"]], [defined.mean(), defined.std()])

    def test_what_has_no_values_is_wrong_usage(self):
        self.write(x=1)
        self.assert_fails("no dataset", "show", "f.h5", status=2)
        self.assert_fails("there is no 'y'", "show", "f.h5/y")
        self.assert_fails("no such file|No such file|cannot", "show", "none.h5/y")


if __name__ == "__main__":
    unittest.main()
