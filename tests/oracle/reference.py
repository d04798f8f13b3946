# SPDX-License-Identifier: Apache-2.0
"""HDF5 as the oracle: the operations of the scenarios applied with h5py, and a dump to compare with ours."""
import ctypes
import functools
import json
import os
import urllib.parse

import h5py
import numpy as np
from h5py import h5, h5a, h5d, h5f, h5g, h5o, h5p, h5s, h5t

_lib = ctypes.CDLL(next(line.split()[-1] for line in open("/proc/self/maps") if "libhdf5_serial.so" in line))
LOWS = {0: h5f.LIBVER_EARLIEST, 1: h5f.LIBVER_V18, 2: h5f.LIBVER_V110, 3: h5f.LIBVER_LATEST, 4: h5f.LIBVER_LATEST}
COPY_FLAGS = {"shallow": 1, "soft": 2, "external": 4, "bare": 16}


@functools.lru_cache(maxsize=10000)
def quote(text):
    return urllib.parse.quote(text.encode() if isinstance(text, str) else text, safe="/")


def call(name, *args):
    """Calls a C function for which h5py has no method."""
    plain = [ctypes.c_int64(a.id) if hasattr(a, "id") else a for a in args]
    function = getattr(_lib, name)
    function.restype = ctypes.c_int64 if name.startswith("H5Tget") else ctypes.c_int
    result = function(*plain)
    if result < 0:
        raise RuntimeError(f"{name} failed")
    return result


class _LinkClass(ctypes.Structure):
    _fields_ = [("version", ctypes.c_int), ("id", ctypes.c_int), ("comment", ctypes.c_char_p)] + [
        (name, ctypes.c_void_p) for name in ("create", "move", "copy", "traverse", "delete", "query")]


_refuse = ctypes.CFUNCTYPE(ctypes.c_int64)(lambda: -1)


def register_user_links(kind):
    call("H5Lregister", ctypes.byref(_LinkClass(0, kind, b"oracle", None, None, None,
                                                ctypes.cast(_refuse, ctypes.c_void_p).value, None, None)))


def parse_type(fid, text):
    if text[0] == "@":
        return h5t.open(fid, text[1:].encode())
    if text[0] in "SV":
        parts = text.split(":")
        made = h5t.C_S1.copy()
        made.set_size(h5t.VARIABLE if text[0] == "V" else int(parts[1]))
        if text[0] == "S":
            made.set_strpad({"t": h5t.STR_NULLTERM, "z": h5t.STR_NULLPAD, "s": h5t.STR_SPACEPAD}[parts[2]])
        made.set_cset(h5t.CSET_UTF8 if parts[-1] == "u" else h5t.CSET_ASCII)
        return made
    return h5t.py_create(np.dtype(text)).copy()


def write_values(aid, values):
    shape = aid.shape
    if aid.get_space().get_simple_extent_type() == h5s.NULL or 0 in shape:
        return
    kind = aid.get_type()
    if kind.get_class() != h5t.STRING:
        aid.write(np.array(values, dtype=kind.dtype).reshape(shape))
    elif kind.is_variable_str():
        encoding = "utf-8" if kind.get_cset() == h5t.CSET_UTF8 else "ascii"
        array = np.empty(shape, dtype=h5py.string_dtype(encoding))
        array.flat = values
        aid.write(array)
    else:
        size = kind.get_size()
        if kind.get_strpad() == h5t.STR_NULLTERM:
            values = [v[:size - 1] for v in values]
        filler = b" " if kind.get_strpad() == h5t.STR_SPACEPAD else b"\0"
        array = np.empty(shape, dtype=f"V{size}")
        array.flat = [np.void(v[:size].ljust(size, filler)) for v in values]
        aid.write(array, mtype=kind)


def _lcpl(path):
    made = h5p.create(h5p.LINK_CREATE)
    if any(byte > 127 for byte in path.rsplit(b"/", 1)[-1]):
        made.set_char_encoding(h5t.CSET_UTF8)
    return made


def _group_settings(plist, s):
    if "track" in s or "index" in s:
        plist.set_link_creation_order(int(s.get("track", 0)) * 1 | int(s.get("index", 0)) * 2)
    if "attr_track" in s or "attr_index" in s:
        plist.set_attr_creation_order(int(s.get("attr_track", 0)) * 1 | int(s.get("attr_index", 0)) * 2)
    if "max_compact" in s:
        call("H5Pset_link_phase_change", plist, s["max_compact"], s["min_dense"])
    if "attr_max_compact" in s:
        call("H5Pset_attr_phase_change", plist, s["attr_max_compact"], s["attr_min_dense"])
    return plist


