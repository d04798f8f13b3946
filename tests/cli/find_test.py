# SPDX-License-Identifier: Apache-2.0
"""`filigree find`: paths of objects, with h5py as the judge."""

import json
import unittest

from samples import add_frames
from support import FolderCase  # before h5py, which looks for plug-ins

import h5py
import numpy


class Find(FolderCase):
    def setUp(self):
        super().setUp()
        with h5py.File(self.folder / "f.h5", "w") as file:
            file.create_group("entry").attrs["NX_class"] = "NXentry"
            file.create_group("entry/a/b").attrs["n"] = [1, 7]
            file["entry/x"] = numpy.zeros((3, 4))
            file["entry/a/x"] = numpy.zeros((3, 5), "f4")
            file["entry/a/text"] = "hello"
            file.create_dataset("entry/packed", (8,), "u2", chunks=(4,), compression="gzip")
            file["type"] = numpy.dtype("u2")
            file["soft"], file["out"] = h5py.SoftLink("/entry"), h5py.ExternalLink("o.h5", "/x")
        add_frames(self.folder / "f.h5")

    def found(self, *conditions):
        return self.lines("find", "f.h5", *conditions)

    def visited(self, fits):
        names = []
        with h5py.File(self.folder / "f.h5") as file:
            file.visititems(lambda name, item: names.append("/" + name) if fits(name, item) else None)
        return sorted(names)

    def test_names_and_paths_are_patterns(self):
        self.assertEqual(sorted(self.found("--name", "x")), ["/entry/a/x", "/entry/x"])
        self.assertEqual(sorted(self.found("--path", "/entry/a/*")), self.visited(lambda n, i: n.startswith("entry/a/")))
        self.assertEqual(self.found("--name", "nothing"), [])

    def test_kinds(self):
        self.assertEqual(sorted(self.found("--kind", "dataset")), self.visited(lambda n, i: isinstance(i, h5py.Dataset)))
        self.assertEqual(sorted(self.found("--kind", "group")), sorted(["/", *self.visited(lambda n, i: isinstance(i, h5py.Group))]))
        self.assertEqual(self.found("--kind", "datatype"), ["/type"])
        self.assertEqual((self.found("--kind", "soft"), self.found("--kind", "external")), (["/soft"], ["/out"]))

    def test_attributes_and_their_values(self):
        self.assertEqual(self.found("--attribute", "NX_class"), ["/entry"])
        self.assertEqual(self.found("--attribute", "NX_class=NXe*"), ["/entry"])
        self.assertEqual(self.found("--attribute", "NX_class=NXdetector"), [])
        self.assertEqual(self.found("--attribute", "n=7"), ["/entry/a/b"])

    def test_types_and_shapes(self):
        self.assertEqual(sorted(self.found("--type", "u2")), ["/entry/packed", "/run1/frames", "/type"])
        self.assertEqual(self.found("--type", "float32"), ["/entry/a/x"])
        self.assertEqual(self.found("--type", "string*"), ["/entry/a/text"])
        self.assertEqual(sorted(self.found("--shape", "3,*")), ["/entry/a/x", "/entry/x"])
        self.assertEqual(self.found("--shape", "6,..."), ["/run1/frames"])
        self.assertEqual(self.found("--shape", "3,5"), ["/entry/a/x"])

    def test_filters_and_sparseness(self):
        self.assertEqual(self.found("--filter", "gzip"), ["/entry/packed"])
        self.assertEqual(self.found("--filter", "zstd"), ["/run1/frames"])
        self.assertEqual(self.found("--sparse"), ["/run1/frames"])
        self.assertNotIn("/run1/frames", self.found("--dense"))

    def test_targets_below_the_root_keep_whole_paths(self):
        self.assertEqual(sorted(self.lines("find", "f.h5/entry", "--name", "x")), ["/entry/a/x", "/entry/x"])
        self.assertEqual(self.lines("find", "f.h5/entry/x", "--name", "x"), ["/entry/x"])
        document = json.loads(self.lines("find", "--json", "f.h5/entry", "--kind", "dataset", "--name", "text")[0])
        self.assertEqual(document, [{"path": "/entry/a/text"}])

    def test_wrong_usage(self):
        self.assert_fails("zst", "find", "f.h5", "--filter", "zst", status=2)
        self.assert_fails("KIND|--kind", "find", "f.h5", "--kind", "thing", status=2)


if __name__ == "__main__":
    unittest.main()
