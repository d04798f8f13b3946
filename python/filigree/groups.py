# SPDX-License-Identifier: Apache-2.0
"""Groups and links."""
from __future__ import annotations

import errno
import os
import posixpath
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from . import _core, creation, dtypes
from .base import WRAPPERS, HLObject, MappingHDF5, OpenFile, wrap
from .datasets import Dataset
from .datatypes import Datatype
from .errors import Error, NotFoundError, PathError, ReadOnlyError, ReadOnlyLinkError, WrongTypeError, fill

__all__ = ["ExternalLink", "Group", "HardLink", "SoftLink"]


class HardLink:
    """A hard link, as `Group.get(name, getlink=True)` returns it."""


class SoftLink:
    """A soft link: a path in the same file. `group[name] = SoftLink(path)` creates one."""

    def __init__(self, path: str) -> None:
        self._path = str(path)

    @property
    def path(self) -> str:
        """The path that the link leads to."""
        return self._path

    def __repr__(self) -> str:
        return f'<SoftLink to "{self.path}">'


class ExternalLink:
    """An external link: a path in another file. `group[name] = ExternalLink(file, path)` creates one."""

    def __init__(self, filename: Any, path: str) -> None:
        self._filename = os.fsdecode(filename)
        self._path = path

    @property
    def path(self) -> str:
        """The path in the other file."""
        return self._path

    @property
    def filename(self) -> str:
        """The name of the other file."""
        return self._filename

    def __repr__(self) -> str:
        return f'<ExternalLink to "{self.path}" in file "{self.filename}"'


def _link_of(found: tuple[str, str, int, str, str]) -> Any:
    _, kind, _, target, file = found
    if kind == "hard":
        return HardLink()
    if kind == "soft":
        return SoftLink(target)
    if kind == "external":
        return ExternalLink(file, target)
    raise TypeError("Unknown link type")


def _call_for_each(func: Callable[..., Any], arguments: Iterable[tuple[Any, ...]]) -> Any:
    """Calls `func` with each of the arguments, until it returns something other than None."""
    for each in arguments:
        result = func(*each)
        if result is not None:
            return result
    return None


