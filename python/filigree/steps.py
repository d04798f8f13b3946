# SPDX-License-Identifier: Apache-2.0
"""Large transfers in steps, so that Ctrl-C ends them between two steps."""
from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from .selections import Selected

if TYPE_CHECKING:
    from .storage import StoredDataset

__all__ = ["STEP_BYTES", "steps_of"]

#: Reads and writes are made in steps of about so many bytes.
STEP_BYTES = 32 << 20

#: The index of a step in the array, and its elements in the dataset.
Step = tuple[tuple[Any, ...], _core.Selection]


def steps_of(dataset: StoredDataset, array: np.ndarray[Any, Any], selected: Selected) -> Iterator[Step] | None:
    """Divides a large transfer along its first dimension that is longer than 1; None for others.

    Steps end between two chunks where they can, so that each chunk is decoded once.
    """
    axis = next((i for i, length in enumerate(selected.box) if length > 1), None)
    if array.nbytes <= STEP_BYTES or selected.parts is None or axis is None:
        return None
    chunks = dataset.chunks
    start = None if selected.origin is None or chunks is None else selected.origin[axis]
    unit = 1 if start is None or chunks is None else chunks[axis]
    return _divided(selected, axis, max(1, STEP_BYTES * selected.box[axis] // array.nbytes), start or 0, unit)


def _divided(selected: Selected, axis: int, rows: int, start: int, unit: int) -> Iterator[Step]:
    """Steps of about `rows`, which end where a multiple of `unit` begins in the dataset."""
    length, first = selected.box[axis], 0
    rows = -(-rows // unit) * unit
    while first < length:
        end = min(length, (start + first + rows) // unit * unit - start)
        yield (*(0,) * axis, slice(first, end)), selected.part(axis, first, end)
        first = end
