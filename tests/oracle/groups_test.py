# SPDX-License-Identifier: Apache-2.0
"""Groups and links: each library reads and extends the files of the other."""
import random
import unittest

import reference
from oracle import BOUNDS, MODERN, Case, apply_ours, dump_ours, dumped, each_bound, listing, run

ORDERED = {"track": 1, "index": 1}


def wide(count):
    ops = [("group", "/w"), ("group", "/target")]
    return ops + [("hard", f"/w/{i:05d}", "/target") if i % 3 else ("group", f"/w/{i:05d}") for i in range(count)]


class Groups(Case):
    @each_bound()
    def test_fifty_levels(self, low):
        ops = []
        path = ""
        for level in range(50):
            path += f"/level{level}"
            ops += [("group", path), ("soft", path + "/up", "/level0"), ("attr", path, "level", "<i4", (), [level])]
        self.cross(ops, low)

    @each_bound()
    def test_few_links_and_the_first_dense_group(self, low):
        for count in (3, 8, 9, 300):
            with self.subTest(count=count):
                self.cross(wide(count), low, seed=count)

    @each_bound()
    def test_creation_order(self, low):
        names = [f"n{i * 7919 % 1000:03d}" for i in range(40)]
        for settings in ({"track": 1}, ORDERED):
            ops = [("group", "/few", settings), ("group", "/many", settings)]
            ops += [("group", f"/few/{n}", settings) for n in names[:5]] + [("group", f"/many/{n}") for n in names]
            ops += [("remove", f"/many/{n}") for n in names[10:20]] + [("soft", f"/many/{n}", "x") for n in names[12:16]]
            self.cross(ops, low, create=settings)

    @each_bound()
    def test_phase_changes_follow_the_group(self, low):
        ops = [("group", "/g", {"max_compact": 2, "min_dense": 1}), ("group", "/never", {"max_compact": 0, "min_dense": 0})]
        ops += [("group", f"/{g}/{i}") for i in range(5) for g in ("g", "never")]
        ops += [("remove", f"/{g}/{i}") for i in range(4) for g in ("g", "never")]
        self.cross(ops, low, create={"max_compact": 20, "min_dense": 10})

    @each_bound()
    def test_links_of_every_kind(self, low):
        reference.register_user_links(187)
        ops = [("group", "/a"), ("group", "/a/b"), ("hard", "/again", "/a/b"), ("soft", "/s", "/a/b"), ("soft", "/dangling", "no/where"),
               ("external", "/e", "other.h5", "/x/y"), ("external", "/a/e2", "ö.h5", "/"), ("user", "/u", 187, b"\0data\xff"),
               ("commit", "/type", "<f8"), ("hard", "/a/type", "/type")]
        ops += [("soft", f"/a/b/s{i}", "/" + "t" * i) for i in range(1, 200, 9)]
        ours, theirs = self.cross(ops, low)
        for path in (ours, theirs):
            self.assertIn({"kind": "user", "user": 187, "data": "00646174" + "61FF"},
                          [{k: v for k, v in link.items() if k in ("kind", "user", "data")}
                           for entry in dump_ours(path).values() for link in entry.get("links", [])])
            self.assertIn("UDLink", listing(path).replace("{", "").replace("UD Link", "UDLink"))

    @each_bound()
    def test_names_in_utf8(self, low):
        names = ["ascii", "é", "日本語", "🙂" * 20, "e\u0301", "ß ", " leading", "a\tb", "back\\slash", 'quo"te']
        ops = [("group", f"/{n}") for n in names] + [("attr", f"/{n}", n, "<i4", (), [1]) for n in names]
        ops += [("soft", f"/é/{n}", f"/{n}") for n in names] + [("rename", "/日本語", "/é/日本"), ("rename", "/ascii", "/ä")]
        self.cross(ops, low)

    @each_bound()
    def test_names_of_300_bytes(self, low):
        ops = [("group", "/" + chr(97 + i) * 300) for i in range(26)]
        ops += [("remove", "/" + chr(97 + i) * 300) for i in range(0, 26, 2)]
        ops += [("group", "/" + chr(97 + i) * (299 + i)) for i in range(0, 26, 2)]
        self.cross(ops, low)

    @each_bound(MODERN)
    def test_names_beyond_64_kib(self, low):
        long = "n" * 70000
        ops = [("group", "/g", ORDERED), ("group", "/g/" + long), ("group", "/g/short"), ("soft", "/g/s", "t" * 30000)]
        # h5dump and h5ls do not take such names.
        self.cross(ops, low, turns=6, tools="")

    def test_30000_links(self):
        for low, settings in ((0, {}), (1, {}), (2, ORDERED)):
            with self.subTest(low=low):
                ops = [("group", "/w", settings), ("group", "/target")]
                ops += [("group" if i % 30 == 0 else "hard", f"/w/link{i * 7919 % 30000}", *(["/target"] if i % 30 else []))
                        for i in range(30000)]
                ours, theirs = self.file("ours.h5"), self.file("theirs.h5")
                apply_ours(ours, ops, low, {})
                reference.apply(theirs, ops, low, {})
                self.same_contents(ours, theirs, tools="ls")
                rng = random.Random(low)
                gone = [("remove", f"/w/link{i}") for i in rng.sample(range(30000), 2000)]
                new = [("soft", f"/w/new{i}", "/w") for i in range(2000)]
                reference.apply(ours, gone[:1000] + new[:1000], low)
                apply_ours(ours, gone[1000:] + new[1000:], low)
                apply_ours(theirs, gone + new, low)
                self.assertEqual(listing(ours), listing(theirs))
                self.agree(ours)
                self.unchanged_by_opening(ours)

    def test_h5dump_shows_30000_links(self):
        path = self.file("wide.h5")
        apply_ours(path, [("soft", f"/{i}", "/") for i in range(30000)], 1, {})
        self.assertEqual(dumped(path).count("SOFTLINK"), 30000)

    def test_external_links_are_followed(self):
        for low in BOUNDS.values():
            with self.subTest(low=low):
                apply_ours(self.file("other.h5"), [("group", "/x"), ("group", "/x/y")], low, {})
                ours = self.file("main.h5")
                apply_ours(ours, [("external", "/e", "other.h5", "/x"), ("external", "/gone", "none.h5", "/x")], low, {})
                text = run("h5ls", "-r", "-E", ours).decode()
                self.assertIn("/e/y", text)
                apply_ours(ours, [("group", "/e/made"), ("attr", "/e/made", "a", "<i4", (), [1])], low)
                self.assertIn("/x/made", reference.dump(self.file("other.h5")))


if __name__ == "__main__":
    unittest.main()
