# SPDX-License-Identifier: Apache-2.0
"""The plug-in by which HDF5 reads and writes the portable form of sparse datasets.

    import h5py, filigree.plugin
    filigree.plugin.register()
    h5py.File("counts.h5")["counts"][:100]

It comes with the package, and contains all that it needs.
"""
from __future__ import annotations

import os
import pathlib
from typing import Any

__all__ = ["folder", "register"]

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
