# SPDX-License-Identifier: Apache-2.0
"""Reading datasets."""
from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from . import _core, dtypes
from .base import Empty, region_shape
from .selections import Selected, select
from .steps import steps_of
from .storage import StoredDataset
from .views import AsStr, AsType, Fields, OuterIndex, PointIndex

__all__ = ["ReadableDataset"]

Array = np.ndarray[Any, Any]

#: For more bytes, the file has to have elements before memory is allocated.
_UNCHECKED_BYTES = 1 << 26


class ReadableDataset(StoredDataset):
    """Indexing of a dataset, and views of it."""

    def __getitem__(self, args: Any, new_dtype: DTypeLike = None) -> Any:
        if new_dtype is None:
            read = self._read_number or self._prepare()
            if not self._open.is_closed:
                found = read(args)
                if found is not NotImplemented:
                    return found
        return self._get(args if isinstance(args, tuple) else (args,), new_dtype)

    def _prepare(self) -> Callable[[Any], Any]:
        """Finds how elements are read by integers and slices, if they are numbers as this machine has them."""
        found = self._data.number_reader()
        if found is NotImplemented:
            self._read_number = _not_served
        else:
            self._dtype, self._own_elements, self._type, self._read_number = found
        read: Callable[[Any], Any] = self._read_number  # type: ignore[assignment]
        return read

    def _get(self, args: tuple[Any, ...], new_dtype: DTypeLike) -> Any:
        data = self._data
        names = tuple(arg for arg in args if isinstance(arg, str))
        if names:
            args = tuple(arg for arg in args if not isinstance(arg, str))
        dtype = None if new_dtype is None else np.dtype(new_dtype)
        single: str | None = None
        if names:
            dtype, single = self._fields_dtype(names, dtype)
        shape = data.space[0]
        if shape is None:
            return self._read_empty(args)
        if len(args) == 1 and isinstance(args[0], _core.RegionReference):
            selected = self._select_region(args[0])
        elif not shape:
            return self._read_scalar(args, dtype, single)
        else:
            selected = select(shape, args)
        array = self._read(selected, dtype)
        if single is not None:
            array = array[single]
        return array[()] if array.ndim == 0 else array

    def _fields_dtype(self, names: tuple[str, ...], dtype: np.dtype[Any] | None) -> tuple[np.dtype[Any], str | None]:
        own = self.dtype
        if own.names is None:
            raise ValueError("Field names only allowed for compound types")
        for name in names:
            if name not in own.names:
                raise ValueError(f"Field {name} does not appear in this type.")
        assert own.fields is not None
        if len(names) == 1:
            field = own.fields[names[0]][0] if dtype is None or dtype.names is not None else dtype
            return np.dtype([(names[0], field)]), names[0]
        source = own if dtype is None else dtype
        assert source.fields is not None
        return np.dtype([(name, source.fields[name][0]) for name in names]), None

    def _read_empty(self, args: tuple[Any, ...]) -> Empty:
        if args in ((), (Ellipsis,)):
            return Empty(self.dtype)
        raise ValueError("Empty datasets cannot be sliced")

    def _read_scalar(self, args: tuple[Any, ...], dtype: np.dtype[Any] | None, single: str | None) -> Any:
        if args not in ((), (Ellipsis,)):
            raise ValueError("Illegal slicing argument for scalar dataspace")
        made, elements = self._transfer_of(dtype)
        array = np.empty((), made)
        self._data.read(elements, array, _core.Selection.all())
        if single is not None:
            array = array[single]
        return array if args == (Ellipsis,) else array[()]

    def _select_region(self, reference: _core.RegionReference) -> Selected:
        handle, core = self._open.core.open_region(reference)
        if not handle == self._handle:
            raise TypeError("Region reference must point to this dataset")
        shape = self.shape
        found = region_shape(core, shape)
        return Selected(core, found, found)

    def _read(self, selected: Selected, dtype: np.dtype[Any] | None = None) -> Array:
        made, elements = self._transfer_of(dtype)
        count = math.prod(selected.box)
        if count * made.itemsize > _UNCHECKED_BYTES:
            self._data.require_elements(elements, count)
        array = np.empty(selected.box, made)
        if not selected.is_empty:
            self._read_into(array, elements, selected)
            if dtype is not None and dtypes.has_bit_bools(made, self._file_type):
                dtypes.make_bools(array)
        if selected.arrange is not None:
            for axis, order in enumerate(selected.arrange):
                if order is not None:
                    array = array.take(order, axis=axis)
        inner = array.shape[len(selected.box):]
        return array.reshape(selected.shape + inner)

    def _read_into(self, array: Array, elements: _core.Elements, selected: Selected) -> None:
        data = self._data
        steps = steps_of(self, array, selected)
        if steps is None:
            data.read(elements, array, selected.core)
            return
        for index, core in steps:
            data.read(elements, array[index], core)

    def read_direct(self, dest: Array, source_sel: Any = None, dest_sel: Any = None) -> None:
        """Reads into an array: the elements `source_sel` of the dataset into the elements `dest_sel` of the array."""
        shape = self.shape
        if shape is None:
            raise TypeError("Empty datasets have no numpy representation")
        if not (dest.flags.c_contiguous and dest.flags.writeable):
            raise TypeError("Array must be C-contiguous and writable")
        target = dest if dest_sel is None else _view(dest, dest_sel)
        selected = select(shape, args_of(source_sel))
        if (target is not None and target.flags.c_contiguous and target.flags.writeable and selected.arrange is None
                and not target.dtype.hasobject and math.prod(selected.box) == target.size):
            elements = self._elements if target.dtype == self.dtype else dtypes.elements_of(
                target.dtype, self._file_type)
            if not selected.is_empty:
                self._read_into(target.reshape(selected.box), elements, selected)
            return
        array = self._read(selected, None if dest.dtype == self.dtype else dest.dtype)
        _assign(dest, dest_sel, array)

    def _read_out(self, selected: Selected, out: Any) -> Array:
        """Reads into a buffer, an array or a DLPack tensor on the CPU."""
        if isinstance(out, np.ndarray):
            array = out
        elif hasattr(out, "__dlpack__"):
            array = _tensor(out)
        else:
            array = np.frombuffer(out, self.dtype).reshape(selected.shape)
        if array.shape != selected.shape:
            raise ValueError(f"the selection has shape {selected.shape}, and `out` {array.shape}")
        if not array.flags.writeable:
            raise ValueError("`out` is read-only")
        array[...] = self._read(selected, array.dtype)
        return array

    def read(self, index: Any = ..., *, out: Any = None) -> Any:
        """Reads what `ds[index]` does, into `out` if it is given: a buffer, an array, or a DLPack tensor."""
        if out is None:
            return self[index]
        self._read_out(select(self.shape, args_of(index)), out)
        return out

    def __array__(self, dtype: DTypeLike = None, copy: bool | None = None) -> Array:
        shape = self.shape
        if shape is None:
            raise TypeError("Empty datasets have no numpy representation")
        selected = select(shape, (Ellipsis,))
        array = self._read(selected)
        return array if dtype is None else array.astype(dtype, copy=False)

    def astype(self, dtype: DTypeLike) -> AsType:
        """Returns a view that reads the elements as another dtype: `ds.astype("f8")[:10]`."""
        return AsType(self, dtype)

    def asstr(self, encoding: str | None = None, errors: str = "strict") -> AsStr:
        """Returns a view that reads strings as str instead of bytes."""
        info = dtypes.check_string_dtype(self.dtype)
        if info is None:
            raise TypeError("dset.asstr() can only be used on datasets with an HDF5 string datatype")
        return AsStr(self, encoding or info.encoding, errors)

    def fields(self, names: str | list[str], *, _prior_dtype: DTypeLike = None) -> Fields:
        """Returns a view that reads some fields of a compound."""
        return Fields(self, names, _prior_dtype)

    @property
    def oindex(self) -> OuterIndex:
        """Indexing in which a list in one dimension is independent of the lists in others."""
        return OuterIndex(self)

    @property
    def vindex(self) -> PointIndex:
        """Indexing in which lists name points together: `ds.vindex[rows, columns]`."""
        return PointIndex(self)

    def __iter__(self) -> Iterator[Any]:
        shape = self.shape
        if not shape:
            raise TypeError("Can't iterate over a scalar dataset")
        for i in range(shape[0]):
            yield self[i]


