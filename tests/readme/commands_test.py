# SPDX-License-Identifier: Apache-2.0
"""What README.md shows is so: its programs compile, its commands run, what they print is what stands below them."""

import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ["FILIGREE_BIN"]).resolve()
BUILD = BIN.parent
PREFIX = "/opt/filigree"

# A test cannot run the whole build that it is part of. Every target that the README names is listed here with the
# commands that do the same on this build, if there are any; make itself is asked whether it knows the target.
MAKE = {
    "demo": [f"'{ROOT}/scripts/demo' '{BIN}' --frames 8 --size 128 --every 4"],
    "install": [f"cmake --install '{BUILD}' --prefix {PREFIX}"],
    "test": [],  # runs this test
    "python": [],  # is built with everything else
    "bench": [],  # has to be alone on the machine
    "fuzz": [],  # builds everything once more, with clang
    "docs": [],  # the test docs_site builds it, where mkdocs and doxygen are installed
}


def blocks(text):
    """(language, text) of every fenced block."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def commands_of(block):
    """Its lines without comments."""
    return [line for line in (re.sub(r"(^|\s+)#.*", "", line).strip() for line in block.splitlines()) if line]


def substituted(command):
    """What is run for a command of the README."""
    if not re.match(r"make\b", command):
        return [command]
    words = [word for word in shlex.split(command)[1:] if "=" not in word]
    assert words and all(word in MAKE for word in words), f"say in MAKE how '{command}' is covered"
    return [line for word in words for line in MAKE[word]]


def of_our_package(language, block):
    """Whether a block is Python that may not be installed; the shell runs the other programs."""
    return language == "python" and block.startswith("import filigree")


class Readme(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text = (ROOT / "README.md").read_text(encoding="utf-8")
        cls.blocks = blocks(cls.text)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_every_block_has_a_language_that_is_tested(self):
        self.assertEqual(self.text.count("\n```"), 2 * len(self.blocks), "a block without language")
        self.assertEqual({language for language, _ in self.blocks}, {"sh", "cpp", "c", "python", "text"})

    def test_make_knows_every_target_that_is_named(self):
        named = re.findall(r"`(make [^`]+)`", self.text)
        for language, block in self.blocks:
            if language == "sh":
                named += [line for line in commands_of(block) if line.startswith("make ")]
        self.assertTrue(named)
        for command in named:
            with self.subTest(command=command):
                substituted(command)
                plain = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
                done = subprocess.run(
                    [*shlex.split(command), "-n"], cwd=ROOT, env=plain, capture_output=True, encoding="utf-8", timeout=1800
                )
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertTrue(done.stdout.strip())

    def test_commands_run_and_print_what_is_shown(self):
        programs = 0
        for language, block in self.blocks:
            if language in ("cpp", "c", "python") and not of_our_package(language, block):
                name = re.match(r"(?://|/\*|#) (\S+\.(?:cpp|c|py))\b", block)
                self.assertTrue(name, "the first line of a program names its file")
                (self.folder / name[1]).write_text(block)
                programs += 1
        self.assertEqual(programs, 3)
        script = "set -euo pipefail\n"
        shown = []
        for language, block in self.blocks:
            if language == "sh":
                script += "".join(f"{line}\n" for command in commands_of(block) for line in substituted(command))
                script += "echo '--- end of block'\n"
                shown.append(None)
            if language == "text":
                shown[-1] = block
        script = script.replace(PREFIX, f"{self.folder}/prefix")
        plain = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "LC_ALL": "C.UTF-8"}
        done = subprocess.run(
            ["bash"], input=script, cwd=self.folder, env=plain, capture_output=True, encoding="utf-8", timeout=1800
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        outputs = done.stdout.split("--- end of block\n")[:-1]
        self.assertEqual(len(outputs), len(shown))
        for output, expected in zip(outputs, shown):
            if expected is not None:
                lines = [line for line in output.splitlines() if not line.startswith("-- ")]  # CMake's
                self.assertEqual("\n".join(lines) + "\n", expected)
        self.assertIn("Verified: offsets and values", outputs[0])
        self.assertTrue((self.folder / "demo/lightsource.png").exists())

    def test_python_prints_what_the_other_programs_print(self):
        if not (BUILD / "python" / "filigree").is_dir():
            self.skipTest("the Python package is not built")
        programs = [block for language, block in self.blocks if of_our_package(language, block)]
        self.assertEqual(len(programs), 1)
        plain = {"PATH": os.environ["PATH"], "PYTHONPATH": str(BUILD / "python"), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run([sys.executable, "-c", programs[0]], cwd=self.folder, env=plain, capture_output=True,
                              encoding="utf-8", timeout=1800)
        self.assertEqual(done.returncode, 0, done.stderr)
        shown = next(block for language, block in self.blocks if language == "text")
        self.assertEqual(done.stdout, shown.splitlines(keepends=True)[0])

    def test_pictures_are_there(self):
        for path in re.findall(r"!\[[^]]*\]\(([^)]+)\)", self.text):
            self.assertEqual((ROOT / path).read_bytes()[:4], b"\x89PNG")
            self.assertLess((ROOT / path).stat().st_size, 60_000)

    def test_examples_that_are_linked_are_built(self):
        for name in re.findall(r"\]\(examples/(\w+)\.cpp\)", self.text):
            self.assertTrue((BIN / f"example_{name}").exists(), name)


if __name__ == "__main__":
    unittest.main()
