# SPDX-License-Identifier: Apache-2.0
"""Datatypes and values of every kind, given alike to stock HDF5 (through its C functions) and to Filigree (datasets_driver).

A type is a tuple:
  ("int", bytes, signed, order, precision, offset, low, high)   order "le" or "be"; low and high: what pads the value
  ("bits", bytes, order, precision, offset, low, high)
  ("float", bytes, order, precision, offset, low, high, sign, exponent at, bits, mantissa at, bits, bias, normalisation, inner pad)
  ("str", bytes, padding, charset)  ("vstr", padding, charset)  ("opaque", bytes, tag)  ("ref", "object" or "region")
  ("compound", bytes, ((name, offset, type), ...))              offsets as in memory, where a vstr has 8 bytes
  ("enum", ((name, value), ...), base)  ("array", dims, base)  ("seq", base)  ("@", path, the type there)
Between programs it is the same in words, with counts before lists, quoted names after an apostrophe, and offsets as in files.

Values are ints, floats (np.longdouble for 16 bytes), bytes, None (a missing string or reference), tuples (compounds) and lists.
In words: floats are the bytes of a double (or of a long double), texts are quoted after an apostrophe, ~ is None,
( compounds ), [ arrays ], < count sequences >.
"""
import ctypes
import os
import struct

import h5py
import numpy as np
from h5py import h5a, h5d, h5f, h5g, h5o, h5p, h5s, h5t

import oracle
from stock import LOWS, call, quote

ALL, DEFAULT = ctypes.c_int64(0), ctypes.c_int64(0)
NORMS = {0: h5t.NORM_NONE, 1: h5t.NORM_MSBSET, 2: h5t.NORM_IMPLIED}
LONG_DOUBLE = ("float", 16, "le", 80, 0, 0, 0, 79, 64, 15, 0, 64, 16383, 0, 0)
DOUBLE = ("float", 8, "le", 64, 0, 0, 0, 63, 52, 11, 0, 52, 1023, 2, 0)


def plain_int(size, signed, order="le"):
    return ("int", size, int(signed), order, 8 * size, 0, 0, 0)


def bytes_of(t, on_disk=False):
    kind = t[0]
    if kind == "@":
        return bytes_of(t[2], on_disk)
    if kind == "vstr":
        return 16 if on_disk else 8
    if kind == "seq":
        return 16
    if kind == "ref":
        return 8 if t[1] == "object" else 12
    if kind == "enum":
        return bytes_of(t[2])
    if kind == "array":
        return int(np.prod(t[1])) * bytes_of(t[2], on_disk)
    return disk(t)[1] if on_disk else t[1]


def disk(t):
    """As the file has it: committed types resolved, and members moved by the size that strings have there."""
    if t[0] == "@":
        return disk(t[2])
    if t[0] in ("array", "enum"):
        return (t[0], t[1], disk(t[2]))
    if t[0] == "seq":
        return ("seq", disk(t[1]))
    if t[0] != "compound":
        return t
    moved, grown = {}, 0
    for name, offset, member in sorted(t[2], key=lambda m: m[1]):
        moved[name] = (name, offset + grown, disk(member))
        grown += bytes_of(member, True) - bytes_of(member)
    return ("compound", t[1] + grown, tuple(moved[name] for name, _, _ in t[2]))


def memory(t):
    """The type under which stock is given the values: wide numbers, no holes."""
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


# Stock: types

def _number(made, size, order, precision, offset, low, high):
    call("H5Tset_precision", made, ctypes.c_size_t(precision))
    call("H5Tset_size", made, ctypes.c_size_t(size))
    call("H5Tset_offset", made, ctypes.c_size_t(offset))
    call("H5Tset_order", made, 1 if order == "be" else 0)
    call("H5Tset_pad", made, low, high)
    return made


def _float(size, order, precision, offset, low, high, sign, exponent, ebits, mantissa, mbits, bias, norm, inner):
    if size == 16:
        return h5t.NATIVE_LDOUBLE.copy()
    made = h5t.IEEE_F64LE.copy()
    made.set_fields(sign, exponent, ebits, mantissa, mbits)
    made.set_offset(offset)
    made.set_precision(precision)
    made.set_size(size)
    made.set_ebias(bias)
    made.set_norm(NORMS[norm])
    made.set_inpad(inner)
    made.set_pad(low, high)
    made.set_order(h5t.ORDER_BE if order == "be" else h5t.ORDER_LE)
    return made


