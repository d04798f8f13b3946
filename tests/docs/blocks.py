# SPDX-License-Identifier: Apache-2.0
"""Code blocks of Markdown pages, and how they are run.

A comment in the line before a fence marks a block; it does not show when the page is rendered:

    <!-- run -->           cpp, c, sh, console or python: it runs, in order, in a folder of the page
    <!-- run: declare -->  cpp: declarations that all later blocks of the page see
    <!-- run: go on -->    cpp: the same function as the block before, whose variables it uses
    <!-- run: about -->    console: numbers that it prints may be others
    <!-- output -->        what the block before it prints, all of it
    <!-- output: about --> the same, but numbers may be others

A block of C++ without main() is the body of a function; <filigree/filigree.hpp>, the usual headers and
`using namespace filigree` are there. All blocks of C++ of all pages are one program. In a console block, lines that begin
with "$ " are commands and the others what they print. "..." in expected output stands for anything in its line, and a line
of "..." for any number of lines.
"""

import dataclasses
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MARK = re.compile(r"^<!-- (run|output)(?:: ([a-z ]+))? -->$")
FENCE = re.compile(r"^```(\w*)\s*$")
LANGUAGES = ("cpp", "c", "sh", "console", "python")
SEPARATOR = "\x1e"  # between the output of blocks that are one function

PREAMBLE = """\
#include <filigree/filigree.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <span>
#include <string>
#include <thread>
#include <vector>
"""


@dataclasses.dataclass
class Block:
    page: pathlib.Path
    line: int  # of its first line of code
    language: str
    code: str
    how: str = ""
    output: str = None
    about: bool = False  # numbers of the output may be others

    def place(self):
        return f"{self.page}:{self.line}"


def read_blocks(page, text):
    """The marked blocks of a page, with the output that belongs to them."""
    blocks, mark, fence = [], None, None
    for number, line in enumerate(text.splitlines(), 1):
        if fence:
            if line != "```":
                fence[1].append(line)
                continue
            finish(blocks, page, mark, *fence)
            mark = fence = None
        elif found := FENCE.match(line):
            fence = (found[1], [], number + 1)
        elif found := MARK.match(line):
            mark = found.groups()
        elif line.strip() and mark:
            raise ValueError(f"{page}:{number}: a mark without a block behind it")
    return blocks


def finish(blocks, page, mark, language, lines, number):
    if not mark:
        return
    code = "\n".join(lines) + "\n"
    if mark[0] == "output":
        if not blocks or blocks[-1].output is not None:
            raise ValueError(f"{page}:{number}: output without a block before it")
        if mark[1] not in (None, "about"):
            raise ValueError(f"{page}:{number}: unknown mark '{mark[1]}'")
        blocks[-1].output, blocks[-1].about = code, mark[1] == "about"
        return
    if language not in LANGUAGES:
        raise ValueError(f"{page}:{number}: no way to run '{language}'")
    if mark[1] not in {"cpp": (None, "declare", "go on"), "console": (None, "about")}.get(language, (None,)):
        raise ValueError(f"{page}:{number}: unknown mark '{mark[1]}'")
    blocks.append(Block(page, number, language, code, mark[1] or "", about=mark[1] == "about"))


NUMBER = re.compile(r"\d+(?:\.\d+)?")


def differs(expected, found, about=False):
    """Whether the output is another one; see "..." above."""
    if about:
        expected, found = NUMBER.sub("0", expected), NUMBER.sub("0", found)
    pattern = ""
    for line in expected.rstrip("\n").split("\n"):
        if line.strip() == "...":
            pattern += r"(?:[^\n]*\n)*"
        else:
            pattern += ".*".join(re.escape(part) for part in line.rstrip().split("...")) + r"[ \t]*\n"
    return re.fullmatch(pattern, found.rstrip("\n") + "\n") is None


class Program:
    """All blocks of C++, as functions by number."""

    def __init__(self, pages):
        self.includes, self.parts, self.functions = [], [], []
        self.place = {}  # id of a block: (function, which of its parts)
        for blocks in pages:
            self.add_page([b for b in blocks if b.language == "cpp"])

    def add_page(self, blocks):
        self.parts.append(f"namespace page_{len(self.parts)} {{\nusing namespace filigree;\n")
        page = len(self.parts) - 1
        body = []  # of the function that is being made
        for block in blocks:
            code = f'#line {block.line} "{block.page}"\n' + self.without_includes(block.code)
            if block.how == "declare":
                self.close(page, body)
                self.parts[page] += code
                continue
            if block.how != "go on":
                self.close(page, body)
            if re.search(r"\bint main\(", block.code):
                inside = f"in_{len(self.functions)}"
                # Only main() may end without a return.
                code = re.sub(r"int main.(?:int argc, char[*]+ *argv[^)]*)?[)]", "int program()", code.rstrip())
                self.parts[page] += f"namespace {inside} {{\n{code[:-1]}return 0;\n}}\n}}\n"
                code = f"if ({inside}::program() != 0) std::exit(1);\n"
            body.append(code)
            self.place[id(block)] = (len(self.functions), len(body) - 1)
        self.close(page, body)
        self.parts[page] += "}\n"

    def close(self, page, body):
        if not body:
            return
        between = f"std::cout << '{chr(92)}x1e' << std::flush;\n"
        name = f"function_{len(self.functions)}"
        self.parts[page] += f"void {name}() {{\n{between.join(body)}}}\n"
        self.functions.append(f"page_{page}::{name}")
        body.clear()

    def without_includes(self, code):
        def moved(found):
            self.includes.append(found[0])
            return ""

        return re.sub(r"^#include <[^>]+>$", moved, code, flags=re.M)

    def text(self):
        calls = "".join(f"    case {i}: {name}(); return 0;\n" for i, name in enumerate(self.functions))
        return (PREAMBLE + "".join(f"{line}\n" for line in dict.fromkeys(self.includes)) + "".join(self.parts) +
                '#line 1 "main"\nint main(int, char** argv) try {\n  std::setvbuf(stdout, nullptr, _IONBF, 0);\n'
                "  std::cout << std::unitbuf;\n  switch (std::atoi(argv[1])) {\n" + calls + "  }\n  return 2;\n"
                '} catch (const std::exception& error) {\n  std::cerr << "exception: " << error.what() << "\\n";\n  return 1;\n}\n')


