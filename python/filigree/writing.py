# SPDX-License-Identifier: Apache-2.0
"""How values become elements of a dataset."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core, dtypes
from .base import Empty, objects
from .selections import Selected, select
from .steps import steps_of

if TYPE_CHECKING:
    from .reading import ReadableDataset

Array = np.ndarray[Any, Any]


def write(dataset: ReadableDataset, args: tuple[Any, ...], value: Any, lists: bool = False) -> None:
    """Writes `value` to the elements that `args` selects, as `dataset[args] = value`."""
    from .datasets import Dataset
    from .sparse import as_sparse

    names = tuple(arg for arg in args if isinstance(arg, str))
    args = tuple(arg for arg in args if not isinstance(arg, str))
    shape = dataset._data.space[0]
    if shape is None:
        if isinstance(value, Empty) and args in ((), (Ellipsis,)):
            return
        raise TypeError("Empty datasets cannot be written to")
    if not names and as_sparse(value) is not None:
        raise TypeError("assign sparse data to dataset.sparse[...]; dataset[...] would write the zeros too")
    if len(args) == 1 and isinstance(args[0], _core.RegionReference):
        selected = dataset._select_region(args[0])
    elif not shape:
        if args not in ((), (Ellipsis,)):
            raise ValueError("Illegal slicing argument for scalar dataspace")
        selected = Selected(_core.Selection.all(), (), ())
    else:
        selected = select(shape, args, lists)
    if isinstance(value, Dataset):
        value = value[()]
    if names:
        array = _fields(dataset, names, value)
    else:
        array = as_elements(dataset.dtype, value, selected)
    write_array(dataset, selected, array)


def _fields(dataset: ReadableDataset, names: tuple[str, ...], value: Any) -> Array:
    """The value of some fields as an array with these fields only."""
    own = dataset.dtype
    if own.names is None or own.fields is None:
        raise ValueError("Field names only allowed for compound types")
    for name in names:
        if name not in own.names:
            raise ValueError(f"No such field for indexing: {name}")
    target = np.dtype([(name, own.fields[name][0]) for name in names])
    array = np.asarray(value)
    if array.dtype.names is not None:
        made = np.empty(array.shape, target)
        for name in names:
            made[name] = array[name]
        return made
    if len(names) > 1:
        return np.asarray(value, dtype=target, order="C")
    inner = target[0].subdtype[1] if target[0].subdtype is not None else ()
    array = np.asarray(value, dtype=target[0].base)
    made = np.empty(array.shape[:array.ndim - len(inner)], target)
    made[names[0]] = array
    return made


def as_elements(dtype: np.dtype[Any], value: Any, selected: Selected) -> Array:
    """Returns a value as an array that can be converted to a dtype. Arrays of numbers keep their own dtype."""
    string = dtypes.check_string_dtype(dtype)
    base = dtypes.check_vlen_dtype(dtype)
    if base is not None and string is None:
        return _sequences(dtype, np.dtype(base), value, selected)
    if string is not None:
        return _strings(dtype, string, value)
    if dtype.kind == "O":
        array = np.asarray(value, dtype=object, order="C")
        return array.view(dtype)
    inner = dtype.base if dtype.subdtype is not None else dtype
    if inner.names is not None:
        return _compounds(inner, value)
    if isinstance(value, np.ndarray) and not (_is_exact(inner) and value.dtype != inner):
        if value.dtype.kind in "OU" or (value.dtype.kind == "S") != (inner.kind == "S"):
            value = value.astype(inner)
        return np.asarray(value, order="C")
    return np.asarray(value, order="C", dtype=inner)


def _is_exact(dtype: np.dtype[Any]) -> bool:
    """Whether numpy converts to the dtype: enumerations, bool and opaque bytes, and complex numbers."""
    return dtype.kind in "bcVMm" or bool(dtype.metadata and "enum" in dtype.metadata)


def _compounds(dtype: np.dtype[Any], value: Any) -> Array:
    if isinstance(value, np.ndarray) and value.dtype.names is not None:
        array = np.asarray(value, order="C")
        if dtype.hasobject:
            # Object fields need the metadata of the dataset's dtype.
            made = np.zeros(array.shape, dtype)
            for name in array.dtype.names or ():
                made[name] = array[name]
            if set(array.dtype.names or ()) != set(dtype.names or ()):
                raise TypeError(f"the fields {array.dtype.names} are not those of the dataset, {dtype.names}")
            return made
        return array
    if isinstance(value, np.void) and value.dtype.names is not None:
        return _compounds(dtype, np.asarray(value))
    return np.asarray(value, dtype=dtype, order="C")


def _strings(dtype: np.dtype[Any], string: dtypes.string_info, value: Any) -> Array:
    if string.length is None:
        if isinstance(value, np.ndarray) and value.dtype.kind in "SU":
            value = value.astype(object)
        elif isinstance(value, np.ndarray) and value.dtype.kind not in "O":
            raise TypeError(f"{value.dtype} cannot be stored as strings")
        array = np.asarray(value, dtype=object, order="C")
        if string.encoding == "ascii":
            for each in array.flat:
                if isinstance(each, str):
                    each.encode("ascii")  # raises UnicodeEncodeError
        return array.view(dtype)
    array = np.asarray(value)
    if array.dtype.kind == "S":
        return np.asarray(array, order="C")
    if array.dtype.kind not in "UO":
        raise TypeError(f"{array.dtype} cannot be stored as strings")
    encoded = [each.encode(string.encoding) if isinstance(each, str) else bytes(each) for each in array.flat]
    return objects(encoded, array.shape, dtype)


def _sequences(dtype: np.dtype[Any], base: np.dtype[Any], value: Any, selected: Selected) -> Array:
    """Sequences of variable length: one for every element, or one for all."""
    is_one = base.kind == "O" and not selected.shape  # strings, all of which are one sequence
    if isinstance(value, np.ndarray) and value.dtype.kind == "O" and value.shape and not is_one:
        array = np.asarray(value, order="C")
        one = np.empty(array.shape, dtype)
        for i, each in enumerate(array.flat):
            one.flat[i] = None if each is None else np.asarray(each, dtype=base)
        return one
    if isinstance(value, np.ndarray) and value.ndim > 1:
        # The last dimension is that of the sequences.
        rows = np.empty(value.shape[:-1], dtype)
        for index in np.ndindex(rows.shape):
            rows[index] = np.asarray(value[index], dtype=base)
        return rows
    nested = isinstance(value, (list, tuple)) and any(isinstance(each, (list, tuple, np.ndarray)) for each in value)
    if not nested:
        single: Array = np.empty((), dtype)
        single[()] = np.asarray(value, dtype=base).reshape(-1)
        return single
    made = np.empty(len(value), dtype)
    for i, each in enumerate(value):
        made[i] = np.asarray(each, dtype=base)
    return made


def write_array(dataset: ReadableDataset, selected: Selected, array: Array) -> None:
    """Writes an array to selected elements; its shape is broadcast to theirs."""
    dtype = dataset.dtype
    inner: tuple[int, ...] = dtype.subdtype[1] if dtype.subdtype is not None else ()
    transfer = array.dtype if not inner else np.dtype((array.dtype, inner))
    array = _broadcast(array, selected.shape, inner)
    if selected.is_empty:
        return
    if selected.arrange is not None:
        array = _arranged(array, selected, inner)
    elements = dataset._elements if transfer == dtype and _same_metadata(transfer, dtype) else dtypes.elements_of(
        transfer, dataset._file_type)
    box = selected.box + inner
    if array.flags.c_contiguous:
        _write_in_steps(dataset, elements, array.reshape(box), selected)
    else:
        _write_in_steps(dataset, elements, _reshaped(array, box), selected)


def _same_metadata(a: np.dtype[Any], b: np.dtype[Any]) -> bool:
    return not b.hasobject and a.metadata == b.metadata


def _reshaped(array: Array, box: tuple[int, ...]) -> Array:
    """Adds the dimensions that an integer selects, without a copy of a broadcast array."""
    if array.ndim == len(box):
        return array
    shape = list(array.shape)
    index: list[Any] = []
    for length in box:
        if shape and shape[0] == length:
            shape.pop(0)
            index.append(slice(None))
        else:
            index.append(None)
    made: Array = array[tuple(index)]
    return made if made.shape == box else np.ascontiguousarray(array).reshape(box)


def _broadcast(array: Array, shape: tuple[int, ...], inner: tuple[int, ...]) -> Array:
    wanted = shape + inner
    given = array.shape
    if given == wanted:
        return array
    if inner and given[max(0, len(given) - len(inner)):] != inner:
        raise TypeError(f"an element is an array of shape {inner}, which {array.shape} does not end in")
    while len(given) > len(wanted) and given[0] == 1:
        given = given[1:]
    if given != array.shape:
        array = array.reshape(given)
    try:
        return np.broadcast_to(array, wanted)
    except ValueError:
        pass
    raise TypeError(f"Can't broadcast {array.shape} -> {wanted}")


def _arranged(array: Array, selected: Selected, inner: tuple[int, ...]) -> Array:
    """Reverses the arrangement of lists that are not ascending; of elements that repeat, the last one counts."""
    assert selected.arrange is not None
    given = tuple(length if order is None else len(order) for order, length in zip(selected.arrange, selected.box))
    array = np.ascontiguousarray(array).reshape(given + inner)
    for axis, (order, length) in enumerate(zip(selected.arrange, selected.box)):
        if order is not None:
            last = np.empty(length, np.intp)
            last[order] = np.arange(len(order))
            array = array.take(last, axis=axis)
    return array


def _write_in_steps(dataset: ReadableDataset, elements: _core.Elements, array: Array, selected: Selected) -> None:
    steps = steps_of(dataset, array, selected)
    if steps is None:
        dataset._data.write(elements, np.ascontiguousarray(array) if array.ndim else array, selected.core)
        return
    for index, core in steps:
        dataset._data.write(elements, np.ascontiguousarray(array[index]), core)