def _file_settings(s):
    plist = _group_settings(h5p.create(h5p.FILE_CREATE), s)
    if "userblock" in s:
        plist.set_userblock(s["userblock"])
    if "offset" in s:
        plist.set_sizes(s["offset"], s["length"])
    if "leaf_k" in s:
        call("H5Pset_sym_k", plist, s["internal_k"], s["leaf_k"])
    if "strategy" in s:
        call("H5Pset_file_space_strategy", plist, s["strategy"], bool(s.get("persist", 0)),
             ctypes.c_uint64(s.get("threshold", 1)))
        call("H5Pset_file_space_page_size", plist, ctypes.c_uint64(s.get("page", 4096)))
    if "shared" in s:
        indexes = [entry.split(":") for entry in s["shared"].split(";")]
        call("H5Pset_shared_mesg_nindexes", plist, len(indexes))
        for i, (least, types) in enumerate(indexes):
            bits = sum(1 << {2: 1, 8: 3, 32: 5, 2048: 11, 4096: 12}[int(t)] for t in types.split(","))
            call("H5Pset_shared_mesg_index", plist, i, bits, int(least))
        if "list_max" in s:
            call("H5Pset_shared_mesg_phase_change", plist, s["list_max"], s["btree_min"])
    return plist


def apply(path, ops, low=0, create=None):
    """Opens the file at `path` (or creates it, with the settings in `create`) and applies `ops`."""
    fapl = h5p.create(h5p.FILE_ACCESS)
    fapl.set_libver_bounds(LOWS[low], h5f.LIBVER_LATEST)
    fapl.set_fclose_degree(h5f.CLOSE_STRONG)
    name = os.fsencode(path)
    if create is None:
        fid = h5f.open(name, h5f.ACC_RDWR, fapl)
    else:
        fid = h5f.create(name, h5f.ACC_TRUNC, _file_settings(create), fapl)
    try:
        for op in ops:
            try:
                _apply_one(fid, *op)
            except Exception as error:
                raise RuntimeError(f"HDF5 refuses {str(op)[:300]}: {error}") from error
    finally:
        fid.close()


def _apply_one(fid, op, path, *rest):
    path = path if isinstance(path, bytes) else path.encode()
    rest = [r.encode() if isinstance(r, str) else r for r in rest]
    if op == "group":
        gcpl = _group_settings(h5p.create(h5p.GROUP_CREATE), rest[0] if rest else {})
        h5g.create(fid, path, lcpl=_lcpl(path), gcpl=gcpl)
    elif op == "commit":
        parse_type(fid, rest[0].decode()).commit(fid, path, lcpl=_lcpl(path))
    elif op == "soft":
        fid.links.create_soft(path, rest[0], lcpl=_lcpl(path))
    elif op == "hard":
        h5o.link(h5o.open(fid, rest[0]), fid, path, lcpl=_lcpl(path))
    elif op == "external":
        fid.links.create_external(path, rest[0], rest[1], lcpl=_lcpl(path))
    elif op == "user":
        call("H5Lcreate_ud", fid, path, rest[0], rest[1], ctypes.c_size_t(len(rest[1])), _lcpl(path), ctypes.c_int64(0))
    elif op == "remove":
        fid.unlink(path) if isinstance(fid, h5g.GroupID) else fid.links.unlink(path)
    elif op == "rename":
        fid.links.move(path, fid, rest[0], lcpl=_lcpl(rest[0]))
    elif op == "copy":
        _copy(fid, path, fid, rest[0], rest[1])
    elif op == "copy_from":
        _copy(h5f.open(path, h5f.ACC_RDONLY), rest[0], fid, rest[1], rest[2])
    elif op == "comment":
        h5o.set_comment(h5o.open(fid, path), rest[0])
    else:
        _apply_attribute(op, fid, h5o.open(fid, path), *rest)


def _copy(source, path, target, to, flags):
    plist = h5p.create(h5p.OBJECT_COPY)
    plist.set_copy_object(sum(bit for word, bit in COPY_FLAGS.items() if word in flags.decode()))
    h5o.copy(source, path, target, to, copypl=plist, lcpl=_lcpl(to))


