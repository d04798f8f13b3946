# SPDX-License-Identifier: Apache-2.0
"""Objects that h5py has open, as objects of this package."""
from __future__ import annotations

import ctypes
import sys
from typing import Any

from . import _core
from .base import OpenFile, wrap
from .errors import Error, LockedError, fill

__all__ = ["from_h5py"]

#: The drivers of h5py whose files have a name in the file system.
_DISK_DRIVERS = ("sec2", "stdio")


def from_h5py(obj: Any) -> Any:
    """Returns our object for a file, group, dataset or committed datatype of h5py.

    If h5py runs on Filigree's C library, it is the same open file: changes of one are seen by the other, and the
    object can be used until h5py closes the file. Otherwise the file is opened again, if h5py has it open for
    reading; it is closed with the last object.
    Raises TypeError for anything else, ValueError for a closed object, and BlockingIOError for a file that h5py has
    open for writing.
    """
    h5py: Any = sys.modules.get("h5py")
    if h5py is None or not isinstance(obj, (h5py.Group, h5py.Dataset, h5py.Datatype)):
        raise TypeError(f"{obj!r} is not a file, group, dataset or committed datatype of h5py")
    if not obj:
        raise ValueError("the object of h5py is closed")
    handle = _core.object_of_id(obj.id.id, _is_valid_of(h5py))
    return _reopened(h5py, obj) if handle is None else _shared(h5py, obj, handle)


def _is_valid_of(h5py: Any) -> int:
    """The address of H5Iis_valid in the library that h5py uses; 0 if it cannot be found, as in a static one."""
    for module in (h5py.h5i, h5py.defs, h5py.h5):  # not each release links all of them with the library
        try:
            function = ctypes.CDLL(module.__file__).H5Iis_valid
        except (AttributeError, OSError):
            continue
        return ctypes.cast(function, ctypes.c_void_p).value or 0
    return 0


def _shared(h5py: Any, obj: Any, handle: Any) -> Any:
    from .files import File

    theirs = obj.file
    opened = OpenFile(handle.file, theirs.filename, theirs.mode, theirs.driver)
    opened.is_borrowed = True
    opened.is_swmr_reader = theirs.mode == "r" and bool(theirs.swmr_mode)
    return File._of(opened) if isinstance(obj, h5py.File) else wrap(handle, opened)


def _reopened(h5py: Any, obj: Any) -> Any:
    from .files import File

    theirs = obj.file
    name: str = theirs.filename
    if theirs.mode != "r":
        text = (f"'{name}' is open for writing in h5py, on another library: close it there, or run h5py on Filigree's "
                "C library")
        raise fill(LockedError, "locked", text, text, None)
    if theirs.driver not in _DISK_DRIVERS:
        raise ValueError(f"'{name}' cannot be opened again: h5py has it open with the driver {theirs.driver!r}")
    path = obj.name
    if path is None:
        raise ValueError("an object without a path cannot be opened again")
    again = File(name, "r", swmr=bool(theirs.swmr_mode))
    if isinstance(obj, h5py.File):
        return again
    try:
        return again[path]
    except Error:
        again.close()
        raise
