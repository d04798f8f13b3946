# SPDX-License-Identifier: Apache-2.0
"""Attributes."""
from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from . import _core, dtypes
from .base import Empty, HLObject, MappingHDF5, array_for, objects
from .datatypes import Datatype, stored_type

__all__ = ["AttributeManager"]


class AttributeManager(MappingHDF5, MutableMapping[str, Any]):
    """The attributes of an object: a mapping from names to numpy arrays, scalars and strings.

    Setting an attribute replaces its type and shape; `modify` keeps them.
    """

    __slots__ = ("_parent",)

    def __init__(self, parent: HLObject) -> None:
        self._parent = parent

    @property
    def _handle(self) -> Any:
        self._parent._open.require_open()
        return self._parent._handle

    def __getitem__(self, name: str) -> Any:
        parent = self._parent
        if parent._open.is_closed:
            parent._open.require_open()
        handle = parent._handle
        value = handle.attribute_value(name)
        return read(handle.attribute(name)) if value is NotImplemented else value

    def __setitem__(self, name: str, value: Any) -> None:
        if not self._handle.put_small_attribute(name, value):
            self.create(name, data=value)

    def __delitem__(self, name: str) -> None:
        self._handle.remove_attribute(name)

    def create(self, name: str, data: Any, shape: Any = None, dtype: DTypeLike | Datatype = None) -> None:
        """Creates or replaces an attribute, with another shape or dtype than that of `data` if they are given."""
        type_, memory_dtype = stored_type(dtype) if dtype is not None else (None, None)
        if isinstance(data, Empty):
            if shape is not None:
                raise ValueError("an empty attribute has no shape")
            made = type_ or dtypes.to_datatype(data.dtype)
            self._handle.put_attribute(name, made, None, dtypes.elements_of(memory_dtype or data.dtype), None)
            return
        array = array_for(data, memory_dtype)
        array, space = _shaped(array, shape, memory_dtype)
        if type_ is None:
            type_ = dtypes.to_datatype(array.dtype)
        elements_dtype = array.dtype
        if memory_dtype is not None and memory_dtype.subdtype is not None:
            elements_dtype = np.dtype((array.dtype, memory_dtype.subdtype[1]))
        elif memory_dtype is not None and memory_dtype != array.dtype and _needs_numpy(memory_dtype, array.dtype):
            array = np.asarray(array, dtype=memory_dtype, order="C")
            elements_dtype = memory_dtype
        if memory_dtype is not None and memory_dtype.hasobject and array.dtype.metadata != memory_dtype.metadata:
            array = np.asarray(array, dtype=memory_dtype).view(memory_dtype)
            elements_dtype = memory_dtype
        self._handle.put_attribute(name, type_, space, dtypes.elements_of(elements_dtype, type_), array)

    def modify(self, name: str, value: Any) -> None:
        """Changes the value of an attribute and keeps its type and shape; creates it if it does not exist."""
        if name not in self:
            self[name] = value
            return
        attribute = self._handle.attribute(name)
        shape, _ = attribute.space
        type_ = attribute.datatype
        dtype = dtypes.to_dtype(type_)
        if shape is None:
            raise OSError("Empty attributes can't be modified")
        base = dtype.base if dtype.subdtype is not None else dtype
        array = array_for(value, base)
        if array.dtype != base or array.dtype.metadata != base.metadata:
            array = np.asarray(array, dtype=base, order="C")
            array = array.view(base) if base.hasobject else array
        wanted = shape + (dtype.subdtype[1] if dtype.subdtype is not None else ())
        if array.shape != wanted and not (array.size == 1 and np.prod(wanted, dtype=object) == 1):
            raise TypeError(f"Shape of data is incompatible with existing attribute: {array.shape} and {wanted}")
        attribute.write(dtypes.elements_of(dtype, type_), np.ascontiguousarray(array).reshape(wanted))

    def get_id(self, name: str) -> AttributeInfo:
        """Returns what is known of an attribute without reading it: `shape` and `dtype`."""
        return AttributeInfo(self._handle.attribute(name))

    def __len__(self) -> int:
        count: int = self._handle.attribute_count()
        return count

    def _names(self) -> list[str]:
        handle = self._handle
        names: list[str] = handle.attribute_names(handle.attributes_ordered())
        return names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __reversed__(self) -> Iterator[str]:
        return reversed(self._names())

    def __contains__(self, name: object) -> bool:
        return isinstance(name, (str, bytes)) and bool(self._handle.has_attribute(name))

    def __repr__(self) -> str:
        if not self._parent:
            return "<Attributes of closed HDF5 object>"
        return f"<Attributes of HDF5 object at {self._parent._handle.address}>"


class AttributeInfo:
    """Shape and dtype of an attribute."""

    def __init__(self, handle: _core.Attribute) -> None:
        self._handle = handle

    @property
    def name(self) -> str:
        """The name."""
        return self._handle.name

    @property
    def shape(self) -> tuple[int, ...] | None:
        """The shape; None for an attribute without a dataspace."""
        shape: tuple[int, ...] | None = self._handle.space[0]
        return shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype."""
        return dtypes.to_dtype(self._handle.datatype)


def _needs_numpy(target: np.dtype[Any], given: np.dtype[Any]) -> bool:
    """Whether numpy converts the data: HDF5 does not convert between numbers, strings and structures."""
    return target.kind != given.kind and not (target.kind in "iufb" and given.kind in "iuf")


def _shaped(array: np.ndarray[Any, Any], shape: Any, dtype: np.dtype[Any] | None) -> tuple[Any, tuple[int, ...]]:
    """Returns the array in the shape that is asked for, and the shape of the dataspace."""
    inner: tuple[int, ...] = dtype.subdtype[1] if dtype is not None and dtype.subdtype is not None else ()
    if shape is None:
        if inner:
            if array.shape[array.ndim - len(inner):] != inner:
                raise ValueError(f"Array dtype shape {inner} is incompatible with data shape {array.shape}")
            return array, array.shape[:array.ndim - len(inner)]
        return array, array.shape
    space = (shape,) if isinstance(shape, int) else tuple(shape)
    size = 1
    for length in space + inner:
        size *= length
    if size != array.size:
        raise ValueError(f"Shape of new attribute conflicts with shape of data: {space} and {array.shape}")
    return array.reshape(space + inner), space


def read(attribute: _core.Attribute) -> Any:
    """Returns the value of an attribute as h5py does: strings as str, one element as a scalar."""
    shape, _ = attribute.space
    type_ = attribute.datatype
    dtype = dtypes.to_dtype(type_)
    if shape is None:
        return Empty(dtype)
    array = np.empty(shape, dtype)
    if array.size:
        attribute.read(dtypes.elements_of(dtype, type_), array)
    string = dtypes.check_string_dtype(array.dtype)
    if string is not None and string.length is None:
        array = objects([each.decode("utf-8", "surrogateescape") for each in array.flat], array.shape)
    return array[()] if array.ndim == 0 else array
