# SPDX-License-Identifier: Apache-2.0
"""Pickling of objects of files that are open for reading: a copy opens the file again, once for each process."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .base import HLObject


def reduce_object(obj: HLObject) -> Any:
    """Returns what pickle stores of an object: the file and the path in it."""
    from .files import File

    opened = obj._open
    opened.require_open()
    if opened.reopen is None:
        raise TypeError("only objects of files that are opened by name for reading can be pickled")
    if isinstance(obj, File):
        return _open_file, (opened.reopen["name"],)
    name = obj.name
    if name is None:
        raise TypeError("an object without a path cannot be pickled")
    return _open_object, (opened.reopen["name"], name)


def _open_file(name: str) -> Any:
    from .files import File

    return File(name, "r")


def _open_object(name: str, path: str) -> Any:
    return _open_file(name)[path]
