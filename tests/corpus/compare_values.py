#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the values of datasets with those that h5py reads.

Usage: compare_values.py BIN DIR. BIN is the folder of the built programs, DIR is searched for HDF5 files. Elements
are compared in their type in the file, variable-length strings as text. The exit code is 0 if no value differs.
"""

import json
import os
import pathlib
import subprocess
import sys

import h5py
import numpy

# Path below the folder -> path of the dataset -> why the difference is right.
EXPLAINED = {
    "hdf5-branches/tag-DECTRIS_20131231/hl/test/test_ld.h5": {
        "/DSET_NULL": "its layout message is a draft of the fourth version, and too short"},
    "PureHDF/tests/PureHDF.Tests/TestFiles/bzip2.h5": {"/bzip2": "a filter that we have not, and HDF5 as a plugin"},
    "hostile/cve-2024-29162.h5": {"/scaleoffset": "codes of 922746884 bits for elements of 32"},
    "hostile/cve-2025-2310.h5": {
        "/Scale_offset_double_data_le": "codes of 4294967285 bits for elements of 64",
        "/Scale_offset_float_data_le": "codes of 4294967284 bits for elements of 32"},
    "hostile/unknown-1.h5": {"/dset1": "a member reaches beyond the end of its compound"},
}


def fnv(data):
    value = 0xcbf29ce484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001b3) & 0xffffffffffffffff
    return f"{value}\t{len(data)}"


def reference_values(dataset):
    """The bytes that are hashed, or None if they are unknown."""
    low = dataset.id
    kind = low.get_type()
    if isinstance(kind, h5py.h5t.TypeStringID) and kind.is_variable_str():
        texts = numpy.asarray(dataset.asstr("utf-8", "surrogateescape")[()], dtype=object).ravel()
        return b"".join(str(t).encode("utf-8", "surrogateescape") + b"\0" for t in texts)
    space = low.get_space()
    count = 0 if space.get_simple_extent_type() == h5py.h5s.NULL else space.get_simple_extent_npoints()
    if count * kind.get_size() > 1 << 22:
        return None  # hashing in Python takes too long
    values = numpy.zeros(count * kind.get_size(), dtype="u1")
    if count:
        low.read(h5py.h5s.ALL, h5py.h5s.ALL, values, mtype=kind)
    return values.tobytes()


def reference_report(path):
    found = {}

    def look(name, item):
        if not isinstance(item, h5py.Dataset) or item.id.get_create_plist().get_layout() not in (
                h5py.h5d.COMPACT, h5py.h5d.CONTIGUOUS, h5py.h5d.CHUNKED):
            return
        try:
            data = reference_values(item)
            found["/" + name] = None if data is None else fnv(data)
        except Exception as why:  # any error of h5py
            found["/" + name] = f"error\t{why}"

    with h5py.File(path, "r") as file:
        file.visititems(look)
    return found


def our_report(program, path):
    done = subprocess.run([program, path], capture_output=True, timeout=1800, cwd=os.path.dirname(path) or ".")
    lines = done.stdout.decode("utf-8", "surrogateescape").splitlines()
    return done.returncode, {line.split("\t", 1)[0]: line.split("\t", 1)[1] for line in lines}


def isolated(path):
    """reference_report() in a process of its own, since damaged files crash HDF5. None when there is no report."""
    code = "import sys, json; sys.path.insert(0, sys.argv[1]); import compare_values as c; " \
           "print(json.dumps(c.reference_report(sys.argv[2])))"
    here = os.path.dirname(os.path.realpath(__file__))
    try:
        done = subprocess.run([sys.executable, "-B", "-c", code, here, path], capture_output=True, timeout=1800,
                              cwd=os.path.dirname(path))
        return json.loads(done.stdout) if done.returncode == 0 else None
    except subprocess.TimeoutExpired:
        return None


def compare(program, path, explained, totals):
    reference = isolated(path)
    if reference is None:
        totals["not opened by h5py"] += 1
        return []
    code, ours = our_report(program, path)
    if code < 0:
        return [f"crashed with signal {-code}"]
    faults = []
    for name, theirs in reference.items():
        mine = ours.get(name)
        if theirs is None or theirs.startswith("error"):
            totals["not read by h5py"] += 1
        elif mine is None:
            totals["not looked at"] += 1
        elif mine == theirs:
            totals["same"] += 1
        elif name in explained:
            totals["explained"] += 1
        else:
            totals["different"] += 1
            faults.append(f"{name}: {mine} instead of {theirs}")
    return faults


def main():
    program = os.path.realpath(os.path.join(sys.argv[1], "values_driver"))
    totals = dict.fromkeys(["same", "different", "explained", "not looked at", "not read by h5py", "not opened by h5py"], 0)
    folder = pathlib.Path(sys.argv[2]).resolve()
    files = sorted(p for p in folder.rglob("*") if p.suffix in (".h5", ".hdf5", ".nc", ".he5"))
    failed = False
    for path in files:
        for fault in compare(program, str(path), EXPLAINED.get(str(path.relative_to(folder)), {}), totals):
            failed = True
            print(f"{path.name}: {fault}")
    print(f"{len(files)} files: " + ", ".join(f"{n} {what}" for what, n in totals.items()))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