def _apply_attribute(op, fid, oid, name, *rest):
    if op == "attr":
        shape = rest[1]
        space = h5s.create(h5s.NULL if shape is None else h5s.SCALAR) if not shape and shape != (0,) else h5s.create_simple(shape)
        aid = h5a.create(oid, name, parse_type(fid, rest[0].decode()), space)
        write_values(aid, rest[2])
    elif op == "attr_set":
        write_values(h5a.open(oid, name), rest[0])
    elif op == "attr_remove":
        h5a.delete(oid, name)
    elif op == "attr_rename":
        h5a.rename(oid, name, rest[0])
    else:
        raise ValueError(op)


def _plural(count, noun):
    return f"{count} {noun}" + ("" if count == 1 else "s")


def _number_text(kind, noun):
    order = "" if kind.get_size() == 1 else {h5t.ORDER_LE: " little-endian", h5t.ORDER_BE: " big-endian"}[kind.get_order()]
    return f"{kind.get_precision()}-bit{order} {noun}"


def type_text(kind):
    """The type as Filigree describes it."""
    which = kind.get_class()
    if which == h5t.INTEGER:
        return _number_text(kind, "integer" if kind.get_sign() == h5t.SGN_2 else "unsigned integer")
    if which == h5t.FLOAT:
        return _number_text(kind, "float")
    if which == h5t.BITFIELD:
        return _number_text(kind, "bitfield")
    if which == h5t.STRING:
        charset = "UTF-8" if kind.get_cset() == h5t.CSET_UTF8 else "ASCII"
        if kind.is_variable_str():
            return f"variable-length string, {charset}"
        padding = {h5t.STR_NULLTERM: "NUL-terminated", h5t.STR_NULLPAD: "NUL-padded", h5t.STR_SPACEPAD: "space-padded"}
        return f"string of {_plural(kind.get_size(), 'byte')}, {padding[kind.get_strpad()]}, {charset}"
    if which == h5t.OPAQUE:
        tag = kind.get_tag().decode()
        return f"opaque of {_plural(kind.get_size(), 'byte')}" + (f', tag "{tag}"' if tag else "")
    if which == h5t.COMPOUND:
        return f"compound of {_plural(kind.get_nmembers(), 'member')}"
    if which == h5t.REFERENCE:
        return "object reference" if kind.equal(h5t.STD_REF_OBJ) else "region reference"
    if which == h5t.ENUM:
        return f"enumeration of {_plural(kind.get_nmembers(), 'name')} over {type_text(kind.get_super())}"
    if which == h5t.VLEN:
        return f"variable-length sequence of {type_text(kind.get_super())}"
    if which == h5t.ARRAY:
        return f"array [{', '.join(map(str, kind.get_array_dims()))}] of {type_text(kind.get_super())}"
    return "unknown type"


def _dump_values(aid, kind, shape):
    """Values as text, and the bytes in the file where these are the values."""
    which = kind.get_class()
    if shape is None:
        return [] if which in (h5t.STRING, h5t.INTEGER, h5t.FLOAT) else None, ""
    if which == h5t.STRING and kind.is_variable_str():
        array = np.empty(shape, dtype=h5py.string_dtype("utf-8" if kind.get_cset() == h5t.CSET_UTF8 else "ascii"))
        if array.size:
            aid.read(array)
        return [quote(v or b"") for v in array.ravel().tolist()], ""
    if which == h5t.VLEN or (which == h5t.COMPOUND and kind.detect_class(h5t.VLEN)):
        return None, None
    array = np.zeros(shape, dtype=f"V{kind.get_size()}")
    if array.size:
        aid.read(array, mtype=kind)
    raw = array.tobytes()
    cut = {h5t.STR_NULLTERM: lambda v: v.split(b"\0")[0], h5t.STR_NULLPAD: lambda v: v.rstrip(b"\0"),
           h5t.STR_SPACEPAD: lambda v: v.rstrip(b" ")}
    values = None
    if which == h5t.STRING:
        values = [quote(cut[kind.get_strpad()](v.tobytes())) for v in array.ravel()]
    elif which == h5t.INTEGER:
        values = [str(v) for v in np.frombuffer(raw, dtype=kind.dtype).tolist()]
    elif which == h5t.FLOAT:
        values = [format(v, ".17g") for v in np.frombuffer(raw, dtype=kind.dtype).tolist()]
    return values, raw.hex().upper()


