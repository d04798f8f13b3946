# SPDX-License-Identifier: Apache-2.0
"""What is chosen when a file is made: user block, widths, B-tree ranks, space strategies, shared messages."""
import os
import unittest

import reference
from oracle import BOUNDS, Case, apply_ours, each_bound, run, unaccounted

FREE_LIST, PAGED, AGGREGATED, NONE = range(4)
DATASPACE, DATATYPE, FILL, PIPELINE, ATTRIBUTE = 2, 8, 32, 2048, 4096


def some(count=30):
    ops = [("group", "/g"), ("commit", "/t", "S:40:z:a"), ("soft", "/s", "/g")]
    for i in range(count):
        ops += [("group", f"/g/{i}"), ("attr", f"/g/{i}", "same", "S:40:z:a", (2, 3), [b"value"] * 6),
                ("attr", f"/g/{i}", "other", "<f8", (i % 4 + 1,), [float(i)] * (i % 4 + 1)),
                ("attr", "/g", f"many{i}", "<i4", (3,), [1, 2, 3])]
    return ops + [("remove", f"/g/{i}") for i in range(0, count, 4)]


class Files(Case):
    @each_bound()
    def test_user_blocks(self, low):
        for size in (512, 4096):
            ours, theirs = self.cross(some(), low, {"userblock": size})
            for path in (ours, theirs):
                with open(path, "r+b") as file:
                    file.write(b"#!/bin/sh\n".ljust(size, b"."))
                apply_ours(path, [("group", "/after")], low)
                with open(path, "rb") as file:
                    self.assertEqual(file.read(size), b"#!/bin/sh\n".ljust(size, b"."))
                self.agree(path)

    @each_bound()
    def test_widths(self, low):
        for offset in (2, 4, 8):
            for length in (2, 4, 8):
                # HDF5 crashes when it makes a group dense in a file with lengths of 2 bytes.
                if (offset, length) != (8, 8) and (low == 0 or length > 2):
                    with self.subTest(offset=offset, length=length):
                        self.cross(some(9), low, {"offset": offset, "length": length}, turns=12)

    @each_bound()
    def test_ranks_of_old_groups(self, low):
        for leaf, internal in ((1, 1), (2, 1), (1, 7), (30, 100)):
            with self.subTest(leaf=leaf, internal=internal):
                ops = [("group", "/g")] + [("group", f"/g/{i * 37 % 101}") for i in range(100)]
                ops += [("remove", f"/g/{i * 37 % 101}") for i in range(0, 100, 3)]
                self.cross(ops, low, {"leaf_k": leaf, "internal_k": internal})

    @each_bound()
    def test_space_strategies(self, low):
        for settings in ({"strategy": FREE_LIST, "persist": 1}, {"strategy": FREE_LIST, "persist": 1, "threshold": 64},
                         {"strategy": PAGED}, {"strategy": PAGED, "persist": 1}, {"strategy": PAGED, "persist": 1, "page": 512},
                         {"strategy": AGGREGATED}, {"strategy": NONE}):
            with self.subTest(**settings):
                self.cross(some(), low, settings, tools="ls dump" if settings.get("persist") else "")

    @each_bound()
    def test_shared_messages(self, low):
        everything = f"{DATASPACE},{DATATYPE},{FILL},{PIPELINE},{ATTRIBUTE}"
        each = ";".join(f"1:{t}" for t in everything.split(","))
        for settings in ({"shared": f"1:{everything}"}, {"shared": each}, {"shared": f"40:{ATTRIBUTE}"},
                         {"shared": f"1:{ATTRIBUTE};1:{DATATYPE},{DATASPACE}", "list_max": 4, "btree_min": 2},
                         {"shared": f"1:{everything}", "list_max": 0, "btree_min": 0}):
            with self.subTest(**settings):
                self.cross(some(), low, settings)

    @each_bound()
    def test_little_space_is_unaccounted_for(self, low):
        path = self.file("ours.h5")
        for settings in ({}, {"strategy": FREE_LIST, "persist": 1}, {"strategy": NONE}):
            with self.subTest(**settings):
                apply_ours(path, some(200), low, settings)
                ours = unaccounted(path)
                reference.apply(path, some(200), low, settings)
                self.assertLessEqual(ours, 1.2 * unaccounted(path) + 4096)

    def test_new_files_look_to_h5debug_like_those_of_hdf5(self):
        def superblock(path):
            lines = run("h5debug", path).decode().splitlines()
            words = ("version", "Size of", "Symbol table leaf", "Symbol table internal", "Indexed storage")
            return [line for line in lines if any(word in line for word in words)]
        for name, low in BOUNDS.items():
            for settings in ({}, {"leaf_k": 7, "internal_k": 9}, {"strategy": NONE}, {"shared": "1:4096"}, {"offset": 4, "length": 4}):
                if low > 2:
                    continue
                with self.subTest(bound=name, **settings):
                    ours, theirs = self.file("ours.h5"), self.file("theirs.h5")
                    apply_ours(ours, [], low, settings)
                    reference.apply(theirs, [], low, settings)
                    self.assertEqual(superblock(ours), superblock(theirs))
                    self.assertLessEqual(os.path.getsize(ours), os.path.getsize(theirs) + 2048)


if __name__ == "__main__":
    unittest.main()
