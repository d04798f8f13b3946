# SPDX-License-Identifier: Apache-2.0
"""Streams of frames."""
from __future__ import annotations

import math
from types import TracebackType
from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

from . import _core
from .sparse import _columns, _offsets

if TYPE_CHECKING:
    from .datasets import Dataset

__all__ = ["Appender"]

Array = np.ndarray[Any, Any]


class Appender:
    """Appends frames along the first dimension of a dataset, buffered, from any number of threads.

    Each call returns the number of its frame. `frame=` gives a frame a number of its own: frames may then arrive in any
    order. The frames are written by `close`, or at the end of a `with` statement.
    """

    def __init__(self, dataset: Dataset, buffer_bytes: int) -> None:
        self._frame_shape = dataset.shape[1:]
        dtype = dataset.dtype
        if dtype.kind not in "iuf" or dtype.itemsize > 8 or dtype.subdtype is not None:
            raise TypeError(f"frames of {dtype} cannot be appended: they hold integers or floating-point numbers")
        # Half-precision numbers have no type in C++: they are appended as the next larger type.
        self._dtype = np.dtype("<f4") if dtype == np.float16 else dtype.newbyteorder("<")
        self._core = _core.FrameAppender(dataset._data, buffer_bytes)

    def _value(self, values: Any) -> Array:
        array = np.asarray(values)
        if array.dtype.kind not in "iufb":
            raise TypeError(f"frames hold numbers, not {array.dtype}")
        if self._dtype.kind in "iu" and array.dtype.kind == "f":
            raise TypeError("floating-point numbers are not appended to integers: convert them first")
        if self._dtype.kind in "iu" and array.size and array.dtype.kind != "b":
            limits = np.iinfo(self._dtype)
            if int(array.min()) < limits.min or int(array.max()) > limits.max:
                raise OverflowError(f"a value does not fit into {self._dtype}")
        return np.ascontiguousarray(array, dtype=self._dtype)

    def points(self, coords: Any, values: Any, *, frame: int | None = None) -> int:
        """Appends a frame of single elements, by coordinates of shape (rank, n) or linear offsets of shape (n,)."""
        columns = np.asarray(coords)
        if isinstance(coords, tuple) or columns.ndim == 2:
            offsets = _offsets(_columns(coords, len(self._frame_shape)), self._frame_shape)
        else:
            offsets = _offsets(_columns(columns, 1), (math.prod(self._frame_shape),))
        array = self._value(np.broadcast_to(np.asarray(values), offsets.shape))
        if frame is None:
            return self._core.append_offsets(offsets, array)
        self._core.append_offsets_at(frame, offsets, array)
        return frame

    def region(self, start: Sequence[int], values: Any, *, frame: int | None = None) -> int:
        """Appends a frame that has values in one box, which begins at `start`."""
        array = self._value(values)
        if array.ndim != len(self._frame_shape):
            raise ValueError(f"a frame has {len(self._frame_shape)} dimensions, and the values {array.ndim}")
        if frame is None:
            return self._core.append_region(start, array.shape, array)
        self._core.append_region_at(frame, start, array.shape, array)
        return frame

    def where(self, values: Any, mask: Any, *, frame: int | None = None) -> int:
        """Appends a frame of those elements of an array for which the mask is true."""
        array, chosen = np.asarray(values), np.asarray(mask)
        if array.shape != self._frame_shape or chosen.shape != self._frame_shape or chosen.dtype.kind != "b":
            raise ValueError(f"values and mask have the shape of a frame, {self._frame_shape}, and the mask is bool")
        offsets = np.flatnonzero(chosen)
        return self.points(offsets, array.reshape(-1)[offsets], frame=frame)

    def empty(self, *, frame: int | None = None) -> int:
        """Appends a frame without elements."""
        if frame is None:
            return self._core.append_empty()
        self._core.append_empty_at(frame)
        return frame

    @property
    def frames(self) -> int:
        """The number of frames, those in the buffer included."""
        return self._core.frames

    def flush(self) -> None:
        """Writes the frames that are in the buffer."""
        self._core.flush()

    def close(self) -> None:
        """Writes all frames. Nothing can be appended afterwards."""
        self._core.close()

    def __enter__(self) -> Appender:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 traceback: TracebackType | None) -> None:
        self.close()
