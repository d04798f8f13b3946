# SPDX-License-Identifier: Apache-2.0
"""The types, values and operations of matrix.py with HDF5, through its C functions where h5py lacks one."""
import ctypes
import os
import struct

import numpy as np
from h5py import h5a, h5d, h5f, h5g, h5o, h5p, h5s, h5t

from matrix import bytes_of, count_of, disk, memory, shape_words, values_words, words
from reference import LOWS, call, quote

ALL, DEFAULT = ctypes.c_int64(0), ctypes.c_int64(0)
NORMS = {0: h5t.NORM_NONE, 1: h5t.NORM_MSBSET, 2: h5t.NORM_IMPLIED}


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


class Buffer:
    """Elements as HDF5 reads and writes them: of the type memory(t), or of `t` itself when it is `exact`."""

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


def _space(shape):
    return h5s.create_simple(shape) if shape else h5s.create(h5s.NULL if shape is None else h5s.SCALAR)


def _shape_of(thing):
    return None if thing.get_space().get_simple_extent_type() == h5s.NULL else thing.shape


class Reference:
    name = "HDF5"

    @staticmethod
    def apply(folder, ops, low=0, create=False, narrow=False):
        os.chdir(folder)
        fapl = h5p.create(h5p.FILE_ACCESS)
        fapl.set_libver_bounds(LOWS[low], h5f.LIBVER_LATEST)
        fcpl = h5p.create(h5p.FILE_CREATE)
        if narrow:
            fcpl.set_sizes(4, 4)
            fcpl.set_userblock(512)
        fid = h5f.create(b"m.h5", h5f.ACC_TRUNC, fcpl, fapl) if create else h5f.open(b"m.h5", h5f.ACC_RDWR, fapl)
        out = []
        for op, path, *rest in ops:
            try:
                out += _reference_one(fid, op, path.encode(), rest) or []
            except Exception as error:
                raise RuntimeError(f"HDF5 refuses {str((op, path, rest))[:300]}: {error}") from error
        fid.close()
        return "\n".join(out)

    @staticmethod
    def dump(folder):
        """Path to type, shape and values; without objects that HDF5 cannot read."""
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
                out[quote(path)] = (words(disk(describe(oid), _offset_bytes(fid))),)
            elif isinstance(oid, h5d.DatasetID):
                out[quote(path)] = _reference_contents(fid, oid, paths)
            for i in range(h5a.get_num_attrs(oid)):
                aid = h5a.open(oid, index=i)
                out[quote(f"{path}@{aid.name.decode()}")] = _reference_contents(fid, aid, paths)
        fid.close()
        return out


def _offset_bytes(fid):
    return fid.get_create_plist().get_sizes()[0]


def _reference_contents(fid, thing, paths):
    t, shape = describe(thing.get_type()), _shape_of(thing)
    stored = words(disk(t, _offset_bytes(fid)))
    buffer = Buffer(fid, t, count_of(shape))
    try:
        if buffer.count:
            _transfer("read", thing, buffer)
    except RuntimeError as error:
        return (stored, shape_words(shape), f"refused: {error}")
    values = values_words(t, buffer.take(paths))
    if buffer.count:
        call("H5Dvlen_reclaim", buffer.id, thing.get_space(), DEFAULT, buffer.bytes)
    return (stored, shape_words(shape), values)


def _transfer(verb, thing, buffer, memory_space=ALL, file_space=ALL):
    if isinstance(thing, h5a.AttrID):
        call("H5A" + verb, thing, buffer.id, buffer.bytes)
    else:
        call("H5D" + verb, thing, buffer.id, memory_space, file_space, DEFAULT, buffer.bytes)


def _reference_dataset(fid, path, t, shape, options):
    plist = h5p.create(h5p.DATASET_CREATE)
    if options.get("layout") == "compact":
        plist.set_layout(h5d.COMPACT)
    if "alloc" in options:
        plist.set_alloc_time(options["alloc"])
    if "fill_time" in options:
        plist.set_fill_time(options["fill_time"])
    for name, offset, size in options.get("external", []):
        open(name, "ab").close()  # before it writes strings, HDF5 looks for those that it replaces
        call("H5Pset_external", plist, name.encode(), ctypes.c_int64(offset), ctypes.c_uint64(2 ** 64 - 1 if size is None else size))
    if "fill" in options:
        one = Buffer(fid, t, 1).put([options["fill"]])
        call("H5Pset_fill_value", plist, one.id, one.bytes)
    h5d.create(fid, path, build(t, fid), _space(shape), plist)


def _part(fid, path, ranges, t):
    """The dataset, its selection, and a buffer for the elements."""
    dataset = h5d.open(fid, path)
    space = dataset.get_space()
    start, stride, count, block = map(tuple, zip(*ranges))
    space.select_hyperslab(start, count, stride, block)
    buffer = Buffer(fid, t, space.get_select_npoints(), exact=True)
    return dataset, buffer, h5s.create_simple((buffer.count,)), space


def _reference_one(fid, op, path, rest):
    if op == "group":
        h5g.create(fid, path)
    elif op == "commit":
        build(rest[0]).commit(fid, path)
    elif op == "remove":
        h5g.GroupID.unlink(h5g.open(fid, b"/"), path)
    elif op == "copy":
        h5o.copy(fid, path, fid, rest[0].encode())
    elif op == "copy_from":
        h5o.copy(h5f.open(path, h5f.ACC_RDONLY), rest[0].encode(), fid, rest[1].encode())
    elif op == "dataset":
        _reference_dataset(fid, path, *rest)
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
