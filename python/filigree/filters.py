# SPDX-License-Identifier: Apache-2.0
"""Filters by the names and numbers of h5py, and beyond."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Sequence, Union

import numpy as np

from .errors import RangeError

__all__ = ["Filter", "parse", "pipeline"]

#: A filter as the core takes it: number, parameters, and whether it is optional.
Filter = tuple[int, tuple[int, ...], bool]

DEFLATE, SHUFFLE, FLETCHER32, SZIP, NBIT, SCALEOFFSET = 1, 2, 3, 4, 5, 6
LZF, BLOSC, LZ4, BITSHUFFLE, ZSTD = 32000, 32001, 32004, 32008, 32015
PACKED_SELECTION, PACKED_VALUES = 500, 501

_NUMBERS = {"gzip": DEFLATE, "deflate": DEFLATE, "shuffle": SHUFFLE, "fletcher32": FLETCHER32, "szip": SZIP,
            "nbit": NBIT, "lzf": LZF, "lz4": LZ4, "zstd": ZSTD, "bitshuffle": BITSHUFFLE, "blosc": BLOSC}
_NAMES = {DEFLATE: "gzip", SZIP: "szip", LZF: "lzf", LZ4: "lz4", ZSTD: "zstd", BITSHUFFLE: "bitshuffle",
          BLOSC: "blosc"}

SZIP_ENTROPY, SZIP_NEAREST = 4, 32

#: The names of compressions that are available for reading and for writing, as in h5py.
decode = ("gzip", "lzf", "lz4", "zstd", "bitshuffle", "blosc", "szip", "shuffle", "fletcher32", "scaleoffset")
encode = decode

FilterSpec = Union[str, int, Sequence[Any]]


class FilterRefBase(Mapping[str, Any]):
    """A filter with its options, as `compression` or by `create_dataset(..., **filter)`."""

    filter_id: int = 0
    filter_options: tuple[int, ...] = ()

    @property
    def _kwargs(self) -> dict[str, Any]:
        return {"compression": self.filter_id, "compression_opts": self.filter_options}

    def __hash__(self) -> int:
        return hash((self.filter_id, self.filter_options))

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, FilterRefBase) and self.filter_id == other.filter_id
                and self.filter_options == other.filter_options)

    def __len__(self) -> int:
        return len(self._kwargs)

    def __iter__(self) -> Iterator[str]:
        return iter(self._kwargs)

    def __getitem__(self, item: str) -> Any:
        return self._kwargs[item]


class Gzip(FilterRefBase):
    """DEFLATE with a level from 0 to 9."""

    filter_id = DEFLATE

    def __init__(self, level: int = 4) -> None:
        self.filter_options = (level,)


def compression(method: Any, options: Any, allow_unknown: bool = False) -> Filter:
    """Returns the filter for the arguments `compression` and `compression_opts`."""
    if isinstance(method, (int, np.integer)) and not isinstance(method, bool) and method > 9:
        return _by_number(int(method), options, allow_unknown)
    if isinstance(method, (int, np.integer)):  # a level of gzip
        return DEFLATE, (_gzip_level(int(method)),), True
    if method == "gzip":
        return DEFLATE, (_gzip_level(4 if options is None else options),), True
    if method == "lzf":
        if options is not None:
            raise ValueError("LZF compression filter accepts no options")
        return LZF, (), True
    if method == "szip":
        return _szip(options)
    if method == "zstd":
        return ZSTD, (_level("zstd", 3 if options is None else options, -131072, 22) & 0xffffffff,), True
    if method in ("lz4", "blosc", "bitshuffle"):
        default = (0, 2) if method == "bitshuffle" else ()
        return _NUMBERS[method], default if options is None else _numbers(options), True
    raise ValueError(f'Compression filter "{method}" is unavailable')


def _by_number(number: int, options: Any, allow_unknown: bool) -> Filter:
    if number == DEFLATE:
        return compression("gzip", options[0] if isinstance(options, (tuple, list)) else options)
    if number > 65535:
        raise ValueError(f"Unknown compression filter number: {number}")
    from . import _core

    if not allow_unknown and not _core.has_filter(number):
        raise ValueError(f"Unknown compression filter number: {number}")
    return number, () if options is None else _numbers(options), False


def _numbers(options: Any) -> tuple[int, ...]:
    try:
        made = (int(options),) if isinstance(options, (int, np.integer)) else tuple(int(each) for each in options)
    except (TypeError, ValueError):
        raise TypeError("compression_opts of this filter is a tuple of integers") from None
    for number in made:
        if not 0 <= number < 1 << 32:
            raise RangeError(f"the option {number} of a filter is negative or does not fit into 32 bits")
    return made


def _level(name: str, level: Any, least: int, most: int) -> int:
    if isinstance(level, (int, np.integer)) and least <= level <= most:
        return int(level)
    raise ValueError(f"the level of {name} is an integer from {least} to {most}, not {level!r}")


def _gzip_level(level: Any) -> int:
    if isinstance(level, (int, np.integer)) and 0 <= level <= 9:
        return int(level)
    raise ValueError(f"GZIP setting must be an integer from 0-9, not {level!r}")


def _szip(options: Any) -> Filter:
    method, pixels = ("nn", 8) if options is None else options
    if method not in ("ec", "nn"):
        raise ValueError("SZIP options: the method is 'ec' or 'nn'")
    if not (0 < pixels <= 32 and pixels % 2 == 0):
        raise ValueError("SZIP options: the pixels are an even number of at most 32")
    return SZIP, (SZIP_ENTROPY if method == "ec" else SZIP_NEAREST, int(pixels)), True


def scaleoffset(value: Any, dtype: np.dtype[Any]) -> Filter:
    """Returns the filter for the argument `scaleoffset`."""
    if value is None or isinstance(value, bool) and not value:
        raise ValueError("scaleoffset is an integer")
    if value is not True and (not isinstance(value, (int, np.integer)) or value < 0):
        raise ValueError("scale factor must be >= 0")
    if value >= 1 << 31:
        raise RangeError(f"the scale factor {value} does not fit into 31 bits")
    if dtype.kind in "iu":
        return SCALEOFFSET, (2, 0 if value is True else int(value)), True
    if dtype.kind == "f":
        if value is True:
            raise ValueError("integer scaleoffset must be provided for floating point types")
        return SCALEOFFSET, (0, int(value)), True
    raise TypeError("scale/offset filter only supported for integer and floating-point types")


def parse(spec: FilterSpec) -> Filter:
    """Returns the filter for a name, a number, or a tuple of one of them and options, as in ("zstd", 3)."""
    name, options = (spec, None) if isinstance(spec, (str, int)) else (spec[0], tuple(spec[1:]))
    if name == "packed":
        raise ValueError("'packed' depends on the section: use packed_selection or packed_values")
    simple = {"shuffle": SHUFFLE, "fletcher32": FLETCHER32, "nbit": NBIT, "packed_selection": PACKED_SELECTION,
              "packed_values": PACKED_VALUES}
    if name in simple:
        return simple[str(name)], (), name != "fletcher32"
    if isinstance(name, str):
        value = None if not options else options[0] if len(options) == 1 else options
        return compression(name, value)
    if not 0 <= int(name) < 1 << 16:
        raise ValueError(f"Unknown compression filter number: {name}")
    return int(name), _numbers(options or ()), True


def pipeline(specs: Any, packed: str) -> list[Filter]:
    """Returns the filters of a section of sparse chunks; "packed" stands for our filter of that section."""
    if specs is None:
        return []
    if isinstance(specs, (str, int)):
        specs = [specs]
    return [parse(packed if spec == "packed" else spec) for spec in specs]


def name_of(filters: Sequence[Any]) -> tuple[str | None, Any]:
    """Returns name and options of the compression in a pipeline."""
    for number, parameters, *_ in filters:
        if number == DEFLATE:
            return "gzip", parameters[0]
        if number == SZIP:
            mask = parameters[0] if parameters else 0
            return "szip", ("ec" if mask & SZIP_ENTROPY else "nn", parameters[1] if len(parameters) > 1 else 0)
        if number == LZF:
            return "lzf", None
        if number == ZSTD:
            return "zstd", parameters[0] if parameters else None
        if number in _NAMES:
            return _NAMES[number], tuple(parameters)
    return None, None