def build(t, fid=None):
    """The type as a TypeID."""
    kind = t[0]
    if kind == "@":
        return h5t.open(fid, t[1].encode())
    if kind == "int":
        made = h5t.STD_I64LE.copy()
        made.set_sign(h5t.SGN_2 if t[2] else h5t.SGN_NONE)
        return _number(made, t[1], *t[3:])
    if kind == "bits":
        return _number(h5t.STD_B64LE.copy(), *t[1:])
    if kind == "float":
        return _float(*t[1:])
    if kind in ("str", "vstr"):
        made = h5t.C_S1.copy()
        made.set_size(h5t.VARIABLE if kind == "vstr" else t[1])
        made.set_strpad(t[-2])
        made.set_cset(t[-1])
        return made
    if kind == "opaque":
        made = h5t.create(h5t.OPAQUE, t[1])
        made.set_tag(t[2].encode())
        return made
    if kind == "compound":
        made = h5t.create(h5t.COMPOUND, t[1])
        for name, offset, member in t[2]:
            made.insert(name.encode(), offset, build(member, fid))
        return made
    if kind == "enum":
        made = h5t.enum_create(build(t[2]))
        for name, value in t[1]:
            made.enum_insert(name.encode(), value)
        return made
    if kind == "array":
        return h5t.array_create(build(t[2], fid), t[1])
    if kind == "seq":
        return h5t.vlen_create(build(t[1], fid))
    return h5t.STD_REF_OBJ.copy() if t[1] == "object" else h5t.STD_REF_DSETREG.copy()


def _bits_of(made):
    low, high = ctypes.c_int(), ctypes.c_int()
    call("H5Tget_pad", made, ctypes.byref(low), ctypes.byref(high))
    order, offset = (call(name, made) & 0xffffffff for name in ("H5Tget_order", "H5Tget_offset"))
    return ("be" if order == 1 else "le", call("H5Tget_precision", made), offset, low.value, high.value)


def describe(made):
    """The tuple of a TypeID."""
    kind, size = made.get_class(), made.get_size()
    if kind == h5t.INTEGER:
        return ("int", size, int(made.get_sign() == h5t.SGN_2), *_bits_of(made))
    if kind == h5t.BITFIELD:
        return ("bits", size, *_bits_of(made))
    if kind == h5t.FLOAT:
        norm = next(ours for ours, theirs in NORMS.items() if theirs == made.get_norm())
        return ("float", size, *_bits_of(made), *made.get_fields(), made.get_ebias(), norm, int(made.get_inpad()))
    if kind == h5t.STRING:
        text = (int(made.get_strpad()), int(made.get_cset()))
        return ("vstr", *text) if made.is_variable_str() else ("str", size, *text)
    if kind == h5t.OPAQUE:
        return ("opaque", size, made.get_tag().decode())
    if kind == h5t.COMPOUND:
        return ("compound", size, tuple((made.get_member_name(i).decode(), made.get_member_offset(i), describe(made.get_member_type(i)))
                                        for i in range(made.get_nmembers())))
    if kind == h5t.ENUM:
        return ("enum", tuple((made.get_member_name(i).decode(), made.get_member_value(i)) for i in range(made.get_nmembers())),
                describe(made.get_super()))
    if kind == h5t.ARRAY:
        return ("array", made.get_array_dims(), describe(made.get_super()))
    if kind == h5t.VLEN:
        return ("seq", describe(made.get_super()))
    return ("ref", "object" if made.equal(h5t.STD_REF_OBJ) else "region")


# Stock: values in memory

