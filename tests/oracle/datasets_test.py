# SPDX-License-Identifier: Apache-2.0
"""Datasets of every type, layout, shape and format version: what either side writes, both sides and stock's tools read alike."""
import os
import re
import unittest

import h5py
import numpy as np

import matrix_cases as cases
from matrix import Ours, Stock, count_of, disk, shape_words, value_words, values_words, words
from oracle import BOUNDS, Case, Refused, run
from stock import quote

READABLE = {name: low for name, low in BOUNDS.items() if low <= 2}


class Expected(dict):
    """What a dump shows after the operations."""

    def after(self, ops):
        for op, path, *rest in ops:
            getattr(self, "_" + op)(quote(path), *rest)
        return self

    def _group(self, path):
        pass

    def _commit(self, path, t):
        self[path] = (words(disk(t)),)

    def _dataset(self, path, t, shape, options):
        one = value_words(t, options["fill"]) if "fill" in options else None
        self[path] = (words(disk(t)), shape_words(shape), one and " ".join([one] * count_of(shape)))

    def _write(self, path, t, values):
        self[path] = (*self[path][:2], values_words(t, values))

    def _attr(self, path, name, t, shape, values):
        self[path + quote("@" + name)] = (words(disk(t)), shape_words(shape), values_words(t, values))

    def _attr_write(self, path, name, t, values):
        self._write(path + quote("@" + name), t, values)

    def _attr_remove(self, path, name):
        del self[path + quote("@" + name)]

    def _remove(self, path):
        del self[path]


def changes(ops, values, part):
    """New values for some of what was made, others of it gone, and the same made anew under other names."""
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
    """Variable-length values and references in arrays and sequences are more than h5py can take."""
    t = disk(cases.TYPES.get(name, ("int",)))
    return t[0] in ("seq", "array") and re.search("'(vstr|seq|ref)'", str(t[-1]))


def h5py_values(folder):
    """What h5py makes of the values, where it knows the type."""
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
        return repr(value.tolist())  # all NaN are one
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
            for side in (Ours, Stock):
                dumps[name, side] = side.dump(folder)
                self.check(dumps[name, side], expected, f"{side.name} reading {name}")
            self.assertEqual(dumps[name, Ours], dumps[name, Stock])
        ours, theirs = self.folders.values()
        self.assertEqual(dumps["ours", Ours], dumps["theirs", Ours])
        if not tools:
            return
        self.same_lines(dumped(ours, "-p"), dumped(theirs, "-p"), "h5dump -p")
        mine, other = h5py_values(ours), h5py_values(theirs)
        for path in mine.keys() | other.keys():
            self.assertEqual(mine.get(path), other.get(path), path)

    def circle(self, low, make):
        """Both write; each changes the other's file, then its own: after each turn all agree."""
        values = cases.Values(low + 1)
        ops = make(values, low)
        made = cases.setting() + ops
        Ours.apply(self.folders["ours"], made, low, create=True)
        Stock.apply(self.folders["theirs"], made, low, create=True)
        expected = Expected().after(made)
        self.all_agree(expected)
        for part, sides in enumerate(((Stock, Ours), (Ours, Stock))):
            turn = changes(ops, values, part)
            for side, folder in zip(sides, self.folders.values()):
                side.apply(folder, turn, low)
            ops = surviving(ops, turn)
            self.all_agree(expected.after(turn), tools=part == 1)


def _add(label, make):
    for bound, low in READABLE.items():
        def test(self, low=low):
            self.circle(low, make)
        setattr(Matrix, f"test_{label}_{bound.replace('.', '_')}", test)


for _store in cases.STORES:
    _add(_store, lambda values, low, store=_store: cases.dataset_ops(store, values, low))
_add("attributes", cases.attribute_ops)
_add("fill_values", cases.fill_ops)

if __name__ == "__main__":
    unittest.main()
