# SPDX-License-Identifier: Apache-2.0
"""Labels and scales of dimensions, as the HDF5 Dimension Scale Specification stores them.

A scale is a dataset with the attribute CLASS = "DIMENSION_SCALE". A dataset names its scales in DIMENSION_LIST, and
each scale names the datasets that use it in REFERENCE_LIST.
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core, dtypes
from .base import MappingHDF5

if TYPE_CHECKING:
    from .datasets import Dataset

__all__ = ["DimensionManager", "DimensionProxy"]

_LIST, _USERS, _LABELS = "DIMENSION_LIST", "REFERENCE_LIST", "DIMENSION_LABELS"
_BACK = np.dtype([("dataset", dtypes.ref_dtype), ("dimension", "<i4")])


def _text(dataset: Dataset, name: str) -> str | None:
    value = dataset.attrs.get(name)
    if value is None:
        return None
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else str(value)


def _set_text(dataset: Dataset, name: str, text: str) -> None:
    """Writes a string of fixed length that ends in NUL, as HDF5 does."""
    encoded = text.encode("utf-8") + b"\0"
    type_ = _core.Datatype.terminated_string(len(encoded))
    array = np.array(encoded, dtype=f"S{len(encoded)}")
    dataset._handle.put_attribute(name, type_, (), _core.Elements(type_, array.dtype), array)


def is_scale(dataset: Dataset) -> bool:
    """Returns whether a dataset is a dimension scale."""
    return "CLASS" in dataset.attrs and _text(dataset, "CLASS") == "DIMENSION_SCALE"


def make_scale(dataset: Dataset, name: str = "") -> None:
    """Makes a dataset a dimension scale."""
    if _LIST in dataset.attrs:
        raise RuntimeError("a dataset with scales cannot be a scale")
    _set_text(dataset, "CLASS", "DIMENSION_SCALE")
    if name:
        _set_text(dataset, "NAME", name)


def _lists(dataset: Dataset) -> list[list[Any]]:
    """The references to the scales of each dimension."""
    if _LIST not in dataset.attrs:
        return [[] for _ in range(dataset.ndim)]
    return [list(each) if each is not None else [] for each in dataset.attrs[_LIST]]


def _set_lists(dataset: Dataset, lists: list[list[Any]]) -> None:
    if not any(lists):
        if _LIST in dataset.attrs:
            del dataset.attrs[_LIST]
        return
    dtype = dtypes.vlen_dtype(dtypes.ref_dtype)
    array = np.empty(len(lists), dtype)
    for i, each in enumerate(lists):
        items = np.empty(len(each), dtypes.ref_dtype)
        items[:] = each
        array[i] = items
    dataset._handle.put_attribute(_LIST, dtypes.to_datatype(dtype), array.shape, dtypes.elements_of(dtype), array)


def _users(scale: Dataset) -> list[tuple[Any, int]]:
    if _USERS not in scale.attrs:
        return []
    return [(each["dataset"], int(each["dimension"])) for each in scale.attrs[_USERS]]


def _set_users(scale: Dataset, users: list[tuple[Any, int]]) -> None:
    if not users:
        if _USERS in scale.attrs:
            del scale.attrs[_USERS]
        return
    array = np.empty(len(users), _BACK)
    for i, (reference, dimension) in enumerate(users):
        array[i] = (reference, dimension)
    type_ = _core.Datatype.compound(16, [("dataset", _core.Datatype.reference(False), 0),
                                         ("dimension", _core.Datatype.integer(4, True, False), 8)])
    packed = np.dtype({"names": ["dataset", "dimension"], "formats": [dtypes.ref_dtype, "<i4"], "offsets": [0, 8],
                       "itemsize": 16})
    made = np.empty(len(users), packed)
    for name in ("dataset", "dimension"):
        made[name] = array[name]
    scale._handle.put_attribute(_USERS, type_, made.shape, _core.Elements(type_, packed), made)


class DimensionProxy:
    """A dimension: its label, and its scales by number or by name."""

    def __init__(self, dataset: Dataset, dimension: int) -> None:
        self._dataset, self._dimension = dataset, dimension

    @property
    def label(self) -> str:
        """The label; empty if there is none. Assigning to it sets the label."""
        labels = self._dataset.attrs.get(_LABELS)
        if labels is None:
            return ""
        label = labels[self._dimension]
        return label.decode("utf-8", "surrogateescape") if isinstance(label, bytes) else str(label)

    @label.setter
    def label(self, text: str) -> None:
        labels = [dim.label for dim in self._dataset.dims]
        labels[self._dimension] = text
        dtype = dtypes.string_dtype("ascii")
        array = np.empty(len(labels), dtype)
        array[:] = [label.encode("utf-8") for label in labels]
        self._dataset._handle.put_attribute(_LABELS, dtypes.to_datatype(dtype), array.shape,
                                            dtypes.elements_of(dtype), array)

    def _scales(self) -> list[Dataset]:
        references = _lists(self._dataset)[self._dimension]
        return [self._dataset._object_of(reference) for reference in references]  # type: ignore[misc]

    def __hash__(self) -> int:
        return hash((type(self), self._dataset, self._dimension))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DimensionProxy) and hash(other) == hash(self)

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(_lists(self._dataset)[self._dimension])

    def __getitem__(self, item: int | str) -> Dataset:
        scales = self._scales()
        if isinstance(item, (int, np.integer)):
            return scales[item]
        for scale in scales:
            if _text(scale, "NAME") == item:
                return scale
        raise KeyError(item)

    def items(self) -> list[tuple[str, Dataset]]:
        """Returns the names and scales."""
        return [(_text(scale, "NAME") or "", scale) for scale in self._scales()]

    def keys(self) -> list[str]:
        """Returns the names of the scales."""
        return [name for name, _ in self.items()]

    def values(self) -> list[Dataset]:
        """Returns the scales."""
        return self._scales()

    def attach_scale(self, dset: Dataset) -> None:
        """Attaches a scale to the dimension; makes the dataset a scale if it is none."""
        if is_scale(self._dataset):
            raise RuntimeError("a scale cannot have scales")
        if not is_scale(dset):
            make_scale(dset)
        lists = _lists(self._dataset)
        reference = dset.ref
        if reference in lists[self._dimension]:
            return
        lists[self._dimension].append(reference)
        _set_lists(self._dataset, lists)
        _set_users(dset, [*_users(dset), (self._dataset.ref, self._dimension)])

    def detach_scale(self, dset: Dataset) -> None:
        """Detaches a scale from the dimension."""
        lists = _lists(self._dataset)
        reference = dset.ref
        if reference not in lists[self._dimension]:
            raise RuntimeError("the scale is not attached to this dimension")
        lists[self._dimension].remove(reference)
        _set_lists(self._dataset, lists)
        users = _users(dset)
        users.remove((self._dataset.ref, self._dimension))
        _set_users(dset, users)

    def __repr__(self) -> str:
        if not self._dataset:
            return "<Dimension of closed HDF5 dataset>"
        return (f'<"{self.label}" dimension {self._dimension} of HDF5 dataset at {self._dataset._handle.address}>')


class DimensionManager(MappingHDF5):
    """The dimensions of a dataset, by number or by label."""

    def __init__(self, parent: Dataset) -> None:
        self._dataset = parent

    def __getitem__(self, index: Any) -> DimensionProxy:
        count = self._dataset.ndim
        if isinstance(index, str):
            for dimension in range(count):
                if DimensionProxy(self._dataset, dimension).label == index:
                    return DimensionProxy(self._dataset, dimension)
            raise KeyError(index)
        if not -count <= index < count:
            raise IndexError(f"Index ({index}) out of range for {count} dimensions")
        return DimensionProxy(self._dataset, index % count)

    def __len__(self) -> int:
        return self._dataset.ndim

    def __iter__(self) -> Iterator[Any]:
        for dimension in range(self._dataset.ndim):
            yield DimensionProxy(self._dataset, dimension)

    def create_scale(self, dset: Dataset, name: str = "") -> None:
        """Makes a dataset a scale; deprecated in h5py, use Dataset.make_scale()."""
        make_scale(dset, name)

    def __repr__(self) -> str:
        if not self._dataset:
            return "<Dimensions of closed HDF5 dataset>"
        return f"<Dimensions of HDF5 object at {self._dataset._handle.address}>"