class Group(HLObject, MappingHDF5, MutableMapping[str, Any]):
    """A group: a mapping from names to groups, datasets and committed datatypes.

    Names are paths, relative to the group or, with a leading "/", to the root group.
    """

    _handle: _core.Group

    def __init__(self, bind: Any) -> None:
        if not isinstance(bind, Group):
            raise ValueError(f"{bind!r} is not a group")
        super().__init__(bind._handle, bind._open)

    @classmethod
    def _of(cls, handle: _core.Group, open_file: OpenFile) -> Group:
        made = cls.__new__(cls)
        HLObject.__init__(made, handle, open_file)
        return made

    @property
    def _group(self) -> _core.Group:
        self._open.require_open()
        return self._handle

    def _wrap(self, handle: Any) -> Any:
        return wrap(handle, self._open)

    # --- creation

    def create_group(self, name: str | bytes | None, track_order: bool | None = None) -> Group:
        """Creates a group, and missing groups on the way; without a name, one that has no link."""
        options = {"track_order": True, "track_attribute_order": True} if track_order else {}
        try:
            return self._wrap(self._group.create_group(name, options))  # type: ignore[no-any-return]
        except NotFoundError as error:
            raise fill(PathError, error.kind, str(error), error.message, None) from None

    def require_group(self, name: str) -> Group:
        """Returns the group of that name; creates it if it does not exist."""
        if name not in self:
            return self.create_group(name)
        found = self[name]
        if not isinstance(found, Group):
            raise TypeError(f"Incompatible object ({type(found).__name__}) already exists")
        return found

    def create_dataset(self, name: str | bytes | None, shape: Any = None, dtype: Any = None, data: Any = None,
                       **kwds: Any) -> Dataset:
        """Creates a dataset.

        Keywords: chunks, maxshape, compression, compression_opts, shuffle, fletcher32, scaleoffset, fillvalue,
        track_times, track_order, external, fill_time, efile_prefix, virtual_prefix, rdcc_nbytes, rdcc_nslots,
        rdcc_w0, allow_unknown_filter; see docs/python.md. A sparse matrix or SparseArray as `data` makes a sparse
        dataset.
        """
        return creation.create_dataset(self, name, shape, dtype, data, kwds)

    def create_sparse_dataset(self, name: str | bytes | None, shape: Any = None, dtype: Any = None,
                              data: Any = None, **kwds: Any) -> Dataset:
        """Creates a dataset that stores only the elements that are written.

        Keywords: maxshape, chunks (None: chosen), density and access (for that choice), values, selection and heap
        (the filters of the sections, by name or as ("zstd", 3)), portable (a form that HDF5 reads with a plug-in),
        fillvalue, track_times, track_order.
        """
        return creation.create_sparse_dataset(self, name, shape, dtype, data, kwds)

    def create_virtual_dataset(self, name: str | bytes | None, layout: Any, fillvalue: Any = None) -> Dataset:
        """Creates a dataset that is mapped to others; see VirtualLayout."""
        return creation.create_virtual_dataset(self, name, layout, fillvalue)

    def build_virtual_dataset(self, name: str, shape: Any, dtype: DTypeLike, maxshape: Any = None,
                              fillvalue: Any = None) -> Any:
        """Assembles a virtual dataset in a `with` statement."""
        from .virtual import build

        return build(self, name, shape, dtype, maxshape, fillvalue)

    def require_dataset(self, name: str, shape: Any, dtype: DTypeLike, exact: bool = False, **kwds: Any) -> Dataset:
        """Returns the dataset of that name; creates it if it does not exist.

        Raises TypeError if it has another shape, or a dtype that does not hold `dtype` (with `exact`: another one).
        """
        if name not in self:
            return self.create_dataset(name, shape, dtype, **kwds)
        wanted = (shape,) if isinstance(shape, int) else tuple(shape)
        found = self[name]
        if not isinstance(found, Dataset):
            raise TypeError(f"Incompatible object ({type(found).__name__}) already exists")
        if found.shape != wanted:
            if "maxshape" not in kwds:
                raise TypeError(f"Shapes do not match (existing {found.shape} vs new {wanted})")
            if found.maxshape != kwds["maxshape"]:
                raise TypeError(f"Max shapes do not match (existing {found.maxshape} vs new {kwds['maxshape']})")
        if exact and found.dtype != np.dtype(dtype):
            raise TypeError(f"Datatypes do not exactly match (existing {found.dtype} vs new {np.dtype(dtype)})")
        if not np.can_cast(np.dtype(dtype), found.dtype):
            raise TypeError(f"Datatypes cannot be safely cast (existing {found.dtype} vs new {np.dtype(dtype)})")
        return found

    def create_dataset_like(self, name: str, other: Dataset, **kwupdate: Any) -> Dataset:
        """Creates a dataset with shape, dtype and storage of another one; keywords replace properties."""
        return creation.create_dataset_like(self, name, other, kwupdate)

    # --- the mapping

    def __getitem__(self, name: Any) -> Any:
        opened = self._open
        if opened.is_closed:
            opened.require_open()
        if isinstance(name, (str, bytes)):
            return wrap(self._handle.open(name), opened)
        if getattr(type(name), "__name__", "") in ("Reference", "RegionReference"):
            return self._object_of(name)
        raise TypeError(f"Accessing a group is done with bytes or str, not {type(name)}")

    def get(self, name: Any, default: Any = None, getclass: bool = False, getlink: bool = False) -> Any:
        """Returns the object, its class (getclass), its link (getlink), or the class of the link (both)."""
        if not (getclass or getlink):
            try:
                return self[name]
            except KeyError:
                return default
        if getlink:
            found = self._group.find_link(name)
            if found is None:
                return default
            link = _link_of(found)
            return type(link) if getclass else link
        try:
            return type(self[name])
        except KeyError:
            return default

    def __setitem__(self, name: str, obj: Any) -> None:
        group = self._group
        if isinstance(obj, HLObject):
            obj._open.require_open()
            group.link_hard(name, obj._handle)
        elif isinstance(obj, SoftLink):
            group.link_soft(name, obj.path)
        elif isinstance(obj, ExternalLink):
            group.link_external(name, os.fsencode(obj.filename), obj.path)
        elif isinstance(obj, np.dtype):
            group.commit(name, dtypes.to_datatype(obj))
        else:
            self.create_dataset(name, data=obj)

    def __delitem__(self, name: str) -> None:
        try:
            self._group.remove(name)
        except ReadOnlyError as error:
            raise fill(ReadOnlyLinkError, error.kind, str(error), error.message, errno.EACCES) from None

    def __len__(self) -> int:
        return self._group.link_count()

    def _names(self, descending: bool = False) -> list[str]:
        group = self._group
        return group.link_names(group.ordered(), descending)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __reversed__(self) -> Iterator[str]:
        return iter(self._names(True))

    def __contains__(self, name: object) -> bool:
        if not self:
            return False
        if isinstance(name, (str, bytes)):
            return self._has_link(name)
        if isinstance(name, (_core.Reference, _core.RegionReference)):
            try:
                return bool(name) and self._object_of(name) is not None
            except Error:
                return False
        raise TypeError(f"a group contains names, not {type(name)}")

    def _has_link(self, name: str | bytes) -> bool:
        """Whether there is a link of that path, even one that leads nowhere; the links before it lead on."""
        path = os.fsdecode(name)
        if not path:
            return False
        parts = [part for part in path.split("/") if part not in ("", ".")]
        if not parts:
            return True
        try:
            return self._group.has_link(os.fsencode(("/" if path.startswith("/") else "") + "/".join(parts)))
        except (NotFoundError, WrongTypeError):
            return False

    # --- links and copies

    def copy(self, source: Any, dest: Any, name: str | None = None, shallow: bool = False, expand_soft: bool = False,
             expand_external: bool = False, expand_refs: bool = False, without_attrs: bool = False) -> None:
        """Copies an object, or the one at a path, to a group or a path."""
        options = {"shallow": shallow, "expand_soft": expand_soft, "expand_external": expand_external,
                   "expand_references": expand_refs, "without_attributes": without_attrs, "create_parents": True}
        origin = source if isinstance(source, HLObject) else self[source]
        if isinstance(dest, Group):
            target, path = dest, name
            if path is None:
                path = posixpath.basename(source if isinstance(source, str) else origin.name)
            if path == "":
                raise ValueError("the copy needs a name")
        elif isinstance(dest, HLObject):
            raise TypeError("Destination must be path or Group object")
        else:
            target, path = self, dest
        origin._handle.copy_to(target._group, path, options)

    def move(self, source: str, dest: str) -> None:
        """Gives a link another path in the same file."""
        if source == dest:
            return
        try:
            self._group.rename(source, dest)
        except NotFoundError as error:
            raise fill(PathError, error.kind, str(error), error.message, None) from None

    def _walk(self) -> Iterator[tuple[str, Any]]:
        """The paths and objects below the group, each object once, in the order of names."""
        seen = {self._handle.address}
        stack: list[tuple[str, _core.Group, Iterator[Any]]] = [("", self._group, iter(self._group.links(False)))]
        while stack:
            prefix, group, links = stack[-1]
            found = next(links, None)
            if found is None:
                stack.pop()
                continue
            name, kind, address, _, _ = found
            if kind != "hard" or address in seen:
                continue
            seen.add(address)
            handle: Any = group.open(name)
            yield prefix + name, handle
            if isinstance(handle, _core.Group):
                stack.append((prefix + name + "/", handle, iter(handle.links(False))))

    def visit(self, func: Callable[[str], Any]) -> Any:
        """Calls `func(path)` for every object below the group, until it returns something other than None."""
        return _call_for_each(func, ((path,) for path, _ in self._walk()))

    def visititems(self, func: Callable[[str, Any], Any]) -> Any:
        """Calls `func(path, object)` for every object below the group, until it returns something."""
        return _call_for_each(func, ((path, self._wrap(handle)) for path, handle in self._walk()))

    def _walk_links(self) -> Iterator[tuple[str, Any]]:
        """The paths and links below the group; groups are entered once."""
        seen = {self._handle.address}
        stack: list[tuple[str, _core.Group, Iterator[Any]]] = [("", self._group, iter(self._group.links(False)))]
        while stack:
            prefix, group, links = stack[-1]
            found = next(links, None)
            if found is None:
                stack.pop()
                continue
            name, kind, address, _, _ = found
            yield prefix + name, found
            if kind == "hard" and address not in seen:
                seen.add(address)
                handle: Any = group.open(name)
                if isinstance(handle, _core.Group):
                    stack.append((prefix + name + "/", handle, iter(handle.links(False))))

    def visit_links(self, func: Callable[[str], Any]) -> Any:
        """Calls `func(path)` for every link below the group, until it returns something other than None."""
        return _call_for_each(func, ((path,) for path, _ in self._walk_links()))

    def visititems_links(self, func: Callable[[str, Any], Any]) -> Any:
        """Calls `func(path, link)` for every link below the group, until it returns something."""
        return _call_for_each(func, ((path, _link_of(found)) for path, found in self._walk_links()))

    def __repr__(self) -> str:
        if not self:
            return "<Closed HDF5 group>"
        name = self.name
        shown = "(anonymous)" if name is None else f'"{name}"'
        return f"<HDF5 group {shown} ({len(self)} members)>"

    __eq__ = HLObject.__eq__
    __hash__ = HLObject.__hash__


WRAPPERS[_core.Group] = Group._of
