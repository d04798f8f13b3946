# SPDX-License-Identifier: Apache-2.0
"""`filigree copy`, `mv`, `rm`, `mkgroup` and `attr`, with h5py and h5diff as the judges."""

import json
import os
import signal
import subprocess
import time
import unittest

from samples import add_frames
from support import FILIGREE, FolderCase  # before h5py, which looks for plug-ins

import h5py
import numpy


class Change(FolderCase):
    def setUp(self):
        super().setUp()
        with h5py.File(self.folder / "f.h5", "w") as file:
            file["g/x"] = numpy.arange(5.0)
            file["g/x"].attrs["units"] = "mm"
            file["g/deep/y"] = numpy.arange(6).reshape(2, 3)
            file["again"], file["soft"] = file["g/x"], h5py.SoftLink("/g/x")
            file["out"] = h5py.ExternalLink("other.h5", "/z")

    def names(self, path="f.h5"):
        found = []
        with h5py.File(self.folder / path) as file:
            file.visit(found.append)
            found += [n for n in file if file.get(n, getlink=True).__class__ is not h5py.HardLink]
        return sorted(found)

    def assert_unchanged(self, *arguments, message, status=1):
        before = (self.folder / "f.h5").read_bytes()
        self.assert_fails(message, *arguments, status=status)
        self.assertEqual((self.folder / "f.h5").read_bytes(), before)

    def assert_equal_by_h5diff(self, a, path_a, b, path_b):
        done = subprocess.run(["h5diff", a, b, path_a, path_b], cwd=self.folder, capture_output=True, encoding="utf-8", timeout=1800)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)


class Copy(Change):
    def test_to_a_new_file(self):
        self.assertEqual(self.lines("copy", "f.h5/g", "new.h5"), ["new.h5: created; copied f.h5/g to /g"])
        self.assertEqual(self.names("new.h5"), ["g", "g/deep", "g/deep/y", "g/x"])
        self.assert_equal_by_h5diff("f.h5", "/g", "new.h5", "/g")
        self.assertEqual(os.listdir(self.folder).count("new.h5"), 1)
        self.assertEqual(len(os.listdir(self.folder)), 2)

    def test_within_a_file_and_into_a_group(self):
        self.assertEqual(self.lines("copy", "f.h5/g/x", "f.h5/copy"), ["f.h5: copied f.h5/g/x to /copy"])
        self.assertEqual(self.lines("copy", "f.h5/g/x", "f.h5/g/deep"), ["f.h5: copied f.h5/g/x to /g/deep/x"])
        for path in ("/copy", "/g/deep/x"):
            self.assert_equal_by_h5diff("f.h5", "/g/x", "f.h5", path)
        with h5py.File(self.folder / "f.h5") as file:
            self.assertNotEqual(file["copy"], file["g/x"])
            self.assertEqual(file["copy"].attrs["units"], "mm")

    def test_a_soft_link_as_source_is_its_target(self):
        self.lines("copy", "f.h5/soft", "f.h5/real")
        self.assert_equal_by_h5diff("f.h5", "/g/x", "f.h5", "/real")

    def test_parents_and_existing_links(self):
        self.assert_unchanged("copy", "f.h5/g/x", "f.h5/a/b/c", message="a")
        self.lines("copy", "-p", "f.h5/g/x", "f.h5/a/b/c")
        before = self.names()
        self.assert_fails("exists already; --force", "copy", "f.h5/g/deep/y", "f.h5/a/b/c")
        self.assertEqual(self.lines("copy", "-f", "f.h5/g/deep/y", "f.h5/a/b/c"), ["f.h5: copied f.h5/g/deep/y to /a/b/c, replacing what was there"])
        self.assertEqual(self.names(), before)
        self.assert_equal_by_h5diff("f.h5", "/g/deep/y", "f.h5", "/a/b/c")

    def test_the_root_group_needs_a_name(self):
        self.assert_unchanged("copy", "f.h5", "f.h5", message="root group has no name")
        self.lines("copy", "f.h5", "all.h5/everything")
        self.assertIn("everything/g/deep/y", self.names("all.h5"))

    def test_options_of_h5copy(self):
        for ours, theirs in [([], []), (["--shallow"], ["-f", "shallow"]), (["--expand-soft"], ["-f", "soft"]), (["--without-attributes"], ["-f", "noattr"])]:
            for folder in ("a.h5", "b.h5"):
                (self.folder / folder).unlink(missing_ok=True)
            self.lines("copy", *ours, "f.h5", "a.h5/top")
            subprocess.run(["h5copy", "-i", "f.h5", "-o", "b.h5", "-s", "/", "-d", "/top", *theirs], cwd=self.folder, check=True, timeout=1800)
            self.assertEqual(self.names("a.h5"), self.names("b.h5"), ours)
            self.assert_equal_by_h5diff("a.h5", "/top", "b.h5", "/top")

    def test_sparse_datasets_keep_what_is_defined(self):
        add_frames(self.folder / "f.h5")
        self.lines("copy", "f.h5/run1/frames", "s.h5")
        self.assertEqual(self.run_here("diff", "--defined", "f.h5/run1/frames", "s.h5/frames").returncode, 0)

    def test_a_new_file_needs_a_suffix_or_colons(self):
        self.assert_unchanged("copy", "f.h5/g", "nowhere/new.h5/x", message="there is no file 'nowhere'")
        self.lines("copy", "f.h5/g/x", "plain::/x")
        self.assertEqual(self.names("plain"), ["x"])

    def test_failures_leave_no_file(self):
        self.assert_fails("none", "copy", "f.h5/none", "new.h5")
        done = self.assert_fails("deep/none|none", "copy", "f.h5/g/x", "new.h5/deep/none")
        self.assertNotIn(".new.h5.", done.stderr)  # nobody knows the temporary name
        self.assertEqual(os.listdir(self.folder), ["f.h5"])

    def test_stock_extends_the_file(self):
        self.lines("copy", "f.h5/g", "new.h5")
        with h5py.File(self.folder / "new.h5", "r+") as file:
            file["more"] = file["g/x"][:] * 2
        self.lines("copy", "new.h5/more", "f.h5")
        self.assert_equal_by_h5diff("f.h5", "/more", "new.h5", "/more")


