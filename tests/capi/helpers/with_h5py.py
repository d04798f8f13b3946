# SPDX-License-Identifier: Apache-2.0
"""h5py, on the reference library, and the library named on the command line, in one process: each reads what the other wrote."""

import ctypes
import sys

import h5py
import numpy as np

with h5py.File("reference.h5", "w") as f:
    f["x"] = np.arange(1, 4, dtype="i4")

ours = ctypes.CDLL(sys.argv[1])
identifier = ctypes.c_int64
for name in ("H5Fopen", "H5Fcreate", "H5Dopen2", "H5Dcreate2", "H5Screate_simple"):
    getattr(ours, name).restype = identifier
ours.H5open()
native = identifier.in_dll(ours, "H5T_NATIVE_INT_g")
default = identifier(0)

values = (ctypes.c_int * 3)()
file = identifier(ours.H5Fopen(b"reference.h5", 0, default))
dataset = identifier(ours.H5Dopen2(file, b"x", default))
assert ours.H5Dread(dataset, native, default, default, default, values) == 0
print("ours reads", *values)
ours.H5Dclose(dataset)
ours.H5Fclose(file)

values[:] = [4, 5, 6]
file = identifier(ours.H5Fcreate(b"ours.h5", 2, default, default))
space = identifier(ours.H5Screate_simple(1, (ctypes.c_uint64 * 1)(3), None))
dataset = identifier(ours.H5Dcreate2(file, b"x", native, space, default, default, default))
assert ours.H5Dwrite(dataset, native, default, default, default, values) == 0
for close, handle in ((ours.H5Dclose, dataset), (ours.H5Sclose, space), (ours.H5Fclose, file)):
    assert close(handle) == 0
with h5py.File("ours.h5", "r") as f:
    print("h5py reads", *f["x"][:])
