# SPDX-License-Identifier: Apache-2.0
"""Builds and runs C programs twice: with the reference library HDF5, and with Filigree."""

import os
import pathlib
import re
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIB = pathlib.Path(os.environ["FILIGREE_BIN"]).parent / "lib"
OURS = [f"-I{ROOT / 'include' / 'hdf5'}", f"-L{LIB}", f"-Wl,-rpath,{LIB}", "-lfiligree_hdf5"]
# A library with sanitizers needs programs with the same sanitizers.
if os.environ.get("FILIGREE_SANITIZE"):
    OURS += ["-g", f"-fsanitize={os.environ['FILIGREE_SANITIZE']}"]
FORMATS = (".h5", ".he5", ".hdf5")
DEFLATED = re.compile(r"SIZE \d+ \([\d.]+:1 COMPRESSION\)(\s*\}\s*FILTERS \{[^}]*DEFLATE)")


def debian_folder():
    """The folder of the libraries that Debian installs."""
    arch = subprocess.run(["gcc", "-print-multiarch"], capture_output=True, text=True, check=True).stdout.strip()
    return pathlib.Path("/usr/lib") / arch


def reference_flags():
    """The flags that compile and link a program with HDF5, as Debian installs it."""
    folder = debian_folder() / "hdf5" / "serial"
    return ["-I/usr/include/hdf5/serial", f"-L{folder}", f"-Wl,-rpath,{folder}", "-lhdf5", "-lhdf5_hl"]


class LibraryBuild:
    """One library of a comparison, with a folder of its own in which programs are built and run."""

    def __init__(self, folder, flags):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        self.flags = flags

    def build(self, source):
        """Builds a program. All are written for the API of HDF5 1.10, the version of the reference."""
        program = self.folder / f"{source.stem}.program"
        command = ["gcc", "-w", "-DH5_USE_110_API", f"-I{HERE}", str(source), "-o", str(program), *self.flags, "-lm", "-lz", "-ldl"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(f"{source.name} does not build:\n{done.stderr[:3000]}")
        return program

    def run(self, program, seconds=1800, arguments=()):
        # The programs do not free all their memory.
        environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
        done = subprocess.run(
            [str(program), *arguments], cwd=self.folder, env=environment, capture_output=True, text=True, errors="replace", timeout=seconds
        )
        return done.returncode, done.stdout, done.stderr

    def files(self):
        return sorted(p.relative_to(self.folder) for p in self.folder.rglob("*") if p.suffix in FORMATS)


def both(folder):
    return LibraryBuild(pathlib.Path(folder) / "reference", reference_flags()), LibraryBuild(pathlib.Path(folder) / "ours", OURS)


def dump(folder, path):
    """The output of h5dump for a file, without addresses and sizes of deflated data, which may differ."""
    done = subprocess.run(["h5dump", "-p", str(path)], cwd=folder, capture_output=True, text=True, errors="replace")
    return done.returncode, DEFLATED.sub(r"SIZE n\1", without_addresses(done.stdout))


def without_addresses(text):
    text = re.sub(r"OFFSET \d+", "OFFSET n", text)
    text = re.sub(r'#\d+"', '#n"', text)  # datatypes without a name
    return re.sub(r"\b(DATASET|GROUP|DATATYPE) \d+", r"\1 n", text)


def sanitized():
    """Whether the library needs a sanitizer, which programs of others do not have."""
    content = (LIB / "libfiligree_hdf5.so").read_bytes()
    return b"__asan_init" in content or b"__tsan_init" in content


def have_reference():
    return shutil.which("h5dump") is not None and pathlib.Path("/usr/include/hdf5/serial/hdf5.h").exists()
