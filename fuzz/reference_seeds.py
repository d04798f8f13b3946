#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes small files with HDF5 into a folder, as further seeds: what our own API does not write yet
(datasets in all layouts, filters, compound and variable-length types, references)."""
import pathlib
import sys

import h5py
import numpy as np


def fill(file):
    kinds = np.dtype([("a", "<i4"), ("b", ">f8"), ("c", "S5"), ("d", "<u2", (2, 3))])
    file.create_dataset("compound", data=np.zeros(3, kinds))
    file.create_dataset("chunked", data=np.arange(40).reshape(8, 5), chunks=(4, 3), maxshape=(None, 5),
                        compression="gzip", shuffle=True, fletcher32=True)
    file.create_dataset("fixed", data=np.arange(40), chunks=(8,), maxshape=(80,))
    file.create_dataset("growing", data=np.arange(40).reshape(8, 5), chunks=(4, 3), maxshape=(None, None))
    file.create_dataset("text", data=["one", "three"], dtype=h5py.string_dtype())
    file.create_dataset("ragged", data=np.array([np.arange(2), np.arange(3)], dtype=object), dtype=h5py.vlen_dtype("i4"))
    file["enum"] = h5py.enum_dtype({"red": 0, "green": 1}, basetype="i2")
    file.attrs["reference"] = file["compound"].ref
    file.attrs["text"] = "variable"
    file.attrs.create("null", h5py.Empty("f4"))
    for i in range(12):
        file["compound"].attrs[f"attribute {i}"] = np.arange(i)
        file.create_group(f"group {i}")


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for low in ("earliest", "v108", "latest"):
        with h5py.File(folder / f"{low}.h5", "w", libver=(low, "latest"), track_order=low == "latest") as file:
            fill(file)


if __name__ == "__main__":
    main()
