#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the #include graph to layers.txt.

Usage: check_layers.py [ROOT]. Prints file:line for every include that layers.txt does not allow, and for
every folder of src/ that it does not name. Exit code 0 when there is none.
"""

import pathlib
import re
import sys

SOURCES = {".c", ".cpp", ".h", ".hpp"}
ERRORS = {"error.hpp", "export.hpp", "conversion.hpp"}  # include/filigree files that make up the layer `errors`
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')


def read_layers(path):
    """{layer: set of the layers it may include}, and the faults of the file itself."""
    allowed, faults = {}, []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        layer, colon, rest = line.partition(":")
        if not colon or layer in allowed:
            faults.append(f"{path}:{number}: {'named twice' if colon else 'no colon'}: {line}")
            continue
        allowed[layer] = set(rest.split())
    for layer, targets in allowed.items():
        for target in sorted(targets - allowed.keys()):
            faults.append(f"{path}: '{layer}' may include '{target}', which is no layer")
    faults += [f"{path}: layers include one another: {' -> '.join(cycle)}" for cycle in cycles(allowed)]
    return allowed, faults


def cycles(allowed):
    """The first way back that a depth-first walk meets, if any."""
    done = set()

    def walk(layer, path):
        if layer in path:
            return path[path.index(layer):] + [layer]
        if layer in done:
            return None
        for target in sorted(allowed.get(layer, ())):
            if found := walk(target, path + [layer]):
                return found
        done.add(layer)
        return None

    for layer in allowed:
        if found := walk(layer, []):
            return [found]
    return []


def layer_of(path):
    """The layer that owns a file, given its path relative to the root."""
    parts = path.parts
    if parts[:2] == ("include", "filigree"):
        return "errors" if len(parts) == 3 and parts[2] in ERRORS else "public"
    if parts[0] == "src" and len(parts) > 2:
        return parts[1]
    return "tools" if parts[0] == "tools" else None


def target_of(root, file, quoted, angled):
    """The layer an include reaches into; None for the system's headers. Raises LookupError if it has none."""
    text = quoted or angled
    if text.startswith("filigree/"):
        return layer_of(pathlib.PurePath("include") / text)
    candidates = [root / "src" / text, root / text, root / "include" / text]
    if quoted:
        candidates.insert(0, file.parent / text)
    for candidate in candidates:
        if candidate.is_file():
            inside = candidate.resolve().relative_to(root)
            if layer := layer_of(inside):
                return layer
            raise LookupError(f"{inside} belongs to no layer")
    # A header that is not there (yet): the folder in its name says where it belongs.
    if quoted:
        if "/" not in text:
            raise LookupError(f"\"{text}\" was not found")
        return text.split("/")[0]
    return None


def check_file(root, file, allowed):
    name = file.relative_to(root)
    layer = layer_of(name)
    reachable = allowed.get(layer, set()) | {layer}
    if file.name.endswith("_test.cpp"):
        reachable = reachable | {"testing"}
    faults = []
    for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1):
        if not (found := INCLUDE.match(line)):
            continue
        try:
            target = target_of(root, file, *found.groups())
        except (LookupError, ValueError) as error:
            faults.append(f"{name}:{number}: {error}")
            continue
        if target is not None and target not in reachable:
            faults.append(f"{name}:{number}: '{layer}' may not include '{target}': {line.strip()}")
    return faults


def check(root):
    """All faults of the tree, as lines of text."""
    root = root.resolve()
    allowed, faults = read_layers(root / "layers.txt")
    files = sorted(
        file
        for folder in ("src", "include/filigree", "tools")
        for file in (root / folder).rglob("*")
        if file.suffix in SOURCES and file.is_file()
    )
    for file in files:
        if layer_of(file.relative_to(root)) is None:
            faults.append(f"{file.relative_to(root)}:1: stands in no layer")
    for layer in sorted({layer_of(file.relative_to(root)) for file in files} - {None} - allowed.keys()):
        faults.append(f"layers.txt: the layer '{layer}' is missing")
    for file in files:
        faults += check_file(root, file, allowed)
    return faults, len(files)


def main(arguments):
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parent.parent
    faults, files = check(root)
    for fault in faults:
        print(fault)
    if files == 0:
        print(f"no sources under {root}")
    print(f"layers: {files} files, {len(faults)} faults")
    return 1 if faults or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
