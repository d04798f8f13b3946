# SPDX-License-Identifier: Apache-2.0
"""How tests start programs under mpirun: more ranks than cores, as any user, with a time limit. And what they
compare."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

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
