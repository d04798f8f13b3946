# SPDX-License-Identifier: Apache-2.0
"""How a dataset is stored: shape, dtype, chunks, filters, and the stored bytes."""
from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from . import _core, dtypes, filters
from .base import HLObject, OpenFile

__all__ = ["StoredDataset"]


class StoredDataset(HLObject):
    """The properties of a dataset."""

    _handle: _core.Dataset

    def _set(self, handle: _core.Dataset, open_file: OpenFile) -> None:
        HLObject.__init__(self, handle, open_file)
        self._dtype: np.dtype[Any] | None = None
        self._type: _core.Datatype | None = None
        self._own_elements: Any = None
        #: Reads elements that integers and slices select, or returns NotImplemented; None before the first read.
        self._read_number: Callable[[Any], Any] | None = None

    @property
    def _data(self) -> _core.Dataset:
        self._open.require_open()
        return self._handle

    @property
    def _file_type(self) -> _core.Datatype:
        if self._type is None:
            self._type = self._data.datatype
        return self._type

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the elements."""
        if self._dtype is None:
            self._dtype = dtypes.to_dtype(self._file_type)
        else:
            self._open.require_open()
        return self._dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The current shape; None for an empty dataset (H5S_NULL). Assigning to it resizes the dataset."""
        shape: tuple[int, ...] = self._data.space[0]
        return shape

    @shape.setter
    def shape(self, shape: tuple[int, ...]) -> None:
        self.resize(shape)

    @property
    def maxshape(self) -> tuple[int | None, ...] | None:
        """The largest shape; None stands for a dimension without a limit."""
        shape: tuple[int | None, ...] | None = self._data.space[1]
        return shape

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape or ())

    @property
    def size(self) -> int | None:
        """The number of elements; None for an empty dataset."""
        shape = self.shape
        return None if shape is None else math.prod(shape)

    @property
    def nbytes(self) -> int:
        """The number of bytes that all elements have in memory."""
        return (self.size or 0) * self.dtype.itemsize

    def __len__(self) -> int:
        return self.len()

    def len(self) -> int:
        """Returns the length of the first dimension."""
        shape = self.shape
        if not shape:
            raise TypeError("Attempt to take len() of scalar dataset")
        return shape[0]

    @property
    def info(self) -> dict[str, Any]:
        """How the dataset is stored: layout, chunks, filters, bytes in the file."""
        info = self._data.info()
        info["stored_bytes"] = self._data.stored_bytes()
        return info

    @property
    def chunks(self) -> tuple[int, ...] | None:
        """The shape of a chunk; None for a dataset without chunks."""
        chunk: tuple[int, ...] | None = self._data.info()["chunk"]
        return chunk

    def _filters(self) -> Any:
        info = self._data.info()
        return info["value_filters"] if info["portable"] else info["filters"]

    @property
    def compression(self) -> str | None:
        """The name of the compression filter."""
        return filters.name_of(self._filters())[0]

    @property
    def compression_opts(self) -> Any:
        """The options of the compression filter."""
        return filters.name_of(self._filters())[1]

    def _parameters(self, number: int) -> tuple[int, ...] | None:
        for found, parameters, *_ in self._filters():
            if found == number:
                return tuple(parameters)
        return None

    @property
    def shuffle(self) -> bool:
        """Whether bytes are shuffled."""
        return self._parameters(filters.SHUFFLE) is not None

    @property
    def fletcher32(self) -> bool:
        """Whether chunks have checksums."""
        return self._parameters(filters.FLETCHER32) is not None

    @property
    def scaleoffset(self) -> int | None:
        """The parameter of the scale-offset filter; None without it."""
        parameters = self._parameters(filters.SCALEOFFSET)
        return None if parameters is None else parameters[1]

    @property
    def external(self) -> list[tuple[str, int, int]] | None:
        """The external files that hold the elements, as (name, offset, bytes)."""
        return self._data.external() or None

    @property
    def is_virtual(self) -> bool:
        """Whether the dataset is mapped to others."""
        return self._data.is_virtual

    def virtual_sources(self) -> list[Any]:
        """Returns the mappings of a virtual dataset as (vspace, file_name, dset_name, src_space)."""
        from .virtual import VDSmap

        if not self.is_virtual:
            raise RuntimeError("Not a virtual dataset")
        return [VDSmap._of(entry, self.shape) for entry in self._data.virtual_sources()]

    @property
    def fillvalue(self) -> Any:
        """The value of elements that were never written."""
        value = np.zeros((), self.dtype)
        self._data.read_fill(self._elements, value)
        return value[()]

    @property
    def _elements(self) -> _core.Elements:
        if self._own_elements is None:
            self._own_elements = dtypes.elements_of(self.dtype, self._file_type)
        elements: _core.Elements = self._own_elements
        return elements

    def _transfer_of(self, dtype: np.dtype[Any] | None) -> tuple[np.dtype[Any], _core.Elements]:
        if dtype is None:
            return self.dtype, self._elements
        return dtype, dtypes.elements_of(dtype, self._file_type)

    def iter_chunks(self, sel: Any = None) -> Iterator[tuple[slice, ...]]:
        """Iterates over the chunks, as slices, in row-major order; only those within a box if it is given."""
        return _iter_chunks(self, sel)

    def resize(self, size: Any, axis: int | None = None) -> None:
        """Changes the shape, or the length of one dimension."""
        if self.chunks is None and not self._data.is_virtual and not self._data.external():
            raise TypeError("Only chunked datasets can be resized")
        shape = list(self.shape)
        if axis is not None:
            if not 0 <= axis < len(shape):
                raise ValueError(f"Invalid axis (0 to {len(shape) - 1} allowed)")
            try:
                shape[axis] = operator.index(size)
            except TypeError:
                raise TypeError("Argument must be a single int if axis is specified") from None
        else:
            shape = [operator.index(n) for n in ((size,) if isinstance(size, (int, np.integer)) else size)]
        self._data.resize(shape)

    def flush(self) -> None:
        """Writes what is in memory to the file."""
        self._data.file.flush()

    def refresh(self) -> None:
        """Sees what a SWMR writer has flushed since."""
        self._data.file.refresh()

    def read_chunk(self, offset: Any) -> tuple[int, bytes]:
        """Returns the filter mask and the stored bytes of the chunk that begins at these coordinates."""
        result: tuple[int, bytes] = self._data.read_chunk(offset)
        return result

    def write_chunk(self, offset: Any, data: Any, filter_mask: int = 0) -> None:
        """Stores the bytes of a chunk without filtering them."""
        self._data.write_chunk(offset, data, filter_mask)

    def memmap(self) -> np.memmap[Any, Any]:
        """Returns the elements of a contiguous dataset as mapped memory: nothing is read or copied.

        The mapping is read-only. Raises TypeError for a dataset that is stored otherwise.
        """
        info = self._data.info()
        if info["layout"] != "contiguous" or info["data_address"] is None or self._data.external():
            raise TypeError("only contiguous datasets that have been written can be mapped")
        if self.dtype.hasobject or dtypes.to_datatype(self.dtype) != self._file_type:
            raise TypeError("the elements are not in the file as numpy holds them")
        if self._open.driver != "sec2":
            raise TypeError(f"files of the driver {self._open.driver!r} cannot be mapped")
        if self._open.mode != "r":
            self.flush()
        return np.memmap(self._open.name, self.dtype, "r", info["data_address"], self.shape)


def _iter_chunks(dataset: StoredDataset, sel: Any) -> Iterator[tuple[slice, ...]]:
    shape, chunks = dataset.shape, dataset.chunks
    if chunks is None:
        raise TypeError("Chunked dataset required")
    if sel is None:
        box = tuple(slice(0, n) for n in shape)
    else:
        sel = (sel,) if isinstance(sel, slice) else tuple(sel)
        for each in sel:
            if not isinstance(each, slice):
                raise TypeError("iter_chunks() takes slices")
            if each.step not in (None, 1):
                raise ValueError("iter_chunks() takes slices with a step of 1")
        sel = sel + (slice(None),) * (len(shape) - len(sel))
        box = tuple(slice(*each.indices(n)[:2]) for each, n in zip(sel, shape))
    ranges = []
    for part, length in zip(box, chunks):
        ranges.append([slice(max(begin, part.start), min(begin + length, part.stop), 1)
                       for begin in range(part.start // length * length, part.stop, length)])
    return itertools.product(*ranges)
