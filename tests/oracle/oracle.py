# SPDX-License-Identifier: Apache-2.0
"""Filigree and HDF5 apply the same operations to files, and every view of these files must agree.

A scenario is a list of operations, tuples such as ("group", "/a", {"track": 1}) or
("attr", "/a", "name", "<i4", (2, 3), values). Types of attributes: a numpy number ("<i4", ">f8"), "S:bytes:padding:charset"
with padding t, z or s and charset a or u, "V:charset", or "@/path" for a committed one.
"""
import json
import os
import random
import shutil
import subprocess
import tempfile
import unittest

import reference
from reference import quote

BIN = os.environ["FILIGREE_BIN"]
BOUNDS = {"earliest": 0, "1.8": 1, "1.10": 2, "1.12": 3, "1.14": 4}
MODERN = {name: low for name, low in BOUNDS.items() if low > 0}


class Refused(Exception):
    """A program ended with an error."""


def run(*command, stdin=None, cwd=None):
    result = subprocess.run(command, input=stdin, capture_output=True, timeout=1800, cwd=cwd)
    if result.returncode != 0:
        raise Refused(f"{' '.join(map(str, command))} ended with {result.returncode}: {result.stderr.decode(errors='replace')}")
    return result.stdout


def _fields(value):
    if isinstance(value, dict):
        return [quote(f"{k}={v}") for k, v in value.items()]
    return [quote(value if isinstance(value, bytes) else str(value))]


def _value(value):
    return quote(value) if isinstance(value, (bytes, str)) else quote(repr(value))


def _shape(shape):
    return "null" if shape is None else ",".join(map(str, shape)) if shape else "scalar"


def _line(op):
    fields = list(op)
    if op[0] == "attr":
        fields[4] = _shape(op[4])
    values = fields.pop() if op[0] in ("attr", "attr_set") else None
    text = "\t".join(text for field in fields for text in _fields(field))
    return text if values is None else text + "\t" + ",".join(_value(v) for v in values)


def apply_ours(path, ops, low=0, create=None):
    """As reference.apply, with Filigree. Returns the output of the operations."""
    first = ("open", path, {"low": low}) if create is None else ("create", path, {"low": low, **create})
    lines = [_line(op) for op in [first, *ops, ("close",)]]
    return run(os.path.join(BIN, "filigree_apply_driver"), stdin="\n".join(lines).encode() + b"\n").decode()


def dump_ours(path):
    text = run(os.path.join(BIN, "filigree_dump_driver"), path).decode()
    return {entry["path"]: entry for entry in map(json.loads, text.splitlines())}


def without_unknown(ours, theirs):
    """Removes from our dump what HDF5's lacks: bytes of variable-length values, data of user-defined links."""
    for path, entry in theirs.items():
        mine = ours.get(path, {})
        for kind, key in (("attrs", "raw"), ("links", "data")):
            for a, b in zip(mine.get(kind, []), entry.get(kind, [])):
                if b[key] is None:
                    a[key] = None
    return ours


def comparable(contents):
    """HDF5 leaves its old order on a link that moves to a group without order; that is no part of the contents."""
    for entry in contents.values():
        for link in entry.get("links", []) if not entry.get("tracked") else []:
            link["order"] = None
    return contents


def differences(a, b, limit=8):
    """The first differences of two dumps, as text."""
    out = [f"only in the first: {p}" for p in a if p not in b] + [f"only in the second: {p}" for p in b if p not in a]
    for path in a:
        if path in b and a[path] != b[path]:
            for key in a[path].keys() | b[path].keys():
                x, y = a[path].get(key), b[path].get(key)
                if isinstance(x, list) and isinstance(y, list) and len(x) == len(y):
                    out += [f"{path} {key}: {str(p)[:400]} != {str(q)[:400]}" for p, q in zip(x, y) if p != q]
                elif x != y:
                    out.append(f"{path} {key}: {str(x)[:400]} != {str(y)[:400]}")
    return "\n".join(out[:limit])


def listing(path):
    return run("h5ls", "-r", path).decode(errors="replace")


def dumped(path):
    """The output of h5dump without the line that names the file."""
    return run("h5dump", path).decode(errors="replace").split("\n", 1)[1]


