# SPDX-License-Identifier: Apache-2.0
"""Views of a dataset that read it in another way: as another dtype, as str, by fields, or by several lists."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import DTypeLike

from .base import objects
from .selections import Selected, select, select_points

if TYPE_CHECKING:
    from .reading import ReadableDataset

Array = np.ndarray[Any, Any]


class _View:
    def __init__(self, dataset: ReadableDataset) -> None:
        self._dataset = dataset


class AsType(_View):
    """Reads a dataset as another dtype."""

    def __init__(self, dataset: ReadableDataset, dtype: DTypeLike) -> None:
        super().__init__(dataset)
        self._dtype = np.dtype(dtype)

    def __getitem__(self, args: Any) -> Any:
        return self._dataset._get(args if isinstance(args, tuple) else (args,), self._dtype)

    def __len__(self) -> int:
        return len(self._dataset)

    def __array__(self, dtype: DTypeLike = None, copy: bool | None = None) -> Array:
        array = np.asarray(self[...])
        return array if dtype is None else array.astype(dtype, copy=False)


class AsStr(_View):
    """Reads strings as str."""

    def __init__(self, dataset: ReadableDataset, encoding: str, errors: str) -> None:
        super().__init__(dataset)
        self._encoding, self._errors = encoding, errors

    def __getitem__(self, args: Any) -> Any:
        found = self._dataset[args]
        if isinstance(found, bytes):
            return found.decode(self._encoding, self._errors)
        return objects([each.decode(self._encoding, self._errors) for each in found.flat], found.shape)

    def __len__(self) -> int:
        return len(self._dataset)

    def __array__(self, dtype: DTypeLike = None, copy: bool | None = None) -> Array:
        array = np.asarray(self[...], dtype=object)
        return array if dtype is None else array.astype(dtype, copy=False)


class Fields(_View):
    """Reads some fields of a compound."""

    def __init__(self, dataset: ReadableDataset, names: str | list[str], prior: DTypeLike = None) -> None:
        super().__init__(dataset)
        self._names = (names,) if isinstance(names, str) else tuple(names)
        self._single = isinstance(names, str)
        self._prior = prior

    def __getitem__(self, args: Any) -> Any:
        args = args if isinstance(args, tuple) else (args,)
        if self._single or len(self._names) > 1:
            return self._dataset[(*self._names, *args)]
        own = self._dataset.dtype
        if own.fields is None or self._names[0] not in own.fields:
            raise ValueError(f"Field {self._names[0]} does not appear in this type.")
        return self._dataset._get(args, np.dtype([(self._names[0], own.fields[self._names[0]][0])]))

    def __len__(self) -> int:
        return len(self._dataset)

    def __array__(self, dtype: DTypeLike = None, copy: bool | None = None) -> Array:
        array = np.asarray(self[...])
        return array if dtype is None else array.astype(dtype, copy=False)


class OuterIndex(_View):
    """Indexing with lists that are independent of each other."""

    def __getitem__(self, args: Any) -> Any:
        array = self._dataset._read(select(self._dataset.shape, args if isinstance(args, tuple) else (args,), True))
        return array[()] if array.ndim == 0 else array

    def __setitem__(self, args: Any, value: Any) -> None:
        from .writing import write

        write(self._dataset, args if isinstance(args, tuple) else (args,), value, lists=True)


class PointIndex(_View):
    """Indexing with lists that name points together."""

    def __getitem__(self, args: Any) -> Any:
        dataset = self._dataset
        core, shape = select_points(dataset.shape, args if isinstance(args, tuple) else (args,))
        count = math.prod(shape)
        array = dataset._read(Selected(core, (count,), (count,)))
        array = array.reshape(shape + array.shape[1:])
        return array[()] if array.ndim == 0 else array

    def __setitem__(self, args: Any, value: Any) -> None:
        from .writing import write_array

        dataset = self._dataset
        core, shape = select_points(dataset.shape, args if isinstance(args, tuple) else (args,))
        count = math.prod(shape)
        values = np.ascontiguousarray(np.broadcast_to(np.asarray(value), shape)).reshape(count)
        write_array(dataset, Selected(core, (count,), (count,)), values)