class Runner:
    """Builds and runs blocks with what is in FILIGREE_BIN."""

    def __init__(self, scratch):
        self.scratch = pathlib.Path(scratch)
        self.bin = pathlib.Path(os.environ["FILIGREE_BIN"])
        lib = self.bin.parent / "lib"
        sanitize = os.environ.get("FILIGREE_SANITIZE")
        self.flags = [f"-L{lib}", f"-Wl,-rpath,{lib}"] + ([f"-fsanitize={sanitize}"] if sanitize else [])
        # Blocks may end as a crash does, or change their user, neither of which a search for leaks survives.
        self.environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0", "PATH": f"{self.bin}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
        self.python = self.bin.parent / "python"
        self.environment["PYTHONPATH"] = str(self.python)
        self.program = None

    def call(self, command, folder, **options):
        done = subprocess.run(command, cwd=folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              encoding="utf-8", errors="replace", timeout=1800, **options)
        return done.returncode, done.stdout

    def build(self, program):
        """The C++ of all pages. Returns the compiler's complaint, which names pages and lines."""
        source = self.scratch / "blocks.cpp"
        source.write_text(program.text())
        self.program = program
        code, text = self.call([os.environ.get("FILIGREE_CXX", "g++"), "-std=c++20", "-O0", "-Wall", "-Wno-unused", str(source),
                                f"-I{ROOT / 'include'}", *self.flags, "-lfiligree", "-pthread", "-o",
                                str(self.scratch / "blocks")], self.scratch)
        return text if code else None

    def run(self, block, folder):
        """Why the block is wrong; None when it is not."""
        if block.language == "console":
            return self.run_console(block, folder)
        if block.language == "cpp":
            if block.how == "declare":
                return None
            function, part = self.program.place[id(block)]
            if part > 0:
                code, text = 0, self.outputs[part] if part < len(self.outputs) else ""
            else:
                code, text = self.call([str(self.scratch / "blocks"), str(function)], folder)
                self.outputs = text.split(SEPARATOR)
                text = self.outputs[0] if code == 0 else text
        elif block.language == "c":
            code, text = self.run_c(block, folder)
        elif block.language == "python":
            if "import filigree" in block.code and not (self.python / "filigree").is_dir():
                return None  # the package is not built
            code, text = self.call([sys.executable, "-c", block.code], folder)
        else:
            code, text = self.call(["bash", "-euo", "pipefail", "-c", block.code], folder)
        return self.judge(block, code, text)

    def judge(self, block, code, text):
        if code != 0:
            return f"exit code {code}:\n{text}"
        if block.output is not None and differs(block.output, text, block.about):
            return f"prints\n{text}\ninstead of\n{block.output}"
        return None

    def run_c(self, block, folder):
        source = self.scratch / "block.c"
        source.write_text(f'#line {block.line} "{block.page}"\n{block.code}')
        program = self.scratch / "block_c"
        code, text = self.call(["gcc", "-Wall", str(source), f"-I{ROOT / 'include' / 'hdf5'}", *self.flags, "-lfiligree_hdf5",
                                "-o", str(program)], folder)
        return (code, text) if code else self.call([str(program)], folder)

    def run_console(self, block, folder):
        for command, expected in console_parts(block.code):
            _, text = self.call(["bash", "-uo", "pipefail", "-c", command], folder)
            if differs(expected, text, block.about) if expected else text:
                return f"$ {command}\nprints\n{text}\ninstead of\n{expected}"
        return None


def console_parts(code):
    """(command, what it prints) of a console block."""
    parts = []
    for line in code.splitlines(keepends=True):
        if line.startswith("$ "):
            parts.append([line[2:].rstrip("\n"), ""])
        elif parts and parts[-1][0].endswith("\\"):
            parts[-1][0] += "\n" + line.rstrip("\n")
        elif parts:
            parts[-1][1] += line
        else:
            raise ValueError("a console block begins with a command")
    return parts
