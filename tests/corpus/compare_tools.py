#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs Debian's h5dump, h5ls, h5stat, h5diff and h5py on every file below a folder, with HDF5 and with Filigree.

Usage: compare_tools.py PREFIX FOLDER [--tool NAME] [--file PATTERN] [--keep FOLDER] [--show LINES]

PREFIX has an installation of Filigree, whose library for programs of HDF5 1.10 is used. What both libraries print must be
the same: standard output, exit code, and the first lines of standard error. h5py is compared line by line of walk.py. A
difference has a kind:

  crash    the program ends by a signal or not at all with Filigree, even if it does so with HDF5
  exit     the exit codes differ                       values   h5py reads something else
  output   the printed lines differ                    fails    h5py reads something with HDF5 only
  errors   the lines of standard error differ          reads    h5py reads something with Filigree only
                                                       error    h5py fails with another exception or in another call
                                                       cause    h5py fails in the same way, but names another cause

known.txt lists differences that are right, with reasons. The exit code is 1 if there are others. If HDF5 ends by a signal
or never, Filigree must end, and nothing else is compared.
"""

import argparse
import collections
import concurrent.futures
import difflib
import fnmatch
import hashlib
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
LIBRARY = "libhdf5_serial.so.103"
CPU_SECONDS = 20
WALL_SECONDS = 600
OUTPUT_BYTES = 16 << 20
MEMORY_BYTES = 8 << 30
ERROR_LINES = 3

# {0} is the file and {1} its neighbour: the next file of the same folder.
TOOLS = {
    "h5dump": ["h5dump", "{0}"],
    "h5dump-p": ["h5dump", "-p", "-H", "{0}"],
    "h5dump-B": ["h5dump", "-B", "-H", "{0}"],
    "h5ls": ["h5ls", "-r", "-v", "-d", "{0}"],
    "h5stat": ["h5stat", "{0}"],
    "h5diff-self": ["h5diff", "-v", "{0}", "{0}"],
    "h5diff": ["h5diff", "-v", "{0}", "{1}"],
    "h5py": [sys.executable, "-B", str(HERE / "walk.py"), "{0}"],
}
MEMBER = re.compile(r"(.*?)(?:(00000)(\.[^.]*)|-[ms]\.h5)$")

Outcome = collections.namedtuple("Outcome", "status output errors")
Difference = collections.namedtuple("Difference", "tool file kind lines")
Known = collections.namedtuple("Known", "tool file kinds line reason")


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))


def environment(folder):
    env = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
    # New memory is zero, so that h5dump prints no random numbers for elements that have no value.
    env.update(LC_ALL="C.UTF-8", TZ="UTC", FILIGREE_THREADS="1", MALLOC_PERTURB_="255")
    if folder:
        env["LD_LIBRARY_PATH"] = str(folder)
    return env


def run(command, cwd, folder):
    """status is the exit code, "signal N", "timeout", or "cut" if more is printed than OUTPUT_BYTES."""
    process = subprocess.Popen(["timeout", "-s", "KILL", str(WALL_SECONDS), *command], cwd=cwd, env=environment(folder),
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limit)
    with concurrent.futures.ThreadPoolExecutor(1) as reader:
        errors = reader.submit(process.stderr.read, 1 << 20)
        output = process.stdout.read(OUTPUT_BYTES)
        cut = len(output) == OUTPUT_BYTES
        process.stdout.close()
        errors = errors.result()
        process.stderr.close()
    code = process.wait()
    status = code if code < 128 and code >= 0 else f"signal {code - 128 if code > 0 else -code}"
    status = "cut" if cut else "timeout" if code in (137, 128 + signal.SIGXCPU, -signal.SIGKILL) else status
    return Outcome(status, output.decode("latin-1"), errors.decode("latin-1"))


def ended(outcome):
    """Whether a program came to its end, and was not ended."""
    return outcome.status == "cut" or isinstance(outcome.status, int)


def lines_of_difference(theirs, ours):
    """Lines of one side only, with "-" for HDF5 and "+" for Filigree."""
    theirs, ours = theirs.splitlines(), ours.splitlines()
    first = next((i for i, (a, b) in enumerate(zip(theirs, ours)) if a != b), min(len(theirs), len(ours)))
    theirs, ours = theirs[first:first + 2000], ours[first:first + 2000]
    return [line for line in difflib.unified_diff(theirs, ours, lineterm="", n=0) if not re.match(r"---|\+\+\+|@@", line)]


def compare_text(theirs, ours):
    """Yields kind and lines of the differences of a tool."""
    if ours.status != theirs.status:
        yield "exit", [f"-{theirs.status}", f"+{ours.status}"]
    if ours.output != theirs.output:
        yield "output", lines_of_difference(theirs.output, ours.output)
    messages = ["\n".join(outcome.errors.splitlines()[:ERROR_LINES]) for outcome in (theirs, ours)]
    if messages[0] != messages[1]:
        yield "errors", lines_of_difference(*messages)


def walked(output):
    """{(path, property): value} of the lines of walk.py."""
    return {tuple(line.split("\t")[:2]): line.split("\t")[2] for line in output.splitlines() if line.count("\t") == 2}


def outer_text(value):
    """The exception and what has failed. h5py adds the cause in parentheses."""
    return value and re.match(r"error \w+: ['\"]?([^(]*)", value)[0].replace('"', "'")


def compare_walk(theirs, ours):
    expected, got = walked(theirs.output), walked(ours.output)
    found = collections.defaultdict(list)
    for key in list(expected) + [key for key in got if key not in expected]:
        a, b = expected.get(key), got.get(key)
        if a == b:
            continue
        failures = tuple(one is None or one.startswith("error ") for one in (a, b))
        kind = {(False, False): "values", (False, True): "fails", (True, False): "reads"}.get(failures, "error")
        if kind == "error" and outer_text(a) == outer_text(b):
            kind = "cause"
        found[kind] += [f"{sign}{key[0]} {key[1]}: {one}" for sign, one in (("-", a), ("+", b)) if one is not None]
    if theirs.status != ours.status:
        found["exit"] += [f"-{theirs.status}", f"+{ours.status} {ours.errors[-200:]}"]
    yield from found.items()


def differences(tool, file, theirs, ours):
    if theirs.status == "cut" and ours.status == "timeout":
        ours = ours._replace(status="cut")  # both print without end
        theirs = theirs._replace(output=theirs.output[:len(ours.output)])
    if not ended(ours):
        return [Difference(tool, file, "crash", [f"-{theirs.status}", f"+{ours.status} {ours.errors[-200:].strip()}"])]
    if not ended(theirs):
        return []
    compare = compare_walk if tool == "h5py" else compare_text
    return [Difference(tool, file, kind, lines) for kind, lines in compare(theirs, ours)]


class Comparison:
    """Runs the tools, and keeps what they print with HDF5 if there is a folder for it."""

    def __init__(self, library, root, keep):
        self.library, self.root, self.keep = library, root, keep

    def reference(self, command, cwd):
        if self.keep is None:
            return run(command, cwd, None)
        code = (HERE / "walk.py").read_bytes() if command[0] == sys.executable else b""
        kept = self.keep / hashlib.sha256(json.dumps([command, str(cwd)]).encode() + code).hexdigest()
        if kept.exists():
            return Outcome(*json.loads(kept.read_text()))
        outcome = run(command, cwd, None)
        kept.write_text(json.dumps(outcome))
        return outcome

    def examine(self, file, tools):
        """(differences, tools with which HDF5 did not end)"""
        found, unended = [], []
        cwd, name = self.root / os.path.dirname(file), os.path.basename(file)
        for tool in tools:
            command = [part.format(name, neighbour(cwd, name)) for part in TOOLS[tool]]
            theirs, ours = self.reference(command, cwd), run(command, cwd, self.library)
            if not ended(theirs):
                unended.append(tool)
            found += differences(tool, file, theirs, ours)
        return found, unended


def neighbour(folder, name):
    names = sorted(p.name for p in folder.iterdir() if p.is_file())
    return names[(names.index(name) + 1) % len(names)] if name in names else names[0]


def files_below(root, patterns):
    """All files, and the names by which sets of member files are opened. Without patterns, all of them."""
    names = {str(p.relative_to(root)) for p in root.rglob("*") if p.is_file()}
    for name in list(names):
        member = MEMBER.match(name)
        if member:
            names.add(f"{member[1]}%05d{member[3]}" if member[2] else member[1])
    return sorted(name for name in names if not patterns or any(fnmatch.fnmatchcase(name, one) for one in patterns))


def read_known(path):
    """Lines of tool, file, kinds, pattern of lines, and reason; separated by two or more spaces."""
    found = []
    for line in path.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            columns = re.split(r"\s{2,}", line.strip(), maxsplit=4)
            if len(columns) != 5 or not columns[4].startswith("# "):
                sys.exit(f"compare_tools.py: {path}: not tool, file, kinds, lines and reason: {line}")
            tool, file, kinds, pattern, reason = columns
            found.append(Known(tool, file, kinds.split(","), re.compile(pattern[1:-1]) if pattern != "-" else None, reason[2:]))
    return found


def explanation(difference, known):
    """The reason, if one entry covers the whole difference."""
    for one in known:
        if (fnmatch.fnmatchcase(difference.tool, one.tool) and fnmatch.fnmatchcase(difference.file, one.file)
                and (difference.kind in one.kinds or "*" in one.kinds and difference.kind != "crash")
                and (one.line is None or all(one.line.search(line) for line in difference.lines))):
            return one.reason
    return None


def library_folder(prefix):
    found = sorted(prefix.rglob(LIBRARY))
    if not found:
        sys.exit(f"compare_tools.py: there is no {LIBRARY} below '{prefix}'")
    folder = found[0].parent.resolve()
    maps = "import h5py; print(open('/proc/self/maps').read())"
    if "filigree" not in run([sys.executable, "-c", maps], "/", folder).output:
        sys.exit(f"compare_tools.py: h5py does not load the library in '{folder}'")
    return folder


def print_difference(one, reason, options):
    print(f"{'known  ' if reason else 'differs'} {one.tool} {one.file} {one.kind}" + (f": {reason}" if reason else ""), flush=True)
    if not reason:
        for line in one.lines[:options.show]:
            print(f"    {line[:300]}")
        if len(one.lines) > options.show:
            print(f"    and {len(one.lines) - options.show} more lines")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("prefix", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tool", action="append", choices=TOOLS, help="run only this one")
    parser.add_argument("--file", action="append", help="only files whose path below the folder has this pattern")
    parser.add_argument("--keep", type=pathlib.Path, help="folder that keeps what HDF5 printed, for the next run")
    parser.add_argument("--show", type=int, default=6, help="lines to print of each difference")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    root, tools = options.folder.resolve(), options.tool or list(TOOLS)
    comparison = Comparison(library_folder(options.prefix), root, options.keep)
    files, known = files_below(root, options.file), read_known(HERE / "known.txt")
    counts = {tool: collections.Counter() for tool in tools}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for found, unended in pool.map(lambda file: comparison.examine(file, tools), files):
            outcomes = {tool: "HDF5 ends by a signal or never" if tool in unended else "same" for tool in tools}
            for one in found:
                reason = explanation(one, known)
                print_difference(one, reason, options)
                if not reason or outcomes[one.tool] != "different":
                    outcomes[one.tool] = "known" if reason else "different"
            for tool, outcome in outcomes.items():
                counts[tool][outcome] += 1
    for tool in tools:
        print(f"{tool:12} {len(files)} files: " + ", ".join(f"{n} {outcome}" for outcome, n in counts[tool].most_common()))
    return 1 if any(counts[tool]["different"] for tool in tools) else 0


if __name__ == "__main__":
    sys.exit(main())
