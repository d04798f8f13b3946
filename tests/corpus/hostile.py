#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lists every file below a folder with a given command and reports crashes, hangs and memory beyond a limit.

    tests/corpus/hostile.py build/asan/bin/filigree FOLDER [--seconds 20] [--megabytes 1024]

A file may be listed or refused with an error (exit status 1); everything else is a finding. Sanitizer builds
cannot be held to a limit of address space, so theirs is on resident memory. Not part of make test: the folder
is usually a corpus of other projects' files.
"""
import argparse
import concurrent.futures
import os
import pathlib
import resource
import subprocess
import sys
import time


def limits(megabytes, sanitized):
    def apply():
        if not sanitized:
            resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return apply


def is_sanitized(command):
    return b"__asan_init" in pathlib.Path(command).read_bytes()


def examine(path, options, sanitized):
    """(what is wrong or None, seconds, listed)"""
    environment = dict(os.environ, ASAN_OPTIONS=f"exitcode=99:hard_rss_limit_mb={options.megabytes}:detect_leaks=0",
                       UBSAN_OPTIONS="print_stacktrace=1")
    start = time.monotonic()
    try:
        run = subprocess.run([options.command, "ls", "-r", "-v", str(path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             timeout=options.seconds, env=environment, preexec_fn=limits(options.megabytes, sanitized))
    except subprocess.TimeoutExpired:
        return f"still running after {options.seconds} s", options.seconds, False
    seconds = time.monotonic() - start
    errors = run.stderr.decode(errors="replace")
    if run.returncode < 0:
        return f"died of signal {-run.returncode}: {errors[-300:]}", seconds, False
    if run.returncode not in (0, 1) or "Sanitizer" in errors or "runtime error" in errors:
        return f"exit status {run.returncode}: {errors[:2000]}", seconds, False
    if run.returncode == 1 and not errors.strip():
        return "refused without a word", seconds, False
    for words in ("bad_alloc", "length_error", "internal", "vector::", "basic_string"):
        if run.returncode == 1 and words in errors:
            return f"not a clear error: {errors.strip()}", seconds, False
    if options.verbose and errors.strip():
        print(f"{path.name}: {errors.strip()}")
    return None, seconds, run.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--megabytes", type=int, default=1024)
    parser.add_argument("--all", action="store_true", help="every file, whatever its name ends in")
    parser.add_argument("--verbose", action="store_true", help="print the errors of refused files")
    options = parser.parse_args()
    sanitized = is_sanitized(options.command)
    endings = {".h5", ".hdf5", ".nc", ".hdf", ".he5", ".nx", ".nxs", ".mat", ""}
    files = sorted(p for p in options.folder.rglob("*")
                   if p.is_file() and not p.is_symlink() and (options.all or p.suffix.lower() in endings))
    findings, listed, slowest = [], 0, (0, None)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, (wrong, seconds, complete) in zip(files, pool.map(lambda p: examine(p, options, sanitized), files)):
            listed += complete
            slowest = max(slowest, (seconds, str(path)))
            if wrong:
                findings.append(path)
                print(f"{path}: {wrong}")
    print(f"{len(files)} files: {listed} listed, {len(files) - listed - len(findings)} refused, {len(findings)} findings; "
          f"slowest {slowest[0]:.1f} s: {slowest[1]}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
