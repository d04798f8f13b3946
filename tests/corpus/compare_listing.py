#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Compares `filigree ls -r` with `h5ls -r` of HDF5 on every file below a folder.

Usage: compare_listing.py FOLDER FILIGREE [--verbose]

If h5ls lists a file without an error, filigree must list the same paths, kinds, shapes, link targets and
"same as". If h5ls fails, even silently in the middle, filigree must list what h5ls listed before that, and
must report an error if it cannot list everything. It must not crash or hang for any file, with or without -v.
Each difference is one row; the last line is a summary. The exit code is 1 if EXPLAINED does not explain all
differences.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

TIMEOUT_SECONDS = 30
LINE = re.compile(r"^(/(?:[^\s\\]|\\.)*)\s+(.*)$")
OCTAL = re.compile(rb"\\([0-3][0-7][0-7])")

# Path below the folder -> path of the object -> why the difference is right.
DRIVER_BLOCK = "its driver info block is damaged, so filigree refuses it; HDF5 shows the root and fails silently at its links"
REPEATED_NAME = "a damaged link with an empty name also has the path '/'; HDF5 fails silently before it comes to it"
EXPLAINED = {
    "hostile/cve-2021-36977.h5": {"/": REPEATED_NAME},
    "hostile/cve-2025-2925.h5": {"/": DRIVER_BLOCK},
    "hostile/gh-4431-poc-03.h5": {"/": DRIVER_BLOCK},
    "hostile/gh-4435-poc-10.h5": {"/": DRIVER_BLOCK},
}

Outcome = collections.namedtuple("Outcome", "status text errors")


def run(*command):
    """status is the exit code, "signal N" or "timeout"."""
    environment = dict(os.environ, HDF5_USE_FILE_LOCKING="FALSE", LC_ALL="C.UTF-8")
    try:
        done = subprocess.run(command, capture_output=True, timeout=TIMEOUT_SECONDS, env=environment)
    except subprocess.TimeoutExpired:
        return Outcome("timeout", "", "")
    status = done.returncode if done.returncode >= 0 else f"signal {-done.returncode}"
    return Outcome(status, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))


def plain(text):
    """Octal escapes of UTF-8 bytes as characters: h5ls escapes what filigree prints."""
    raw = text.encode("utf-8", "surrogateescape")
    return OCTAL.sub(lambda m: bytes([int(m[1], 8)]), raw).decode("utf-8", "replace")


def listing(text):
    """{path: what}; a line that is not a path belongs to the target in the line before."""
    found, last = {}, None
    for line in text.splitlines():
        match = LINE.match(line)
        if match:
            last = plain(match[1])
            found[last] = plain(match[2]).rstrip()
        elif last:
            found[last] += "\n" + line
    return found


def differences(reference, ours):
    """(path, text) for each; paths for which h5ls reports an error are left out."""
    expected, got = listing(reference.text), listing(ours.text)
    for path in sorted(expected.keys() | got.keys()):
        if expected.get(path) != got.get(path) and "*ERROR*" not in expected.get(path, ""):
            yield path, f"HDF5 {expected.get(path, 'nothing')!r}, filigree {got.get(path, 'nothing')!r}"
    if ours.status != 0 and "*ERROR*" not in reference.text:
        yield "exit", f"filigree ends with {ours.status}: {ours.errors.strip()}"


def lost(reference, ours):
    """Lines that h5ls printed before it failed and that filigree lacks. Filigree may list more."""
    got = listing(ours.text)
    for path, what in listing(reference.text).items():
        if "*" not in what and not got.get(path, "").startswith(what):
            yield path, f"HDF5 {what!r} before it fails, filigree {got.get(path, 'nothing')!r}"


def fault(ours):
    """Faults that no file may cause."""
    if isinstance(ours.status, str):
        return f"filigree ends by {ours.status}"
    if ours.status not in (0, 1) or (ours.status == 0) != (ours.errors == ""):
        return f"filigree ends with {ours.status}: {ours.errors.strip()!r}"
    if ours.status == 1 and not re.match(r"filigree: .+: .+", ours.errors):
        return f"filigree fails without a clear message: {ours.errors.strip()!r}"
    return None


def judge(path, filigree):
    """(verdict, [(path, difference)], HDF5, ours)"""
    reference, ours = run("h5ls", "-r", str(path)), run(filigree, "ls", "-r", str(path))
    details = run(filigree, "ls", "-r", "-v", str(path))
    faults = [("exit", text) for text in (fault(ours), fault(details)) if text]
    if faults:
        return "broken", faults, reference, ours
    if reference.status == 0 and not reference.errors:
        found = list(differences(reference, ours))
        if not found:
            return "same", [], reference, ours
        # h5ls exits with 0 even if it fails in the middle; only its error stack shows that.
        if "HDF5-DIAG" not in run("h5ls", "--enable-error-stack", "-r", str(path)).errors:
            return "differs", found, reference, ours
    found = list(lost(reference, ours))
    if found:
        return "loses", found, reference, ours
    return ("only filigree lists" if ours.status == 0 else "both complain"), [], reference, ours


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("filigree", help="path of the command")
    parser.add_argument("--verbose", action="store_true", help="show the verdict on every file, with messages")
    options = parser.parse_args()

    files = sorted(p for p in options.folder.rglob("*") if p.is_file())
    if not files:
        sys.exit(f"compare_listing.py: no files below {options.folder}")
    counts, unexplained = collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, result in zip(files, pool.map(lambda p: judge(p, options.filigree), files)):
            verdict, found, reference, ours = result
            reasons = next((why for suffix, why in EXPLAINED.items() if str(path).endswith(suffix)), {})
            open_questions = [where for where, _ in found if where not in reasons]
            unexplained += bool(open_questions)
            counts["explained" if found and not open_questions else verdict] += 1
            name = path.relative_to(options.folder)
            if options.verbose:
                print(f"{verdict:20} {name}\n    HDF5 {reference.status}: {reference.errors.strip()[:200]}\n"
                      f"    filigree {ours.status}: {ours.errors.strip()[:300]}")
            for where, text in found[:5]:
                print(f"{name}: {where}: {text}" + (f" (explained: {reasons[where]})" if where in reasons else ""))
            if len(found) > 5:
                print(f"{name}: and {len(found) - 5} more")
    print(f"{len(files)} files: " + ", ".join(f"{n} {verdict}" for verdict, n in counts.most_common())
          + f"; {unexplained} with unexplained differences")
    sys.exit(1 if unexplained else 0)


if __name__ == "__main__":
    main()
