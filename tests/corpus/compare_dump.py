#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Compares `filigree dump` and `filigree stat` with h5dump and h5stat of HDF5 on every file below a folder.

Usage: compare_dump.py FOLDER FILIGREE [--case NAME]... [--show LINES]

Each case runs both programs with the same options. A file counts for a case if the program of HDF5 prints it and ends
with exit code 0. Standard output must be the same, byte for byte. The cases with a dataset take the first one of the
file that has elements. A difference has a kind:

  crash    filigree ends by a signal or not at all
  fault    filigree reports something that it cannot read; HDF5 does not
  output   the output differs otherwise; the first different lines are shown
  unstable the output of HDF5 itself differs from run to run, for instance because it is memory that was never written

The last lines are the shares of equal files. The exit code is 1 if the share of a case is below 95 %, or for a crash.
"""

import argparse
import collections
import concurrent.futures
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TIMEOUT_SECONDS = 60
OUTPUT_BYTES = 32 << 20
LEAST_PERCENT = 95
SUBSET = ("-s", "{start}", "-c", "{count}", "-k", "{block}")

CASES = {
    "dump": ("h5dump", "dump", ()),
    "dump -p -H": ("h5dump", "dump", ("-p", "-H")),
    "dump -H": ("h5dump", "dump", ("-H",)),
    "dump -A": ("h5dump", "dump", ("-A",)),
    "dump -n 1": ("h5dump", "dump", ("-n", "1")),
    "dump -d": ("h5dump", "dump", ("-d", "{dataset}")),
    "dump -d -s -c -k": ("h5dump", "dump", ("-d", "{dataset}", *SUBSET)),
    "dump -d -b": ("h5dump", "dump", ("-d", "{dataset}", "-o", "{output}", "-b")),
    "stat": ("h5stat", "stat", ()),
}

Outcome = collections.namedtuple("Outcome", "status output errors")
Result = collections.namedtuple("Result", "case file kind detail")


def run(command, folder):
    """status is None for a program that does not end."""
    environment = dict(os.environ, HDF5_USE_FILE_LOCKING="FALSE", LC_ALL="C.UTF-8")
    with tempfile.TemporaryFile() as out:
        try:
            done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, timeout=TIMEOUT_SECONDS, env=environment, cwd=folder)
        except subprocess.TimeoutExpired:
            return Outcome(None, b"", b"")
        size = out.seek(0, os.SEEK_END)
        out.seek(0)
        return Outcome(done.returncode, out.read() if size <= OUTPUT_BYTES else None, done.stderr)


def first_dataset(path):
    """Name and rank of the first dataset with elements, by h5ls."""
    done = run(["h5ls", "-r", path.name], path.parent)
    for line in (done.output or b"").decode("utf-8", "replace").splitlines():
        found = re.match(r"^(/(?:[^\s\\])*)\s+Dataset \{([^}]*)\}", line)
        if found is None or found[2] in ("NULL", "SCALAR"):
            continue
        dims = [int(dim.split("/")[0]) for dim in found[2].split(", ")]
        if all(dims):
            return found[1], dims
    return None


def options_of(case, path, output):
    """The options of a case for a file; None if it has no dataset for them."""
    options = CASES[case][2]
    if "{dataset}" not in options:
        return list(options)
    found = first_dataset(path)
    if found is None:
        return None
    name, dims = found
    # Blocks only in the last dimension: h5dump prints others in an order of its own.
    block = [1] * (len(dims) - 1) + [min(2, dims[-1])]
    count = [min(3, dim) for dim in dims[:-1]] + [1]
    start = [min(1, dim - size) for dim, size in zip(dims, [*count[:-1], block[-1]])]
    text = lambda numbers: ",".join(map(str, numbers))
    values = {"dataset": name, "output": output, "start": text(start), "count": text(count), "block": text(block)}
    return [option.format(**values) for option in options]


def first_difference(wanted, found):
    for a, b in itertools.zip_longest(wanted.splitlines(), found.splitlines()):
        if a != b:
            return f"HDF5 {a!r}, filigree {b!r}"
    return "white space at the end"


def printed(outcome, output):
    """What a program has printed, with the bytes that it has written."""
    data = pathlib.Path(output)
    return outcome.output + (data.read_bytes() if data.exists() else b"")


def compare(case, path, filigree, scratch):
    judge, command, _ = CASES[case]
    ours_out, theirs_out = (str(pathlib.Path(scratch) / f"{abs(hash((case, path, who)))}") for who in ("ours", "theirs"))
    options = options_of(case, path, theirs_out)
    if options is None:
        return None
    wanted = run([judge, *options, path.name], path.parent)
    if wanted.status != 0 or wanted.output is None:
        return None
    wanted_bytes = printed(wanted, theirs_out)
    mine = [ours_out if option == theirs_out else option for option in options]
    found = run([filigree, command, *mine, path.name], path.parent)
    if found.status is None or found.status < 0:
        return Result(case, path, "crash", f"status {found.status}")
    found_bytes = printed(found, ours_out)
    if found_bytes == wanted_bytes:
        return Result(case, path, "same", "")
    if printed(run([judge, *options, path.name], path.parent), theirs_out) != wanted_bytes:
        return Result(case, path, "unstable", "")
    if found.status != 0:
        return Result(case, path, "fault", found.errors.decode("utf-8", "replace").splitlines()[0])
    return Result(case, path, "output", first_difference(wanted_bytes, found_bytes))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("filigree")
    parser.add_argument("--case", action="append", choices=list(CASES))
    parser.add_argument("--show", type=int, default=1000, help="most differences to show")
    arguments = parser.parse_args()
    filigree = str(pathlib.Path(arguments.filigree).resolve())
    files = sorted(path for path in arguments.folder.rglob("*") if path.is_file())
    jobs = [(case, path) for case in arguments.case or CASES for path in files]
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = [result for result in pool.map(lambda job: compare(*job, filigree, scratch), jobs) if result]
    different = [result for result in results if result.kind != "same"]
    for result in different[:arguments.show]:
        print(f"{result.case}\t{result.kind}\t{result.file.relative_to(arguments.folder)}\t{result.detail[:200]}")
    failed = any(result.kind == "crash" for result in results)
    for case in arguments.case or CASES:
        kinds = collections.Counter(result.kind for result in results if result.case == case)
        total = sum(kinds.values())
        share = 100 * kinds["same"] / max(1, total)
        failed |= share < LEAST_PERCENT
        others = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()) if kind != "same")
        print(f"{case}: {kinds['same']} of {total} files are the same, {share:.1f} %; {others}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
