#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs that were linked with Debian's parallel HDF5 1.10 run on Filigree unchanged, h5py among them.

Usage: abi110_test.py openmpi|mpich. Exits with 77 if that MPI, the library for it, or HDF5 for it, is not here.
"""

import importlib.util
import os
import pathlib
import re
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
FOLDER = libraries.LIB / "hdf5-1.10"
NAME = f"libhdf5_{MPI}.so.103"
H5PY = pathlib.Path("/usr/lib/python3/dist-packages/h5py/_debian_h5py_mpi")


def output_of(*command):
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=True).stdout


def environment(ours):
    chosen = dict(os.environ, PYTHONDONTWRITEBYTECODE="1", H5PY_ALWAYS_USE_MPI="1", PYTHONPATH=str(HERE))
    if ours:
        chosen["LD_LIBRARY_PATH"] = f"{FOLDER}:{libraries.LIB}"
    return chosen


def h5py_is_of_this_mpi():
    if not H5PY.exists() or not all(importlib.util.find_spec(name) for name in ("pytest", "mpi4py")):
        return False
    return any(NAME in output_of("readelf", "-d", path) for path in H5PY.glob("defs.*.so"))


def version_nodes(path):
    return set(re.findall(r"Name: (HDF5_MPI_[\d.]+)", output_of("readelf", "-V", path)))


class Abi110(unittest.TestCase):
    maxDiff = 6000

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name in ("reference", "ours"):
            (self.folder / name).mkdir()

    def run_on(self, ours, ranks, command, seconds=launch.SECONDS):
        folder = self.folder / ("ours" if ours else "reference")
        return launch.mpirun(
            MPI, ranks, command, leaks=True, folder=folder, environment=environment(ours), seconds=seconds
        )

    def build(self, source):
        program = self.folder / f"{source.stem}.program"
        options = ["-shlib", "-w", f"-I{PROGRAMS}", f"-I{libraries.HERE}"]
        command = [f"h5pcc.{MPI}", *options, str(source), "-o", str(program), "-lm"]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr[:3000])
        return program

    def test_every_version_of_symbols_is_there(self):
        wanted = version_nodes(libraries.debian_folder() / NAME)
        self.assertIn("HDF5_MPI_1.10.8", wanted)
        self.assertLessEqual(wanted, version_nodes(FOLDER / NAME))
        self.assertTrue((FOLDER / f"libhdf5_{MPI}_hl.so.100").exists())

    def test_every_function_for_mpi_is_there(self):
        def functions(*paths):
            text = output_of("nm", "-D", "--defined-only", *paths)
            return set(re.findall(r" T (H5[A-Z]+\w*mpi\w*|H5P[gs]et_\w*coll_\w*)(?:@|$)", text, re.MULTILINE))

        public = re.compile(r"H5[FP][a-z]et_|H5FD_mpio_init")
        wanted = {name for name in functions(libraries.debian_folder() / NAME) if public.match(name)}
        self.assertGreater(len(wanted), 15)
        ours = [libraries.LIB / f"lib{name}.so" for name in (f"filigree_hdf5_{MPI}", "filigree_hdf5")]
        self.assertLessEqual(wanted, functions(*ours))

    def test_programs_print_the_same(self):
        for source, calls in {
            "properties": [[]],
            "files": [[]],
            "transfers": [["write", "x.h5"], ["extend", "x.h5"], ["read", "x.h5"]],
        }.items():
            program = self.build(PROGRAMS / f"{source}.c")
            for arguments in calls:
                for ours in (False, True):
                    done = self.run_on(ours, 3, [program, *arguments])
                    self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:])
                for rank in range(3):
                    printed = [(self.folder / name / f"printed.{rank}").read_text() for name in ("reference", "ours")]
                    self.assertEqual(*printed, f"{source} {arguments}, rank {rank}")

    @unittest.skipUnless(shutil.which("gfortran"), "no Fortran; scripts/install-deps --with-languages installs it")
    def test_a_program_of_the_fortran_library_prints_the_same(self):
        program = self.folder / "tour_f.program"
        command = [f"h5pfc.{MPI}", "-shlib", str(PROGRAMS / "tour.f90"), "-o", str(program)]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr[:3000])
        for ranks in (1, 3):
            printed = [self.run_on(ours, ranks, [program]) for ours in (False, True)]
            self.assertIn("mode T", printed[0].stdout)
            self.assertEqual(*((one.returncode, one.stdout) for one in printed))
            self.assertEqual(*(launch.dump(self.folder / name, "tour.h5") for name in ("reference", "ours")))

    @unittest.skipUnless(h5py_is_of_this_mpi(), "no python3-h5py-mpi, python3-mpi4py or python3-pytest for this MPI")
    def test_h5py_writes_and_reads_the_same(self):
        for ranks in (1, 3):
            printed = []
            for ours in (False, True):
                done = self.run_on(ours, ranks, ["/usr/bin/python3", HERE / "h5py_tour.py"])
                self.assertEqual(done.returncode, 0, done.stderr[-3000:])
                self.assertIn("loaded: " + ("ours" if ours else "HDF5"), done.stdout)
                printed.append(re.sub("loaded: .*\n", "", done.stdout))
            self.assertEqual(*printed)
            self.assertEqual(*(launch.dump(self.folder / name, "tour.h5") for name in ("reference", "ours")))

    def pytest(self, ours, ranks, *options):
        command = ["/usr/bin/python3", "-m", "pytest", "-q", "-rfE", "--color=no"]
        plug_ins = ["-p", "no:cacheprovider", "-p", "h5py_ranks"]
        return self.run_on(ours, ranks, [*command, *plug_ins, *options, H5PY / "tests"], seconds=600)

    @unittest.skipUnless(h5py_is_of_this_mpi(), "no python3-h5py-mpi, python3-mpi4py or python3-pytest for this MPI")
    def test_the_tests_of_h5py_for_mpi_pass(self):
        for ranks in (1, 2, 4):
            done = self.pytest(True, ranks, "-m", "mpi")
            self.assertEqual(done.returncode, 0, done.stdout[-3000:])
            self.assertIn("4 passed", done.stdout)  # at least one rank; what ranks print may be mixed

    @unittest.skipUnless(h5py_is_of_this_mpi(), "no python3-h5py-mpi, python3-mpi4py or python3-pytest for this MPI")
    def test_tests_of_h5py_that_pass_on_hdf5_pass(self):
        failed = []
        for ours in (False, True):
            done = self.pytest(ours, 1)
            self.assertRegex(done.stdout, r"[67]\d\d passed", done.stdout[-3000:])
            failed.append(set(re.findall(r"^(?:FAILED|ERROR) \S*?(\w+\.py::\S+)", done.stdout, re.MULTILINE)))
        known = re.findall(r"^h5py .*::(\w+)", (HERE.parent / "suites" / "known.txt").read_text(), re.MULTILINE)
        others = {name for name in failed[1] - failed[0] if name.split("::")[-1] not in known}
        self.assertEqual(others, set())


if __name__ == "__main__":
    launch.run_tests(launch.missing(MPI, f"hdf5-1.10/{NAME}"))
