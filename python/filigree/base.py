# SPDX-License-Identifier: Apache-2.0
"""What groups, datasets and committed datatypes have in common."""
from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import TYPE_CHECKING, Any, Optional

import numpy as np
from numpy.typing import DTypeLike

from . import _core, dtypes

if TYPE_CHECKING:
    from .attributes import AttributeManager
    from .files import File
    from .groups import Group

__all__ = ["Empty", "HLObject", "is_hdf5"]


def is_hdf5(fname: str | bytes | os.PathLike[Any]) -> bool:
    """Returns whether the file exists and is an HDF5 file."""
    path = os.path.abspath(os.fspath(fname))
    return os.path.isfile(path) and _core.File.is_hdf5(path)


class Empty:
    """The value of a dataset or attribute with a dtype and without a dataspace (H5S_NULL)."""

    shape = None
    size = None

    def __init__(self, dtype: DTypeLike) -> None:
        self.dtype = np.dtype(dtype)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Empty) and self.dtype == other.dtype

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Empty(dtype={self.dtype!r})"


#: A chunk cache as the core takes it: the most chunks, the most bytes, and the preemption.
ChunkCache = tuple[Optional[int], Optional[int], Optional[float]]


def chunk_cache(kwds: Mapping[str, Any]) -> ChunkCache | None:
    """Returns the chunk cache that the keywords of h5py describe; None for the shared one.

    There are no slots to choose the number of, except that none turn the cache off.
    """
    slots, size, preemption = (kwds.get(key) for key in ("rdcc_nslots", "rdcc_nbytes", "rdcc_w0"))
    if size is None and preemption is None and slots != 0:
        return None
    for number in (size, preemption):
        if number is not None and number < 0:
            raise ValueError(f"rdcc_nbytes and rdcc_w0 are not negative: {number}")
    if preemption is not None and not preemption <= 1:
        raise ValueError(f"rdcc_w0 is at most 1: {preemption}")
    return (0 if slots == 0 else None, None if size is None else int(size),
            None if preemption is None else float(preemption))


class OpenFile:
    """What all objects of an open file share: its handle, and how it was opened."""

    __slots__ = ("core", "name", "mode", "driver", "is_closed", "reopen", "chunk_cache", "cached", "is_swmr_reader",
                 "is_borrowed", "owner", "__weakref__")

    def __init__(self, core: _core.File, name: str | bytes, mode: str, driver: str = "sec2") -> None:
        self.core = core
        self.name = name
        self.mode = mode
        self.driver = driver
        self.is_closed = False
        #: The arguments that open the file again in another process; None if it cannot be opened again.
        self.reopen: dict[str, Any] | None = None
        #: The chunk cache of each dataset; None: all share one. `cached` are the addresses of those that have it.
        self.chunk_cache: ChunkCache | None = None
        self.cached: set[int] = set()
        self.is_swmr_reader = False
        #: Whether h5py has opened the file, on our C library, and closes it.
        self.is_borrowed = False
        #: A file-like object that holds the bytes, or whatever else has to live as long.
        self.owner: Any = None

    def of(self, handle: _core.Object) -> OpenFile:
        """The open file of an object that was reached from this one: another one behind an external link."""
        if handle.is_in(self.core):
            return self
        core = handle.file
        return OpenFile(core, core.name, "r+" if core.writable else "r", self.driver)

    def give_chunk_cache(self, handle: _core.Dataset) -> None:
        """Gives a dataset the chunk cache that the file was opened with, once: a new one would be empty."""
        if self.chunk_cache is not None and handle.address not in self.cached:
            handle.set_chunk_cache(*self.chunk_cache)
            self.cached.add(handle.address)

    def require_open(self) -> None:
        if self.is_closed:
            raise ValueError(f"the file {self.name!r} is closed")


