# SPDX-License-Identifier: Apache-2.0
"""What programs do with h5py for MPI. Rank 0 prints what was read; which library was loaded is printed first."""

import h5py
import numpy as np
from mpi4py import MPI

world = MPI.COMM_WORLD
rank, ranks = world.rank, world.size


def tell(*words):
    if rank == 0:
        print(*words, flush=True)


with open("/proc/self/maps") as maps:
    tell("loaded:", "ours" if "filigree" in maps.read() else "HDF5")

with h5py.File("tour.h5", "w", driver="mpio", comm=world) as file:
    tell(file.driver, file.atomic)
    file.attrs["title"] = "tour"
    group = file.create_group("group")
    group.attrs["values"] = np.arange(5)
    plain = group.create_dataset("plain", (4 * ranks, 6), "i4")
    plain[4 * rank : 4 * rank + 4] = np.arange(24).reshape(4, 6) + 100 * rank
    chunked = group.create_dataset("chunked", (4 * ranks, 6), "f8", chunks=(3, 4), fillvalue=-1.0)
    with chunked.collective:
        chunked[4 * rank : 4 * rank + 4, 1:5] = rank + 0.5
    packed = group.create_dataset("packed", (4 * ranks, 6), "i8", chunks=(3, 4), compression="gzip", compression_opts=1)
    with packed.collective:
        packed[rank::ranks] = np.arange(24).reshape(4, 6) * (rank + 1)
    growing = group.create_dataset("growing", (ranks, 3), "u2", chunks=(2, 3), maxshape=(None, 3))
    growing[rank] = rank
    world.Barrier()
    growing.resize(2 * ranks, axis=0)
    growing[ranks + rank] = 10 * rank
    records = group.create_dataset("records", (ranks,), [("a", "i4"), ("b", "f8")])
    with records.collective:
        records[rank : rank + 1] = np.array([(rank, rank / 4)], dtype=records.dtype)

with h5py.File("tour.h5", "r", driver="mpio", comm=world) as file:
    for name in sorted(file["group"]):
        data = file["group"][name]
        with data.collective:
            together = data[...]
        alone = data[...]
        assert np.array_equal(together, alone), name
        tell(name, data.shape, data.dtype, data.chunks, alone.tolist())
    tell(dict(file.attrs), file["group"].attrs["values"].tolist())

with h5py.File("tour.h5", "a", driver="mpio", comm=world) as file:
    file["group/link"] = file["group/plain"]
    del file["group/growing"]
    file.atomic = True
    tell(file.atomic, sorted(file["group"]))