class Buffer:
    """Elements as stock reads and writes them: of the type memory(t), or of `t` itself when it is `exact`."""

    def __init__(self, fid, t, count, exact=False):
        self.fid, self.type, self.count = fid, (t if exact else memory(t)), count
        self.size = bytes_of(self.type)
        self.id = build(self.type)
        self.bytes = ctypes.create_string_buffer(max(1, self.size * count))
        self.kept = []

    def put(self, values):
        data = b"".join(self._encode(self.type, v) for v in values)
        ctypes.memmove(self.bytes, data, len(data))
        return self

    def take(self, paths=None):
        data = self.bytes.raw
        return [self._decode(self.type, data[i * self.size:(i + 1) * self.size], paths) for i in range(self.count)]

    def _pointer(self, data):
        self.kept.append(ctypes.create_string_buffer(data, max(1, len(data))))
        return ctypes.addressof(self.kept[-1])

    def _encode(self, t, v):
        kind = t[0]
        if kind in ("int", "bits"):
            return (v % (1 << 8 * t[1])).to_bytes(t[1], "big" if "be" in t else "little")
        if kind == "enum":
            return self._encode(t[2], v)
        if kind == "float":
            return np.longdouble(v).tobytes()[:10].ljust(16, b"\0") if t[1] == 16 else np.array(v, f"<f{t[1]}").tobytes()
        if kind == "str":
            return v.ljust(t[1], b" " if t[2] == 2 else b"\0")
        if kind == "vstr":
            return struct.pack("<Q", 0 if v is None else self._pointer(v + b"\0"))
        if kind == "opaque":
            return v
        if kind == "ref":
            return v if t[1] == "region" else struct.pack("<Q", 0 if v is None else h5o.get_info(h5o.open(self.fid, v.encode())).addr)
        if kind == "compound":
            return b"".join(self._encode(m, x) for (_, _, m), x in zip(t[2], v))
        if kind == "array":
            return b"".join(self._encode(t[2], x) for x in v)
        return struct.pack("<QQ", len(v), self._pointer(b"".join(self._encode(t[1], x) for x in v)) if v else 0)

    def _decode(self, t, data, paths):
        kind = t[0]
        if kind in ("int", "bits"):
            return int.from_bytes(data, "big" if "be" in t else "little", signed=kind == "int" and bool(t[2]))
        if kind == "enum":
            return self._decode(t[2], data, paths)
        if kind == "float":
            return np.frombuffer(data, np.longdouble if t[1] == 16 else f"<f{t[1]}")[0]
        if kind == "str":
            return data.split(b"\0")[0] if t[2] == 0 else data.rstrip(b" " if t[2] == 2 else b"\0")
        if kind == "vstr":
            at = struct.unpack("<Q", data)[0]
            return ctypes.string_at(at) if at else None
        if kind == "opaque":
            return data
        if kind == "ref":
            return data if t[1] == "region" else paths.get(struct.unpack("<Q", data)[0])
        if kind == "compound":
            return tuple(self._decode(m, data[at:at + bytes_of(m)], paths) for _, at, m in t[2])
        size = bytes_of(t[-1])
        if kind == "array":
            return [self._decode(t[2], data[i * size:(i + 1) * size], paths) for i in range(len(data) // size)]
        count, at = struct.unpack("<QQ", data)
        content = ctypes.string_at(at, count * size) if count else b""
        return [self._decode(t[1], content[i * size:(i + 1) * size], paths) for i in range(count)]


# Operations, on both sides

def count_of(shape):
    return 0 if shape is None else int(np.prod(shape, dtype=int))


def shape_words(shape):
    return "null" if shape is None else ",".join(map(str, shape)) or "scalar"


def _space(shape):
    return h5s.create_simple(shape) if shape else h5s.create(h5s.NULL if shape is None else h5s.SCALAR)


def _shape_of(thing):
    return None if thing.get_space().get_simple_extent_type() == h5s.NULL else thing.shape


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
        rest = [path, selection_words(ranges), words(t), values_words(t, values)]
    elif op == "read":
        rest[1:] = [selection_words(rest[1]), words(rest[2])]
    elif op == "transfer":
        rest[1:] = [selection_words(rest[1]), words(rest[2]), rest[3], selection_words(rest[4])]
    return "\t".join([op, *map(str, rest)])


def selection_words(ranges):
    return "*" if ranges is None else ",".join(":".join(map(str, r)) for r in ranges)


class Ours:
    name = "Filigree"

    @staticmethod
    def apply(folder, ops, low=0, create=False):
        first = f"create\tm.h5\t{low}" if create else f"open\tm.h5\t{low}\tw"
        text = "\n".join([first, *(line(*op) for op in ops), "close\n"])
        return _program(folder, text)

    @staticmethod
    def dump(folder):
        text = _program(folder, "open\tm.h5\t0\tr\ndump\nclose\n")
        return {path: tuple(fields) for path, *fields in (entry.split("\t") for entry in text.splitlines())}


def _program(folder, text):
    return oracle.run(os.path.join(oracle.BIN, "datasets_driver"), stdin=text.encode(), cwd=folder).decode()


class Stock:
    name = "stock"

    @staticmethod
    def apply(folder, ops, low=0, create=False):
        os.chdir(folder)
        fapl = h5p.create(h5p.FILE_ACCESS)
        fapl.set_libver_bounds(LOWS[low], h5f.LIBVER_LATEST)
        fid = h5f.create(b"m.h5", h5f.ACC_TRUNC, fapl=fapl) if create else h5f.open(b"m.h5", h5f.ACC_RDWR, fapl)
        out = []
        for op, path, *rest in ops:
            try:
                out += _stock_one(fid, op, path.encode(), rest) or []
            except Exception as error:
                raise RuntimeError(f"stock refuses {str((op, path, rest))[:300]}: {error}") from error
        fid.close()
        return "\n".join(out)

    @staticmethod
    def dump(folder):
        """Path to type, shape and values; what stock cannot read is left out."""
        os.chdir(folder)
        fid = h5f.open(b"m.h5", h5f.ACC_RDONLY)
        out, paths, found = {}, {}, [b"/"]
        h5o.visit(fid, lambda name: found.append(name))
        for name in found:
            try:
                oid = h5o.open(fid, name)
            except Exception:
                continue
            path = "/" + name.decode().lstrip("/")
            paths[h5o.get_info(oid).addr] = path
        for path in paths.values():
            oid = h5o.open(fid, path.encode())
            if isinstance(oid, h5t.TypeID):
                out[quote(path)] = (words(disk(describe(oid))),)
            elif isinstance(oid, h5d.DatasetID):
                out[quote(path)] = _stock_contents(fid, oid, paths)
            for i in range(h5a.get_num_attrs(oid)):
                aid = h5a.open(oid, index=i)
                out[quote(f"{path}@{aid.name.decode()}")] = _stock_contents(fid, aid, paths)
        fid.close()
        return out


def _stock_contents(fid, thing, paths):
    t, shape = describe(thing.get_type()), _shape_of(thing)
    buffer = Buffer(fid, t, count_of(shape))
    try:
        if buffer.count:
            _transfer("read", thing, buffer)
    except RuntimeError as error:
        return (words(disk(t)), shape_words(shape), f"refused: {error}")
    values = values_words(t, buffer.take(paths))
    if buffer.count:
        call("H5Dvlen_reclaim", buffer.id, thing.get_space(), DEFAULT, buffer.bytes)
    return (words(disk(t)), shape_words(shape), values)


def _transfer(verb, thing, buffer, memory_space=ALL, file_space=ALL):
    if isinstance(thing, h5a.AttrID):
        call("H5A" + verb, thing, buffer.id, buffer.bytes)
    else:
        call("H5D" + verb, thing, buffer.id, memory_space, file_space, DEFAULT, buffer.bytes)


def _stock_dataset(fid, path, t, shape, options):
    plist = h5p.create(h5p.DATASET_CREATE)
    if options.get("layout") == "compact":
        plist.set_layout(h5d.COMPACT)
    if "alloc" in options:
        plist.set_alloc_time(options["alloc"])
    if "fill_time" in options:
        plist.set_fill_time(options["fill_time"])
    for name, offset, size in options.get("external", []):
        open(name, "ab").close()  # before it writes strings, stock looks for those that it replaces
        call("H5Pset_external", plist, name.encode(), ctypes.c_int64(offset), ctypes.c_uint64(2 ** 64 - 1 if size is None else size))
    if "fill" in options:
        one = Buffer(fid, t, 1).put([options["fill"]])
        call("H5Pset_fill_value", plist, one.id, one.bytes)
    h5d.create(fid, path, build(t, fid), _space(shape), plist)


def _part(fid, path, ranges, t):
    """The dataset, its selection, and room for that."""
    dataset = h5d.open(fid, path)
    space = dataset.get_space()
    start, stride, count, block = map(tuple, zip(*ranges))
    space.select_hyperslab(start, count, stride, block)
    buffer = Buffer(fid, t, space.get_select_npoints(), exact=True)
    return dataset, buffer, h5s.create_simple((buffer.count,)), space


def _stock_one(fid, op, path, rest):
    if op == "group":
        h5g.create(fid, path)
    elif op == "commit":
        build(rest[0]).commit(fid, path)
    elif op == "remove":
        h5g.GroupID.unlink(h5g.open(fid, b"/"), path)
    elif op == "dataset":
        _stock_dataset(fid, path, *rest)
    elif op == "write":
        t, values = rest
        if values:
            _transfer("write", h5d.open(fid, path), Buffer(fid, t, len(values)).put(values))
    elif op == "attr":
        name, t, shape, values = rest
        made = h5a.create(h5o.open(fid, path), name.encode(), build(t, fid), _space(shape))
        if values:
            _transfer("write", made, Buffer(fid, t, len(values)).put(values))
    elif op == "attr_write":
        name, t, values = rest
        if values:
            _transfer("write", h5a.open(h5o.open(fid, path), name.encode()), Buffer(fid, t, len(values)).put(values))
    elif op == "attr_remove":
        h5a.delete(h5o.open(fid, path), rest[0].encode())
    elif op == "write_part":
        ranges, t, values = rest
        dataset, buffer, *spaces = _part(fid, path, ranges, t)
        _transfer("write", dataset, buffer.put(values), *spaces)
    elif op == "read":
        dataset, buffer, *spaces = _part(fid, path, *rest)
        _transfer("read", dataset, buffer, *spaces)
        return [values_words(rest[1], buffer.take())]
    else:
        raise ValueError(op)
