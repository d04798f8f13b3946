# SPDX-License-Identifier: Apache-2.0
"""Committed datatypes."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _core, dtypes
from .base import WRAPPERS, HLObject, OpenFile

__all__ = ["Datatype"]


class Datatype(HLObject):
    """A committed (named) datatype. It can be given as `dtype` of new datasets and attributes."""

    __slots__ = ()

    def __init__(self, bind: Any) -> None:
        if not isinstance(bind, Datatype):
            raise ValueError(f"{bind!r} is not a committed datatype")
        super().__init__(bind._handle, bind._open)

    @classmethod
    def _of(cls, handle: _core.CommittedDatatype, open_file: OpenFile) -> Datatype:
        made = cls.__new__(cls)
        HLObject.__init__(made, handle, open_file)
        return made

    @property
    def dtype(self) -> np.dtype[Any]:
        """The equal dtype of numpy."""
        self._open.require_open()
        return dtypes.to_dtype(self._handle.datatype)

    def __repr__(self) -> str:
        if not self:
            return "<Closed HDF5 named type>"
        name = self.name
        shown = "(anonymous)" if name is None else f'"{name.rsplit("/", 1)[-1]}"'
        return f"<HDF5 named type {shown} (dtype {self.dtype.str})>"


WRAPPERS[_core.CommittedDatatype] = Datatype._of


def stored_type(dtype: Any) -> tuple[_core.Datatype, np.dtype[Any]]:
    """Returns the datatype for a dtype or committed datatype, and the dtype of its elements in memory."""
    if isinstance(dtype, Datatype):
        type_: _core.Datatype = dtype._handle.datatype
        return type_, dtypes.to_dtype(type_)
    made = np.dtype(dtype)
    return dtypes.to_datatype(made), made