def unaccounted(path):
    for line in run("h5stat", "-S", path).decode().splitlines():
        if "Unaccounted space" in line:
            return int(line.split()[2])
    raise Refused("h5stat says nothing about unaccounted space")


def each_bound(bounds=BOUNDS):
    """Runs a test method once per version bound."""
    def wrap(method):
        def test(self):
            for name, low in bounds.items():
                with self.subTest(bound=name):
                    method(self, low)
        test.__name__, test.__doc__ = method.__name__, method.__doc__
        return test
    return wrap


class Case(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="filigree_oracle_")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def file(self, name):
        return os.path.join(self.folder, name)

    def agree(self, path):
        """Checks that both libraries read the same contents, and returns them."""
        theirs = reference.dump(path)
        ours = without_unknown(dump_ours(path), theirs)
        if ours != theirs:
            self.fail(f"Filigree and HDF5 see {os.path.basename(path)} differently:\n{differences(ours, theirs)}")
        return theirs

    def same_contents(self, a, b, tools="ls dump"):
        left, right = comparable(self.agree(a)), comparable(self.agree(b))
        if left != right:
            self.fail(f"{os.path.basename(a)} and {os.path.basename(b)} differ:\n{differences(left, right)}")
        if "ls" in tools:
            self.assertEqual(listing(a), listing(b))
        if "dump" in tools:
            self.assertEqual(dumped(a), dumped(b))
        return left

    def unchanged_by_opening(self, path):
        twin = path + ".twin"
        shutil.copy(path, twin)
        for low in (0, 4):
            apply_ours(twin, [], low)
            with open(path, "rb") as a, open(twin, "rb") as b:
                self.assertEqual(a.read(), b.read(), "opened read-write and closed, the file has changed")
        os.remove(twin)

    def cross(self, ops, low=0, create=None, seed=1, turns=30, tools="ls dump"):
        """Both libraries write a file, and both extend both files alternately. After each turn all views must agree.

        `seed` and `turns` determine the random extensions. Returns the two files.
        """
        ours, theirs = self.file("ours.h5"), self.file("theirs.h5")
        apply_ours(ours, ops, low, create or {})
        reference.apply(theirs, ops, low, create or {})
        contents = self.same_contents(ours, theirs, tools)
        self.unchanged_by_opening(ours)
        self.unchanged_by_opening(theirs)
        rng = random.Random(seed)
        for turn, side in enumerate([reference.apply, apply_ours] if turns else []):
            extension = random_ops(contents, rng, turns, f"t{turn}")
            for path in (ours, theirs):
                side(path, extension, low)
            contents = self.same_contents(ours, theirs, tools)
            self.unchanged_by_opening(ours)
            self.unchanged_by_opening(theirs)
        return ours, theirs


TYPES = ["<i4", ">i2", "<u8", ">u4", "<i1", "<f4", "<f8", ">f8", "<f2", "S:7:z:a", "S:9:t:u", "S:5:s:a", "V:u", "V:a"]


def random_values(rng, kind, count):
    if kind[0] in "SV":
        return [("é" if kind.endswith("u") and rng.random() < 0.3 else "x" * rng.randrange(5)).encode() for _ in range(count)]
    if kind[1] == "f":
        return [rng.choice([0.0, -1.5, 0.25, 1024.0]) for _ in range(count)]
    return [rng.randrange(100) for _ in range(count)]


def random_attribute(rng, path, name):
    kind = rng.choice(TYPES)
    shape = rng.choice([(), (), (3,), (2, 2), None, (0,)])
    count = 0
    if shape is not None:
        count = 1
        for dim in shape:
            count *= dim
    return ("attr", path, name, kind, shape, random_values(rng, kind, count))


