# SPDX-License-Identifier: Apache-2.0
"""Dtypes of numpy for the datatypes of HDF5, with the metadata that h5py gives them.

Strings and sequences of variable length, enumerations and references have no dtype of their own in numpy. They are
object or integer dtypes with an entry in `dtype.metadata`, so that a dtype of h5py works here and the reverse.
"""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from . import _core
from ._core import Reference, RegionReference

__all__ = ["check_dtype", "check_enum_dtype", "check_opaque_dtype", "check_ref_dtype", "check_string_dtype",
           "check_vlen_dtype", "enum_dtype", "opaque_dtype", "ref_dtype", "regionref_dtype", "special_dtype",
           "string_dtype", "string_info", "vlen_dtype"]

Dtype = np.dtype[Any]

def _tagged(dtype: Any, metadata: dict[str, Any]) -> Dtype:
    made: Dtype = np.dtype(dtype, metadata=metadata)  # type: ignore[call-overload]
    return made


ref_dtype: Dtype = _tagged("O", {"ref": Reference})
regionref_dtype: Dtype = _tagged("O", {"ref": RegionReference})


class string_info(NamedTuple):
    """What `check_string_dtype` returns: the encoding, and the length in bytes or None."""

    encoding: str
    length: int | None


def string_dtype(encoding: str = "utf-8", length: int | None = None) -> Dtype:
    """Returns a dtype for strings, of variable length unless `length` (in bytes) is given."""
    if encoding not in ("ascii", "utf-8"):
        raise ValueError(f"the encoding {encoding!r} is neither 'ascii' nor 'utf-8'")
    if length is None:
        return _tagged("O", {"vlen": bytes if encoding == "ascii" else str})
    if not isinstance(length, (int, np.integer)):
        raise TypeError(f"the length {length!r} is neither an integer nor None")
    return _tagged(f"S{length}", {"h5py_encoding": encoding})


def vlen_dtype(basetype: DTypeLike) -> Dtype:
    """Returns a dtype for sequences of variable length, which are arrays of `basetype`."""
    return _tagged("O", {"vlen": basetype})


def enum_dtype(values_dict: dict[str, int], basetype: DTypeLike = np.uint8) -> Dtype:
    """Returns a dtype for an enumeration with these names and values."""
    base = np.dtype(basetype)
    if not np.issubdtype(base, np.integer):
        raise TypeError("only integers can be the base of an enumeration")
    return _tagged(base, {"enum": values_dict})


def opaque_dtype(np_dtype: DTypeLike) -> Dtype:
    """Returns a dtype whose elements are stored as opaque bytes with the name of the dtype, such as times."""
    dtype = np.dtype(np_dtype)
    if dtype.kind == "O":
        raise TypeError("objects cannot be stored as opaque bytes")
    if dtype.names is not None:
        raise TypeError("fields cannot be stored as opaque bytes")
    if dtype.subdtype is not None:
        raise TypeError("arrays cannot be stored as opaque bytes")
    return _tagged(dtype, {"h5py_opaque": True})


def _entry(dtype: DTypeLike, key: str) -> Any:
    metadata = getattr(dtype, "metadata", None)
    return None if metadata is None else metadata.get(key)


def check_string_dtype(dt: DTypeLike) -> string_info | None:
    """Returns encoding and length of a dtype for strings; None for others."""
    base = _entry(dt, "vlen")
    if base is str:
        return string_info("utf-8", None)
    if base is bytes:
        return string_info("ascii", None)
    if getattr(dt, "kind", "") == "S":
        return string_info(_entry(dt, "h5py_encoding") or "ascii", int(dt.itemsize))  # type: ignore[union-attr]
    return None


def check_vlen_dtype(dt: DTypeLike) -> Any:
    """Returns the base of a dtype for sequences of variable length; None for others."""
    return _entry(dt, "vlen")


def check_enum_dtype(dt: DTypeLike) -> dict[str, int] | None:
    """Returns the names and values of a dtype for an enumeration; None for others."""
    names: dict[str, int] | None = _entry(dt, "enum")
    return names


def check_ref_dtype(dt: DTypeLike) -> Any:
    """Returns the class of references that a dtype holds; None for others."""
    return _entry(dt, "ref")


def check_opaque_dtype(dt: DTypeLike) -> bool:
    """Returns whether the elements of a dtype are stored as opaque bytes."""
    return bool(_entry(dt, "h5py_opaque"))