def _not_served(args: Any) -> Any:
    return NotImplemented


def _tensor(tensor: Any) -> Array:
    """The memory of a DLPack tensor as an array that can be written. The caller keeps the tensor."""
    array: Array = np.from_dlpack(tensor)
    if array.flags.writeable:
        return array
    # Older releases of numpy make every array of DLPack read-only, as the protocol does not say what it is.
    if not array.flags.c_contiguous:
        raise ValueError("a tensor that is read into is contiguous")
    if array.size == 0:
        return np.empty(array.shape, array.dtype)
    memory: Any = (ctypes.c_char * array.nbytes).from_address(array.ctypes.data)
    writable: Array = np.frombuffer(memory, array.dtype).reshape(array.shape)
    return writable


def args_of(index: Any) -> tuple[Any, ...]:
    if index is None:
        return (Ellipsis,)
    return index if isinstance(index, tuple) else (index,)


def _view(array: Array, index: Any) -> Array | None:
    """A view of an array, or None where indexing copies."""
    view = array[index]
    return view if isinstance(view, np.ndarray) and np.shares_memory(view, array) else None


def _assign(dest: Array, dest_sel: Any, array: Array) -> None:
    index = Ellipsis if dest_sel is None else dest_sel
    wanted = dest[index].shape
    if wanted != array.shape and math.prod(wanted) == array.size:
        array = array.reshape(wanted)
    if wanted != array.shape:
        raise TypeError(f"Can't broadcast {array.shape} -> {wanted}")
    dest[index] = array
