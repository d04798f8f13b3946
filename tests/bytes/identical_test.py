# SPDX-License-Identifier: Apache-2.0
"""Files made by the same calls are byte-identical from one version of Filigree to the next.

cases.py lists the programs; recorded.txt holds the SHA-256, length and name of every file that they left behind. Usage:

  identical_test.py                         compares with recorded.txt; this is the test bytes_identical
  identical_test.py --only TEXT             compares only the cases whose names contain TEXT
  identical_test.py --keep FOLDER           leaves the files in FOLDER, to look at
  identical_test.py --record                writes recorded.txt anew, after making every file several times

With --tree and --programs the files of another checkout are made, by its programs (build/release/bin). The bytes of a file are
a promise to those who archive files: record them anew only in a change that means to write something else, and say so there.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
RECORDED = HERE / "recorded.txt"
SKIPPED = 77  # ctest shows it as skipped
# Threads decide in which order these write.
UNORDERED = {"examples/direct_chunks", "examples/threads", "c/threads", "c/async_threads"}


class Workshop:
    """Where one case makes its files: a folder for these, another for the programs that it compiles."""

    def __init__(self, folder, tools, options, threads):
        self.folder, self.tools, self.options, self.threads = folder, tools, options, threads
        self.calls = []
        folder.mkdir(parents=True)
        tools.mkdir(parents=True)

    def source(self, name, text):
        path = self.tools / name
        path.write_bytes(text)
        return path

    def compile(self, source):
        """Builds a C program with our libfiligree_hdf5."""
        program = self.tools / source.stem
        lib = self.options.programs.parent / "lib"
        subprocess.run(["gcc", "-w", "-DH5_USE_110_API", f"-I{self.options.tree / 'tests' / 'capi'}",
                        f"-I{self.options.tree / 'include' / 'hdf5'}", source, "-o", program, f"-L{lib}", f"-Wl,-rpath,{lib}",
                        "-lfiligree_hdf5", "-lm", "-lz", "-ldl", "-lpthread"], check=True)
        return program

    def run(self, program, *arguments, lines=None, may_fail=False):
        """Runs a program under the frozen clock, in the folder."""
        environment = {**os.environ, "LD_PRELOAD": str(self.options.clock), "HDF5_PLUGIN_PATH": "/nonexistent"}
        if self.threads:
            environment["FILIGREE_THREADS"] = str(self.threads)
        self.calls.append(" ".join([pathlib.Path(program).name, *arguments]) + (f" < {len(lines)} lines" if lines is not None else ""))
        text = None if lines is None else "".join(line + "\n" for line in lines).encode()
        done = subprocess.run([program, *arguments], cwd=self.folder, env=environment, input=text, capture_output=True, timeout=1800)
        if done.returncode != 0 and not may_fail:
            raise AssertionError(f"{self.calls[-1]} ended with {done.returncode}: {done.stderr.decode(errors='replace')[:1000]}")

    def driver(self, name, *arguments, lines=None):
        self.run(self.options.programs / name, *arguments, lines=lines)

    def join(self, suffix, name):
        """Puts many small files into one, so that the record stays short."""
        parts = sorted(self.folder.glob("*" + suffix))
        if parts:
            (self.folder / name).write_bytes(b"".join(b"%s %d\n%s" % (p.name.encode(), p.stat().st_size, p.read_bytes()) for p in parts))
        for part in parts:
            part.unlink()

    def files(self):
        return {path.relative_to(self.folder).as_posix(): path for path in sorted(self.folder.rglob("*")) if path.is_file()}


Made = collections.namedtuple("Made", "sha256 bytes calls")


def make_case(name, make, folder, options, threads):
    shop = Workshop(folder / "files" / name, folder / "programs" / name, options, threads)
    make(shop)
    made = {f"{name}/{path}": Made(hashlib.sha256(file.read_bytes()).hexdigest(), file.stat().st_size, "; ".join(shop.calls))
            for path, file in shop.files().items()}
    if not options.keep:
        shutil.rmtree(shop.folder)
    return made


def make_all(options, threads=None):
    """Gives name -> Made for every file of the chosen cases, in as many processes as there are cores."""
    sys.dont_write_bytecode = True
    import cases
    chosen = {name: make for name, make in cases.all_cases(options.tree, options.programs).items()
              if name not in UNORDERED and options.only in name}
    with tempfile.TemporaryDirectory(prefix="filigree_bytes_") as temporary:
        folder = pathlib.Path(options.keep or temporary)
        shutil.rmtree(folder / "files", ignore_errors=True)
        shutil.rmtree(folder / "programs", ignore_errors=True)
        options.clock = pathlib.Path(temporary) / "frozen_clock.so"
        subprocess.run(["gcc", "-O1", "-shared", "-fPIC", HERE / "frozen_clock.c", "-o", options.clock, "-ldl"], check=True)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            parts = list(pool.map(lambda case: make_case(*case, folder, options, threads), chosen.items()))
    return {name: made for part in parts for name, made in part.items()}


def recorded():
    lines = (line.split(maxsplit=2) for line in RECORDED.read_text().splitlines() if not line.startswith("#"))
    return {name: Made(sha256, int(size), "") for sha256, size, name in lines}


def record(options):
    """Makes all files three times, with other numbers of threads; those that differ are no promise that anybody could keep."""
    first = make_all(options)
    for threads in (1, 2, 7):
        again = make_all(options, threads)
        wrong = sorted(name for name in first.keys() | again.keys() if first.get(name) != again.get(name))
        if wrong:
            sys.exit("Not recorded, because these files differ from run to run:\n" + "\n".join(wrong))
    lines = ["# Files made by the cases of cases.py: SHA-256, length in bytes, name. Written by identical_test.py --record.\n"]
    lines += [f"{made.sha256} {made.bytes} {name}\n" for name, made in sorted(first.items())]
    RECORDED.write_text("".join(lines))
    print(f"{len(first)} files recorded")


def differences(found, expected):
    known = {made.sha256: name for name, made in expected.items()}
    for name in sorted(found.keys() | expected.keys()):
        have, want = found.get(name), expected.get(name)
        if want is None:
            twin = known.get(have.sha256)
            yield f"{name}: not recorded" + (f"; it has the bytes of {twin}: rename that in recorded.txt" if twin else "")
        elif have is None:
            yield f"{name}: recorded, but no call made it"
        elif have.sha256 != want.sha256:
            yield f"{name}: other contents, {have.bytes} bytes instead of {want.bytes}\n    made by: {have.calls[:300]}"


HELP = """
Files made by the same calls have other bytes than before. To look at the difference, make them with the version before, too:
  python3 tests/bytes/identical_test.py --only CASE --keep /tmp/now
  python3 tests/bytes/identical_test.py --only CASE --keep /tmp/before --tree OLD --programs OLD/build/release/bin
  cmp -l /tmp/before/files/NAME /tmp/now/files/NAME | head       and   h5dump -p, h5debug, filigree ls -v on both
