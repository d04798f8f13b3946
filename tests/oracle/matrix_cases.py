# SPDX-License-Identifier: Apache-2.0
"""The case list of the dataset tests: types with values, shapes, and storage layouts."""
import random

import numpy as np

from matrix import DOUBLE, LONG_DOUBLE, bytes_of, count_of, plain_int

SHAPES = {"scalar": (), "null": None, "line": (5,), "table": (2, 3), "empty": (0,), "hollow": (3, 0)}
STORES = {"compact": {"layout": "compact"}, "early": {"alloc": 1}, "late": {"alloc": 2}, "incremental": {"alloc": 3}, "external": {}}

_FLOATS = {"f2": (16, 15, 10, 5, 0, 10, 15), "f4": (32, 31, 23, 8, 0, 23, 127), "f8": (64, 63, 52, 11, 0, 52, 1023),
           "bfloat16": (16, 15, 7, 8, 0, 7, 127)}


def ieee(name, order):
    bits, sign, *fields = _FLOATS[name]
    return ("float", bits // 8, order, bits, 0, 0, 0, sign, *fields, 2, 0)


def packed(*members):
    """A compound without padding. Strings have their size in memory."""
    out, at = [], 0
    for name, t in members:
        out.append((name, at, t))
        at += bytes_of(t)
    return ("compound", at, tuple(out))


def _numbers():
    types = {}
    for order in ("le", "be"):
        for size in (1, 2, 4, 8):
            types[f"i{size}{order}"] = plain_int(size, True, order)
            types[f"u{size}{order}"] = plain_int(size, False, order)
            types[f"b{size}{order}"] = ("bits", size, order, 8 * size, 0, 0, 0)
        for name in _FLOATS:
            types[name + order] = ieee(name, order)
        types[f"odd_int_{order}"] = ("int", 2, 1, order, 11, 3, 0, 0)
        types[f"odd_uint_{order}"] = ("int", 4, 0, order, 17, 9, 1, 1)
        types[f"padded_int_{order}"] = ("int", 8, 1, order, 35, 0, 0, 1)
        types[f"three_bytes_{order}"] = ("int", 3, 1, order, 24, 0, 0, 0)
        types[f"odd_bits_{order}"] = ("bits", 4, order, 13, 6, 0, 0)
        types[f"odd_float_{order}"] = ("float", 4, order, 20, 7, 0, 0, 26, 20, 6, 7, 13, 31, 2, 0)
    types["longdouble"] = LONG_DOUBLE
    # HDF5 has a third normalisation, H5T_NORM_MSBSET, but cannot read it back.
    types["unnormalised"] = ("float", 4, "le", 32, 0, 0, 0, 31, 24, 7, 0, 24, 63, 0, 0)
    return types


def _texts():
    types = {f"s{pad}{charset}": ("str", 7, pad, charset) for pad in (0, 1, 2) for charset in (0, 1)}
    types.update({f"v{pad}{charset}": ("vstr", pad, charset) for pad in (0, 1, 2) for charset in (0, 1)})
    types["one_byte"] = ("str", 1, 1, 0)
    types["opaque"] = ("opaque", 5, "a tag / of 5")
    types["untagged"] = ("opaque", 1, "")
    return types


def _structures():
    i4, f8, vstr = plain_int(4, True), DOUBLE, ("vstr", 0, 1)
    point = packed(("x", f8), ("y", ieee("f4", "be")))
    holes = ("compound", 32, (("late", 24, plain_int(2, False, "be")), ("early", 3, i4), ("middle", 8, f8)))
    colours = (("red", 0), ("green", 1), ("blue", -2))
    return {
        "enum": ("enum", colours, i4),
        "enum_be": ("enum", (("low", -300), ("high", 300)), plain_int(2, True, "be")),
        "enum_u8": ("enum", (("least", 0), ("most", 255)), plain_int(1, False)),
        "bool": ("enum", (("FALSE", 0), ("TRUE", 1)), plain_int(1, True)),
        "complex": packed(("r", f8), ("i", f8)),
        "point": point,
        "holes": holes,
        "nested": packed(("id", plain_int(1, False)), ("at", point), ("holes", holes)),
        "deep": packed(("list", ("array", (2, 2), packed(("p", point), ("colour", ("enum", colours, i4)))))),
        "mixed": packed(("text", ("str", 5, 2, 0)), ("raw", ("opaque", 3, "")), ("bits", ("bits", 2, "be", 16, 0, 0, 0)),
                        ("flag", ("enum", (("FALSE", 0), ("TRUE", 1)), plain_int(1, True)))),
        "wide": packed(*((f"member number {i}", plain_int(2, True, "be" if i % 2 else "le")) for i in range(20))),
        "array": ("array", (3,), i4),
        "array2": ("array", (2, 3), ieee("f8", "be")),
        "array_of_array": ("array", (2,), ("array", (2, 2), plain_int(2, True, "be"))),
        "array_of_text": ("array", (2,), ("str", 4, 1, 1)),
        "array_of_vstr": ("array", (2,), vstr),
        "seq": ("seq", i4),
        "seq_be": ("seq", ieee("f8", "be")),
        "seq_of_text": ("seq", ("str", 4, 1, 1)),
        "seq_of_vstr": ("seq", vstr),
        "seq_of_point": ("seq", point),
        "seq_of_seq": ("seq", ("seq", plain_int(2, True, "be"))),
        "seq_of_array": ("seq", ("array", (2,), i4)),
        "record": packed(("name", vstr), ("id", plain_int(8, False, "be")), ("data", ("seq", point)), ("note", ("vstr", 0, 0))),
        "records": ("seq", packed(("name", vstr), ("list", ("seq", plain_int(1, True))))),
        "reference": ("ref", "object"),
        "linked": packed(("to", ("ref", "object")), ("weight", f8)),
        "seq_of_ref": ("seq", ("ref", "object")),
    }


TYPES = {**_numbers(), **_texts(), **_structures()}
COMMITTED = {"t_point": TYPES["nested"], "t_text": ("vstr", 0, 1), "t_be": plain_int(4, True, "be"), "t_seq": TYPES["records"]}
TYPES.update({name: ("@", "/types/" + name, t) for name, t in COMMITTED.items()})
TARGETS = ["/", "/types", "/types/t_point", "/late/i4le_line", None]


class Values:
    """Random values that the type represents exactly."""

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def list(self, t, count):
        return [self.one(t) for _ in range(count)]

    def one(self, t):
        kind = t[0]
        if kind == "@":
            return self.one(t[2])
        if kind == "int":
            bits = t[4]
            least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if t[2] else (0, (1 << bits) - 1)
            return self.rng.choice([least, most, 0, 1, self.rng.randint(least, most), self.rng.randint(least, most)])
        if kind == "bits":
            return self.rng.getrandbits(t[3])
        if kind == "float":
            return self._float(t)
        if kind in ("str", "vstr"):
            return self._text(t)
        if kind == "opaque":
            return self.rng.randbytes(t[1])
        if kind == "ref":
            return self.rng.choice(TARGETS)
        if kind == "enum":
            return self.rng.choice(t[1])[1]
        if kind == "compound":
            return tuple(self.one(m) for _, _, m in t[2])
        if kind == "array":
            return self.list(t[2], int(np.prod(t[1])))
        return self.list(t[1], self.rng.choice([0, 1, 2, 5]))

    def _float(self, t):
        if t[1] == 16:
            return self.rng.choice([np.longdouble(1) / 3, -np.longdouble("1e4000"), np.longdouble("inf"), np.longdouble("nan"), np.longdouble(0)])
        some = [0.0, -0.0, 1.0, -1.5, 0.25, 96.0, self.rng.randint(-60, 60) / 4]
        if t[1] in (4, 8) and t[3] == 8 * t[1] and t[-2] == 2:
            kind = np.float32 if t[1] == 4 else np.float64
            limits = np.finfo(kind)
            some += [float(limits.max), float(limits.smallest_subnormal), float(limits.tiny), float("inf"), float("nan"),
                     float(kind(self.rng.gauss(0, 1e6)))]
        return self.rng.choice(some)

    def _text(self, t):
        some = [b"", b"a", b"abc", b"two words", b"long " * self.rng.randint(1, 40) + b"end"]
        if t[-1] == 1:
            some.append("é€".encode())
        if t[0] == "vstr":
            return self.rng.choice(some + [None])
        capacity = t[1] - (t[2] == 0)
        return self.rng.choice([v for v in some + [b"x" * capacity] if len(v) <= capacity])


def _external(name, total):
    """Two files; the first may end within an element. Every other list is unlimited."""
    first = max(1, total // 3)
    return [(name + ".0", 0, first), (name + ".1", 7, None if total % 2 else max(1, total - first))]


def options_for(store, name, t, shape):
    options = dict(STORES[store])
    if store == "external":
        options["external"] = _external(name, count_of(shape) * bytes_of(t, 8))
    return options


def shapes_for(store, turn):
    """At most half of the shapes. The halves alternate, so that every type occurs with every shape in each layout."""
    # HDF5 makes no external dataset without elements.
    allowed = [k for k, s in SHAPES.items() if store != "external" or count_of(s)]
    return {k: SHAPES[k] for k in allowed[turn % 2::2]}


def setting():
    """Objects that the cases refer to."""
    ops = [("group", "/types")] + [("commit", "/types/" + name, t) for name, t in COMMITTED.items()]
    ops += [("group", "/" + store) for store in [*STORES, "attrs", "fill"]]
    i4 = plain_int(4, True)
    return ops + [("dataset", "/late/i4le_line", i4, (5,), STORES["late"]), ("write", "/late/i4le_line", i4, [1, 2, 3, 4, 5])]


def dataset_ops(store, values, low):
    ops = []
    for i, (name, t) in enumerate(TYPES.items()):
        for shape_name, shape in shapes_for(store, i + low).items():
            path = f"/{store}/{name}_{shape_name}"
            if path == "/late/i4le_line":
                continue
            ops.append(("dataset", path, t, shape, options_for(store, f"{name}_{shape_name}", t, shape)))
            ops.append(("write", path, t, values.list(t, count_of(shape))))
    return ops


def attribute_ops(values, low):
    ops = []
    for i, (name, t) in enumerate(TYPES.items()):
        ops.append(("group", "/attrs/" + name))
        ops += [("attr", "/attrs/" + name, k, t, shape, values.list(t, count_of(shape))) for k, shape in shapes_for("attrs", i + low).items()]
    return ops


def fill_ops(values, low):
    """Datasets that are never written, with and without a fill value."""
    ops = []
    for i, (name, t) in enumerate(TYPES.items()):
        store = ["compact", "early", "late"][(i + low) % 3]
        # HDF5 loses the contents of compounds in such a sequence when it copies a fill value.
        if store == "late" or name not in ("records", "t_seq"):
            ops.append(("dataset", f"/fill/{name}", t, (3,), {**STORES[store], "fill": values.one(t), "fill_time": 2 * (low % 2)}))
        # For a dataset without storage, HDF5 returns zeros even if the enumeration has no member for them.
        if (name, store) != ("enum_be", "late"):
            ops.append(("dataset", f"/fill/{name}_zeros", t, (2,), STORES[store]))
    return ops
