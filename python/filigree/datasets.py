# SPDX-License-Identifier: Apache-2.0
"""Datasets."""
from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from .base import WRAPPERS, HLObject, OpenFile
from .dimensions import DimensionManager
from .reading import ReadableDataset, args_of
from .selections import select

if TYPE_CHECKING:
    from .appending import Appender
    from .sparse import SparseArray

__all__ = ["Dataset"]

Array = np.ndarray[Any, Any]


class Dataset(ReadableDataset):
    """A dataset: an array in a file. Indexing reads and writes it, as h5py does.

    Beyond h5py, a list of indices may be in any order and repeat, `oindex` and `vindex` accept several lists, and
    `sparse`, `masked`, `defined`, `nnz`, `density` and `erase` deal with elements that were never written.
    """

    def __init__(self, bind: Any, readonly: bool = False) -> None:
        if not isinstance(bind, Dataset):
            raise ValueError(f"{bind!r} is not a dataset")
        self._set(bind._handle, bind._open)

    @classmethod
    def _of(cls, handle: _core.Dataset, open_file: OpenFile) -> Dataset:
        if open_file.chunk_cache is not None:
            open_file.give_chunk_cache(handle)
        made = cls.__new__(cls)
        made._set(handle, open_file)
        return made

    @property
    def dims(self) -> DimensionManager:
        """Labels and scales of the dimensions."""
        return DimensionManager(self)

    # --- writing

    def __setitem__(self, args: Any, value: Any) -> None:
        from .writing import write

        write(self, args if isinstance(args, tuple) else (args,), value)

    def _write_all(self, array: Array) -> None:
        """Writes all elements, which are as many as those of the array."""
        from .writing import write_array

        shape: tuple[int, ...] = self.shape
        inner = self.dtype.subdtype[1] if self.dtype.subdtype is not None else ()
        write_array(self, select(shape, (Ellipsis,)), array.reshape(shape + inner))

    def write_direct(self, source: Array, source_sel: Any = None, dest_sel: Any = None) -> None:
        """Writes the elements `source_sel` of an array to the elements `dest_sel` of the dataset."""
        from .writing import write_array

        shape = self.shape
        if shape is None:
            raise TypeError("Empty datasets cannot be written to")
        if not source.flags.c_contiguous:
            raise TypeError("Array must be C-contiguous")
        chosen = source if source_sel is None else source[source_sel]
        selected = select(shape, args_of(dest_sel))
        if selected.shape != chosen.shape and math.prod(selected.shape) == chosen.size:
            chosen = chosen.reshape(selected.shape)
        write_array(self, selected, chosen)

    @property
    def is_scale(self) -> bool:
        """Whether the dataset is a dimension scale."""
        from .dimensions import is_scale

        return is_scale(self)

    def make_scale(self, name: str = "") -> None:
        """Makes this dataset a dimension scale."""
        from .dimensions import make_scale

        make_scale(self, name)

    # --- sparse data

    @property
    def is_sparse(self) -> bool:
        """Whether only elements that were written are stored."""
        return bool(self._data.info()["sparse"])

    @property
    def sparse(self) -> Any:
        """Indexing that reads and writes defined elements: `ds.sparse[7:9]` is a SparseArray."""
        from .sparse import SparseView

        return SparseView(self)

    @property
    def masked(self) -> Any:
        """Indexing that reads masked arrays: elements that are not defined are masked."""
        from .sparse import MaskedView

        return MaskedView(self)

    @property
    def defined(self) -> Any:
        """Indexing that reads which elements are defined, as an array of bool."""
        from .sparse import DefinedView

        return DefinedView(self)

    @property
    def nnz(self) -> int:
        """The number of defined elements, from the index of the chunks."""
        if self.shape is None:
            return 0
        return self._data.defined_count(_core.Selection.all())

    @property
    def density(self) -> float:
        """The share of the elements that are defined."""
        size = self.size
        return self.nnz / size if size else 0.0

    def erase(self, index: Any = ...) -> None:
        """Makes elements of a sparse dataset undefined."""
        from .sparse import erase

        erase(self, index)

    def appender(self, buffer_bytes: int = 4 << 20) -> Appender:
        """Returns an object that appends frames along the first dimension, from any number of threads."""
        from .appending import Appender

        return Appender(self, buffer_bytes)

    def iter_defined(self, elements: int = 1 << 20, index: Any = ...) -> Iterator[SparseArray]:
        """Iterates over the defined elements in row-major order, in parts of about `elements` each."""
        from .sparse import iter_defined

        return iter_defined(self, elements, index)

    def to_scipy(self, format: str = "csr", rows: Any = None, columns: Any = None) -> Any:
        """Returns the defined elements of a matrix as a matrix of scipy; only some rows or columns if given."""
        from .matrices import to_scipy

        return to_scipy(self, format, rows, columns)

    # --- text

    def __repr__(self) -> str:
        if not self:
            return "<Closed HDF5 dataset>"
        name = self.name
        shown = "(anonymous)" if name is None else f'"{name.rsplit("/", 1)[-1]}"'
        try:
            kind = self.dtype.str
        except TypeError:  # numpy has no such type
            kind = self._file_type.text
        return f'<HDF5 dataset {shown}: shape {self.shape}, type "{kind}">'

    def _repr_html_(self) -> str:
        from html import escape

        if not self:
            return escape(repr(self))
        info = self.info
        rows = [("shape", self.shape), ("dtype", self.dtype), ("layout", info["layout"]), ("chunks", info["chunk"]),
                ("stored", f"{info['stored_bytes']:,} bytes")]
        if info["sparse"]:
            rows.append(("defined", f"{self.nnz:,} of {self.size:,} elements"))
        cells = "".join(f"<tr><th>{escape(key)}</th><td>{escape(str(value))}</td></tr>" for key, value in rows)
        return f"<table><caption>{escape(str(self.name))}</caption>{cells}</table>"

    __hash__ = HLObject.__hash__


WRAPPERS[_core.Dataset] = Dataset._of
