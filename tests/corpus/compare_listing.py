#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Compares `filigree ls -r` with stock `h5ls -r` on every file below a folder.

Usage: compare_listing.py FOLDER FILIGREE [--verbose]

Where stock lists a file without complaint, the same paths must come out, of the same kinds, with the same
shapes, link targets and "same as". Where stock fails, filigree must list the file or end with a message; it
may not crash or hang, whatever the file. Each difference is one row; the last line sums up. Exit code 1 when
there is a difference that EXPLAINED does not account for.
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
STOCK_TROUBLE = re.compile(r"unable to|\*NOT FOUND\*|\*ERROR\*|\*\*|HDF5-DIAG|error", re.IGNORECASE)

# Path below the folder (a suffix is enough) -> why the difference is right.
EXPLAINED = {}

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
    """Octal escapes of UTF-8 bytes as characters: stock escapes what we print."""
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


def differences(stock, ours):
    expected, got = listing(stock.text), listing(ours.text)
    for path in sorted(expected.keys() | got.keys()):
        if expected.get(path) != got.get(path):
            yield f"{path}: stock {expected.get(path, 'nothing')!r}, filigree {got.get(path, 'nothing')!r}"
    if ours.status != 0:
        yield f"filigree ends with {ours.status}: {ours.errors.strip()}"


def judge(path, filigree):
    """(verdict, list of differences, stock, ours)"""
    stock, ours = run("h5ls", "-r", str(path)), run(filigree, "ls", "-r", str(path))
    if isinstance(ours.status, str):
        return "broken", [f"filigree ends by {ours.status}"], stock, ours
    if ours.status == 0 and ours.errors or ours.status not in (0, 1):
        return "broken", [f"filigree ends with {ours.status}: {ours.errors.strip()}"], stock, ours
    if stock.status == 0 and not STOCK_TROUBLE.search(stock.errors) and not re.search(r"\*ERROR\*|\*NOT FOUND\*", stock.text):
        found = list(differences(stock, ours))
        return ("differs" if found else "same"), found, stock, ours
    if ours.status == 0:
        return "only filigree", [], stock, ours
    if not re.match(r"filigree: .+: .+", ours.errors):
        return "broken", [f"filigree fails without a clear message: {ours.errors!r}"], stock, ours
    return "both refuse", [], stock, ours


def explanation(path):
    return next((why for suffix, why in EXPLAINED.items() if str(path).endswith(suffix)), None)


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
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for path, result in zip(files, pool.map(lambda p: judge(p, options.filigree), files)):
            verdict, found, stock, ours = result
            why = explanation(path) if found else None
            counts["explained" if why else verdict] += 1
            unexplained += bool(found) and not why
            name = path.relative_to(options.folder)
            if options.verbose:
                print(f"{verdict:14} {name}\n    stock {stock.status}: {stock.errors.strip()[:200]}\n"
                      f"    ours {ours.status}: {ours.errors.strip()[:300]}")
            for row in found[:5]:
                print(f"{name}: {row}{f' (explained: {why})' if why else ''}")
            if len(found) > 5:
                print(f"{name}: and {len(found) - 5} more")
    print(f"{len(files)} files: " + ", ".join(f"{n} {verdict}" for verdict, n in counts.most_common())
          + f"; {unexplained} unexplained differences")
    sys.exit(1 if unexplained else 0)


if __name__ == "__main__":
    main()
