# SPDX-License-Identifier: Apache-2.0
"""Matrices of scipy from datasets."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .selections import select
from .sparse import _MOST_INT32, _read, to_csr

if TYPE_CHECKING:
    from .datasets import Dataset

Array = np.ndarray[Any, Any]


def _width(*numbers: int) -> int:
    return 4 if max(numbers) <= _MOST_INT32 else 8


def to_scipy(dataset: Dataset, format: str, rows: Any, columns: Any) -> Any:
    """Returns the defined elements of a matrix; see Dataset.to_scipy."""
    from scipy import sparse

    shape = dataset.shape
    if shape is None or len(shape) != 2:
        raise ValueError("a matrix has 2 dimensions")
    if dataset.fillvalue != 0:
        raise ValueError(f"scipy has no fill value: {dataset.fillvalue!r} would become 0")
    if rows is not None:
        rows = _numbers(rows, shape[0], "row")
    if columns is not None:
        columns = _numbers(columns, shape[1], "column")
    if rows is None and columns is None:
        starts, indices, values = dataset._data.read_csr(dataset._elements, dataset.dtype,
                                                         _width(*shape, dataset.nnz))
        return sparse.csr_matrix((values, indices, starts), shape=shape, copy=False).asformat(format)
    unique: list[Any] = [None, None]
    orders: list[Any] = [None, None]
    for axis, numbers in enumerate((rows, columns)):
        if numbers is not None:
            unique[axis], inverse = np.unique(numbers, return_inverse=True)
            if len(unique[axis]) != len(numbers) or bool((inverse != np.arange(len(numbers))).any()):
                orders[axis] = inverse
    selected = select(shape, tuple(_index_of(each) for each in unique), True)
    coords, values = (np.empty((2, 0), np.int32), np.empty(0, dataset.dtype)) if selected.is_empty else _read(
        dataset, selected.core, selected.origin or (0, 0))
    for axis, numbers in enumerate(unique):
        if numbers is not None and selected.origin is None:
            coords[axis] = np.searchsorted(numbers, coords[axis])
    matrix = to_csr(coords, values, selected.box)
    if orders[0] is not None:
        matrix = matrix[orders[0]]
    if orders[1] is not None:
        matrix = matrix.tocsc()[:, orders[1]]
    return matrix.asformat(format)


def _index_of(numbers: Array | None) -> Any:
    """A slice for ascending numbers without gaps, which is the cheaper index."""
    if numbers is None or len(numbers) == 0:
        return slice(None) if numbers is None else numbers
    first, last = int(numbers[0]), int(numbers[-1])
    return slice(first, last + 1) if last - first == len(numbers) - 1 else numbers


def _numbers(numbers: Any, length: int, what: str) -> Array:
    array = np.asarray(numbers)
    if array.dtype.kind == "b":
        if array.shape != (length,):
            raise IndexError(f"a mask of {what}s has one item for each of the {length} {what}s")
        return np.flatnonzero(array)
    if array.ndim != 1 or (array.dtype.kind not in "iu" and array.size):
        raise TypeError(f"{what}s are given as a list of integers or a mask")
    array = array.astype(np.int64)
    if array.size and not (-length <= array.min() and array.max() < length):
        raise IndexError(f"a {what} is out of range for (0-{length - 1})")
    return np.where(array < 0, array + length, array)
