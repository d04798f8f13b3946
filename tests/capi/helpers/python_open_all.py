# SPDX-License-Identifier: Apache-2.0
"""Opens all objects of a file and their attributes through h5py, and prints what can be opened."""

import sys

import h5py

ATTRIBUTES = {"group": ["first", "second"], "marked": ["complex"], "z_known": ["known"]}

with h5py.File(sys.argv[1], "r") as file:
    for name in file:
        try:
            found = file[name]
        except Exception:
            print(name, "cannot be opened")
            continue
        print(name, f"has {found.size} elements" if isinstance(found, h5py.Dataset) else "is no dataset")
        for attribute in ATTRIBUTES.get(name, []):
            try:
                print(attribute, found.attrs.get_id(attribute).shape)
            except Exception:
                print(attribute, "cannot be opened")
        try:
            print(list(found.attrs))
        except Exception:
            print("attributes cannot be listed")
