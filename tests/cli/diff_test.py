# SPDX-License-Identifier: Apache-2.0
"""`filigree diff`: exit codes of h5diff on the same pairs, and defined elements."""

import json
import subprocess
import unittest

from samples import add_frames, words
from support import FolderCase  # before h5py, which looks for plug-ins

import h5py
import numpy


def random_file(path, random):
    """A small file of few names and kinds of objects, so that two of them are often alike."""
    kinds = ["i4", "i8", "u4", "f8", ">i4", "S3"]
    with h5py.File(path, "w") as file:
        for name in random.choice(["a", "b", "c", "g"], size=random.integers(1, 4), replace=False):
            if name == "g":
                file.create_group("g").attrs["n"] = int(random.integers(2))
                continue
            choice = random.integers(8)
            if choice == 0:
                file[name] = h5py.SoftLink(f"/{random.choice(['a', 'x'])}")
            elif choice == 1:
                file[name] = numpy.dtype(random.choice(["i4", "f8"]))
            elif choice == 2:
                file[name] = [float(x) for x in random.choice([0.0, 1.0, float("nan")], size=3)]
            elif choice == 3:
                file[name] = [str(x) for x in random.choice(["one", "two"], size=2)]
            else:
                shape = [(3,), (4,), (2, 2), ()][random.integers(4)]
                file[name] = random.integers(0, 2, shape).astype(random.choice(kinds))
                if random.random() < 0.4:
                    file[name].attrs[str(random.choice(["p", "q"]))] = random.integers(0, 2, random.integers(1, 3))


