# SPDX-License-Identifier: Apache-2.0
"""A scratch copy of the source tree, to which a test adds something. Only what was added and the table that lists it are
compiled, with the commands of this build; everything else is linked as it was built."""
import json
import os
import pathlib
import shlex
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ["FILIGREE_BIN"]).parent
COPIED = ("src", "include", "tools")


def _run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=1800, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))[:2000]}\nended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-6000:]}")
    return done.stdout


class Scratch:
    def __init__(self, folder):
        self.tree = pathlib.Path(folder) / "tree"
        self.build = pathlib.Path(folder) / "build"
        self.build.mkdir(parents=True)
        # Links instead of copies: the compiler finds headers beside the path of a source, not beside what the link leads to.
        for top in COPIED:
            for source in (ROOT / top).rglob("*"):
                copy = self.tree / source.relative_to(ROOT)
                if source.is_dir():
                    copy.mkdir(parents=True, exist_ok=True)
                else:
                    copy.parent.mkdir(parents=True, exist_ok=True)
                    copy.symlink_to(source)
        self.commands = {entry["file"]: entry for entry in json.loads((BUILD / "compile_commands.json").read_text())}
        self.added, self.changed = set(), set()

    def add(self, source, to):
        """Copies a new file into the tree."""
        target = self.tree / to
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(source.read_text())
        self.added.add(to)

    def add_row(self, table, after, row):
        """Inserts one line into a table, after the line that contains `after`."""
        path = self.tree / table
        lines = path.read_text().splitlines(keepends=True)
        at = [i for i, line in enumerate(lines) if after in line]
        if len(at) != 1:
            raise AssertionError(f"{table} has {len(at)} lines with {after!r}")
        lines.insert(at[0] + 1, row + "\n")
        path.unlink()
        path.write_text("".join(lines))
        self.changed.add(table)

    def compile(self, source, like=None):
        """Compiles a source of the scratch tree with the command of `like`, a source of the real tree. Gives the object."""
        entry = self.commands[str(ROOT / (like or source))]
        command = shlex.split(entry["command"])
        if "ccache" in os.path.basename(command[0]):
            command = command[1:]
        moved = [word.replace(f"{ROOT}/{top}", f"{self.tree}/{top}") if f"{ROOT}/{top}" in word else word
                 for word in command for top in [next((t for t in COPIED if f"{ROOT}/{t}" in word), "src")]]
        compiled = self.build / (source.replace("/", "_") + ".o")
        moved[moved.index("-o") + 1] = str(compiled)
        moved[moved.index("-c") + 1] = str(self.tree / source)
        _run(moved, cwd=entry["directory"])
        return compiled

    def link(self, product, objects, replaced=()):
        """Links a product of the build anew, with more objects. Gives its path."""
        command = _run(["ninja", "-C", BUILD, "-t", "commands", product]).splitlines()[-1]
        words = shlex.split(command.split("&&")[1] if "&&" in command else command)
        if "ccache" in os.path.basename(words[0]):
            words = words[1:]
        words = [word for word in words if not any(word.endswith(f"/{name}.o") for name in replaced)]
        out = self.build / pathlib.Path(product).name
        words[words.index("-o") + 1] = str(out)
        words[words.index("-o"):words.index("-o")] = map(str, objects)
        _run(words, cwd=BUILD)
        return out

    def library(self, objects):
        """libfiligree with more objects, which come before the archives of the layers and so take the place of members."""
        product = next(path.resolve() for path in (BUILD / "lib").glob("libfiligree.so"))
        out = self.link(f"lib/{product.name}", objects)
        (self.build / ".".join(product.name.split(".")[:4])).symlink_to(out)
        (self.build / "libfiligree.so").symlink_to(out)

    def program(self, source):
        """Builds a user's program with the public headers and the library of library(). Gives its path."""
        compiler = shlex.split(self.commands[str(ROOT / "tools/main.cpp")]["command"])
        compiler = compiler[1] if "ccache" in os.path.basename(compiler[0]) else compiler[0]
        return self._program([compiler, "-std=c++20", f"-I{self.tree / 'include'}"], source, [f"-L{self.build}", "-lfiligree"])

    def c_program(self, source):
        """The same in C, with the library of the C API as it was built."""
        return self._program(["gcc", f"-I{ROOT / 'include' / 'hdf5'}"], source, [f"-L{BUILD / 'lib'}", f"-Wl,-rpath,{BUILD / 'lib'}", "-lfiligree_hdf5"])

    def _program(self, command, source, libraries):
        sanitize = os.environ.get("FILIGREE_SANITIZE")
        out = self.build / source.name.replace(".", "_")
        _run([*command, source, "-o", out, *libraries] + ([f"-fsanitize={sanitize}"] if sanitize else []))
        return out

    def run(self, program, *arguments):
        """Runs a program with the scratch library in front of that of the build."""
        return _run([program, *arguments], cwd=self.build, env={**os.environ, "LD_LIBRARY_PATH": str(self.build)})