class Move(Change):
    def test_renames_and_moves(self):
        self.assertEqual(self.lines("mv", "f.h5/g/x", "f.h5/g/z"), ["f.h5: moved /g/x to /g/z"])
        self.assertEqual(self.lines("mv", "f.h5/again", "f.h5/g/deep"), ["f.h5: moved /again to /g/deep/again"])
        self.assertEqual(self.lines("mv", "-p", "f.h5/soft", "f.h5/new/soft"), ["f.h5: moved /soft to /new/soft"])
        with h5py.File(self.folder / "f.h5") as file:
            self.assertEqual(file["g/z"], file["g/deep/again"])
            self.assertEqual(file.get("new/soft", getlink=True).path, "/g/x")

    def test_refusals_change_nothing(self):
        for arguments, message in [
            (("f.h5/none", "f.h5/x"), "there is no '/none'"),
            (("f.h5", "f.h5/x"), "root group"),
            (("f.h5/g", "f.h5/g/deep"), "into itself"),
            (("f.h5/g", "f.h5/g/new"), "into itself|already"),
            (("f.h5/again", "f.h5/g/x"), "exists already; --force"),
            (("f.h5/again", "f.h5/none/x"), "none"),
            (("f.h5/again", "f.h5/again"), "already"),
        ]:
            with self.subTest(arguments):
                self.assert_unchanged("mv", *arguments, message=message)

    def test_a_group_cannot_move_into_itself_by_another_link(self):
        with h5py.File(self.folder / "f.h5", "r+") as file:
            file["alias"] = file["g"]
        self.assert_unchanged("mv", "f.h5/g", "f.h5/alias/deep/g2", message="into itself")

    def test_other_files_are_wrong_usage(self):
        self.lines("mkgroup", "other.h5/a")
        self.assert_unchanged("mv", "f.h5/g", "other.h5/b", message="filigree copy", status=2)

    def test_force_replaces(self):
        self.lines("mv", "-f", "f.h5/g/deep/y", "f.h5/again")
        with h5py.File(self.folder / "f.h5") as file:
            self.assertEqual(file["again"].shape, (2, 3))
            self.assertNotIn("y", file["g/deep"])