def _dump_attribute(oid, name, tracked):
    aid = h5a.open(oid, name)
    kind = aid.get_type()
    shape = None if aid.get_space().get_simple_extent_type() == h5s.NULL else aid.shape
    values, raw = _dump_values(aid, kind, shape)
    return {"name": quote(name), "order": h5a.get_info(oid, name).corder if tracked else None, "type": quote(type_text(kind)),
            "shape": None if shape is None else list(shape), "values": values, "raw": raw}


def _comment(oid):
    text = ctypes.create_string_buffer(10000)
    call("H5Oget_comment", oid, text, ctypes.c_size_t(len(text)))
    return quote(text.value)


def _attributes(oid):
    names = []
    h5a.iterate(oid, lambda name: names.append(name), index_type=h5.INDEX_NAME)
    if isinstance(oid, h5t.TypeID):
        flags = ctypes.c_uint()
        plist = ctypes.c_int64(call("H5Tget_create_plist", oid))
        call("H5Pget_attr_creation_order", plist, ctypes.byref(flags))
        call("H5Pclose", plist)
        tracked = bool(flags.value & 1)
    else:
        tracked = bool(oid.get_create_plist().get_attr_creation_order() & 1)
    return [_dump_attribute(oid, name, tracked) for name in sorted(names)]


class _Walk:
    def __init__(self):
        self.paths = {}
        self.found = []
        self.links = {}

    def visit(self, oid, path):
        address = h5o.get_info(oid).addr
        self.paths[address] = path
        self.found.append((path, oid))
        if not isinstance(oid, h5g.GroupID):
            return
        links = []
        oid.links.iterate(lambda name, info: links.append(
            (name, info.type, info.u, info.corder if info.corder_valid else None, info.cset)), info=True)
        self.links[path] = sorted(links)
        for name, kind, where, *_ in self.links[path]:
            if kind == h5py.h5l.TYPE_HARD and where not in self.paths:
                self.visit(h5o.open(oid, name), (b"" if path == b"/" else path) + b"/" + name)

    def describe_link(self, oid, name, kind, where, order, charset):
        out = {"name": quote(name), "kind": "user", "target": "", "file": "", "utf8": charset == h5t.CSET_UTF8,
               "order": order, "user": 0, "data": ""}
        if kind == h5py.h5l.TYPE_HARD:
            out.update(kind="hard", target=quote(self.paths[where]))
        elif kind == h5py.h5l.TYPE_SOFT:
            out.update(kind="soft", target=quote(oid.links.get_val(name)))
        elif kind == h5py.h5l.TYPE_EXTERNAL:
            file, target = oid.links.get_val(name)
            out.update(kind="external", target=quote(target), file=quote(file))
        else:
            out.update(user=int(kind), data=None)
        return out

    def describe(self, path, oid):
        info = h5o.get_info(oid)
        out = {"path": quote(path), "link_count": info.rc, "attrs": _attributes(oid)}
        out["comment"] = _comment(oid)
        if isinstance(oid, h5g.GroupID):
            flags = oid.get_create_plist().get_link_creation_order()
            links = self.links[path]
            out.update(kind="group", count=oid.get_num_objs(), tracked=flags & 1, indexed=flags >> 1)
            out["links"] = [self.describe_link(oid, *link) for link in links]
            if flags & 1:
                names = []
                oid.links.iterate(lambda name: names.append(quote(name)), idx_type=h5.INDEX_CRT_ORDER, order=h5.ITER_INC)
                out["by_order"] = names
        elif isinstance(oid, h5d.DatasetID):
            null = oid.get_space().get_simple_extent_type() == h5s.NULL
            out.update(kind="dataset", type=quote(type_text(oid.get_type())), shape=None if null else list(oid.shape))
        else:
            out.update(kind="datatype", type=quote(type_text(oid)))
        return out


def dump(path):
    fid = h5f.open(os.fsencode(path), h5f.ACC_RDONLY)
    try:
        walk = _Walk()
        walk.visit(h5o.open(fid, b"/"), b"/")
        return {quote(p): walk.describe(p, oid) for p, oid in walk.found}
    finally:
        walk = None
        fid.close()


if __name__ == "__main__":
    import sys
    print(json.dumps(dump(sys.argv[1]), indent=1))