def special_dtype(**kwds: Any) -> Dtype:
    """Returns a dtype by one keyword: vlen=, enum=(basetype, values), or ref=. See the functions for each."""
    if len(kwds) != 1:
        raise TypeError("special_dtype() needs exactly one keyword")
    name, value = kwds.popitem()
    if name == "vlen":
        return _tagged("O", {"vlen": value})
    if name == "enum":
        try:
            base, names = value
        except (TypeError, ValueError):
            raise TypeError("an enumeration is given as (basetype, {name: value})") from None
        return enum_dtype(names, base)
    if name == "ref":
        if not _is_reference(value):
            raise ValueError("a reference is Reference or RegionReference")
        return _tagged("O", {"ref": value})
    raise TypeError(f"there is no special dtype {name!r}")


def check_dtype(**kwds: Any) -> Any:
    """Returns what a special dtype holds, by one keyword: vlen=dtype, enum=dtype, or ref=dtype; None for others."""
    if len(kwds) != 1:
        raise TypeError("check_dtype() needs exactly one keyword")
    name, dtype = kwds.popitem()
    if name not in ("vlen", "enum", "ref"):
        raise TypeError(f"there is no special dtype {name!r}")
    return _entry(dtype, name)


def _is_reference(value: Any) -> bool:
    return getattr(value, "__name__", "") in ("Reference", "RegionReference")


# --- dtypes to datatypes

def to_datatype(dtype: DTypeLike, utf8: bool | None = None) -> _core.Datatype:
    """Returns the datatype that stores elements of a dtype, byte for byte except for objects.

    `utf8` overrides the character set of strings of fixed length.
    Raises TypeError for a dtype that HDF5 cannot store, and ValueError for strings or opaque bytes without a length.
    """
    dtype = np.dtype(dtype)
    if dtype.itemsize == 0 and dtype.kind in "SV" and dtype.names is None and dtype.subdtype is None:
        raise ValueError(f"the dtype {dtype.str!r} has no length: give one, such as '{dtype.kind}10'")
    metadata: Any = dtype.metadata or {}
    if "enum" in metadata:
        return _enumeration(dtype, metadata["enum"])
    if metadata.get("h5py_opaque"):
        return _core.Datatype.opaque(dtype.itemsize, "NUMPY:" + dtype.descr[0][1])
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return _core.Datatype.array(to_datatype(base, utf8), shape)
    kind = dtype.kind
    big = dtype.byteorder == ">"
    if kind in "iu":
        return _core.Datatype.integer(dtype.itemsize, kind == "i", big)
    if kind == "f":
        return _floating(dtype, big)
    if kind == "c":
        return _complex(dtype, big)
    if kind == "b":
        base8 = _core.Datatype.integer(1, True, False)
        return _core.Datatype.enumeration(base8, [("FALSE", 0), ("TRUE", 1)])
    if kind == "S":
        encoding = metadata.get("h5py_encoding") == "utf-8" if utf8 is None else utf8
        return _core.Datatype.fixed_string(dtype.itemsize, encoding)
    if kind == "V":
        return _compound(dtype, utf8) if dtype.names is not None else _core.Datatype.opaque(dtype.itemsize, "")
    if kind == "O":
        return _object(dtype, metadata)
    raise TypeError(f"No conversion path for dtype: {dtype!r}")


def _floating(dtype: Dtype, big: bool) -> _core.Datatype:
    if dtype.itemsize <= 8:
        return _core.Datatype.floating(dtype.itemsize, big)
    if big:
        raise TypeError(f"No conversion path for dtype: {dtype!r}")
    return _core.Datatype.long_double()


def _complex(dtype: Dtype, big: bool) -> _core.Datatype:
    half = dtype.itemsize // 2
    part = _floating(np.dtype(f"{'>' if big else '<'}f{half}"), big)
    return _core.Datatype.compound(dtype.itemsize, [("r", part, 0), ("i", part, half)])


