# SPDX-License-Identifier: Apache-2.0
"""Datatypes, values and operations of every kind, as text for datasets_driver. matrix_reference.py applies them with HDF5.

A type is a tuple:
  ("int", bytes, signed, order, precision, offset, low, high)   order "le" or "be"; low and high: what pads the value
  ("bits", bytes, order, precision, offset, low, high)
  ("float", bytes, order, precision, offset, low, high, sign, exponent at, bits, mantissa at, bits, bias, normalisation, inner pad)
  ("str", bytes, padding, charset)  ("vstr", padding, charset)  ("opaque", bytes, tag)  ("ref", "object" or "region")
  ("compound", bytes, ((name, offset, type), ...))              offsets as in memory, where a vstr has 8 bytes
  ("enum", ((name, value), ...), base)  ("array", dims, base)  ("seq", base)  ("@", path, the type there)
Programs exchange the same as words, with counts before lists, quoted names after an apostrophe, and offsets as in files.

Values are ints, floats (np.longdouble for 16 bytes), bytes, None (a missing string or reference), tuples (compounds) and lists.
In words: floats are the bytes of a double (or of a long double), strings are quoted after an apostrophe, ~ is None,
( compounds ), [ arrays ], < count sequences >.
"""
import os
import struct

import numpy as np

import oracle
from reference import quote

LONG_DOUBLE = ("float", 16, "le", 80, 0, 0, 0, 79, 64, 15, 0, 64, 16383, 0, 0)
DOUBLE = ("float", 8, "le", 64, 0, 0, 0, 63, 52, 11, 0, 52, 1023, 2, 0)


def plain_int(size, signed, order="le"):
    return ("int", size, int(signed), order, 8 * size, 0, 0, 0)


def bytes_of(t, offsets=None):
    """In memory, or in a file with offsets of that many bytes."""
    kind = t[0]
    if kind == "@":
        return bytes_of(t[2], offsets)
    if kind == "vstr":
        return 8 + (offsets or 0)
    if kind == "seq":
        return 8 + (offsets or 8)
    if kind == "ref":
        return 8 if t[1] == "object" else 12
    if kind == "enum":
        return bytes_of(t[2])
    if kind == "array":
        return int(np.prod(t[1])) * bytes_of(t[2], offsets)
    return disk(t, offsets)[1] if offsets else t[1]


def disk(t, offsets=8):
    """The type in the file: committed types are resolved, and offsets follow from the sizes of members in the file."""
    if t[0] == "@":
        return disk(t[2], offsets)
    if t[0] in ("array", "enum"):
        return (t[0], t[1], disk(t[2], offsets))
    if t[0] == "seq":
        return ("seq", disk(t[1], offsets))
    if t[0] != "compound":
        return t
    moved, grown = {}, 0
    for name, offset, member in sorted(t[2], key=lambda m: m[1]):
        moved[name] = (name, offset + grown, disk(member, offsets))
        grown += bytes_of(member, offsets) - bytes_of(member)
    return ("compound", t[1] + grown, tuple(moved[name] for name, _, _ in t[2]))


def memory(t):
    """The memory type for HDF5: wide numbers, no padding."""
    if t[0] == "@":
        return memory(t[2])
    if t[0] == "int":
        return plain_int(8, t[2])
    if t[0] == "bits":
        return ("bits", 8, "le", 64, 0, 0, 0)
    if t[0] == "float":
        return LONG_DOUBLE if t[1] == 16 else DOUBLE
    if t[0] == "enum":
        return ("enum", t[1], plain_int(t[2][1], t[2][2]))
    if t[0] == "array":
        return ("array", t[1], memory(t[2]))
    if t[0] == "seq":
        return ("seq", memory(t[1]))
    if t[0] == "compound":
        members, at = [], 0
        for name, _, member in t[2]:
            members.append((name, at, memory(member)))
            at += bytes_of(members[-1][2])
        return ("compound", at, tuple(members))
    return t


