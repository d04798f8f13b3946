# SPDX-License-Identifier: Apache-2.0
"""The h5py side of exchange.c: python exchange.py COMMAND FILE. It prints the version of HDF5, then the number of faults."""

import sys

import h5py
import numpy

N = 10
KINDS = ("single", "fixed", "implicit", "extensible", "btree2")
GROWING = ("extensible", "btree2")


def names():
    return [(kind, kind + suffix, bool(suffix)) for kind in KINDS for suffix in ("", "_deflate")]


def write(path):
    with h5py.File(path, "w", libver="latest") as file:
        for kind, name, filtered in names():
            most = (None if kind in GROWING else N, None if kind == "btree2" else N)
            plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            plist.set_chunk((N, N) if kind == "single" else (N // 2, N // 2))
            if kind == "implicit":
                plist.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
            if filtered:
                plist.set_deflate(6)
            space = h5py.h5s.create_simple((N, N), tuple(h5py.h5s.UNLIMITED if m is None else m for m in most))
            made = h5py.h5d.create(file.id, name.encode(), h5py.h5t.STD_I32LE, space, plist)
            made.write(h5py.h5s.ALL, h5py.h5s.ALL, numpy.arange(N * N, dtype="i4").reshape(N, N))
    return 0


def check(path, extended):
    faults = 0
    with h5py.File(path, "r") as file:
        for kind, name, _ in names():
            rows = 2 * N if extended and kind in GROWING else N
            expected = numpy.arange(rows * N, dtype="i4").reshape(rows, N)
            if extended:
                expected[0] += 1000
            found = file[name][...]
            if found.shape != expected.shape or not (found == expected).all():
                print(f"{name} differs")
                faults += 1
    return faults


def extend(path):
    with h5py.File(path, "r+", libver="latest") as file:
        for kind, name, _ in names():
            data = file[name]
            data[0] = numpy.arange(N) + 1000
            if kind in GROWING:
                data.resize((2 * N, N))
                data[N:] = numpy.arange(N * N, 2 * N * N).reshape(N, N)
    return 0


def main():
    command, path = sys.argv[1:]
    print("HDF5", h5py.version.hdf5_version)
    if command == "write":
        faults = write(path)
    elif command == "extend":
        faults = extend(path)
    else:
        faults = check(path, command == "check-extended")
    print(f"{faults} faults")
    return faults != 0


if __name__ == "__main__":
    sys.exit(main())