If the change means to write other bytes: identical_test.py --record, and a line under Format in CHANGELOG.md."""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--keep")
    parser.add_argument("--tree", type=pathlib.Path, default=HERE.parent.parent)
    parser.add_argument("--programs", type=pathlib.Path, default=os.environ.get("FILIGREE_BIN"))
    options = parser.parse_args()
    if options.programs is None:
        options.programs = options.tree / "build" / "release" / "bin"
    options.tree, options.programs = options.tree.resolve(), options.programs.resolve()
    os.environ["FILIGREE_BIN"] = str(options.programs)  # for the modules of tests/oracle
    if os.environ.get("FILIGREE_SANITIZE"):
        print("skipped: sanitizers refuse a preloaded clock, and other builds compare the same bytes")
        sys.exit(SKIPPED)
    if options.record:
        return record(options)
    found = make_all(options)
    expected = {name: made for name, made in recorded().items() if options.only in "/".join(name.split("/")[:2])}
    wrong = list(differences(found, expected))
    if wrong:
        print("\n".join(wrong[:40]) + (f"\n... and {len(wrong) - 40} more" if len(wrong) > 40 else ""))
        sys.exit(f"{len(wrong)} of {len(expected)} files differ.{HELP}")
    print(f"{len(found)} files are identical to the recorded ones")


if __name__ == "__main__":
    main()
