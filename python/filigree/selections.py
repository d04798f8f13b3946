# SPDX-License-Identifier: Apache-2.0
"""Indices of datasets as selections."""
from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any, NamedTuple, Sequence, Union

import numpy as np

from . import _core

__all__ = ["MultiBlockSlice", "Selection", "UNLIMITED"]

#: A dimension without an upper limit.
UNLIMITED: int = (1 << 64) - 1

Shape = tuple[int, ...]


class MultiBlockSlice:
    """`count` blocks of `block` elements, from `start` on, `stride` apart.

    It is an index of one dimension. Without `count`, it selects as many blocks as fit into the dimension.
    """

    def __init__(self, start: int = 0, stride: int = 1, count: int | None = None, block: int = 1) -> None:
        if start < 0:
            raise ValueError("Start can't be negative")
        if stride < 1 or (count is not None and count < 1) or block < 1:
            raise ValueError("Stride, count and block can't be 0 or negative")
        if block > stride:
            raise ValueError("Blocks will overlap if block > stride")
        self.start, self.stride, self.count, self.block = start, stride, count, block

    def indices(self, length: int) -> tuple[int, int, int, int]:
        """Returns start, stride, count and block in a dimension of this length."""
        count = self.count
        if count is None:
            count = (length - self.start - self.block) // self.stride + 1
            if self.start + self.block > length or count < 1:
                raise ValueError("MultiBlockSlice does not fit into the dimension")
        elif self.start + (count - 1) * self.stride + self.block > length:
            raise ValueError("MultiBlockSlice does not fit into the dimension")
        return self.start, self.stride, count, self.block

    def __repr__(self) -> str:
        return (f"MultiBlockSlice(start={self.start}, stride={self.stride}, count={self.count}, "
                f"block={self.block})")


