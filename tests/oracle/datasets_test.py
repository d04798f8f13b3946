# SPDX-License-Identifier: Apache-2.0
"""Datasets of every type, layout, shape and format version: Filigree, HDF5 and its tools read the same from what either library wrote."""
import os
import random
import re
import unittest

import h5py
import numpy as np

import matrix_cases as cases
from matrix import Ours, count_of, disk, shape_words, value_words, values_words, words
from matrix_reference import Reference
from oracle import BOUNDS, Case, run
from reference import quote

FIRST_SEED = int(os.environ.get("FILIGREE_SEED", "1"))  # set it to try other values
READABLE = {name: low for name, low in BOUNDS.items() if low <= 2}


class Expected(dict):
    """The expected dump after the operations."""

    def __init__(self, offset_bytes=8):
        super().__init__()
        self.offset_bytes = offset_bytes

    def copy_lone(self, path, to):
        """A copy from another file, whose references are null."""
        self._copy(path, to, lambda entry: (*entry[:2], re.sub(" '[^ ]*", " ~", " " + entry[2])[1:] if entry[0] == "ref object" else
                                            None if "ref" in entry[0] else entry[2]))

    def _type(self, t):
        return words(disk(t, self.offset_bytes))

    def _copy(self, path, to, change=lambda entry: entry):
        inside = re.compile(re.escape(path) + "(?=/|%40|$)")
        self.update({to + key[len(path):]: change(entry) for key, entry in self.items() if inside.match(key)})

    def after(self, ops):
        for op, path, *rest in ops:
            getattr(self, "_" + op)(quote(path), *rest)
        return self

    def _group(self, path):
        pass

    def _commit(self, path, t):
        self[path] = (self._type(t),)

    def _dataset(self, path, t, shape, options):
        one = value_words(t, options["fill"]) if "fill" in options else None
        self[path] = (self._type(t), shape_words(shape), one and " ".join([one] * count_of(shape)))

    def _write(self, path, t, values):
        self[path] = (*self[path][:2], values_words(t, values))

    def _attr(self, path, name, t, shape, values):
        self[path + quote("@" + name)] = (self._type(t), shape_words(shape), values_words(t, values))

    def _attr_write(self, path, name, t, values):
        self._write(path + quote("@" + name), t, values)

    def _attr_remove(self, path, name):
        del self[path + quote("@" + name)]

    def _remove(self, path):
        del self[path]