class HLObject:
    """An object of an open file."""

    __slots__ = ("_handle", "_open", "__weakref__")
    _handle: Any

    def __init__(self, handle: Any, open_file: OpenFile) -> None:
        self._handle = handle
        self._open = open_file

    @property
    def file(self) -> File:
        """The file of this object."""
        from .files import File

        self._open.require_open()
        return File._of(self._open)

    @property
    def name(self) -> str | None:
        """The absolute path by which the object was opened; None for an object without a link.

        An object that was reached by a reference is searched in the file.
        """
        self._open.require_open()
        path: str = self._handle.path
        if not path.startswith("/"):
            found = self._search()
            if found is None:
                return None
            self._handle = self._handle.with_path(found).opened()
            path = found
        return path if path == "/" else path.rstrip("/")

    def _search(self) -> str | None:
        """The first path of the object, in the order of names; None if no link leads to it."""
        from .groups import Group

        root = Group._of(self._open.core.root(), self._open)
        if root._handle == self._handle:
            return "/"
        address = self._handle.address
        for path, handle in root._walk():
            if handle.address == address:
                return "/" + path
        return None

    @property
    def parent(self) -> Group:
        """The group at the directory part of `name`."""
        name = self.name
        if name is None:
            raise ValueError("Parent of an anonymous object is undefined")
        parent = self.file[posixpath.dirname(name)]
        return parent  # type: ignore[no-any-return]

    @property
    def ref(self) -> _core.Reference:
        """A reference to the object, which datasets and attributes of the file can hold."""
        self._open.require_open()
        reference: _core.Reference = self._handle.reference()
        return reference

    @property
    def regionref(self) -> RegionProxy:
        """`obj.regionref[index]` is a reference to elements of a dataset."""
        return RegionProxy(self)

    @property
    def attrs(self) -> AttributeManager:
        """The attributes, as a mapping."""
        from .attributes import AttributeManager

        return AttributeManager(self)

    def _object_of(self, reference: Any) -> HLObject:
        """Opens what a reference refers to."""
        if not reference:
            raise ValueError("the reference is null")
        core = self._open.core
        if isinstance(reference, _core.RegionReference):
            handle = core.open_region(reference)[0]
        else:
            handle = core.open_reference(reference)
        found: HLObject = wrap(handle, self._open)
        return found

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HLObject):
            return NotImplemented
        if self is other:
            return True
        return bool(self) and bool(other) and bool(self._handle == other._handle)

    def __hash__(self) -> int:
        return hash(self._handle)

    def __bool__(self) -> bool:
        return not self._open.is_closed

    def __reduce__(self) -> Any:
        from .pickling import reduce_object

        return reduce_object(self)


class RegionProxy:
    """Makes references to elements of a dataset, and tells what a reference selects."""

    def __init__(self, obj: HLObject) -> None:
        self._obj = obj

    def __getitem__(self, args: Any) -> _core.RegionReference:
        from .datasets import Dataset
        from .selections import select

        if not isinstance(self._obj, Dataset):
            raise TypeError("Region references can only be made to datasets")
        shape = self._obj.shape
        if shape is None:
            raise TypeError("an empty dataset has no regions")
        selected = select(shape, args if isinstance(args, tuple) else (args,))
        return self._obj._handle.region_reference(selected.core)

    def shape(self, ref: _core.RegionReference) -> tuple[int, ...]:
        """Returns the shape of the dataset that the reference points to."""
        handle, _ = self._obj._open.core.open_region(ref)
        shape: tuple[int, ...] = handle.space[0]
        return shape

    def selection(self, ref: _core.RegionReference) -> tuple[int, ...]:
        """Returns the shape of what the reference selects: a box, or the number of elements."""
        handle, selection = self._obj._open.core.open_region(ref)
        return region_shape(selection, handle.space[0])


