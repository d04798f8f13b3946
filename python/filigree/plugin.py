# SPDX-License-Identifier: Apache-2.0
"""The plug-in by which HDF5 reads and writes the portable form of sparse datasets.

    import h5py, filigree.plugin
    filigree.plugin.register()
    h5py.File("counts.h5")["counts"][:100]

It comes with the package, and contains all that it needs. h5py creates such datasets, too:

    h5py.File("new.h5", "w").create_dataset("d", (100, 1024), **filigree.plugin.portable_filter("u2", (10, 1024)))
"""
from __future__ import annotations

import os
import pathlib
from typing import Any

__all__ = ["folder", "portable_filter", "register"]

#: The name of the plug-in.
_NAME = "libh5z_filigree.so"


def folder() -> str:
    """Returns the folder of the plug-in, for HDF5_PLUGIN_PATH or H5PLprepend().

    Raises FileNotFoundError if the package was built without it.
    """
    path = pathlib.Path(__file__).parent / "hdf5_plugins"
    if not (path / _NAME).is_file():
        raise FileNotFoundError(f"the package has no {_NAME} in {path}")
    return os.fspath(path.resolve())


def register() -> str:
    """Makes h5py find the plug-in, in this process, and returns its folder.

    It may be called before files are opened or after, and again without effect. Other programs find the plug-in if
    HDF5_PLUGIN_PATH names the folder.
    """
    import h5py

    path = folder()
    paths: Any = h5py.h5pl
    known = [paths.get(i) for i in range(paths.size())]
    if os.fsencode(path) not in known:
        paths.prepend(os.fsencode(path))
    return path


def portable_filter(dtype: Any, chunks: tuple[int, ...], fillvalue: Any = None, values: Any = None,
                    selection: Any = None) -> dict[str, Any]:
    """Returns the keywords by which h5py's create_dataset() makes a sparse dataset in the portable form.

    They are dtype, chunks, fillvalue, compression and compression_opts; the last two are the number and the parameters
    that H5Pset_filter takes. `values` and `selection` are the filters of the sections, as for create_sparse_dataset();
    without them, they are chosen by the dtype. Raises ValueError for dtypes that have no portable form.
    """
    from . import _core, creation
    from .datatypes import stored_type

    type_, memory_dtype = stored_type(dtype)
    given = {"chunks": tuple(int(n) for n in chunks), "values": values, "selection": selection, "portable": True}
    keywords = {key: value for key, value in given.items() if value is not None}
    options = creation.sparse_options(keywords, given["chunks"], None)
    if fillvalue is not None:
        options["fill"] = creation.fill_of(fillvalue, memory_dtype, type_)
    number, parameters = _core.portable_filter(type_, options)
    return {"dtype": memory_dtype, "chunks": given["chunks"], "fillvalue": fillvalue, "compression": number,
            "compression_opts": parameters}