class Remove(Change):
    def test_links_and_objects(self):
        self.assertEqual(self.lines("rm", "f.h5/again", "f.h5/out", "f.h5/soft"),
                         ["f.h5: removed /again (a dataset; 1 other link)", "f.h5: removed /out (an external link)", "f.h5: removed /soft (a soft link)"])
        self.assertEqual(self.names(), ["g", "g/deep", "g/deep/y", "g/x"])

    def test_groups_need_the_option(self):
        self.assert_unchanged("rm", "f.h5/g", message="not empty; use -r")
        self.assertEqual(self.lines("rm", "-r", "f.h5/g"), ["f.h5: removed /g (a group with 2 links)"])
        self.assertEqual(self.names(), ["again", "out", "soft"])

    def test_missing_links_fail_without_force(self):
        self.assert_unchanged("rm", "f.h5/none", message="there is no '/none'")
        self.assertEqual(self.lines("rm", "-f", "f.h5/none"), [])
        self.assert_unchanged("rm", "-rf", "f.h5", message="root group")

    def test_a_group_with_another_link_may_go(self):
        with h5py.File(self.folder / "f.h5", "r+") as file:
            file["alias"] = file["g"]
        self.lines("rm", "f.h5/alias")
        self.assertIn("g/deep/y", self.names())


class MakeGroup(Change):
    def test_groups_and_files(self):
        self.assertEqual(self.lines("mkgroup", "f.h5/new", "other.h5/a"), ["f.h5: created group /new", "other.h5: created group /a"])
        self.assertEqual(self.lines("mkgroup", "-p", "f.h5/p/q/r"), ["f.h5: created group /p/q/r"])
        self.assertEqual(self.lines("mkgroup", "-p", "f.h5/p/q/r"), ["f.h5: /p/q/r exists already"])
        self.assertIn("p/q/r", self.names())
        self.assertEqual(self.names("other.h5"), ["a"])

    def test_refusals(self):
        self.assert_unchanged("mkgroup", "f.h5/g", message="exists already")
        self.assert_unchanged("mkgroup", "-p", "f.h5/g/x", message="exists already")
        self.assert_unchanged("mkgroup", "f.h5/a/b", message="a")
        self.assert_fails("no file 'noext'", "mkgroup", "noext/a")

    def test_order_is_tracked(self):
        self.lines("mkgroup", "--track-order", "--latest", "o.h5/a")
        with h5py.File(self.folder / "o.h5", "r+") as file:
            self.assertTrue(file["a"].id.get_create_plist().get_link_creation_order())
            for name in "zyx":
                file["a"].create_group(name)
        with h5py.File(self.folder / "o.h5") as file:
            self.assertEqual(list(file["a"]), ["z", "y", "x"])


