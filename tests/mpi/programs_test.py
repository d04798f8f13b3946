#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs under mpirun: what ranks write together, HDF5 reads and extends, and the reverse.

Usage: programs_test.py openmpi|mpich. Exits with 77 if that MPI, or the library for it, is not here.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np

import launch

MPI = sys.argv.pop(1) if len(sys.argv) > 1 else "openmpi"
BIN = pathlib.Path(os.environ["FILIGREE_BIN"])
LAUNCHER = launch.launcher(MPI)


def mpirun(ranks, program, *arguments, leaks=False):
    """Runs a program of this build."""
    return launch.mpirun(MPI, ranks, [BIN / f"{program}_{MPI}", *arguments], leaks=leaks)


class Programs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "parallel.h5"

    def succeed(self, ranks, *arguments, program="mpi_program", leaks=False):
        done = mpirun(ranks, program, *arguments, leaks=leaks)
        self.assertEqual(done.returncode, 0, f"{arguments} on {ranks} ranks:\n{done.stdout}{done.stderr}")
        return done.stdout

    def failures_of(self, ranks, *arguments):
        """The lines of the ranks, all of which must fail."""
        done = mpirun(ranks, "mpi_program", *arguments)
        lines = re.findall(r"rank \d+: .*", done.stdout)
        self.assertEqual(len(lines), ranks, done.stdout + done.stderr)
        return [re.sub(r"^rank \d+: ", "", line) for line in lines]

    def test_hdf5_reads_and_extends_what_ranks_wrote_together(self):
        for ranks in (1, 3, 4):
            self.succeed(ranks, "write", self.file)
            with h5py.File(self.file, "r+") as file:
                self.assertEqual(file.attrs["ranks"], ranks)
                for group in ("contiguous", "chunked", "extensible", "deflated"):
                    for how in ("collective", "independent", "scattered"):
                        expected = np.arange(4 * ranks * 50).reshape(-1, 50)
                        np.testing.assert_array_equal(file[group][how][...], expected, f"{group}/{how}")
                for how in ("collective", "independent", "scattered"):
                    grown = file["extensible"][how]
                    grown.resize(4 * ranks + 5, axis=0)
                    grown[-5:] = np.arange(4 * ranks * 50, (4 * ranks + 5) * 50).reshape(5, 50)
                file.create_group("by HDF5").attrs["a"] = 1
            dump = subprocess.run(["h5dump", "-H", str(self.file)], capture_output=True, text=True)
            self.assertEqual((dump.returncode, dump.stderr), (0, ""))
            self.assertEqual(self.succeed(2, "check", self.file).strip(), "12 datasets")

    def test_ranks_read_and_extend_what_hdf5_wrote(self):
        data = np.arange(12 * 50, dtype="i4").reshape(12, 50)
        for version in ("earliest", "latest"):
            with h5py.File(self.file, "w", libver=version) as file:
                for group in ("contiguous", "chunked", "extensible", "deflated"):
                    for how in ("collective", "independent", "scattered"):
                        options = {
                            "contiguous": {},
                            "chunked": {"chunks": (5, 9)},
                            "extensible": {"chunks": (5, 9), "maxshape": (None, 50)},
                            "deflated": {"chunks": (5, 9), "compression": "gzip", "shuffle": True},
                        }[group]
                        file.create_dataset(f"{group}/{how}", data=data, **options)
            self.assertEqual(self.succeed(3, "check", self.file).strip(), "12 datasets")
            self.succeed(4, "extend", self.file)
            with h5py.File(self.file, "r+") as file:
                np.testing.assert_array_equal(file["added/d"][...], np.repeat(np.arange(4), 10))
                self.assertEqual(file.attrs["added"], 1)
                np.testing.assert_array_equal(file["deflated/collective"][...], data)
                file["added/more"] = 5
            self.succeed(2, "check", self.file)

    def test_ranks_that_diverge_get_an_error_each(self):
        for case, words in {
            "one_group": ["make link 'alone'", "File::close"],
            "other_groups": ["make link 'g0'", "make link 'g1'", "make link 'g2'"],
            "missing_write": ["rank 1 is in File::close", "Dataset::write of '/x'"],
            "other_extents": ["Dataset::resize"],
        }.items():
            lines = self.failures_of(3, case, self.file)
            # In front of it, each rank has the call that it was in.
            reasons = {line[line.index("the processes that use") :] for line in lines}
            self.assertEqual(len(reasons), 1, lines)
            for line in lines:
                self.assertTrue(line.startswith("diverged: "), lines)
            for word in words:
                self.assertIn(word, lines[0])

    def test_a_failure_in_one_of_several_requests_is_that_of_all_ranks(self):
        for ranks in (2, 4):
            printed = self.succeed(ranks, "failing_round", self.file)
            failures = re.findall(r"rank \d+: .*", printed)
            self.assertEqual(len(failures), ranks, printed)
            for failure in failures:
                self.assertIn("MPI_File_write_at_all", failure)
            with h5py.File(self.file) as file:
                np.testing.assert_array_equal(file["x"][...].ravel(), np.arange(ranks * 20 * 50))

    def test_a_file_that_is_left_open_does_not_end_the_program(self):
        self.succeed(3, "left_open", self.file, leaks=True)

    def test_ranks_that_name_other_files_create_none(self):
        for line in self.failures_of(3, "other_paths", self.file):
            self.assertTrue(line.startswith("diverged: "), line)
        self.assertEqual(list(self.file.parent.iterdir()), [])

    def test_a_new_file_that_a_rank_cannot_open_is_removed(self):
        for line in self.failures_of(3, "unopened", self.file):
            self.assertIn("MPI_File_open", line)
        self.assertEqual(list(self.file.parent.iterdir()), [])

    def test_failures_to_open_are_those_of_all_ranks(self):
        for line in self.failures_of(3, "absent", self.file):
            self.assertIn("not found", line)
        self.succeed(2, "write", self.file)
        before = self.file.read_bytes()
        for line in self.failures_of(3, "existing", self.file):
            self.assertIn("already exists", line)
        self.assertEqual(self.file.read_bytes(), before)
        self.file.write_bytes(b"no HDF5 file" * 100)
        lines = self.failures_of(3, "check", self.file)
        self.assertEqual(len(set(lines)), 1, lines)
        self.assertTrue(lines[0].startswith("not an HDF5 file"), lines)

    def test_the_example_prints_its_sum(self):
        for ranks in (1, 2, 4):
            printed = self.succeed(ranks, self.file, program="example_mpi_rows")
            total = 300 * ranks * (ranks + 1) // 2
            self.assertEqual(printed.strip(), f"{ranks} ranks: the sum is {total}")
        with h5py.File(self.file) as file:
            np.testing.assert_array_equal(file["rows"][:, 0], np.repeat(np.arange(1, 5), 3))

    def test_the_core_needs_no_mpi(self):
        for library in BIN.parent.glob("lib/libfiligree.so*"):
            needed = subprocess.run(["readelf", "-d", str(library)], capture_output=True, text=True, check=True).stdout
            self.assertNotIn("mpi", needed.lower())


if __name__ == "__main__":
    if LAUNCHER is None or not (BIN / f"mpi_program_{MPI}").exists():
        print(f"skipped: {MPI}, or libfiligree_mpi_{MPI}, is not here")
        sys.exit(77)
    unittest.main()
