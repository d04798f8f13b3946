# SPDX-License-Identifier: Apache-2.0
"""Copies within and between files, and moves, compared with those of HDF5."""
import unittest

import reference
from oracle import Case, apply_ours, dump_ours, each_bound

SOURCE = [
    ("group", "/src", {"track": 1, "index": 1, "attr_track": 1}), ("group", "/src/sub"), ("group", "/src/sub/deep"), ("commit", "/src/type", ">f4"),
    ("attr", "/src", "typed", "@/src/type", (2,), [1.0, 2.0]), ("attr", "/src/sub", "text", "V:u", (3,), [b"a", b"", b"longer text"]),
    ("hard", "/src/sub/again", "/src/sub/deep"), ("hard", "/src/alias", "/src/type"), ("soft", "/src/soft", "/src/sub"),
    ("soft", "/src/dangling", "/nowhere"), ("external", "/src/ext", "other.h5", "/x"), ("comment", "/src/sub", "with a comment"),
    ("commit", "/outside", "<i8"), ("attr", "/src/sub/deep", "outside", "@/outside", (), [9]),
] + [("group", f"/src/sub/many{i}") for i in range(20)] + [("attr", "/src/sub/deep", f"a{i}", "<i4", (), [i]) for i in range(15)]
FLAGS = ["", "shallow", "soft", "bare", "shallow bare", "external", "soft external"]


# h5dump fails on attributes whose committed type has no name, which copies have.
LS = "ls"


class Copies(Case):
    def setUp(self):
        super().setUp()
        apply_ours(self.file("other.h5"), [("group", "/x"), ("group", "/x/inside"), ("attr", "/x", "a", "<i4", (), [1])], 1, {})

    @each_bound()
    def test_within_a_file(self, low):
        ops = SOURCE + [("copy", "/src", f"/copy{i}", flags) for i, flags in enumerate(FLAGS)]
        ops += [("copy", "/src/type", "/one", ""), ("copy", "/src/soft", "/followed", ""), ("copy", "/src/sub/deep", "/src/sub/inner", "")]
        self.cross(ops, low, turns=20, tools=LS)

    @each_bound()
    def test_between_files(self, low):
        for source_low in (0, 2):
            for maker in (reference.apply, apply_ours):
                source = self.file("source.h5")
                maker(source, SOURCE, source_low, {})
                ops = [("copy_from", source, "/src", f"/copy{i}", flags) for i, flags in enumerate(FLAGS)]
                ops += [("copy_from", source, "/", "/everything", ""), ("copy_from", source, "/src/sub/deep", "/deep", "")]
                with self.subTest(source_low=source_low, maker=maker.__name__):
                    self.cross(ops, low, turns=15, tools=LS)

    @each_bound()
    def test_between_files_of_other_widths(self, low):
        # HDF5 itself makes unreadable copies here; the reference is a copy between files of one width.
        fixed = [op for op in SOURCE if op[3:4] != ("V:u",)]
        wide, narrow, ours, theirs = (self.file(name) for name in ("wide.h5", "narrow.h5", "ours.h5", "theirs.h5"))
        reference.apply(wide, fixed, 0, {})
        reference.apply(theirs, [("copy_from", wide, "/src", "/copy", "")], low, {})
        reference.apply(narrow, fixed, 0, {"offset": 4, "length": 4})
        apply_ours(ours, [("copy_from", narrow, "/src", "/copy", "")], low, {})
        self.same_contents(ours, theirs, tools=LS)
        apply_ours(ours, [("copy_from", wide, "/src", "/copy", "")], low, {"offset": 4, "length": 4})
        self.same_contents(ours, theirs, tools=LS)

    @each_bound()
    def test_between_files_with_shared_messages(self, low):
        source = self.file("source.h5")
        reference.apply(source, SOURCE, 2, {"shared": "1:2,8,4096"})
        for settings in ({}, {"shared": "1:2,8,4096"}):
            self.cross([("copy_from", source, "/src", "/copy", "")], low, settings, turns=10, tools=LS)

    @each_bound()
    def test_a_copy_is_independent(self, low):
        ops = SOURCE + [("copy", "/src", "/copy", ""), ("attr_set", "/copy/sub", "text", [b"x", b"y", b"z"]), ("remove", "/src")]
        ours, _ = self.cross(ops, low, turns=0, tools=LS)
        texts = [a["values"] for a in dump_ours(ours)["/copy/sub"]["attrs"] if a["name"] == "text"]
        self.assertEqual(texts, [["x", "y", "z"]])

    @each_bound()
    def test_moves(self, low):
        ops = SOURCE + [("rename", "/src/sub", "/src/sub2"), ("rename", "/src/sub2/many3", "/at_top"), ("rename", "/src/ext", "/src/sub2/ext"),
                        ("rename", "/src/alias", "/src/sub2/alias"), ("rename", "/src", "/" + "renamed" * 50)]
        ops += [("rename", f"/{'renamed' * 50}/sub2/many{i}", f"/m{i}") for i in range(5, 18)]
        self.cross(ops, low)

    def test_datasets_are_copied_with_their_data(self):
        for libver in ("earliest", "v108", "latest"):
            source, target = self.file("data.h5"), self.file("target.h5")
            with reference.h5py.File(source, "w", libver=libver) as file:
                file["contiguous"] = list(range(100))
                file.create_dataset("chunked", data=reference.np.arange(10000).reshape(100, 100), chunks=(7, 13), compression="gzip", maxshape=(None, 100))
                file.create_dataset("strings", data=["a", "bb", "ccc" * 99])
                file.create_dataset("compact", shape=(3,), dtype="f4")
            for name in ("contiguous", "chunked", "strings", "compact"):
                with self.subTest(libver=libver, name=name):
                    ops = [("copy_from", source, "/" + name, "/copy", "")]
                    apply_ours(target, ops, 0, {})
                    with reference.h5py.File(source) as a, reference.h5py.File(target) as b:
                        self.assertTrue((a[name][()] == b["copy"][()]).all())


if __name__ == "__main__":
    unittest.main()