def words(t):
    kind = t[0]
    if kind == "@":
        return f"@ '{quote(t[1])}"
    if kind == "opaque":
        return f"opaque {t[1]} '{quote(t[2])}"
    if kind == "compound":
        return f"compound {t[1]} {len(t[2])}" + "".join(f" '{quote(n)} {at} {words(m)}" for n, at, m in t[2])
    if kind == "enum":
        return f"enum {len(t[1])}" + "".join(f" '{quote(n)} {v}" for n, v in t[1]) + " " + words(t[2])
    if kind == "array":
        return f"array {len(t[1])} {' '.join(map(str, t[1]))} {words(t[2])}"
    if kind == "seq":
        return "seq " + words(t[1])
    return " ".join(map(str, t))


def written(t):
    """The words for our program: committed types by name, others as on disk."""
    return words(t if t[0] == "@" else disk(t))


def value_words(t, value):
    kind = t[0]
    if kind == "@":
        return value_words(t[2], value)
    if kind in ("int", "bits", "enum"):
        return str(value)
    if kind == "float":
        if np.isnan(value):
            return "nan"
        return np.longdouble(value).tobytes()[:10].hex().upper() if t[1] == 16 else struct.pack("<d", value).hex().upper()
    if kind in ("str", "vstr"):
        return "~" if value is None else "'" + quote(value)
    if kind == "opaque":
        return value.hex().upper()
    if kind == "ref":
        return value.hex().upper() if t[1] == "region" else "~" if value is None else "'" + quote(value)
    if kind == "compound":
        return "( " + " ".join(value_words(m, v) for (_, _, m), v in zip(t[2], value)) + " )"
    if kind == "array":
        return "[ " + " ".join(value_words(t[2], v) for v in value) + " ]"
    return f"< {len(value)} " + "".join(value_words(t[1], v) + " " for v in value) + ">"


def values_words(t, values):
    return " ".join(value_words(t, v) for v in values)


def count_of(shape):
    return 0 if shape is None else int(np.prod(shape, dtype=int))


def shape_words(shape):
    return "null" if shape is None else ",".join(map(str, shape)) or "scalar"


def line(op, *rest):
    """An operation for our program."""
    rest = list(rest)
    if op == "commit":
        rest[1] = written(rest[1])
    elif op == "dataset":
        path, t, shape, options = rest
        options = dict(options)
        if "fill" in options:
            options["fill"] = value_words(t, options["fill"])
        if "external" in options:
            options["external"] = ";".join(f"{n}:{at}:{'inf' if size is None else size}" for n, at, size in options["external"])
        rest = [path, written(t), shape_words(shape)] + [f"{k}={v}" for k, v in options.items()]
    elif op == "attr":
        rest[2:] = [written(rest[2]), shape_words(rest[3]), values_words(rest[2], rest[4])]
    elif op == "attr_write":
        rest[2:] = [values_words(rest[2], rest[3])]
    elif op == "write":
        path, t, values = rest
        rest = [path, "*", "-", values_words(t, values)]
    elif op == "write_part":
        op = "write"
        path, ranges, t, values = rest
        rest = [path, selection_words(ranges), written(t), values_words(t, values)]
    elif op == "read":
        rest[1:] = [selection_words(rest[1]), written(rest[2])]
    elif op == "transfer":
        rest[1:] = [selection_words(rest[1]), written(rest[2]), rest[3], selection_words(rest[4])]
    return "\t".join([op, *map(str, rest)])


def selection_words(ranges):
    return "*" if ranges is None else ",".join(":".join(map(str, r)) for r in ranges)


class Ours:
    name = "Filigree"

    @staticmethod
    def apply(folder, ops, low=0, create=False, narrow=False):
        first = f"create\tm.h5\t{low}\t{4 if narrow else 8}" if create else f"open\tm.h5\t{low}\tw"
        text = "\n".join([first, *(line(*op) for op in ops), "close\n"])
        return _program(folder, text)

    @staticmethod
    def dump(folder):
        text = _program(folder, "open\tm.h5\t0\tr\ndump\nclose\n")
        return {path: tuple(fields) for path, *fields in (entry.split("\t") for entry in text.splitlines())}


def _program(folder, text):
    return oracle.run(os.path.join(oracle.BIN, "datasets_driver"), stdin=text.encode(), cwd=folder).decode()
