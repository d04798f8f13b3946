# SPDX-License-Identifier: Apache-2.0
"""Dimension scales in both directions: h5py reads and changes those of Filigree, and Filigree those of h5py."""

import pathlib
import tempfile
import unittest

import libraries

try:
    import h5py
    import numpy
except ImportError:
    h5py = None


def scales(dimension):
    return [scale.name for scale in dimension.values()]


@unittest.skipUnless(h5py and libraries.have_reference(), "needs h5py")
class ScalesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.ours = libraries.both(folder.name)[1]
        self.file = self.ours.folder / "scales.h5"

    def run_ours(self, source):
        code, out, errors = self.ours.run(self.ours.build(libraries.HERE / source))
        self.assertEqual(code, 0, errors)
        return out

    def test_h5py_reads_and_changes_ours(self):
        self.run_ours("scales.c")
        with h5py.File(self.file, "r+") as file:
            kept = file["kept"]
            self.assertEqual([label.label for label in kept.dims], ["", "column"])
            self.assertEqual([scales(dimension) for dimension in kept.dims], [["/x"], ["/x", "/y"]])
            self.assertEqual(h5py.h5ds.get_scale_name(file["x"].id), b"again")
            kept.dims[1].detach_scale(file["x"])
            kept.dims[0].attach_scale(file["late"])
            self.assertEqual([scales(dimension) for dimension in kept.dims], [["/x", "/late"], ["/y"]])
            users = [(file[use[0]].name, int(use[1])) for use in file["x"].attrs["REFERENCE_LIST"]]
            self.assertEqual(users, [("/kept", 0), ("/other", 0)])

    def test_ours_reads_and_changes_those_of_h5py(self):
        with h5py.File(self.file, "w") as file:
            data = file.create_dataset("data", data=numpy.zeros((3, 4)))
            for name, size in (("x", 3), ("y", 4), ("extra", 3)):
                file[name] = numpy.arange(size)
            file["x"].make_scale("the x")
            file["y"].make_scale("the y")
            data.dims[0].attach_scale(file["x"])
            data.dims[1].attach_scale(file["y"])
            data.dims[0].label = "rows"
        out = self.run_ours(pathlib.Path("helpers") / "scales_change.c").splitlines()
        self.assertEqual(out, ["0 rows 1: /x=the x", "1  1: /y=the y", "0 rows 1: /extra=", "1 changed 1: /y=the y"])
        with h5py.File(self.file, "r") as file:
            data = file["data"]
            self.assertEqual([scales(dimension) for dimension in data.dims], [["/extra"], ["/y"]])
            self.assertEqual([dimension.label for dimension in data.dims], ["rows", "changed"])
            self.assertNotIn("REFERENCE_LIST", file["x"].attrs)
            self.assertTrue(h5py.h5ds.is_scale(file["extra"].id))


if __name__ == "__main__":
    unittest.main()