def region_shape(selection: _core.Selection, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of the elements of a selection: that of a box if they are one, else their number."""
    if selection.kind == "none":
        return (0,) * len(shape)
    if selection.kind == "all":
        return shape
    if selection.kind == "points":
        return (selection.count(shape),)
    ranges = selection.within(shape).ranges()
    if ranges is None:
        return (selection.count(shape),)
    return tuple(count * block for _, _, count, block in ranges)


#: Makes the object of a handle, by the class of the handle. The modules of the classes fill it.
WRAPPERS: dict[type, Callable[[Any, OpenFile], Any]] = {}


def wrap(handle: Any, open_file: OpenFile) -> Any:
    """Returns the object of a handle that was reached from a file."""
    return WRAPPERS[type(handle)](handle, open_file.of(handle))


# --- mappings

class KeysViewHDF5(KeysView[str]):
    """The names of a mapping."""

    def __str__(self) -> str:
        return f"<KeysViewHDF5 {list(self)}>"

    def __reversed__(self) -> Iterator[str]:
        yield from reversed(self._mapping)  # type: ignore[attr-defined]

    __repr__ = __str__


class ValuesViewHDF5(ValuesView[Any]):
    """The values of a mapping; objects of links that lead nowhere are None."""

    def __contains__(self, value: object) -> bool:
        return any(bool(np.all(each == value)) for each in self)

    def __iter__(self) -> Iterator[Any]:
        for key in self._mapping:  # type: ignore[attr-defined]
            yield self._mapping.get(key)  # type: ignore[attr-defined]

    def __reversed__(self) -> Iterator[Any]:
        for key in reversed(self._mapping):  # type: ignore[attr-defined]
            yield self._mapping.get(key)  # type: ignore[attr-defined]


class ItemsViewHDF5(ItemsView[str, Any]):
    """The names and values of a mapping."""

    def __contains__(self, item: object) -> bool:
        key: Any
        value: Any
        key, value = item  # type: ignore[misc]
        return key in self._mapping and bool(np.all(value == self._mapping.get(key)))  # type: ignore[attr-defined]

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        for key in self._mapping:  # type: ignore[attr-defined]
            yield key, self._mapping.get(key)  # type: ignore[attr-defined]

    def __reversed__(self) -> Iterator[tuple[str, Any]]:
        for key in reversed(self._mapping):  # type: ignore[attr-defined]
            yield key, self._mapping.get(key)  # type: ignore[attr-defined]


class MappingHDF5(Mapping[str, Any]):
    """A mapping whose views are in the order of the file."""

    __slots__ = ()

    def keys(self) -> KeysView[str]:
        """Returns a view of the names."""
        return KeysViewHDF5(self)

    def values(self) -> ValuesView[Any]:
        """Returns a view of the values."""
        return ValuesViewHDF5(self)

    def items(self) -> ItemsView[str, Any]:
        """Returns a view of the names and values."""
        return ItemsViewHDF5(self)

    def _ipython_key_completions_(self) -> list[str]:
        return sorted(self.keys())


# --- arrays for new objects

def objects(items: list[Any], shape: tuple[int, ...], dtype: Any = object) -> np.ndarray[Any, Any]:
    """Returns an array of objects, none of which are taken apart."""
    made = np.empty(len(items), dtype)
    made[:] = items
    return made.reshape(shape)


def _item_type(data: Any) -> Any:
    """The type of the items of nested lists, or of an array of untyped objects; None if they differ."""
    if isinstance(data, np.ndarray):
        if data.dtype.kind != "O" or dtypes.check_vlen_dtype(data.dtype) is not None:
            return None
        types = {type(item) for item in data.flat}
    elif isinstance(data, (list, tuple)):
        types = {_item_type(item) for item in data}
    else:
        return type(data)
    return types.pop() if len(types) == 1 else None


def guess_dtype(data: Any) -> np.dtype[Any] | None:
    """The dtype for strings and references; None where numpy decides."""
    if isinstance(data, _core.RegionReference):
        return dtypes.regionref_dtype
    if isinstance(data, _core.Reference):
        return dtypes.ref_dtype
    item = _item_type(data)
    if item is bytes:
        return dtypes.string_dtype("ascii")
    if item is str:
        return dtypes.string_dtype()
    if item is _core.Reference:
        return dtypes.ref_dtype
    if item is _core.RegionReference:
        return dtypes.regionref_dtype
    return None


def array_for(data: Any, dtype: np.dtype[Any] | None = None) -> np.ndarray[Any, Any]:
    """Returns the array that a new dataset or attribute is made from; `dtype` guides what is no array yet."""
    target = dtype if dtype is not None and not isinstance(data, np.ndarray) else guess_dtype(data)
    if target is not None and target.subdtype is not None:
        target = target.base
    array = np.asarray(data, order="C", dtype=target)
    if not array.flags.c_contiguous:
        array = array.copy(order="C")
    if target is not None and array.dtype.metadata != target.metadata:
        array = array.view(target)
    return array