def _enumeration(dtype: Dtype, names: dict[str, int]) -> _core.Datatype:
    base = _core.Datatype.integer(dtype.itemsize, dtype.kind == "i", dtype.byteorder == ">")
    wrap = 1 << 64
    items = [(name, value - wrap if value >= wrap // 2 else value) for name, value in
             ((name, int(value)) for name, value in names.items())]
    return _core.Datatype.enumeration(base, items)


def _compound(dtype: Dtype, utf8: bool | None) -> _core.Datatype:
    assert dtype.names is not None and dtype.fields is not None
    return _laid_out(dtype, [to_datatype(dtype.fields[name][0], utf8) for name in dtype.names])


def _laid_out(dtype: Dtype, types: list[_core.Datatype]) -> _core.Datatype:
    """A compound with the offsets of numpy, or without gaps if objects have another size in the file."""
    assert dtype.names is not None and dtype.fields is not None
    fields = [dtype.fields[name] for name in dtype.names]
    offsets, size = [field[1] for field in fields], dtype.itemsize
    if any(field[0].itemsize != type_.size for field, type_ in zip(fields, types)):
        offsets, size = [], 0
        for type_ in types:
            offsets.append(size)
            size += type_.size
    return _core.Datatype.compound(size, list(zip(dtype.names, types, offsets)))


def _object(dtype: Dtype, metadata: Any) -> _core.Datatype:
    if "vlen" in metadata:
        base = metadata["vlen"]
        if base is str or base is bytes:
            return _core.Datatype.variable_string(base is str)
        return _core.Datatype.sequence(to_datatype(base))
    if "ref" in metadata and _is_reference(metadata["ref"]):
        return _core.Datatype.reference(metadata["ref"].__name__ == "RegionReference")
    raise TypeError(f"Object dtype {dtype!r} has no native HDF5 equivalent")


# --- datatypes to dtypes

def to_dtype(datatype: _core.Datatype) -> Dtype:
    """Returns the dtype whose elements hold values of a datatype.

    Raises TypeError for a datatype that numpy cannot hold.
    """
    return _READERS[datatype.kind](datatype)


def _order(datatype: _core.Datatype) -> str:
    order = datatype.order
    return ">" if order == ">" else "<"


def _read_integer(datatype: _core.Datatype) -> Dtype:
    size = next((size for size in (1, 2, 4, 8) if size >= datatype.size), 0)
    if size == 0:
        raise TypeError(f"numpy has no integers of {datatype.size} bytes")
    order = _order(datatype) if size == datatype.size else "<"
    return np.dtype(f"{order}{'i' if datatype.signed else 'u'}{size}")


def _read_float(datatype: _core.Datatype) -> Dtype:
    precision, exponent, mantissa, _ = datatype.float_fields
    for size, exponents, mantissas in ((2, 5, 10), (4, 8, 23), (8, 11, 52)):
        if exponent <= exponents and mantissa <= mantissas:
            same = datatype.size == size and precision == size * 8 and datatype.order != "vax"
            return np.dtype(f"{_order(datatype) if same else '<'}f{size}")
    if exponent <= 15 and mantissa <= 64:
        return np.dtype(np.longdouble)
    raise TypeError(f"numpy has no type for a {datatype.text}")


def _read_bitfield(datatype: _core.Datatype) -> Dtype:
    if datatype.size not in (1, 2, 4, 8):
        raise TypeError(f"numpy has no type for a {datatype.text}")
    return np.dtype(f"{_order(datatype)}u{datatype.size}")


def _read_string(datatype: _core.Datatype) -> Dtype:
    encoding = "utf-8" if datatype.utf8 else "ascii"
    return string_dtype(encoding, None if datatype.variable else datatype.size)


def _read_opaque(datatype: _core.Datatype) -> Dtype:
    tag = datatype.tag
    if tag.startswith("NUMPY:"):
        try:
            dtype = np.dtype(tag[len("NUMPY:"):])
        except TypeError:
            dtype = None
        if dtype is not None and dtype.itemsize == datatype.size and not dtype.hasobject:
            return _tagged(dtype, {"h5py_opaque": True})
    return np.dtype(f"V{datatype.size}")


def _read_compound(datatype: _core.Datatype) -> Dtype:
    members = datatype.members
    if [name for name, _, _ in members] == ["r", "i"]:
        parts = [to_dtype(type_) for _, type_, _ in members]
        half = parts[0].itemsize
        packed = [offset for _, _, offset in members] == [0, half] and datatype.size == 2 * half
        if parts[0] == parts[1] and parts[0].kind == "f" and half >= 4 and packed:
            return np.dtype(f"{parts[0].str[0]}c{datatype.size}")
    names = [name for name, _, _ in members]
    formats = [to_dtype(type_) for _, type_, _ in members]
    offsets = [offset for _, _, offset in members]
    if any(format.itemsize != type_.size for format, (_, type_, _) in zip(formats, members)):
        # Objects and numbers without an equal in numpy have another size than in the file.
        return np.dtype(list(zip(names, formats)))
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": datatype.size})


def _read_enumeration(datatype: _core.Datatype) -> Dtype:
    base = to_dtype(datatype.base)
    wrap = 1 << 64
    unsigned = base.kind == "u" and base.itemsize == 8
    values = {name: value + wrap if unsigned and value < 0 else value for name, value in datatype.enumerators}
    if values == {"FALSE": 0, "TRUE": 1} and base.itemsize == 1:
        return np.dtype(bool)
    return enum_dtype(values, base)


def _read_reference(datatype: _core.Datatype) -> Dtype:
    kind = datatype.reference_kind
    if kind == "any":
        raise TypeError("references of HDF5 1.12 (H5R_ref_t) are not supported")
    return regionref_dtype if kind == "region" else ref_dtype


def _read_complex(datatype: _core.Datatype) -> Dtype:
    part = to_dtype(datatype.base)
    if part.itemsize < 4:
        return np.dtype("<c8")
    return np.dtype(f"{part.str[0]}c{2 * part.itemsize}")


def _read_time(datatype: _core.Datatype) -> Dtype:
    raise TypeError("numpy has no type for the time class of HDF5")


_READERS = {
    "integer": _read_integer,
    "float": _read_float,
    "bitfield": _read_bitfield,
    "string": _read_string,
    "opaque": _read_opaque,
    "compound": _read_compound,
    "enumeration": _read_enumeration,
    "array": lambda datatype: np.dtype((to_dtype(datatype.base), tuple(datatype.dims))),
    "sequence": lambda datatype: vlen_dtype(to_dtype(datatype.base)),
    "reference": _read_reference,
    "complex": _read_complex,
    "time": _read_time,
}


# --- transfers

def has_bit_bools(dtype: Dtype, file_type: _core.Datatype) -> bool:
    """Whether bytes of bitfields are read as bool."""
    if dtype.subdtype is not None:
        return has_bit_bools(dtype.base, file_type.base if file_type.kind == "array" else file_type)
    if dtype.names is not None and dtype.fields is not None and file_type.kind == "compound":
        types = {name: type_ for name, type_, _ in file_type.members}
        return any(name in types and has_bit_bools(dtype.fields[name][0], types[name]) for name in dtype.names)
    return dtype.kind == "b" and file_type.kind == "bitfield"


def make_bools(array: np.ndarray[Any, Any]) -> None:
    """Makes every bool 0 or 1: a bitfield may have other bytes, which numpy must not see in a bool."""
    if array.dtype.names is not None:
        for name in array.dtype.names:
            make_bools(array[name])
    elif array.dtype.kind == "b":
        array[...] = array.view(np.uint8) != 0


def elements_of(dtype: Dtype, file_type: _core.Datatype | None = None) -> _core.Elements:
    """Returns how arrays of `dtype` are transferred to and from elements of `file_type`."""
    return _core.Elements(_memory_type(dtype, file_type), dtype)


def _memory_type(dtype: Dtype, file_type: _core.Datatype | None) -> _core.Datatype:
    """The datatype of `dtype` in memory, as close to that of the file as its bytes allow.

    Bitfields, opaque tags, character sets and enumerations of the file are kept, so that no conversion is needed.
    """
    if file_type is None:
        return to_datatype(dtype)
    kind = file_type.kind
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return _core.Datatype.array(_memory_type(base, file_type.base if kind == "array" else file_type), shape)
    if dtype.names is not None and dtype.fields is not None and kind == "compound":
        types = {name: type_ for name, type_, _ in file_type.members}
        return _laid_out(dtype, [_memory_type(dtype.fields[name][0], types.get(name)) for name in dtype.names])
    if kind == "sequence" and dtype.kind == "O" and check_string_dtype(dtype) is None:
        base = check_vlen_dtype(dtype)
        if base is not None:
            return _core.Datatype.sequence(_memory_type(np.dtype(base), file_type.base))
    if _same_bytes(dtype, file_type):
        return file_type
    return to_datatype(dtype, file_type.utf8 if kind == "string" else None)


def _same_bytes(dtype: Dtype, file_type: _core.Datatype) -> bool:
    """Whether numpy holds the elements of a bitfield, an opaque type or an enumeration as the file does."""
    kind = file_type.kind
    if dtype.hasobject or file_type.size != dtype.itemsize:
        return False
    if kind == "opaque":
        return dtype.kind in "VmM" or check_opaque_dtype(dtype)
    if kind == "bitfield":
        return dtype.kind == "b" or dtype.kind == "u" and (dtype.byteorder == ">") == (file_type.order == ">")
    return kind == "enumeration" and dtype.kind in "biu" and _read_enumeration(file_type) == dtype