def changes(ops, values, part):
    """Writes new values to some objects, removes others, and creates these again under other names."""
    out = []
    for i, (op, path, *rest) in enumerate(ops):
        choice = (i // 2 + part) % 4
        if op == "write" and rest[1] and choice == 0:
            out.append(("write", path, rest[0], values.list(rest[0], len(rest[1]))))
        elif op == "attr" and rest[3] and (i + part) % 4 == 0:
            out.append(("attr_write", path, rest[0], rest[1], values.list(rest[1], len(rest[3]))))
        elif op == "attr" and (i + part) % 4 == 1:
            out.append(("attr_remove", path, rest[0]))
        elif op == "dataset" and choice == 1 and "external" not in rest[2] and path != "/late/i4le_line":
            out.append(("remove", path))
            new = f"{path}_turn{part}"
            out.append(("dataset", new, *rest))
            out.append(("write", new, rest[0], values.list(rest[0], count_of(rest[1]))))
    return out


def surviving(ops, done):
    """The operations that still describe the file."""
    gone = {(op[1], op[2] if op[0] == "attr_remove" else None) for op in done if op[0] in ("remove", "attr_remove")}
    kept = [op for op in ops if (op[1], None) not in gone and (op[0] != "attr" or (op[1], op[2]) not in gone)]
    return kept + [op for op in done if op[0] == "dataset" or (op[0] == "write" and any(d[:2] == ("dataset", op[1]) for d in done))]


def crashes_h5py(name):
    """Variable-length values and references in arrays and sequences crash h5py."""
    t = disk(cases.TYPES.get(name, ("int",)))
    return t[0] in ("seq", "array") and re.search("'(vstr|seq|ref)'", str(t[-1]))


def h5py_values(folder):
    """The values as h5py reads them, if it knows the type."""
    out = {}
    with h5py.File(os.path.join(folder, "m.h5"), "r") as file:
        def see(name, item):
            things = [(name, item)] if isinstance(item, h5py.Dataset) else []
            things += [(name + "@" + key, None) for key in item.attrs]
            parts = name.split("/")[1:]
            if parts and crashes_h5py(next((n for n in sorted(cases.TYPES, key=len, reverse=True) if parts[0].startswith(n)), "")):
                return
            for key, thing in things:
                try:
                    value = item.attrs[key.split("@")[1]] if thing is None else thing[()]
                    out[key] = (repr(getattr(value, "dtype", type(value))), flat(file, value))
                except (TypeError, ValueError, OSError, KeyError) as error:
                    out[key] = re.sub("0x[0-9a-f]+", "", str(error))
        os.chdir(folder)
        file.visititems(see)
    return out


def flat(file, value):
    if isinstance(value, h5py.Reference):
        return file[value].name if value else None
    if isinstance(value, h5py.Empty):
        return repr(value)
    if isinstance(value, (np.ndarray, np.void)) and value.dtype.names:
        return [flat(file, value[name]) for name in value.dtype.names]
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind == "f":
        return repr(value.tolist())  # all NaNs are equal
    if isinstance(value, np.ndarray):
        return [flat(file, v) for v in value.ravel()] if value.dtype.kind == "O" else (value.shape, value.tobytes())
    return value.tobytes() if isinstance(value, np.generic) else value


def dumped(folder, *options):
    """h5dump's text, without addresses; the first line names the file, which is called the same everywhere."""
    text = run("h5dump", *options, "m.h5", cwd=folder).decode(errors="replace")
    return re.sub(r"\b(DATASET|GROUP|DATATYPE) \d+ |OFFSET \d+$", r"\1", text, flags=re.M).splitlines()


class Matrix(Case):
    def setUp(self):
        super().setUp()
        self.addCleanup(os.chdir, os.getcwd())
        self.folders = {}
        for name in ("ours", "theirs"):
            self.folders[name] = self.file(name)
            os.mkdir(self.folders[name])

    def check(self, seen, expected, what):
        wrong = []
        for path in seen.keys() | expected.keys():
            a, b = seen.get(path), expected.get(path)
            if a != b and not (a and b and len(b) == 3 and b[2] is None and a[:2] == b[:2]):
                wrong.append(f"{path}:\n  seen      {str(a)[:700]}\n  expected  {str(b)[:700]}")
        if wrong:
            self.fail(f"{what}: {len(wrong)} of {len(expected)} differ\n" + "\n".join(sorted(wrong)[:6]))

    def same_lines(self, a, b, what):
        if a != b:
            at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
            context = next((x for x in a[at::-1] if re.search("DATASET|ATTRIBUTE|GROUP", x)), "")
            self.fail(f"{what} differs in {context.strip()}:\n" + "\n".join(a[max(0, at - 12):at + 3]) + "\n--- instead of\n" + "\n".join(b[at:at + 3]))

    def all_agree(self, expected, tools=True):
        dumps = {}
        for name, folder in self.folders.items():
            for side in (Ours, Reference):
                dumps[name, side] = side.dump(folder)
                self.check(dumps[name, side], expected, f"{side.name} reading {name}")
            self.assertEqual(dumps[name, Ours], dumps[name, Reference])
        ours, theirs = self.folders.values()
        self.assertEqual(dumps["ours", Ours], dumps["theirs", Ours])
        if not tools:
            return
        self.same_lines(dumped(ours, "-p"), dumped(theirs, "-p"), "h5dump -p")
        mine, other = h5py_values(ours), h5py_values(theirs)
        for path in mine.keys() | other.keys():
            self.assertEqual(mine.get(path), other.get(path), path)

    def circle(self, low, make, narrow=False):
        """Both write; each changes the other's file, then its own: after each turn all agree."""
        values = cases.Values(FIRST_SEED + low)
        ops = make(values, low)
        made = cases.setting() + ops
        Ours.apply(self.folders["ours"], made, low, create=True, narrow=narrow)
        Reference.apply(self.folders["theirs"], made, low, create=True, narrow=narrow)
        expected = Expected(4 if narrow else 8).after(made)
        self.all_agree(expected)
        for part, sides in enumerate(((Reference, Ours), (Ours, Reference))):
            turn = changes(ops, values, part)
            for side, folder in zip(sides, self.folders.values()):
                side.apply(folder, turn, low)
            ops = surviving(ops, turn)
            self.all_agree(expected.after(turn), tools=part == 1)


    def test_narrow_offsets_after_a_user_block(self):
        self.circle(0, lambda values, low: cases.dataset_ops("late", values, low), narrow=True)

    def test_copies(self):
        """Groups of datasets and attributes, within a file and from the file of HDF5."""
        ours, theirs = self.folders.values()
        for low in READABLE.values():
            values = cases.Values(FIRST_SEED + low)
            made = cases.setting() + cases.dataset_ops("late", values, low) + cases.dataset_ops("compact", values, low + 1)
            within = [("copy", "/" + name, "/copied_" + name) for name in ("late", "compact")]
            # HDF5 loses references and nested sequences when it copies attributes.
            attributes = cases.attribute_ops(values, low) + [("copy", "/attrs", "/copied_attrs")]
            Reference.apply(theirs, made + within, low, create=True)
            Ours.apply(ours, made + within, low, create=True)
            expected = Expected().after(made + within)
            self.all_agree(expected, tools=False)  # h5dump names anonymous types by their address
            foreign = [("copy_from", os.path.join(theirs, "m.h5"), "/" + name, "/foreign_" + name) for name in ("late", "compact")]
            Ours.apply(ours, foreign + attributes, low)
            expected.after(attributes)
            for _, _, source, to in foreign:
                expected.copy_lone(source, to)
            for side in (Ours, Reference):
                self.check(side.dump(ours), expected, f"{side.name} reading copies")

    def test_newer_formats(self):
        """HDF5 1.10 does not read version 4 of structured types, but everything else."""
        ours = self.folders["ours"]
        for low in (3, 4):
            made = cases.setting() + cases.dataset_ops("late", cases.Values(low), low)
            Ours.apply(ours, made, low, create=True)
            expected = Expected().after(made)
            self.check(Ours.dump(ours), expected, "Filigree")
            plain = {path: entry for path, entry in expected.items() if not re.search("compound|enum|array", entry[0])}
            # References may lead to a type that HDF5 cannot open.
            plain.update({path: (*entry[:2], None) for path, entry in plain.items() if "ref" in entry[0]})
            self.assertGreater(len(plain), 150)
            self.check(Reference.dump(ours), plain, "reference")

    def test_region_references(self):
        folder = self.folders["theirs"]
        for libver in ("earliest", "latest"):
            with h5py.File(os.path.join(folder, "m.h5"), "w", libver=libver) as file:
                file["data"] = np.arange(60).reshape(6, 10)
                regions = [file["data"].regionref[1:3, 2:5], file["data"].regionref[::2, 4], file["data"].regionref[...]]
                file.create_dataset("refs", data=np.array(regions, dtype=h5py.regionref_dtype))
                file.attrs.create("ref", regions[0], dtype=h5py.regionref_dtype)
            seen = Ours.dump(folder)
            self.assertEqual(seen["/refs"][:2], ("ref region", "3"))
            self.assertEqual(seen, Reference.dump(folder))
            copy = [bytes.fromhex(word) for word in reversed(seen["/refs"][2].split())]
            region = ("ref", "region")
            Ours.apply(folder, [("dataset", "/copy", region, (3,), {}), ("write", "/copy", region, copy)])
            with h5py.File(os.path.join(folder, "m.h5"), "r") as file:
                back = [file["data"][ref].ravel().tolist() for ref in file["copy"][()]]
                self.assertEqual(back, [file["data"][ref].ravel().tolist() for ref in reversed(file["refs"][()])])
                self.assertEqual(back[1], [4, 24, 44])

    def test_h5py_knows_its_types(self):
        ours = self.folders["ours"]
        values = cases.Values(1)
        Ours.apply(ours, cases.setting() + cases.dataset_ops("early", values, 0) + cases.dataset_ops("late", values, 1), create=True)
        with h5py.File(os.path.join(ours, "m.h5"), "r") as file:
            def dtype(name):
                return next(file[f"{store}/{name}_line"].dtype for store in ("early", "late") if f"{name}_line" in file[store])
            for name, known in {"bool": "?", "complex": "<c16", "f2be": ">f2", "u4le": "<u4", "i8be": ">i8", "longdouble": "<f16", "opaque": "V5",
                                "array2": np.dtype((">f8", (2, 3))), "point": [("x", "<f8"), ("y", ">f4")]}.items():
                self.assertEqual(dtype(name), np.dtype(known), name)
            self.assertEqual(h5py.check_string_dtype(dtype("v01")), ("utf-8", None))
            self.assertEqual(h5py.check_string_dtype(dtype("s10")), ("ascii", 7))
            self.assertEqual(h5py.check_enum_dtype(dtype("enum_be")), {"low": -300, "high": 300})
            self.assertEqual(h5py.check_vlen_dtype(dtype("seq_be")), np.dtype(">f8"))
            self.assertEqual(h5py.check_ref_dtype(dtype("reference")), h5py.Reference)

    def test_variable_values_rewritten_in_turn(self):
        """Each library frees and reuses heap objects of the other."""
        rng = random.Random(5)
        text, numbers = ("vstr", 0, 1), ("seq", ("seq", cases.TYPES["i4le"]))
        for low in (0, 2):
            folder = self.folders["ours" if low else "theirs"]
            made = [("dataset", "/text", text, (120,), {}), ("dataset", "/numbers", numbers, (120,), {"layout": "compact"})]
            Ours.apply(folder, made, low, create=True)
            model = {"/text": [None] * 120, "/numbers": [[]] * 120}
            for turn in range(8):
                ops = []
                for path, t in (("/text", text), ("/numbers", numbers)):
                    start, count = rng.randrange(40), rng.randrange(1, 40)
                    stride = rng.randrange(1, 3)
                    new = [bytes(rng.choices(b"abcdef", k=rng.choice([0, 3, 50, 900]))) if path == "/text" else
                           [[rng.randrange(99)] * rng.choice([0, 1, 40]) for _ in range(rng.randrange(3))] for _ in range(count)]
                    model[path][start:start + stride * count:stride] = new
                    ops.append(("write_part", path, [(start, stride, count, 1)], t, new))
                (Reference if turn % 2 else Ours).apply(folder, ops, low)
                expected = {path: (words(t), "120", values_words(t, model[path])) for path, t in (("/text", text), ("/numbers", numbers))}
                for side in (Ours, Reference):
                    self.check(side.dump(folder), expected, side.name)
            self.assertLess(os.path.getsize(os.path.join(folder, "m.h5")), 400000)


def _add(label, make, bounds=READABLE):
    for bound in bounds:
        def test(self, low=READABLE[bound]):
            self.circle(low, make)
        setattr(Matrix, f"test_{label}_{bound.replace('.', '_')}", test)


for _store in cases.STORES:
    # In the file these three differ in one field only.
    _bounds = {"early": ["earliest", "1.10"], "incremental": ["1.8"]}.get(_store, READABLE)
    _add(_store, lambda values, low, store=_store: cases.dataset_ops(store, values, low), _bounds)
_add("attributes", cases.attribute_ops)
_add("fill_values", cases.fill_ops)

if __name__ == "__main__":
    unittest.main()