class Diff(FolderCase):
    def codes(self, *options):
        ours = self.run_here("diff", *options, "a.h5", "b.h5")
        theirs = subprocess.run(["h5diff", *options, "a.h5", "b.h5"], cwd=self.folder, capture_output=True, encoding="utf-8")
        self.assertEqual(ours.stderr, "")
        return ours, theirs

    def test_exit_codes_are_those_of_h5diff_on_random_pairs(self):
        counts = {0: 0, 1: 0}
        for seed in range(200):
            random = numpy.random.default_rng(seed)
            random_file(self.folder / "a.h5", random)
            # Every fourth pair has the same contents.
            random_file(self.folder / "b.h5", numpy.random.default_rng(seed) if seed % 4 == 0 else random)
            ours, theirs = self.codes()
            if ours.returncode != theirs.returncode:
                dumps = [subprocess.run(["h5dump", self.folder / n], capture_output=True, encoding="utf-8").stdout for n in ("a.h5", "b.h5")]
                self.fail(f"{seed}: {ours.returncode} {ours.stdout}\n{theirs.returncode} {theirs.stdout}\n{dumps[0]}{dumps[1]}")
            counts[ours.returncode] += 1
        self.assertGreater(min(counts.values()), 40)

    def pair(self, a, b):
        for name, value in (("a.h5", a), ("b.h5", b)):
            with h5py.File(self.folder / name, "w") as file:
                file["x"] = value

    def test_tolerances_and_counts(self):
        self.pair([1.0, 2.0, 3.0], [1.1, 2.0, 3.3])
        for options in ([], ["-d", "0.2"], ["-d", "0.5"], ["-p", "0.105"], ["-p", "0.01"]):
            ours, theirs = self.codes(*options)
            self.assertEqual((ours.returncode, ours.stdout), (theirs.returncode, theirs.stdout), options)
        self.assertEqual(self.codes("-r")[0].stdout.count("[ "), 2)
        self.assertEqual(self.codes("-r", "-n", "1")[0].stdout.count("[ "), 1)
        self.assertEqual(self.codes("-q")[0].stdout, "")

    def test_text_is_that_of_h5diff(self):
        self.pair([1, 2, 3], [1, 5, 6])
        ours, theirs = self.codes()
        self.assertEqual(ours.stdout, theirs.stdout)
        self.pair([1, 2, 3], [1, 2])
        ours, theirs = self.codes()
        self.assertEqual(ours.stdout, theirs.stdout)
        self.assertIn("the shapes are {3} and {2}", self.codes("-c")[0].stdout)

    def test_failures_are_2(self):
        self.pair(1, 2)
        self.assert_fails("none.h5", "diff", "a.h5", "none.h5", status=2)
        self.assert_fails("there is no 'y'", "diff", "a.h5/y", "b.h5/x", status=2)
        data = bytearray((self.folder / "b.h5").read_bytes())
        with h5py.File(self.folder / "b.h5") as file:
            data[h5py.h5o.get_info(file["x"].id).addr] ^= 0xff
        (self.folder / "b.h5").write_bytes(data)
        self.assertEqual(self.run_here("diff", "a.h5", "b.h5").returncode, 2)

    def test_objects_by_path(self):
        self.pair([1, 2], [1, 3])
        self.assertEqual(self.run_here("diff", "a.h5/x", "a.h5/x").returncode, 0)
        self.assertEqual(self.run_here("diff", "a.h5/x", "b.h5/x").returncode, 1)
        self.assertEqual(self.run_here("diff", "--exclude-path", "/x", "a.h5", "b.h5").returncode, 0)
        report = json.loads(self.run_here("diff", "--json", "a.h5", "b.h5").stdout)
        self.assertTrue(report["different"])
        self.assertEqual([p["differences"] for p in report["pairs"] if p["path"] == "/x"], [1])

    def test_a_defined_zero_differs_from_an_undefined_element_with_defined_alone(self):
        # Chunks that stock stores without the filter define every element that differs from the fill value, so
        # a fill value that is defined needs another fill value.
        options = {"compression": 502, "compression_opts": words("--type", "i4", "--chunk", "4", "--fill", "-1"), "chunks": (4,), "fillvalue": -1}
        with h5py.File(self.folder / "a.h5", "w") as file:
            file.create_dataset("x", (8,), "<i4", **options)[2:4] = [5, 6]
        with h5py.File(self.folder / "b.h5", "w") as file:
            file.create_dataset("x", (8,), "<i4", **options)[:] = [-1, -1, 5, 6, -1, -1, -1, -1]
        self.assertEqual(self.run_here("diff", "--defined", "a.h5", "b.h5").returncode, 0)
        with h5py.File(self.folder / "b.h5", "w") as file:
            file["x"] = numpy.array([-1, -1, 5, 6, -1, -1, -1, -1], "<i4")
        self.assertEqual(self.run_here("diff", "a.h5", "b.h5").returncode, 0)
        done = self.run_here("diff", "--defined", "a.h5", "b.h5")
        self.assertEqual(done.returncode, 1)
        self.assertIn("0 elements are defined only in the first, 6 only in the second", done.stdout)

    def test_what_was_never_written_is_not_read(self):
        for name in ("a.h5", "b.h5"):
            with h5py.File(self.folder / name, "w") as file:
                file.create_dataset("never", (2**40,), "i4")
                file.create_dataset("chunks", (2**40,), "i4", chunks=(1000,))[5] = 1
                file.create_dataset("filled", (2**40,), "i4", chunks=(1000,), fillvalue=3)
        self.assertEqual(self.run_here("diff", "a.h5", "b.h5").returncode, 0)
        with h5py.File(self.folder / "b.h5", "a") as file:
            file["chunks"][2**39] = 7
        done = self.run_here("diff", "-r", "a.h5", "b.h5")
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"[ {2**39} ]", done.stdout)

    def test_huge_sparse_datasets_are_compared_by_what_is_defined(self):
        for name in ("a.h5", "b.h5"):
            add_frames(self.folder / name)
        for name in ("a.h5", "b.h5"):
            with h5py.File(self.folder / name, "a") as file:
                data = file.create_dataset("huge", (2**40, 1000), "<u2", chunks=(8, 1000), compression=502,
                                           compression_opts=words("--type", "u2", "--chunk", "8x1000"))
                data[2**39, 5] = 7
                data[2**39 + 1, 5] = 8 if name == "a.h5" else 9
        done = self.run_here("diff", "-r", "--defined", "a.h5/huge", "b.h5/huge")
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertIn(f"[ {2**39 + 1} 5 ]", done.stdout)


if __name__ == "__main__":
    unittest.main()