class Attributes(Change):
    def attribute(self, name, path="g/x"):
        with h5py.File(self.folder / "f.h5") as file:
            return file[path].attrs[name]

    def test_types_follow_the_values(self):
        for values, expected in [
            (["7"], numpy.int64(7)), (["7", "-8"], numpy.array([7, -8])), (["0.5"], 0.5), (["1", "2.5"], numpy.array([1, 2.5])), (["text"], "text"),
            (["1", "two"], numpy.array(["1", "two"], object)), (["18446744073709551615"], numpy.uint64(2**64 - 1)), (["0x1F"], 31), (["nan"], numpy.nan), ([""], ""),
        ]:
            with self.subTest(values):
                self.lines("attr", "set", "f.h5/g/x", "fresh", "--", *values)
                numpy.testing.assert_array_equal(self.attribute("fresh"), expected)
                self.lines("attr", "rm", "f.h5/g/x", "fresh")

    def test_an_old_type_stays(self):
        with h5py.File(self.folder / "f.h5", "r+") as file:
            file["g/x"].attrs.create("small", [1, 2], dtype=">i2")
            file["g/x"].attrs["flag"] = True
            file["g/x"].attrs["fixed"] = numpy.bytes_("abc")
        self.assertEqual(self.lines("attr", "set", "f.h5/g/x", "small", "30", "-40"), ["f.h5: changed /g/x @small, int16be (2)"])
        self.lines("attr", "set", "f.h5/g/x", "flag", "false")
        with h5py.File(self.folder / "f.h5") as file:
            self.assertEqual(file["g/x"].attrs.get_id("small").dtype, ">i2")
            numpy.testing.assert_array_equal(file["g/x"].attrs["small"], [30, -40])
            self.assertEqual(file["g/x"].attrs["flag"], False)
        for name, value, message in [("small", "x", "'x' is no int16be"), ("small", "70000", "'small': type int16be cannot hold"), ("fixed", "abcd", "cannot hold"), ("flag", "maybe", "none of FALSE, TRUE"), ("small", "1.5", "no int16be")]:
            self.assert_unchanged("attr", "set", "f.h5/g/x", name, value, message=message)

    def test_types_and_shapes_as_asked_for(self):
        self.lines("attr", "set", "f.h5/g", "m", "1", "2", "3", "4", "5", "6", "--type", "u1", "--shape", "2,3")
        numpy.testing.assert_array_equal(self.attribute("m", "g"), numpy.arange(1, 7, dtype="u1").reshape(2, 3))
        self.lines("attr", "set", "f.h5", "s", "7", "--type", "string")
        self.assertEqual(self.attribute("s", "/"), "7")
        self.lines("attr", "set", "f.h5", "s", "abc", "--type", "S5")
        self.assertEqual(self.attribute("s", "/"), numpy.bytes_("abc"))
        self.assert_unchanged("attr", "set", "f.h5", "s", "1", "--type", "u9", message="no such type")
        self.assert_unchanged("attr", "set", "f.h5", "t", "256", "--type", "u1", message="uint8 cannot hold")
        self.assert_unchanged("attr", "set", "f.h5", "t", "1", "2", "--shape", "3", message="3 elements, not 2")
        self.assert_unchanged("attr", "set", "f.h5", "t", "1", "--shape", "a", message="--shape a")
        self.assert_unchanged("attr", "set", "f.h5", "t", "1", "--type", "V3", message="command line")

    def test_get_prints_what_other_programs_take(self):
        self.lines("attr", "set", "f.h5/g/x", "n", "3", "4")
        self.assertEqual(self.lines("attr", "get", "f.h5/g/x", "units"), ["mm"])
        self.assertEqual(self.lines("attr", "get", "f.h5/g/x", "n"), ["3", "4"])
        self.assertEqual(self.lines("attr", "get", "f.h5/g/x"), ["n  int64 (2) = 3, 4", 'units  string scalar = "mm"'])
        document = json.loads(self.lines("attr", "get", "--json", "f.h5/g/x")[0])
        self.assertEqual(document["attributes"], [{"name": "n", "type": "int64", "shape": [2], "values": [3, 4]}, {"name": "units", "type": "string", "shape": [], "values": ["mm"]}])
        self.assert_fails("none", "attr", "get", "f.h5/g/x", "none")

    def test_rm_removes_all_or_none(self):
        self.lines("attr", "set", "f.h5/g/x", "n", "1")
        self.assert_unchanged("attr", "rm", "f.h5/g/x", "n", "none", message="none")
        self.assertEqual(self.lines("attr", "rm", "f.h5/g/x", "n", "units"), ["f.h5: removed /g/x @n", "f.h5: removed /g/x @units"])
        with h5py.File(self.folder / "f.h5") as file:
            self.assertEqual(len(file["g/x"].attrs), 0)


