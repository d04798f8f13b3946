# SPDX-License-Identifier: Apache-2.0
"""Virtual datasets: layouts that map elements to those of other datasets."""
from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from . import _core
from .datasets import Dataset
from .selections import UNLIMITED, expand

if TYPE_CHECKING:
    from .base import OpenFile
    from .groups import Group

__all__ = ["VDSmap", "VirtualLayout", "VirtualSource"]


class MappedSpace:
    """The selected elements of one side of a mapping."""

    def __init__(self, core: _core.Selection, shape: tuple[int, ...] | None) -> None:
        self._core, self._shape = core, shape

    def get_regular_hyperslab(self) -> tuple[tuple[int, ...], ...]:
        """Returns start, stride, count and block for each dimension."""
        ranges = self._core.ranges()
        if ranges is None:
            raise ValueError("the selection is not regular")
        return tuple(zip(*ranges))

    def __repr__(self) -> str:
        return f"<MappedSpace {self._core.ranges() if self._core.kind == 'regular' else self._core.kind}>"


class VDSmap(NamedTuple):
    """A mapping of a virtual dataset."""

    vspace: Any
    file_name: str
    dset_name: str
    src_space: Any

    @classmethod
    def _of(cls, entry: tuple[str, str, Any, Any], shape: tuple[int, ...]) -> VDSmap:
        file, name, source, virtual = entry
        return cls(MappedSpace(virtual, shape), file, name, MappedSpace(source, None))


def _mapped(shape: tuple[int, ...], args: tuple[Any, ...]) -> tuple[_core.Selection, tuple[int, ...]]:
    """A regular selection that may be unlimited in a slice that ends at UNLIMITED, and its shape."""
    starts, strides, counts, blocks, kept = [], [], [], [], []
    for length, arg in zip(shape, expand(args, len(shape))):
        if isinstance(arg, slice) and arg.stop == UNLIMITED:
            start, step = arg.start or 0, arg.step or 1
            starts.append(start)
            strides.append(step)
            counts.append(UNLIMITED)
            blocks.append(1)
            kept.append(max(0, -(-(length - start) // step)) if length != UNLIMITED else UNLIMITED)
            continue
        if isinstance(arg, slice):
            start, stop, step = arg.indices(length)
            if step < 1:
                raise ValueError(f"Step must be >= 1 (got {step})")
            count = max(0, -(-(stop - start) // step))
            kept.append(count)
        else:
            start, step, count = int(arg), 1, 1
            if not -length <= start < length:
                raise IndexError(f"Index ({start}) out of range for (0-{length - 1})")
            start += length if start < 0 else 0
        starts.append(start)
        strides.append(step)
        counts.append(count)
        blocks.append(1)
    if not shape:
        return _core.Selection.all(), ()
    if 0 in counts:
        return _core.Selection.none(), tuple(kept)
    return _core.Selection.regular(starts, strides, counts, blocks), tuple(kept)


class VirtualSource:
    """A dataset, or a part of it by slicing, that a virtual dataset maps to."""

    def __init__(self, path_or_dataset: Any, name: str | None = None, shape: Any = None, dtype: DTypeLike = None,
                 maxshape: Any = None) -> None:
        if isinstance(path_or_dataset, Dataset):
            given = {"name": name, "shape": shape, "dtype": dtype, "maxshape": maxshape}
            extra = [key for key, value in given.items() if value is not None]
            if extra:
                raise TypeError(f"If a Dataset is given, {', '.join(extra)} cannot be given")
            path, name = path_or_dataset._open.name, path_or_dataset.name
            shape, maxshape, dtype = path_or_dataset.shape, path_or_dataset.maxshape, path_or_dataset.dtype
        else:
            path = os.fspath(path_or_dataset)
            if shape is None:
                raise TypeError("the shape of a source is needed")
            if name is None:
                raise TypeError("the name of a source is needed")
        self.path: Any = path
        self.name = name
        self.dtype = dtype
        self.shape: tuple[int, ...] = (shape,) if isinstance(shape, int) else tuple(shape)
        if maxshape is None:
            self.maxshape: tuple[Any, ...] = self.shape
        else:
            maxshape = (maxshape,) if isinstance(maxshape, int) else maxshape
            self.maxshape = tuple(None if n == UNLIMITED else n for n in maxshape)
        self._selection: _core.Selection = _core.Selection.all()
        self._selected_shape = self.shape
        self._is_sliced = False

    def __getitem__(self, key: Any) -> VirtualSource:
        if self._is_sliced:
            raise RuntimeError("VirtualSource objects can only be sliced once.")
        made = VirtualSource.__new__(VirtualSource)
        made.__dict__.update(self.__dict__)
        made._selection, made._selected_shape = _mapped(self.shape, key if isinstance(key, tuple) else (key,))
        made._is_sliced = True
        return made


class VirtualLayout:
    """Shape and dtype of a virtual dataset; assigning a VirtualSource to a part of it maps that part."""

    def __init__(self, shape: Any, dtype: DTypeLike, maxshape: Any = None, filename: Any = None) -> None:
        self.shape: tuple[int, ...] = (shape,) if isinstance(shape, int) else tuple(shape)
        self.dtype = dtype
        self.maxshape = (maxshape,) if isinstance(maxshape, int) else maxshape
        self._filename = filename
        self._sources: list[tuple[Any, str, _core.Selection, _core.Selection]] = []

    def __setitem__(self, key: Any, source: VirtualSource) -> None:
        selection, shape = _mapped(self.shape, key if isinstance(key, tuple) else (key,))
        theirs = source._selected_shape
        if UNLIMITED not in (*shape, *theirs) and _size(shape) != _size(theirs) and not (
                _has_unlimited(key) or source._selection.kind == "regular" and _has_unlimited_selection(source)):
            raise ValueError(f"the mapped elements have the shapes {shape} and {theirs}")
        own = source._selection
        if own.kind == "all":
            own = _core.Selection.regular((0,) * len(source.shape), (1,) * len(source.shape), source.shape,
                                          (1,) * len(source.shape)) if source.shape else own
        assert source.name is not None
        self._sources.append((source.path, source.name, own, selection))

    def _mappings(self, opened: OpenFile) -> list[tuple[bytes, str, _core.Selection, _core.Selection]]:
        """Returns the mappings for a dataset of an open file. A source in the same file is called "."."""
        own = {os.path.abspath(os.fsencode(name)) for name in (self._filename, opened.name) if name}
        made = []
        for path, name, source, selection in self._sources:
            encoded = os.fsencode(path)
            made.append((b"." if os.path.abspath(encoded) in own else encoded, name, source, selection))
        return made


def _size(shape: tuple[int, ...]) -> int:
    size = 1
    for n in shape:
        size *= n
    return size


def _has_unlimited(key: Any) -> bool:
    return any(isinstance(part, slice) and part.stop == UNLIMITED for part in (key if isinstance(key, tuple) else (key,)))


def _has_unlimited_selection(source: VirtualSource) -> bool:
    return UNLIMITED in source._selected_shape


@contextmanager
def build(group: Group, name: str, shape: Any, dtype: DTypeLike, maxshape: Any = None,
          fillvalue: Any = None) -> Iterator[VirtualLayout]:
    """Yields a layout, and creates the dataset afterwards."""
    layout = VirtualLayout(shape, np.dtype(dtype), maxshape, group.file.filename)
    yield layout
    group.create_virtual_dataset(name, layout, fillvalue)
