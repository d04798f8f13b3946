# SPDX-License-Identifier: Apache-2.0
"""`filigree ls -v` on files that HDF5 wrote."""

import unittest

import h5py
import numpy

from support import FolderCase


class Verbose(FolderCase):
    def details(self, target):
        """{label: [texts]} of the first object listed by `ls -r -v`."""
        found = {}
        lines = self.lines("ls", "-r", "-v", target)
        self.assertTrue(lines[0].startswith("File "), lines[0])
        for line in lines[2:]:
            if not line.startswith("    "):
                break
            label, text = line[4:15].strip(), line[16:]
            found.setdefault(label.rstrip(":"), []).append(text)
        return found

    def attributes(self, **values):
        with h5py.File(self.folder / "a.h5", "w") as file:
            for name, value in values.items():
                file.attrs[name] = value
        return {text.split()[0]: text for text in self.details("a.h5")["Attribute"]}

    def test_the_file_comes_first(self):
        h5py.File(self.folder / "f.h5", "w", libver="latest").close()
        size = (self.folder / "f.h5").stat().st_size
        self.assertEqual(self.lines("ls", "-v", "f.h5"), [f'File "f.h5": {size} bytes, superblock version 3'])

    def test_numbers_and_strings_have_their_values(self):
        got = self.attributes(
            small=numpy.int8(-5), big=numpy.uint64(2**64 - 1), least=numpy.int64(-(2**63)), third=numpy.float32(0.1), pair=[1.5, -2.0],
            text="hällo\nworld", fixed=numpy.bytes_(b"abc"), texts=["a", "b"],
        )
        self.assertEqual(got["small"], "small {SCALAR} 8-bit integer = -5")
        self.assertTrue(got["big"].endswith(" = 18446744073709551615"), got["big"])
        self.assertTrue(got["least"].endswith(" = -9223372036854775808"), got["least"])
        self.assertTrue(got["third"].endswith(" = 0.1"), got["third"])
        self.assertRegex(got["pair"], r"^pair \{2\} .* = 1\.5, -2(\.0)?$")
        self.assertTrue(got["text"].endswith(' = "hällo\\nworld"'), got["text"])
        self.assertTrue(got["fixed"].endswith(' = "abc"'), got["fixed"])
        self.assertTrue(got["texts"].endswith(' = "a", "b"'), got["texts"])

    def test_values_that_are_many_long_or_of_other_classes_are_left_out(self):
        got = self.attributes(
            many=numpy.arange(100), long="x" * 1000, empty=h5py.Empty("i4"), none=numpy.zeros(0),
            compound=numpy.array((1, 2.0), dtype=[("a", "i4"), ("b", "f8")]), wide=numpy.longdouble(1),
        )
        for name in ("many", "empty", "none", "compound", "wide"):
            self.assertNotIn("=", got[name])
        self.assertTrue(got["long"].endswith("= (1000 bytes)"), got["long"])
        self.assertTrue(got["many"].startswith("many {100} "), got["many"])
        self.assertTrue(got["empty"].startswith("empty {NULL} "), got["empty"])

    def test_names_of_attributes_are_escaped(self):
        [text] = self.attributes(**{"a b\n": numpy.int8(1)}).values()
        self.assertEqual(text, "a\\ b\\n {SCALAR} 8-bit integer = 1")

    def test_groups_show_their_form(self):
        with h5py.File(self.folder / "g.h5", "w", libver=("earliest", "v110")) as file:
            file.create_group("old/x")
            file.create_group("ordered", track_order=True).create_group("x")
        with h5py.File(self.folder / "n.h5", "w", libver="latest") as file:
            for i in range(20):
                file.create_group(f"dense/{i}")
            file.create_group("compact")
        self.assertEqual(self.details("g.h5/old")["Storage"], ["symbol table, 1 link"])
        self.assertEqual(self.details("g.h5/ordered")["Storage"], ["compact, 1 link, creation order indexed"])
        self.assertEqual(self.details("n.h5/dense")["Storage"], ["dense, 20 links"])
        self.assertEqual(self.details("n.h5/compact")["Storage"], ["compact, 0 links"])

    def test_datasets_show_how_and_in_how_many_bytes_they_are_stored(self):
        with h5py.File(self.folder / "d.h5", "w") as file:
            file.create_dataset("plain", data=numpy.zeros(10, "i4"))
            file.create_dataset("never", shape=(10,), dtype="i4")
            chunked = file.create_dataset("chunked", shape=(8, 4), dtype="i2", chunks=(4, 4), compression="gzip", shuffle=True, fletcher32=True)
            chunked[:4] = 1
            stored = chunked.id.get_storage_size()
        self.assertEqual(self.details("d.h5/plain")["Layout"], ["contiguous"])
        self.assertEqual(self.details("d.h5/plain")["Stored"], ["40 bytes for 40 of elements (100 %)"])
        self.assertNotIn("Filters", self.details("d.h5/plain"))
        self.assertEqual(self.details("d.h5/never")["Stored"], ["0 bytes for 40 of elements (0 %)"])
        chunked = self.details("d.h5/chunked")
        self.assertEqual(chunked["Layout"], ["chunks of {4, 4}"])
        self.assertEqual(chunked["Filters"], ["shuffle, deflate, fletcher32"])
        self.assertRegex(chunked["Stored"][0], rf"^{stored} bytes for 64 of elements \(.* %\), 1 chunk$")

    def test_header_links_address_comment_and_times(self):
        with h5py.File(self.folder / "h.h5", "w", libver="latest") as file:
            file.create_group("g")
            file["again"] = file["g"]
            h5py.h5o.set_comment(file["g"].id, b"two\nlines")
            address = h5py.h5o.get_info(file["g"].id).addr
        got = self.details("h.h5/g")
        self.assertEqual(got["Address"], [f"{address} ({address:#x})"])
        self.assertEqual(got["Links"], ["2"])
        self.assertEqual(got["Comment"], ['"two\\nlines"'])
        self.assertRegex(got["Header"][0], r"^version 2, \d+ bytes in \d+ blocks?, \d+ messages$")
        for label in ("Modified", "Created"):
            if label in got:
                self.assertRegex(got[label][0], r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$")

    def test_times_are_in_utc(self):
        with h5py.File(self.folder / "t.h5", "w") as file:
            file.create_dataset("d", data=1, track_times=True)
            seconds = h5py.h5g.get_objinfo(file["d"].id).mtime
        expected = numpy.datetime64(int(seconds), "s").astype(str).replace("T", " ") + " UTC"
        self.assertEqual(self.details("t.h5/d")["Modified"], [expected])

    def test_datasets_and_types_show_their_type(self):
        with h5py.File(self.folder / "d.h5", "w") as file:
            file["d"] = numpy.zeros(3, dtype=">i2")
            file["t"] = numpy.dtype("f4")
        self.assertEqual(self.details("d.h5/d")["Type"], ["16-bit big-endian integer"])
        self.assertRegex(self.details("d.h5/t")["Type"][0], "^32-bit little-endian float")


if __name__ == "__main__":
    unittest.main()