class Manners(Change):
    def test_dry_runs_say_what_would_be_done(self):
        before = (self.folder / "f.h5").read_bytes()
        for arguments, line in [
            (("copy", "-n", "f.h5/g/x", "new.h5"), "new.h5: would be created; copy f.h5/g/x to /x"),
            (("copy", "-n", "f.h5/g/x", "f.h5/y"), "f.h5: would copy f.h5/g/x to /y"),
            (("mv", "-n", "f.h5/g/x", "f.h5/y"), "f.h5: would move /g/x to /y"),
            (("rm", "-nr", "f.h5/g"), "f.h5: would remove /g (a group with 2 links)"),
            (("mkgroup", "-n", "f.h5/h"), "f.h5: would create group /h"),
            (("mkgroup", "-n", "new.h5/h"), "new.h5: would be created; create group /h"),
            (("attr", "set", "-n", "f.h5/g/x", "units", "cm"), "f.h5: would change /g/x @units, string scalar"),
            (("attr", "rm", "-n", "f.h5/g/x", "units"), "f.h5: would remove /g/x @units"),
        ]:
            self.assertEqual(self.lines(*arguments), [line])
        self.assertEqual((self.folder / "f.h5").read_bytes(), before)
        self.assertEqual(os.listdir(self.folder), ["f.h5"])

    def test_strange_names(self):
        name = 'a "b"\n\udcff'
        for command in (("mkgroup", f"f.h5/{name}"), ("copy", "f.h5/g/x", f"f.h5/{name}"), ("mv", f"f.h5/{name}/x", f"f.h5/{name}/y z"), ("attr", "set", f"f.h5/{name}", name, "1"),
                        ("attr", "get", f"f.h5/{name}"), ("attr", "get", "--json", f"f.h5/{name}"), ("attr", "rm", f"f.h5/{name}", name), ("rm", "-r", f"f.h5/{name}")):
            with self.subTest(command):
                arguments = [os.fsencode(FILIGREE), *map(os.fsencode, command)]
                done = subprocess.run(arguments, cwd=self.folder, capture_output=True, timeout=1800)
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                self.assertEqual(done.stdout.count(b"\n"), 1)
        self.assertEqual(self.names(), ["again", "g", "g/deep", "g/deep/y", "out", "soft"])

    def test_a_file_that_cannot_be_written(self):
        if os.geteuid() == 0:
            self.skipTest("root may write everything")
        (self.folder / "f.h5").chmod(0o444)
        self.assert_unchanged("rm", "f.h5/soft", message="f.h5")

    def test_a_full_disk_leaves_no_new_file(self):
        with h5py.File(self.folder / "big.h5", "w") as file:
            file["x"] = numpy.random.default_rng(1).integers(0, 256, 4_000_000, "u1")
        limited = subprocess.run(["bash", "-c", 'ulimit -f 1000; exec "$0" copy big.h5/x new.h5', FILIGREE], cwd=self.folder, capture_output=True, encoding="utf-8", timeout=1800)
        self.assertEqual(limited.returncode, 1, limited.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), ["big.h5", "f.h5"])

    def test_a_signal_waits_until_the_file_is_closed(self):
        with h5py.File(self.folder / "f.h5", "r+", libver="latest") as file:
            many = file.create_group("many")
            for i in range(3000):
                many.create_dataset(f"d{i}", (100,), "f8", chunks=(10,), compression="gzip")[:] = i
        process = subprocess.Popen([FILIGREE, "copy", "f.h5/many", "f.h5/more"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        size = (self.folder / "f.h5").stat().st_size
        while process.poll() is None and (self.folder / "f.h5").stat().st_size == size:
            time.sleep(0.001)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=1800)
        self.assertIn(process.returncode, (0, 130))  # it may have been ready
        if process.returncode == 130:
            self.assertIn(b"closing the file first", errors)
        with h5py.File(self.folder / "f.h5") as file:
            self.assertEqual(len(file["more"]), 3000)
            self.assertEqual(file["more/d7"][0], 7)


if __name__ == "__main__":
    unittest.main()
