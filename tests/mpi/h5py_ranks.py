# SPDX-License-Identifier: Apache-2.0
"""A plug-in of pytest for the tests of h5py that are marked `mpi`: all ranks get the path of one file."""

import tempfile

import pytest
from mpi4py import MPI


@pytest.fixture
def mpi_file_name():
    world = MPI.COMM_WORLD
    with tempfile.TemporaryDirectory() as folder:
        yield world.bcast(f"{folder}/parallel.h5", root=0)
        world.Barrier()