class Selection:
    """Elements of an array of a given shape: a set, with algebra, that is an index of datasets of that shape.

    `Selection(shape, index)` selects what `array[index]` does. `|`, `&`, `-` and `^` combine selections of one
    shape. The elements are in row-major order.
    """

    __slots__ = ("_core", "_shape")

    def __init__(self, shape: Sequence[int], index: Any = ...) -> None:
        self._shape: Shape = tuple(int(n) for n in shape)
        self._core: _core.Selection = select(self._shape, index if isinstance(index, tuple) else (index,)).core

    @classmethod
    def _of(cls, core: _core.Selection, shape: Shape) -> Selection:
        made = cls.__new__(cls)
        made._core, made._shape = core, shape
        return made

    @classmethod
    def from_mask(cls, mask: Any) -> Selection:
        """Selects the elements that are true in a mask."""
        mask = np.ascontiguousarray(mask, dtype=bool)
        return cls._of(_core.Selection.of_mask(mask.shape, mask.view(np.uint8)), mask.shape)

    @classmethod
    def from_coordinates(cls, shape: Sequence[int], coordinates: Any) -> Selection:
        """Selects elements by an array of coordinates of shape (rank, n)."""
        rows = np.ascontiguousarray(_unsigned(coordinates).T)
        if rows.ndim != 2 or rows.shape[1] != len(shape):
            raise ValueError("coordinates have one row for each dimension")
        return cls._of(_core.Selection.points(shape, rows, False), tuple(shape))

    @property
    def shape(self) -> Shape:
        """The shape of the array."""
        return self._shape

    @property
    def size(self) -> int:
        """The number of selected elements."""
        return self._core.count(self._shape)

    def mask(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Returns an array of bool that is true where elements are selected."""
        return self._core.mask(self._shape).view(bool).reshape(self._shape)

    def coordinates(self) -> np.ndarray[Any, Any]:
        """Returns the coordinates as an array of shape (rank, n)."""
        if not self._shape:
            return np.empty((0, self.size), np.int64)
        return self._core.within(self._shape).coordinates().view(np.int64)

    def bounds(self) -> tuple[slice, ...] | None:
        """Returns the smallest box that has all selected elements; None if there are none."""
        box = self._core.within(self._shape).bounds()
        return None if box is None else tuple(slice(low, high + 1) for low, high in zip(*box))

    def _combine(self, other: object, name: str) -> Any:
        if not isinstance(other, Selection):
            return NotImplemented
        if other._shape != self._shape:
            raise ValueError(f"the selections have the shapes {self._shape} and {other._shape}")
        ours, theirs = self._core.within(self._shape), other._core.within(self._shape)
        return Selection._of(getattr(ours, name)(theirs), self._shape)

    def __or__(self, other: object) -> Any:
        return self._combine(other, "union")

    def __and__(self, other: object) -> Any:
        return self._combine(other, "intersection")

    def __sub__(self, other: object) -> Any:
        return self._combine(other, "difference")

    def __xor__(self, other: object) -> Any:
        return self._combine(other, "symmetric_difference")

    def __invert__(self) -> Selection:
        result: Selection = Selection(self._shape) - self
        return result

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Selection):
            return NotImplemented
        return self._shape == other._shape and self._core.within(self._shape).equals(
            other._core.within(self._shape))

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        return f"<Selection of {self.size} elements of shape {self._shape}>"


@dataclass(frozen=True)
class _Range:
    start: int
    stride: int
    count: int
    block: int = 1

    @property
    def size(self) -> int:
        return self.count * self.block

    def part(self, first: int, end: int) -> _Range:
        """The selected elements from `first` to `end`. Requires: blocks of one element."""
        return _Range(self.start + first * self.stride, self.stride, end - first)


class _List(NamedTuple):
    #: Ascending and unique.
    indices: np.ndarray[Any, Any]
    #: Arranges what is read; None for an ascending list.
    order: np.ndarray[Any, Any] | None

    @property
    def size(self) -> int:
        return len(self.indices)

    def part(self, first: int, end: int) -> _List:
        """The selected elements from `first` to `end`."""
        return _List(self.indices[first:end], None)


_Part = Union[_Range, _List]


class Selected(NamedTuple):
    """What an index selects: the elements, and how they become an array."""

    core: _core.Selection
    #: The elements as they are read: one number for each dimension of the dataset.
    box: Shape
    #: The result: without the dimensions that an integer selects.
    shape: Shape
    #: How lists that are not ascending arrange what is read: None, or one item for each dimension.
    arrange: tuple[Any, ...] | None = None
    #: Where the dimensions of the result begin in the dataset; None unless the selection is a box of stride 1.
    origin: Shape | None = None
    #: What each argument selects, with the shape of the dataset; None for points and masks.
    parts: tuple[Shape, tuple[_Part, ...]] | None = None

    @property
    def is_empty(self) -> bool:
        return 0 in self.box

    def part(self, axis: int, first: int, end: int) -> _core.Selection:
        """The elements from `first` to `end` of one dimension of the box."""
        assert self.parts is not None
        shape, parts = self.parts
        return _core_of(shape, (*parts[:axis], parts[axis].part(first, end), *parts[axis + 1:]))



def _unsigned(numbers: Any) -> np.ndarray[Any, Any]:
    array = np.asarray(numbers)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError("coordinates are integers")
    if array.dtype.kind == "i" and array.size and array.min() < 0:
        raise ValueError("coordinates are not negative")
    return array.astype(np.uint64)


def select(shape: Shape, args: tuple[Any, ...], lists: bool = False) -> Selected:
    """Returns what `args` selects in a dataset of this shape; `lists` allows a list in each dimension (oindex)."""
    if len(args) == 1:
        whole = _select_by_one(shape, args[0])
        if whole is not None:
            return whole
    parts: list[_Part] = []
    kept: list[bool] = []
    for length, arg in zip(shape, expand(args, len(shape))):
        part, keeps = _part_of(arg, length)
        parts.append(part)
        kept.append(keeps)
    count = sum(isinstance(part, _List) for part in parts)
    if count > 1 and not lists:
        raise TypeError("Only one indexing vector or array is currently allowed for fancy indexing; "
                        "use oindex or vindex")
    return _assemble(shape, parts, kept)


def _select_by_one(shape: Shape, arg: Any) -> Selected | None:
    if isinstance(arg, Selection):
        if arg.shape != shape:
            raise TypeError(f"the selection is for the shape {arg.shape}, and not for {shape}")
        size = arg.size
        return Selected(arg._core.within(shape) if shape else arg._core, (size,), (size,))
    if isinstance(arg, np.ndarray) and arg.dtype.kind == "b" and (arg.ndim > 1 or arg.shape == shape):
        if arg.shape != shape:
            raise TypeError("Boolean indexing array has incompatible shape")
        core = _core.Selection.of_mask(shape, np.ascontiguousarray(arg).view(np.uint8))
        size = int(np.count_nonzero(arg))
        return Selected(core, (size,), (size,))
    return None


def expand(args: tuple[Any, ...], rank: int) -> list[Any]:
    """Replaces an ellipsis, and adds what is missing at the end."""
    at = [i for i, arg in enumerate(args) if arg is Ellipsis]
    if len(at) > 1:
        raise ValueError("Only one ellipsis may be used.")
    given = len(args) - len(at)
    if given > rank:
        raise ValueError(f"{given} indexing arguments for {rank} dimensions")
    position = at[0] if at else len(args)
    fill: list[Any] = [slice(None)] * (rank - given)
    return [*args[:position], *fill, *args[position + len(at):]]


def _part_of(arg: Any, length: int) -> tuple[_Part, bool]:
    """Returns what one argument selects, and whether its dimension is kept."""
    if isinstance(arg, slice):
        return _of_slice(arg, length), True
    if isinstance(arg, MultiBlockSlice):
        return _Range(*arg.indices(length)), True
    if not isinstance(arg, (bool, np.bool_, np.ndarray, list, tuple)):
        try:
            index = operator.index(arg)
        except TypeError:
            pass
        else:
            return _Range(_checked(index, length), 1, 1), False
    if isinstance(arg, np.ndarray) and arg.ndim == 0 and arg.dtype.kind in "iu":
        return _Range(_checked(int(arg), length), 1, 1), False
    return _of_list(arg, length), True


def _of_slice(arg: slice, length: int) -> _Range:
    start, stop, step = arg.indices(length)
    if step < 1:
        raise ValueError(f"Step must be >= 1 (got {step})")
    return _Range(start, step, max(0, -(-(stop - start) // step)))


def _checked(index: int, length: int) -> int:
    if not -length <= index < length:
        what = f"(0-{length - 1})" if length else "(there are no elements)"
        raise IndexError(f"Index ({index}) out of range for {what}")
    return index + length if index < 0 else index


def _of_list(arg: Any, length: int) -> _List:
    try:
        array = np.asarray(arg)
    except (TypeError, ValueError):
        array = np.empty(0, object)
    if array.dtype.kind == "b" and array.ndim == 1:
        if len(array) != length:
            raise TypeError("Boolean indexing array has incompatible shape")
        array = array.nonzero()[0]
    if array.size == 0 and array.ndim == 1 and array.dtype.kind == "f":
        array = array.astype(np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu" or arg is None:
        raise TypeError(f"Simple selection can't process {arg!r}")
    if array.dtype.kind == "i":
        low = array.min(initial=0)
        if low < -length:
            raise IndexError(f"Fancy indexing out of range for (0-{length - 1}): {low}")
        if low < 0:
            array = np.where(array < 0, array.astype(np.int64) + length, array)
    if array.size and int(array.max()) >= length:
        raise IndexError(f"Fancy indexing out of range for (0-{length - 1}): {array.max()}")
    array = array.astype(np.uint64)
    if array.size < 2 or bool((array[1:] > array[:-1]).all()):
        return _List(array, None)
    unique, order = np.unique(array, return_inverse=True)
    return _List(unique, order)


def _assemble(shape: Shape, parts: list[_Part], kept: list[bool]) -> Selected:
    box = tuple(part.size for part in parts)
    arrange: tuple[Any, ...] | None = None
    if any(isinstance(part, _List) and part.order is not None for part in parts):
        arrange = tuple(part.order if isinstance(part, _List) else None for part in parts)
    final = tuple(len(part.order) if isinstance(part, _List) and part.order is not None else part.size
                  for part, keeps in zip(parts, kept) if keeps)
    if 0 in box:
        return Selected(_core.Selection.none(), box, final, arrange, None)
    origin: Shape | None = None
    if all(isinstance(part, _Range) and (part.stride == 1 or part.count == 1) for part in parts):
        origin = tuple(part.start for part in parts if isinstance(part, _Range))
    has_blocks = any(isinstance(part, _Range) and part.block != 1 for part in parts)
    return Selected(_core_of(shape, parts), box, final, arrange, origin, None if has_blocks else (shape, tuple(parts)))


def _core_of(shape: Shape, parts: Sequence[_Part]) -> _core.Selection:
    """The elements that all parts select. Requires: none of the parts is empty."""
    if not shape:
        return _core.Selection.all()
    ranges = [part if isinstance(part, _Range) else _Range(0, 1, length) for part, length in zip(parts, shape)]
    starts, strides, counts, blocks = zip(*((r.start, r.stride, r.count, r.block) for r in ranges))
    # The stride of a single block has no effect, but may not be smaller than the block.
    core = _core.Selection.regular(starts, [max(s, b) for s, b in zip(strides, blocks)], counts, blocks)
    if not any(isinstance(part, _List) for part in parts):
        return core
    is_whole = all(isinstance(part, _List) or part.size == length for part, length in zip(parts, shape))
    result = None if is_whole else core.within(shape)
    for dimension, part in enumerate(parts):
        if isinstance(part, _List):
            lines = _core.Selection.along(shape, dimension, part.indices)
            result = lines if result is None else result.intersection(lines)
    assert result is not None
    return result


def select_points(shape: Shape, args: tuple[Any, ...]) -> tuple[_core.Selection, Shape]:
    """Returns the points that lists of coordinates name together (vindex), in their order, and their shape."""
    if len(args) != len(shape):
        raise TypeError(f"vindex needs {len(shape)} lists of coordinates, one for each dimension")
    lists = np.broadcast_arrays(*[np.asarray(arg) for arg in args]) if args else []
    columns = []
    for length, column in zip(shape, lists):
        if column.dtype.kind not in "iu":
            raise TypeError("coordinates are integers")
        column = column.astype(np.int64)
        if column.size and not (-length <= column.min() and column.max() < length):
            raise IndexError(f"a coordinate is out of range for (0-{length - 1})")
        columns.append(np.where(column < 0, column + length, column).reshape(-1))
    result_shape = lists[0].shape if lists else ()
    rows = np.ascontiguousarray(np.stack(columns, axis=1).astype(np.uint64)) if columns else np.empty((1, 0), np.uint64)
    if rows.shape[0] == 0:
        return _core.Selection.none(), result_shape
    return _core.Selection.points(shape, rows, True), result_shape
