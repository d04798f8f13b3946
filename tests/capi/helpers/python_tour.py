# SPDX-License-Identifier: Apache-2.0
"""Uses many functions of h5py, prints the results, and writes tour.h5."""

import h5py
import numpy as np


def attempt(what, call):
    try:
        print(what, call())
    except Exception as error:  # programs catch errors by class
        print(what, type(error).__name__)


with h5py.File("tour.h5", "w") as f:
    d = f.create_dataset("a/numbers", data=np.arange(20).reshape(4, 5), chunks=(2, 5), compression="gzip", shuffle=True)
    d.attrs["real"] = 3.5
    d.attrs["text"] = "words"
    d.attrs["many"] = np.arange(3, dtype=">i2")
    f["a/strings"] = np.array(["one", "three"], dtype=h5py.string_dtype())
    f["records"] = np.array([(1, 2.5), (3, 4.5)], dtype=[("q", "i4"), ("r", "f8")])
    f["flags"] = np.array([True, False])
    f["ragged"] = np.array([np.arange(2), np.arange(3)], dtype=object).astype(h5py.vlen_dtype("i4"))
    f["kinds"] = np.array([0, 1], dtype=h5py.enum_dtype({"RED": 0, "BLUE": 1}, basetype="i"))
    f["soft"] = h5py.SoftLink("/a/numbers")
    f["gone"] = h5py.SoftLink("/nowhere")
    f["refs"] = np.array([d.ref, f["a"].ref], dtype=h5py.ref_dtype)
    f["region"] = np.array([d.regionref[1:3, 2]], dtype=h5py.regionref_dtype)
    grown = f.create_dataset("grown", (2,), maxshape=(None,), dtype="f4", fillvalue=7)
    grown.resize((5,))
    grown[1] = 2
    f["empty"] = h5py.Empty("f")
    f["type"] = np.dtype("f8")
    f.copy("a", "b")
    del f["b/strings"]
    f.move("flags", "a/flags")

with h5py.File("tour.h5", "r") as f:
    f.visititems(lambda name, item: print(name, type(item).__name__, getattr(item, "shape", "")))
    for name in ("a/numbers", "a/strings", "records", "a/flags", "kinds", "grown", "soft", "empty"):
        print(name, f[name].dtype, f[name][()])
    print([list(x) for x in f["ragged"][:]])
    print(f[f["refs"][0]].name, f[f["refs"][1]].name, f[f["region"][0]][f["region"][0]])
    print(dict(f["a/numbers"].attrs))
    print(f["a/numbers"][1:3, ::2], f["a/numbers"][[0, 2], 1], f["a/numbers"][f["a/numbers"][()] > 16])
    print(f["a/numbers"].chunks, f["a/numbers"].compression, f["grown"].maxshape, f["type"].dtype)
    attempt("missing", lambda: f["missing"])
    attempt("dangling", lambda: f["gone"])
    attempt("written", lambda: f.create_group("x"))
    attempt("field", lambda: f["records"]["nothing"])
    attempt("attribute", lambda: f.attrs["nothing"])
attempt("no file", lambda: h5py.File("absent.h5", "r"))
attempt("closed", lambda: f["a"])
