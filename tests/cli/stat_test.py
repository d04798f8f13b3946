# SPDX-License-Identifier: Apache-2.0
"""`filigree stat` prints what h5stat prints, byte by byte."""

import contextlib
import subprocess
import unittest

import dump_test
from support import FILIGREE, FolderCase  # before h5py, which looks for plug-ins

import h5py
import numpy


class Stat(FolderCase):
    def make(self, name="all.h5", **options):
        with h5py.File(self.folder / name, "w", **options) as file, contextlib.chdir(self.folder):
            for part in dump_test.PARTS:
                part(file)
        return name

    def assert_same(self, *arguments):
        done = subprocess.run([FILIGREE, "stat", *arguments], capture_output=True, cwd=self.folder, timeout=600)
        judge = subprocess.run(["h5stat", *arguments], capture_output=True, cwd=self.folder, timeout=600)
        self.assertEqual((done.returncode, judge.returncode), (0, 0), done.stderr + judge.stderr)
        ours, theirs = (text.decode("latin1").splitlines() for text in (done.stdout, judge.stdout))
        self.assertEqual(ours, theirs, arguments)
        self.assertEqual(done.stdout, judge.stdout)
        return ours

    def test_a_file_with_everything(self):
        self.assertIn("\t# of unique named datatypes: 9", self.assert_same(self.make()))

    def test_new_format(self):
        self.assert_same(self.make(libver="latest"))

    def test_each_part(self):
        name = self.make()
        for option in "fFgGdDTAsS":
            with self.subTest(option=option):
                self.assert_same("-" + option, name)
        self.assert_same("-g", "-d", "-A", "-S", name)

    def test_thresholds(self):
        name = self.make()
        for options in (["-l", "3"], ["-m", "50"], ["-a", "2"], ["-g", "-l", "100"], ["-d", "-m", "101"], ["-A", "-a", "6"], ["-l", "1", "-m", "1", "-a", "1"]):
            with self.subTest(options=options):
                self.assert_same(*options, name)
        for options in (["-l", "0"], ["-m", "x"], ["-a", "-1"]):
            self.assert_fails(" ", "stat", *options, name, status=2)

    def test_small_files(self):
        with h5py.File(self.folder / "empty.h5", "w"):
            pass
        with h5py.File(self.folder / "groups.h5", "w") as file:
            for i in range(12):
                file.create_group(f"g{i}").attrs["x"] = 1
                file.attrs[f"a{i}"] = 1
            file["u"] = 5
        with h5py.File(self.folder / "dense.h5", "w", libver="latest") as file:
            for i in range(300):
                file[f"d{i}"] = numpy.arange(i)
                file.attrs[f"a{i}"] = "text" * 10
        for name in ("empty.h5", "groups.h5", "dense.h5"):
            self.assert_same(name)

    def test_free_space_that_the_file_keeps(self):
        with h5py.File(self.folder / "free.h5", "w", fs_strategy="fsm", fs_persist=True) as file:
            for i in range(5):
                file[f"d{i}"] = numpy.arange(1000 * i)
        with h5py.File(self.folder / "free.h5", "a") as file:
            del file["d1"], file["d3"]
        self.assertNotIn("\tTotal # of sections: 0", self.assert_same("free.h5"))
        with h5py.File(self.folder / "paged.h5", "w", fs_strategy="page", fs_persist=True, fs_threshold=1) as file:
            file["d"] = numpy.arange(3000)
        self.assert_same("paged.h5")

    def test_damage_is_reported_and_the_rest_counted(self):
        with h5py.File(self.folder / "damaged.h5", "w") as file:
            file["a"] = numpy.arange(10)
            file["b"] = numpy.arange(3)
            address = h5py.h5o.get_info(file["a"].id).addr
        content = bytearray((self.folder / "damaged.h5").read_bytes())
        content[address] = 0x99
        (self.folder / "damaged.h5").write_bytes(content)
        done = self.assert_fails("damaged.h5: ", "stat", "damaged.h5")
        self.assertIn("\t# of unique datasets: 1\n", done.stdout)

    def test_missing_files(self):
        name = self.make()
        self.assert_fails("missing.h5: ", "stat", "missing.h5")
        done = self.run_here("stat", "missing.h5", name)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"Filename: {name}\n", done.stdout)


if __name__ == "__main__":
    unittest.main()
