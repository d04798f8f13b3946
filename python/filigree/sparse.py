# SPDX-License-Identifier: Apache-2.0
"""Sparse data: arrays of defined elements, and how datasets read and write them."""
from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Sequence

import numpy as np
from numpy.typing import DTypeLike

from . import _core, dtypes
from .selections import Selected, select

if TYPE_CHECKING:
    from .datasets import Dataset

__all__ = ["SparseArray"]

Array = np.ndarray[Any, Any]

#: Indices are of 4 bytes where every number of the array fits into them.
_MOST_INT32 = (1 << 31) - 1


def _masked(values: Array, mask: Array, fill_value: Any) -> Any:
    return np.ma.array(values, mask=mask, fill_value=fill_value)  # type: ignore[no-untyped-call]


class SparseArray:
    """The defined elements of an array: `coords` of shape (rank, n) and `data` of shape (n,), in row-major order.

    All other elements are not defined and read as `fill_value`.
    """

    def __init__(self, coords: Any, data: Any, shape: Sequence[int], fill_value: Any = None) -> None:
        self.shape: tuple[int, ...] = tuple(int(n) for n in shape)
        self.data: Array = np.asarray(data)
        self.coords: Array = _columns(coords, len(self.shape))
        if self.data.ndim != 1 or self.coords.shape[1] != len(self.data):
            raise ValueError(f"there are {self.coords.shape[1]} coordinates and values of shape {self.data.shape}")
        self.fill_value = np.zeros((), self.data.dtype)[()] if fill_value is None else fill_value

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the values."""
        dtype: np.dtype[Any] = self.data.dtype
        return dtype

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def nnz(self) -> int:
        """The number of defined elements."""
        return len(self.data)

    @property
    def size(self) -> int:
        """The number of all elements."""
        return math.prod(self.shape)

    @property
    def density(self) -> float:
        """The share of the elements that are defined."""
        return self.nnz / self.size if self.size else 0.0

    def _index(self) -> Any:
        """The index of the defined elements in an array; of no dimension, a mask says whether there is one."""
        return tuple(self.coords) if self.ndim else np.array(self.nnz > 0)

    def to_dense(self) -> Array:
        """Returns an array with `fill_value` where nothing is defined."""
        dense = np.empty(self.shape, self.data.dtype)
        dense[...] = self.fill_value
        dense[self._index()] = self.data
        return dense

    def __array__(self, dtype: DTypeLike = None, copy: bool | None = None) -> Array:
        dense = self.to_dense()
        return dense if dtype is None else dense.astype(dtype, copy=False)

    def to_masked(self) -> Any:
        """Returns a masked array: elements that are not defined are masked."""
        mask = np.ones(self.shape, bool)
        mask[self._index()] = False
        return _masked(self.to_dense(), mask, self.fill_value)

    def to_scipy(self, format: str = "coo") -> Any:
        """Returns a matrix of scipy, which has zeros where nothing is defined."""
        from scipy import sparse

        if self.ndim != 2:
            raise ValueError(f"a matrix has 2 dimensions, and not {self.ndim}")
        if self.fill_value != 0:
            raise ValueError(f"scipy has no fill value: {self.fill_value!r} would become 0")
        rows = self.coords[0]
        if format == "coo" or bool((rows[1:] < rows[:-1]).any()):
            return sparse.coo_matrix((self.data, tuple(self.coords)), shape=self.shape).asformat(format)
        return to_csr(self.coords, self.data, self.shape).asformat(format)

    def to_pydata(self) -> Any:
        """Returns an array of the package `sparse`."""
        import sparse

        return sparse.COO(self.coords, self.data, shape=self.shape, fill_value=self.fill_value, sorted=True,
                          has_duplicates=False)

    def to_pandas(self) -> Any:
        """Returns a DataFrame with a column for each dimension, and one for the value."""
        import pandas

        columns = {f"dim_{i}": column for i, column in enumerate(self.coords)}
        return pandas.DataFrame({**columns, "value": self.data})

    def __repr__(self) -> str:
        return f"<SparseArray of shape {self.shape}, {self.nnz} defined elements of {self.dtype}>"


def to_csr(coords: Array, data: Array, shape: tuple[int, ...]) -> Any:
    """Elements in row-major order as a matrix of scipy: only the rows have to be counted."""
    from scipy import sparse

    starts = np.zeros(shape[0] + 1, coords.dtype)
    np.cumsum(np.bincount(coords[0], minlength=shape[0]), out=starts[1:])
    return sparse.csr_matrix((data, coords[1], starts), shape=shape, copy=False)


def _columns(coords: Any, rank: int) -> Array:
    """Coordinates as an array of shape (rank, n); linear offsets are those of one dimension."""
    if isinstance(coords, tuple):
        coords = np.stack([np.asarray(each) for each in coords]) if coords else np.empty((0, 0), np.int64)
    columns = np.asarray(coords)
    if columns.ndim == 1 and rank == 1:
        columns = columns.reshape(1, -1)
    if columns.ndim != 2 or columns.shape[0] != rank:
        raise ValueError(f"coordinates of {rank} dimensions have the shape ({rank}, n), not {columns.shape}")
    if columns.dtype.kind not in "iu":
        if columns.size:
            raise TypeError("coordinates are integers")
        columns = columns.astype(np.int64)
    return columns


def as_sparse(data: Any) -> SparseArray | None:
    """Returns sparse data of scipy, pydata/sparse or Filigree as a SparseArray; None for anything else."""
    if isinstance(data, SparseArray):
        return data
    module = type(data).__module__.split(".")[0]
    if module == "scipy" and hasattr(data, "tocoo"):
        matrix = data.tocoo()
        if not getattr(data, "has_canonical_format", False):
            matrix = matrix.copy()
            matrix.sum_duplicates()
        return SparseArray(np.stack([matrix.row, matrix.col]), matrix.data, matrix.shape)
    if module == "sparse" and hasattr(data, "asformat"):
        array = data.asformat("coo")
        return SparseArray(array.coords, array.data, array.shape, array.fill_value)
    return None


# --- offsets

def _offsets(columns: Array, shape: tuple[int, ...]) -> Array:
    """The linear offsets of coordinates. Raises IndexError for one outside of the shape."""
    offsets = np.zeros(columns.shape[1], np.uint64)
    for column, length in zip(columns, shape):
        if column.size and (int(column.min()) < 0 or int(column.max()) >= length):
            bad = int(np.flatnonzero((column < 0) | (column >= length))[0])
            raise IndexError(f"coordinate {column[bad]} of element {bad} is outside of a dimension of {length}")
        offsets *= np.uint64(length)
        offsets += column.astype(np.uint64)
    return offsets


def _write(dataset: Dataset, columns: Array, values: Array) -> None:
    """Writes values to coordinates of the dataset, in any order; of several values for one, the last is written."""
    shape = dataset.shape
    if math.prod(shape) > 1 << 64:
        raise NotImplementedError("datasets of more than 2**64 elements cannot be written by coordinates")
    offsets = _offsets(columns, shape)
    if offsets.size == 0:
        return
    if offsets.size > 1 and not bool((offsets[1:] > offsets[:-1]).all()):
        order = np.argsort(offsets, kind="stable")
        offsets, values = offsets[order], values[order]
        last = np.append(offsets[1:] != offsets[:-1], True)
        offsets, values = offsets[last], values[last]
    values = _values(dataset, values)
    dataset._data.write_offsets(dtypes.elements_of(values.dtype, dataset._file_type), offsets, values)


def _values(dataset: Dataset, values: Any) -> Array:
    from .writing import as_elements

    count = len(values)
    array = as_elements(dataset.dtype, values, Selected(_core.Selection.all(), (count,), (count,)))
    return np.ascontiguousarray(array)


# --- views

class _View:
    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset

    def _select(self, args: Any) -> Selected:
        return _selected(self._dataset, args)


def _selected(dataset: Dataset, args: Any) -> Selected:
    shape = dataset.shape
    if shape is None:
        raise TypeError("an empty dataset has no elements")
    if not shape:
        raise TypeError("a scalar dataset has no coordinates")
    selected = select(shape, args if isinstance(args, tuple) else (args,))
    if selected.arrange is not None:
        raise TypeError("defined elements are read in ascending order: sort the list of indices")
    return selected


class SparseView(_View):
    """`ds.sparse[index]`: reads a SparseArray, and writes sparse data."""

    def __getitem__(self, args: Any) -> SparseArray:
        dataset, selected = self._dataset, self._select(args)
        if selected.is_empty:
            empty = np.empty((len(selected.shape), 0), np.int32)
            return SparseArray(empty, np.empty(0, dataset.dtype), selected.shape, dataset.fillvalue)
        if selected.origin is not None:
            coords, values = _read(dataset, selected.core, selected.origin)
            kept = [axis for axis, keeps in enumerate(_kept(selected, args, dataset.ndim)) if keeps]
            if len(kept) != dataset.ndim:
                coords = coords[kept] if kept else np.empty((0, len(values)), coords.dtype)
            return SparseArray(coords, values, selected.shape, dataset.fillvalue)
        return self._read_irregular(args, selected)

    def _read_irregular(self, args: Any, selected: Selected) -> SparseArray:
        """Coordinates of a selection that is no box are those in the result: ordinals in each dimension."""
        dataset = self._dataset
        coords, values = _read(dataset, selected.core, (0,) * dataset.ndim)
        args = args if isinstance(args, tuple) else (args,)
        if len(selected.box) != dataset.ndim or _is_set(args):
            # A mask or a Selection: the result has one dimension, the ordinal in the selection.
            offsets = np.sort(selected.core.within(dataset.shape).offsets())
            found = np.searchsorted(offsets, _offsets(coords, dataset.shape))
            return SparseArray(found.reshape(1, -1), values, selected.shape, dataset.fillvalue)
        rows = []
        for axis, (keeps, indices) in enumerate(zip(_kept(selected, args, dataset.ndim),
                                                    _indices(args, dataset.shape))):
            if keeps:
                rows.append(np.searchsorted(indices, coords[axis]))
        made = np.stack(rows) if rows else np.empty((0, len(values)), np.int64)
        return SparseArray(made.astype(coords.dtype), values, selected.shape, dataset.fillvalue)

    def __setitem__(self, args: Any, value: Any) -> None:
        dataset, selected = self._dataset, self._select(args)
        if selected.origin is None and not selected.is_empty:
            raise TypeError("sparse data is assigned to a box: integers, and slices without a step")
        sparse = as_sparse(value)
        if sparse is None:
            if not (isinstance(value, tuple) and len(value) == 2):
                raise TypeError("sparse data is a SparseArray, a matrix of scipy or pydata, or (coords, values)")
            columns = _columns(value[0], len(selected.shape))
            values = np.broadcast_to(np.asarray(value[1]), (columns.shape[1],))
        else:
            if sparse.shape != selected.shape:
                raise ValueError(f"sparse data of shape {sparse.shape} does not fit into {selected.shape}")
            columns, values = sparse.coords, sparse.data
        _offsets(columns, selected.shape)  # every coordinate is within the box
        if selected.origin is None:
            return
        keeps = _kept(selected, args, dataset.ndim)
        rows = iter(columns)
        placed = np.stack([(next(rows).astype(np.uint64) if keep else np.zeros(columns.shape[1], np.uint64)) +
                           np.uint64(start) for keep, start in zip(keeps, selected.origin)])
        _write(dataset, placed, values)


def _is_set(args: tuple[Any, ...]) -> bool:
    from .selections import Selection

    return len(args) == 1 and (isinstance(args[0], Selection) or
                               isinstance(args[0], np.ndarray) and args[0].dtype.kind == "b" and args[0].ndim > 1)


def _kept(selected: Selected, args: Any, rank: int) -> list[bool]:
    """Which dimensions of the dataset the result has: those that no integer selects."""
    import operator

    from .selections import expand

    kept = []
    for arg in expand(args if isinstance(args, tuple) else (args,), rank):
        try:
            operator.index(arg)
        except TypeError:
            kept.append(True)
        else:
            kept.append(isinstance(arg, np.ndarray) and arg.ndim > 0)
    return kept


def _indices(args: tuple[Any, ...], shape: tuple[int, ...]) -> list[Array]:
    """The indices that each argument selects, ascending."""
    from .selections import MultiBlockSlice, _of_list, expand

    made = []
    for arg, length in zip(expand(args, len(shape)), shape):
        if isinstance(arg, slice):
            made.append(np.arange(*arg.indices(length)))
        elif isinstance(arg, MultiBlockSlice):
            start, stride, count, block = arg.indices(length)
            made.append((start + stride * np.arange(count)[:, None] + np.arange(block)).reshape(-1))
        elif isinstance(arg, (int, np.integer)):
            made.append(np.array([int(arg) % length]))
        else:
            made.append(_of_list(arg, length).indices.astype(np.int64))
    return made


def _read(dataset: Dataset, core: _core.Selection, origin: Sequence[int]) -> tuple[Array, Array]:
    """Coordinates, minus `origin`, and values of the defined ones of the selected elements."""
    width = 4 if max(dataset.shape, default=0) <= _MOST_INT32 else 8
    return dataset._data.read_defined_coordinates(dataset._elements, dataset.dtype, core, origin, width)


class MaskedView(_View):
    """`ds.masked[index]`: reads a masked array in which elements that are not defined are masked."""

    def __getitem__(self, args: Any) -> Any:
        dataset = self._dataset
        values = np.asarray(dataset[args])
        defined = np.asarray(DefinedView(dataset)[args])
        if values.ndim == 0:
            return values[()] if defined else np.ma.masked
        return _masked(values, ~defined, dataset.fillvalue)


class DefinedView(_View):
    """`ds.defined[index]`: reads which elements are defined, as an array of bool."""

    def __getitem__(self, args: Any) -> Any:
        dataset = self._dataset
        arguments = args if isinstance(args, tuple) else (args,)
        selected = select(dataset.shape, arguments)
        mask = np.zeros(selected.box, bool)
        if not selected.is_empty:
            if len(selected.box) != dataset.ndim or _is_set(arguments):
                offsets = np.sort(selected.core.within(dataset.shape).offsets())
                mask[np.searchsorted(offsets, dataset._data.defined(selected.core).within(dataset.shape).offsets())] = 1
            else:
                coords = dataset._data.defined(selected.core).within(dataset.shape).coordinates()
                axes = _indices(arguments, dataset.shape)
                mask[tuple(np.searchsorted(axis, column) for axis, column in zip(axes, coords))] = True
        if selected.arrange is not None:
            for axis, order in enumerate(selected.arrange):
                if order is not None:
                    mask = mask.take(order, axis=axis)
        result = mask.reshape(selected.shape)
        return result[()] if result.ndim == 0 else result

    def selection(self, args: Any = ...) -> Any:
        """Returns the defined elements as a Selection."""
        from .selections import Selection

        dataset = self._dataset
        selected = select(dataset.shape, args if isinstance(args, tuple) else (args,))
        return Selection._of(dataset._data.defined(selected.core).within(dataset.shape), dataset.shape)


def erase(dataset: Dataset, index: Any) -> None:
    """Makes elements undefined; see Dataset.erase."""
    if not dataset.is_sparse:
        raise TypeError("only elements of sparse datasets can be erased")
    selected = select(dataset.shape, index if isinstance(index, tuple) else (index,))
    if not selected.is_empty:
        dataset._data.erase(selected.core)


def iter_defined(dataset: Dataset, elements: int, index: Any) -> Iterator[SparseArray]:
    """Iterates over defined elements; see Dataset.iter_defined. Coordinates are those of the dataset."""
    if elements < 1:
        raise ValueError("a part has at least one element")
    selected = _selected(dataset, index)
    if selected.is_empty:
        return
    fill, origin = dataset.fillvalue, (0,) * dataset.ndim
    for part in dataset._data.partition_defined(selected.core, elements):
        coords, values = _read(dataset, part, origin)
        for first in range(0, len(values), elements):
            last = first + elements
            yield SparseArray(coords[:, first:last], values[first:last], dataset.shape, fill)