class _Choices:
    """The objects that further operations may name, given the contents before them.

    No group ever contains itself: HDF5 crashes when it deletes or copies such a cycle.
    """

    def __init__(self, contents):
        unquote = reference.urllib.parse.unquote_to_bytes
        self.objects = {unquote(path): e for path, e in contents.items()}
        self.groups = [p for p, e in self.objects.items() if e["kind"] == "group"]
        self.links = [((b"" if p == b"/" else p) + b"/" + unquote(link["name"]))
                      for p in self.groups for link in self.objects[p]["links"]]
        self.attributes = [(p, unquote(a["name"])) for p, e in self.objects.items() for a in e["attrs"]]
        self.types = [p for p, e in self.objects.items() if e["kind"] == "datatype"]
        self.symbolic = {(b"" if p == b"/" else p) + b"/" + unquote(link["name"])
                         for p in self.groups for link in self.objects[p]["links"] if link["kind"] != "hard"}

    def trees(self):
        """Objects below which every object has one link."""
        knots = [p for p, e in self.objects.items() if e is None or e["link_count"] > 1]
        return [p for p in sorted(self.objects) if p != b"/" and not any((k + b"/").startswith(p + b"/") for k in knots)]

    def copyable(self):
        """Trees that HDF5 copies well: it crashes on variable-length values in dense attributes, and makes headers
        of committed types in the earliest format too small to be extended, by itself too."""
        risky = [p for p, e in self.objects.items()
                 if e and (e["kind"] == "datatype" or any("variable" in a["type"] for a in e["attrs"]))]
        return [p for p in self.trees() if not any((r + b"/").startswith(p + b"/") for r in risky)]

    def drop(self, path):
        """Forgets `path` and everything below it."""
        def keep(p):
            return p != path and not p.startswith(path + b"/")
        self.groups = [p for p in self.groups if keep(p)]
        self.links = [p for p in self.links if keep(p)]
        self.types = [p for p in self.types if keep(p)]
        self.objects = {p: e for p, e in self.objects.items() if keep(p)}
        self.attributes = [(p, a) for p, a in self.attributes if keep(p)]


def random_ops(contents, rng, count, prefix):
    """A sequence of operations that make sense for a file with `contents`. New names begin with `prefix`."""
    have = _Choices(contents)
    ops = []
    for i in range(count):
        group = rng.choice(have.groups)
        name = prefix.encode() + rng.choice([b"", b"n" * rng.randrange(30), "é".encode()]) + str(i).encode()
        new = (b"" if group == b"/" else group) + b"/" + name
        kind = rng.choice(["group"] * 3 + ["attr"] * 4 + ["soft", "hard", "external", "commit", "comment", "copy"] +
                          ["remove", "rename", "attr_remove", "attr_rename"] * 2)
        if kind == "group":
            settings = rng.choice([{}, {}, {"track": 1}, {"track": 1, "index": 1, "attr_track": 1, "attr_index": 1}])
            ops.append(("group", new, settings))
            have.groups.append(new)
            have.objects[new] = None
            have.links.append(new)
        elif kind == "attr":
            path = rng.choice(sorted(have.objects))
            ops.append(random_attribute(rng, path, name))
            have.attributes.append((path, name))
        elif kind in ("soft", "external", "commit", "hard"):
            target = rng.choice(sorted(have.objects))
            if kind == "hard":
                target = rng.choice(have.types) if have.types and rng.random() < 0.7 else rng.choice(sorted(have.objects))
                if target == b"/":
                    continue
                new = new if target in have.types else b"/" + name
            rest = {"soft": (target,), "external": ("other.h5", target), "commit": (rng.choice(TYPES),), "hard": (target,)}
            ops.append((kind, new, *rest[kind]))
            have.links.append(new)
        elif kind == "comment":
            ops.append((kind, rng.choice(sorted(have.objects)), rng.choice(["", "short", "a longer comment " * 4])))
        elif kind == "copy":
            trees = [p for p in have.copyable() if not new.startswith(p + b"/")]
            if not trees or any(op[0] in ("copy", "hard", "commit") or op[3:4] in [("V:u",), ("V:a",)] for op in ops):
                continue
            ops.append((kind, rng.choice(trees), new, rng.choice(["", "shallow", "bare"])))
            have.links.append(new)
        elif kind in ("remove", "rename") and have.links:
            path = rng.choice(have.links)
            if kind == "rename":
                if new.startswith(path + b"/") or (path not in have.symbolic and path not in have.trees()):
                    continue
                ops.append((kind, path, new))
            else:
                ops.append((kind, path))
            have.drop(path)
        elif kind in ("attr_remove", "attr_rename") and have.attributes:
            at = have.attributes.pop(rng.randrange(len(have.attributes)))
            ops.append((kind, *at, name) if kind == "attr_rename" else (kind, *at))
    return ops
