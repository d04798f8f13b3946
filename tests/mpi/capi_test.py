#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""C programs under mpirun, compiled with parallel HDF5 and with Filigree: they print the same, and each library reads
and extends the files of the other.

Usage: capi_test.py openmpi|mpich. Exits with 77 if that MPI, the library for it, or HDF5 for it, is not here.
"""

import collections
import gzip
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import launch
import libraries

HERE = pathlib.Path(__file__).resolve().parent
MPI = sys.argv.pop(1) if len(sys.argv) > 1 else "openmpi"
PROGRAMS = HERE / "capi"
HEADERS = libraries.LIB.parent / "hdf5-parallel" / "include"
FOLDERS = [f"-I{HEADERS}", f"-L{libraries.LIB}", f"-Wl,-rpath,{libraries.LIB}"]
OURS = [*FOLDERS, f"-lfiligree_hdf5_{MPI}", "-lfiligree_hdf5"]
SEEDS = int(os.environ.get("FILIGREE_MPI_SEEDS", "4"))  # of random datasets
EXAMPLE = pathlib.Path("/usr/share/doc/libhdf5-doc/examples/ph5example.c.gz")


def output_of(*command):
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=True).stdout


class Library:
    """Parallel HDF5 or Filigree, with a folder in which programs are built and run."""

    def __init__(self, folder, ours):
        self.folder = pathlib.Path(folder) / ("ours" if ours else "reference")
        self.folder.mkdir()
        self.ours = ours

    def build(self, source):
        program = self.folder / f"{source.stem}.program"
        compiler = [f"mpicc.{MPI}"] if self.ours else [f"h5pcc.{MPI}", "-shlib"]
        options = ["-w", f"-I{PROGRAMS}", f"-I{libraries.HERE}", str(source), "-o", str(program), "-lm"]
        command = [*compiler, *options, *(OURS if self.ours else [])]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(f"{source.name} does not build:\n{done.stderr[:3000]}")
        return program

    def run(self, program, ranks, *arguments, environment=None, leaks=False):
        """Runs a program, and returns what each rank printed."""
        for old in self.folder.glob("printed.*"):
            old.unlink()
        # HDF5 itself leaves objects of MPI behind.
        command = [program, *arguments]
        leaks = leaks or not self.ours
        done = launch.mpirun(MPI, ranks, command, leaks=leaks, folder=self.folder, environment=environment)
        if done.returncode != 0:
            text = done.stdout[-2000:] + done.stderr[-2000:]
            raise AssertionError(f"{program} {arguments} on {ranks} ranks: {done.returncode}\n{text}")
        printed = [self.folder / f"printed.{rank}" for rank in range(ranks)]
        return [path.read_text() for path in printed] if printed[0].exists() else done.stdout


class CApi(unittest.TestCase):
    maxDiff = 6000

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.reference, self.ours = self.both = [Library(folder.name, ours) for ours in (False, True)]

    def compare(self, source, ranks, *arguments):
        expected, found = (library.run(library.build(source), ranks, *arguments) for library in self.both)
        for rank in range(ranks):
            self.assertEqual(expected[rank], found[rank], f"rank {rank} of {ranks}")
        return found

    def test_properties_are_those_of_hdf5(self):
        for ranks in (1, 3):
            printed = self.compare(PROGRAMS / "properties.c", ranks)
            self.assertIn("of %d members, a duplicate" % ranks, printed[0])

    def test_files_are_opened_and_closed_as_in_hdf5(self):
        for ranks in (1, 2, 4):
            self.compare(PROGRAMS / "files.c", ranks)

    def test_datasets_of_all_kinds_are_transferred_as_in_hdf5(self):
        for ranks in (1, 3):
            self.compare(PROGRAMS / "kinds.c", ranks)
            self.assertEqual(*(launch.dump(library.folder, "kinds.h5") for library in self.both))

    def test_error_stacks_name_the_process(self):
        printed = self.ours.run(self.ours.build(PROGRAMS / "printed_errors.c"), 3)
        for rank in range(3):
            self.assertIn(f") MPI-process {rank}:\n", printed[rank])
            self.assertIn(") thread 0:\n", printed[rank])
        expected = self.reference.run(self.reference.build(PROGRAMS / "printed_errors.c"), 3)
        self.assertIn(") MPI-process 2:\n", expected[2])

    def test_a_rank_that_leaves_out_a_call_ends_in_errors(self):
        program = self.ours.build(PROGRAMS / "diverge.c")
        for arguments in ([], ["close"]):
            for printed in self.ours.run(program, 3, *arguments, leaks=True):
                self.assertEqual(printed.count("result: -1\n"), 2, printed)
                self.assertRegex(printed, r"cause: Internal error .*\| Some MPI function failed")
                self.assertIn("names the call: 1\n", printed)

    def test_either_library_reads_and_extends_what_the_other_wrote(self):
        source = PROGRAMS / "transfers.c"
        programs = {library: library.build(source) for library in self.both}
        for ranks in (1, 2, 3, 4):
            written = [library.run(program, ranks, "write", "x.h5") for library, program in programs.items()]
            self.assertEqual(*written)
            self.assertEqual(*(launch.dump(library.folder, "x.h5") for library in programs))
            self.exchange(programs, ranks)

    def exchange(self, programs, ranks):
        """Each library extends the file of the other, then both read both files, on other numbers of ranks, too."""
        for library, other in ((self.reference, self.ours), (self.ours, self.reference)):
            shutil.copy(library.folder / "x.h5", other.folder / "other.h5")
        extended = [library.run(program, ranks, "extend", "other.h5") for library, program in programs.items()]
        self.assertEqual(*extended)
        self.assertEqual(*(launch.dump(library.folder, "other.h5") for library in programs))
        for library in programs:
            shutil.copy(library.folder / "other.h5", library.folder / "read.h5")
        for source in programs:
            for readers in (ranks,) if ranks < 4 else (1, 4):
                read = []
                for library, program in programs.items():
                    shutil.copy(source.folder / "read.h5", library.folder / "now.h5")
                    read.append(library.run(program, readers, "read", "now.h5"))
                self.assertEqual(*read)

    def test_random_datasets_are_equal(self):
        source = PROGRAMS / "random.c"
        programs = {library: library.build(source) for library in self.both}
        for seed in range(SEEDS):
            ranks = 1 + seed % 4
            with self.subTest(seed=seed, ranks=ranks):
                written = [library.run(program, ranks, "write", "x.h5", seed) for library, program in programs.items()]
                self.assertEqual(*written)
                # What is stored of chunks without elements may differ.
                dumps = [subprocess.check_output(["h5dump", "x.h5"], cwd=library.folder) for library in self.both]
                self.assertEqual(*dumps)
                shutil.copy(self.reference.folder / "x.h5", self.ours.folder / "other.h5")
                shutil.copy(self.ours.folder / "x.h5", self.reference.folder / "other.h5")
                read = [library.run(program, ranks, "read", "other.h5", seed) for library, program in programs.items()]
                self.assertEqual(*read)

    @unittest.skipUnless(EXAMPLE.exists(), "needs libhdf5-doc")
    def test_the_example_of_hdf5_runs_unmodified(self):
        for library in self.both:
            (library.folder / "ph5example.c").write_bytes(gzip.decompress(EXAMPLE.read_bytes()))
        for ranks in (1, 2, 4):
            printed = []
            for library in self.both:
                program = library.build(library.folder / "ph5example.c")
                (library.folder / "made").mkdir(exist_ok=True)
                # It exits with the number of its errors. What ranks print at the same time may be mixed within a line.
                printed.append(collections.Counter(library.run(program, ranks, "-f", "made", "-c")))
            self.assertEqual(*printed)
            folders = [library.folder / "made" for library in self.both]
            made = [sorted(path.name for path in folder.iterdir()) for folder in folders]
            self.assertEqual(*made)
            for name in made[0]:
                self.assertEqual(*(launch.dump(folder, name) for folder in folders))

    def test_our_example_prints_the_same_with_hdf5(self):
        source = libraries.ROOT / "examples" / "mpi" / "rows.c"
        for ranks in (1, 3):
            printed = [library.run(library.build(source), ranks, "rows.h5") for library in self.both]
            self.assertEqual(*printed)
            self.assertEqual(printed[0].strip(), f"{ranks} ranks: the sum is {300 * ranks * (ranks + 1) // 2}")
            self.assertEqual(*(launch.dump(library.folder, "rows.h5") for library in self.both))

    def test_functions_that_the_reference_lacks(self):
        for source in sorted((PROGRAMS / "only").glob("*.c")):
            program = self.ours.build(source)
            environment = dict(os.environ, HDF5_DRIVER="mpio") if source.stem == "environment" else None
            expected = source.with_suffix(".expected").read_text()
            for ranks in (1, 3):
                for printed in self.ours.run(program, ranks, environment=environment):
                    self.assertEqual(printed, expected, f"{source.stem} on {ranks} ranks")

    def test_programs_need_no_other_library_than_ours(self):
        program = self.ours.build(PROGRAMS / "properties.c")
        needed = output_of("ldd", program)
        self.assertIn(f"libfiligree_mpi_{MPI}", needed)
        self.assertNotIn("libhdf5", needed)

    def test_the_serial_library_needs_no_mpi_and_has_no_functions_of_it(self):
        library = libraries.LIB / "libfiligree_hdf5.so"
        needed = output_of("readelf", "-d", library)
        self.assertIn("[libfiligree.so", needed)
        self.assertNotRegex(needed, r"\[lib\w*mpi\w*\.so")
        names = output_of("nm", "-D", "--defined-only", library)
        self.assertNotIn(" H5Pset_fapl_mpio\n", names)
        self.assertNotIn(" H5Pset_dxpl_mpio\n", names)


if __name__ == "__main__":
    launch.run_tests(launch.missing(MPI, f"libfiligree_hdf5_{MPI}.so", f"mpicc.{MPI}"))
