#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks every #include of the tree against layers.txt.

Usage: check_layers.py [ROOT]. Prints file and line of every include that layers.txt does not allow, and of every source
that belongs to no layer. The exit code is 0 when there is none.
"""

import dataclasses
import pathlib
import re
import sys

SOURCES = {".c", ".cpp", ".h", ".hpp"}
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
# As cmake/FiligreeLayer.cmake reads a row.
ROW = re.compile(r"([a-z0-9_]+)( \([^)]*\))?:([a-z0-9_ ]*)")


@dataclasses.dataclass
class Layers:
    """The content of layers.txt."""

    allowed: dict  # layer -> set of the layers that it may include
    owners: dict  # path relative to the root -> the layer that owns what is below it

    def owner(self, path):
        """The layer that owns a file, given its path relative to the root. The longest path wins."""
        for above in (path, *path.parents):
            if layer := self.owners.get(str(above)):
                return layer
        return None


def read_layers(path):
    """The layers, and the faults of layers.txt itself."""
    layers, faults = Layers({}, {}), []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        if not (row := ROW.fullmatch(line)):
            faults.append(f"{path}:{number}: expected 'LAYER: LAYERS IT MAY INCLUDE', found: {line}")
            continue
        layer, paths, targets = row.groups()
        if layer in layers.allowed:
            faults.append(f"{path}:{number}: the layer '{layer}' has two rows")
            continue
        layers.allowed[layer] = set(targets.split())
        for owned in paths.strip(" ()").split() if paths else [f"src/{layer}"]:
            layers.owners[owned] = layer
    for layer, targets in layers.allowed.items():
        for target in sorted(targets - layers.allowed.keys()):
            faults.append(f"{path}: '{layer}' may include '{target}', which has no row")
    if cycle := find_cycle(layers.allowed):
        faults.append(f"{path}: the layers form a cycle: {' -> '.join(cycle)}")
    return layers, faults


def find_cycle(allowed):
    """The first cycle that a depth-first walk meets, or None."""
    done = set()

    def walk(layer, path):
        if layer in path:
            return path[path.index(layer):] + [layer]
        if layer in done:
            return None
        for target in sorted(allowed.get(layer, ())):
            if cycle := walk(target, path + [layer]):
                return cycle
        done.add(layer)
        return None

    for layer in allowed:
        if cycle := walk(layer, []):
            return cycle
    return None


def target_of(root, layers, file, quoted, angled):
    """The layer of an included header; None for headers of the system. Raises LookupError when no layer owns it."""
    text = quoted or angled
    candidates = [root / "src" / text, root / text, root / "include" / text]
    if quoted:
        candidates.insert(0, file.parent / text)
    for candidate in candidates:
        if candidate.is_file():
            inside = candidate.resolve().relative_to(root)
            if layer := layers.owner(inside):
                return layer
            raise LookupError(f"no layer owns {inside}")
    # The header does not exist: its folder says which layer it would belong to.
    if text.startswith("filigree/"):
        return layers.owner(pathlib.PurePath("include", text))
    if quoted:
        if "/" not in text:
            raise LookupError(f"there is no header \"{text}\"")
        return text.split("/")[0]
    return None


def check_file(root, layers, file):
    """The includes of one file that layers.txt does not allow."""
    name = file.relative_to(root)
    layer = layers.owner(name)
    reachable = layers.allowed[layer] | {layer}
    if file.name.endswith("_test.cpp"):
        reachable = reachable | {"testing"}
    faults = []
    for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1):
        if not (found := INCLUDE.match(line)):
            continue
        try:
            target = target_of(root, layers, file, *found.groups())
        except (LookupError, ValueError) as error:
            faults.append(f"{name}:{number}: {error}")
            continue
        if target is not None and target not in reachable:
            faults.append(f"{name}:{number}: '{layer}' may not include '{target}': {line.strip()}")
    return faults


def sources_of(root, layers):
    """All sources of src/ and of the paths that layers.txt names, in order."""
    files = set()
    for folder in {"src", *layers.owners}:
        path = root / folder
        files |= {path} if path.is_file() else set(path.rglob("*"))
    return sorted(file for file in files if file.suffix in SOURCES and file.is_file())


def check(root):
    """All faults of the tree, as lines of text, and the number of its sources."""
    root = root.resolve()
    layers, faults = read_layers(root / "layers.txt")
    for path, layer in layers.owners.items():
        if not (root / path).exists():
            faults.append(f"layers.txt: the layer '{layer}' names {path}, which does not exist")
    files = sources_of(root, layers)
    unknown = set()
    for file in files:
        name = file.relative_to(root)
        if layers.owner(name):
            faults += check_file(root, layers, file)
        elif len(name.parts) < 3:
            faults.append(f"{name}:1: no layer owns this file")
        else:
            unknown.add(name.parts[1])
    faults += [f"layers.txt: src/{layer} has sources, but no row" for layer in sorted(unknown)]
    return faults, len(files)


def main(arguments):
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parent.parent
    faults, files = check(root)
    for fault in faults:
        print(fault)
    if files == 0:
        print(f"there are no sources below {root}")
    print(f"layers: {files} files, {len(faults)} faults")
    return 1 if faults or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
