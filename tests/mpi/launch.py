# SPDX-License-Identifier: Apache-2.0
"""How tests start programs under mpirun: more ranks than cores, as any user, with a time limit. And what they
compare."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "capi"))

import libraries  # noqa: E402

FILTERED = re.compile(r"(DEFLATE(?:(?!DATASET).)*?ALLOCATION_TIME \{\s*)H5D_ALLOC_TIME_(?:EARLY|INCR)", re.DOTALL)
SECONDS = 120  # ends a program that hangs, on a machine that is many times slower than this one


def launcher(mpi):
    """The path of mpirun, or None where this MPI is not installed."""
    return shutil.which(f"mpirun.{mpi}") or (shutil.which("mpirun") if mpi == "openmpi" else None)


def mpirun(mpi, ranks, command, leaks=False, folder=None, environment=None, seconds=SECONDS):
    """Runs a command on `ranks` ranks. MPICH reports objects of MPI that a program leaves behind, which is a failure
    unless it `leaks` a file."""
    options = ["--allow-run-as-root", "--oversubscribe", "-q"] if mpi == "openmpi" else []
    done = subprocess.run(
        [launcher(mpi), *options, "-n", str(ranks), *map(str, command)],
        cwd=folder,
        env=dict(environment or os.environ, OMPI_MCA_btl_vader_single_copy_mechanism="none"),
        capture_output=True,
        text=True,
        errors="replace",
        timeout=seconds,
    )
    if not leaks and "leaked" in done.stdout + done.stderr:
        raise AssertionError(f"MPI reports leaks:\n{done.stdout}{done.stderr}")
    return done


def dump(folder, path):
    """The output of h5dump. HDF5 1.10 allocates filtered chunks early, later releases and Filigree when they are
    written."""
    code, text = libraries.dump(folder, path)
    return code, FILTERED.sub(r"\1", text)


def missing(mpi, library, *programs):
    """What is not here of that which the tests of the C API need; None if all of it is."""
    if launcher(mpi) is None or any(shutil.which(program) is None for program in programs):
        return mpi
    if not (libraries.LIB / library).exists():
        return library
    if shutil.which(f"h5pcc.{mpi}") is None:
        return f"libhdf5-{mpi}-dev"
    return "a build without sanitizers" if libraries.sanitized() else None


def run_tests(absent):
    """Runs the tests of the program, or skips them and says what is absent."""
    if absent is not None:
        print(f"skipped: {absent} is not here")
        sys.exit(77)
    unittest.main()
