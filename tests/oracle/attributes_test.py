# SPDX-License-Identifier: Apache-2.0
"""Attributes: types, shapes, storage and order, written and extended by Filigree and by HDF5."""
import unittest

import reference
from oracle import MODERN, Case, Refused, apply_ours, dump_ours, each_bound

INTEGERS = [order + sign + size for size in "1248" for sign in "iu" for order in "<>" if order + size != ">1"]
FLOATS = [order + "f" + size for size in "248" for order in "<>"]
STRINGS = [f"S:{size}:{pad}:{charset}" for size in (1, 2, 8, 300) for pad in "tzs" for charset in "au"] + ["V:a", "V:u"]


def extremes(kind):
    bits = 8 * int(kind[2])
    if kind[1] == "i":
        return [-(1 << (bits - 1)), -1, 0, 1, (1 << (bits - 1)) - 1]
    return [0, 1, 2, 1 << (bits - 1), (1 << bits) - 1]


class Attributes(Case):
    @each_bound()
    def test_every_number(self, low):
        ops = [("group", "/g")]
        for i, kind in enumerate(INTEGERS):
            ops += [("attr", "/g", f"i{i}", kind, (5,), extremes(kind)), ("attr", "/", f"i{i}", kind, (), [i])]
        special = [0.0, -0.0, 1.5, -2.0, 65504.0, float("inf"), float("-inf"), 0.5]
        ops += [("attr", "/g", f"f{i}", kind, (2, 4), special) for i, kind in enumerate(FLOATS)]
        # Only for this type: numpy and HDF5 convert a NaN to other float types with different bits.
        ops += [("attr", "/g", "nan", "<f8", (), [float("nan")])]
        self.cross(ops, low)

    @each_bound()
    def test_every_string(self, low):
        ops = [("group", "/g")]
        for i, kind in enumerate(STRINGS):
            long = [b"", b"a", b"abc", b"trailing  ", "é€".encode() if kind.endswith("u") else b"x" * 400]
            # Truncation within a character, and space padding after spaces, are not tested here.
            size = 10 ** 6 if kind[0] == "V" else int(kind.split(":")[1])
            fit = [v if len(v) < size else v[:1] * (size - 1) if v.isascii() else b"" for v in long]
            fit = [v.rstrip() for v in fit] if ":s:" in kind else fit
            ops += [("attr", "/g", f"s{i}", kind, (5,), fit), ("attr", "/", f"s{i}", kind, (), [fit[2]])]
        self.cross(ops, low)

    @each_bound()
    def test_every_shape(self, low):
        ops = [("group", "/g")]
        for i, kind in enumerate(["<i4", "S:4:z:a", "V:u"]):
            value = [7] if kind == "<i4" else [b"abc"]
            shapes = [(), (1,), (2, 3), (1, 2, 1, 3), (2,) * 10, (1,) * 32, (0,), (3, 0, 2), None]
            for j, shape in enumerate(shapes):
                count = 1
                for dim in shape or ():
                    count *= dim
                ops.append(("attr", "/g", f"a{i}_{j}", kind, shape, value * (0 if shape is None else count)))
        self.cross(ops, low)

    @each_bound()
    def test_compact_to_dense_and_back(self, low):
        for count in (8, 9, 40):
            ops = [("group", "/g"), ("group", "/o", {"attr_track": 1}), ("group", "/i", {"attr_track": 1, "attr_index": 1}),
                   ("commit", "/t", "<i4"), ("group", "/early", {"attr_max_compact": 3, "attr_min_dense": 2})]
            for path in ("/g", "/o", "/i", "/t", "/early"):
                ops += [("attr", path, f"a{i * 37 % 41}", "<i4", (), [i]) for i in range(count)]
                ops += [("attr_remove", path, f"a{i * 37 % 41}") for i in range(0, count, 2)]
                ops += [("attr", path, f"b{i}", "S:9:z:u", (2,), [b"x", b"yy"]) for i in range(count // 3)]
                ops += [("attr_rename", path, f"b{i}", f"c{i}" * 9) for i in range(count // 5)]
            with self.subTest(count=count):
                self.cross(ops, low, seed=count, create={"attr_track": 1})

    @each_bound()
    def test_a_thousand(self, low):
        ops = [("group", "/g", {"attr_track": 1, "attr_index": 1})]
        ops += [("attr", "/g", f"name{i * 389 % 1009}", "<i4", (), [i]) for i in range(1000)]
        ops += [("attr_remove", "/g", f"name{i * 389 % 1009}") for i in range(0, 1000, 3)]
        ops += [("attr_set", "/g", f"name{i * 389 % 1009}", [-i]) for i in range(1, 1000, 30)]
        self.cross(ops, low)

    @each_bound(MODERN)
    def test_larger_than_64_kib(self, low):
        big = [i % 251 for i in range(20000)]
        ops = [("group", "/g"), ("attr", "/g", "small", "<i4", (), [1]), ("attr", "/g", "big", "<i4", (20000,), big),
               ("attr", "/", "text", "S:70000:z:a", (), [b"x" * 69999]), ("attr", "/g", "bigger", "<u2", (100, 400), big * 2),
               ("attr_set", "/g", "big", big[::-1]), ("attr", "/g", "strings", "V:u", (3000,), [b"word"] * 3000)]
        self.cross(ops, low)

    def test_larger_than_64_kib_is_refused_by_the_earliest_format(self):
        ops = [("attr", "/", "big", "<i4", (20000,), [0] * 20000)]
        with self.assertRaises(RuntimeError):
            reference.apply(self.file("big.h5"), ops, 0, {})
        with self.assertRaisesRegex(Refused, "64 KiB|65535|65536"):
            apply_ours(self.file("big.h5"), ops, 0, {})

    @each_bound()
    def test_committed_types(self, low):
        ops = [("group", "/types"), ("commit", "/types/int", ">i4"), ("commit", "/types/text", "S:12:t:u"), ("commit", "/types/var", "V:u"),
               ("group", "/g")]
        for i in range(12):
            ops += [("attr", "/g", f"i{i}", "@/types/int", (2,), [i, -i]), ("attr", "/", f"t{i}", "@/types/text", (), [b"text"]),
                    ("attr", "/types/int", f"v{i}", "@/types/var", (), [b"long text of any size " * i])]
        ops += [("attr_remove", "/g", f"i{i}") for i in range(0, 12, 2)] + [("rename", "/types/text", "/types/word")]
        ours, _ = self.cross(ops, low, turns=0)
        self.assertGreater(dump_ours(ours)["/types/int"]["link_count"], 1)
        self.cross(ops, low)

    @each_bound()
    def test_comments(self, low):
        ops = [("group", "/g"), ("commit", "/t", "<f4"), ("comment", "/g", "first"), ("comment", "/t", "a type"), ("comment", "/", "root ä"),
               ("comment", "/g", "second, and longer than the first " * 10), ("comment", "/t", ""), ("attr", "/g", "a", "<i4", (), [1])]
        self.cross(ops, low)


if __name__ == "__main__":
    unittest.main()
