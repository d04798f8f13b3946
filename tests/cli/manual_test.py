# SPDX-License-Identifier: Apache-2.0
"""Manual pages and completions, which come from the same source as `--help`."""

import os
import re
import shutil
import subprocess
import time
import unittest

import h5py

from support import FILIGREE, FolderCase, run

COMMANDS = re.findall(r"(?m)^  ([a-z-]+)  ", run("--help").stdout.split("Subcommands:")[1])


class ManualPages(FolderCase):
    def page(self, *command):
        done = run("man", *command)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_every_command_has_one_with_its_options(self):
        self.lines("man", "--folder", "man1")
        written = {path.name: path.read_text() for path in (self.folder / "man1").iterdir()}
        self.assertEqual(sorted(written), sorted(["filigree.1", *(f"filigree-{name}.1" for name in COMMANDS)]))
        for name in COMMANDS:
            text = written[f"filigree-{name}.1"]
            self.assertEqual(text, self.page(name))
            for option in re.findall(r"--[a-z][a-z-]+", run("help", name).stdout.split("Options:")[1].split("\n\n")[0]):
                self.assertIn(option.replace("-", r"\-"), text, name)
            self.assertIn("\n\\fB{}\\fR\n".format(name.replace("-", r"\-")), written["filigree.1"], name)

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_groff_accepts_them(self):
        for name in ["", *COMMANDS]:
            page = self.page(*filter(None, [name]))
            done = subprocess.run(["groff", "-man", "-ww", "-Tascii", "-P-cbou"], input=page, capture_output=True, encoding="utf-8", timeout=1800)
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)
            for heading in ("NAME", "SYNOPSIS", "OPTIONS", "SEE ALSO"):
                self.assertIn(heading, done.stdout, name)

    def test_unknown_commands(self):
        self.assert_fails("no such command", "man", "frobnicate", status=2)


class Completion(FolderCase):
    def setUp(self):
        super().setUp()
        with h5py.File(self.folder / "data.h5", "w") as file:
            for name in ("run1/frames", "run1/free", "run2/x y", "alone"):
                file[name] = 1
            file["soft"] = h5py.SoftLink("/run1")

    def complete(self, *words):
        return self.lines("complete", "--", *words)

    def test_commands_and_options(self):
        self.assertEqual(sorted(self.complete("")), sorted(COMMANDS))
        self.assertEqual(self.complete("tre"), ["tree"])
        self.assertEqual(self.complete("help", "portable"), ["portable-filter"])
        self.assertEqual(self.complete("attr", ""), ["get", "set", "rm"])
        self.assertIn("--levels", self.complete("tree", "--"))
        self.assertEqual(self.complete("attr", "set", "--ty"), ["--type"])
        self.assertEqual(self.complete("tree", "--color", "a"), ["always", "auto"])
        self.assertEqual(self.complete("find", "--kind", "d"), ["dataset", "datatype"])

    def test_paths_inside_files(self):
        self.assertEqual(sorted(self.complete("tree", "data.h5/")), ["data.h5/alone", "data.h5/run1/", "data.h5/run2/", "data.h5/soft/"])
        self.assertEqual(sorted(self.complete("show", "data.h5/run1/fr")), ["data.h5/run1/frames", "data.h5/run1/free"])
        self.assertEqual(self.complete("show", "data.h5::run2/x"), ["data.h5::run2/x y"])
        self.assertEqual(self.complete("show", "data.h5/run2/x\\ "), ["data.h5/run2/x y"])
        self.assertEqual(self.complete("show", "'data.h5/run2/x "), ["data.h5/run2/x y"])
        self.assertEqual(self.complete("data.h5/al"), ["data.h5/alone"])

    def test_nothing_is_offered_for_other_files(self):
        (self.folder / "text.txt").write_text("no HDF5")
        for word in ("text.txt/", "none.h5/", "data.h5", "data.h5/none/", "data.h5/alone/", "."):
            self.assertEqual(self.complete("show", word), [], word)

    def test_descriptions(self):
        self.assertEqual(self.lines("complete", "--describe", "--", "mkg"), ["mkgroup\tCreate groups"])
        self.assertEqual(self.lines("complete", "--describe", "--", "show", "data.h5/run1/fre"), ["data.h5/run1/free\tdataset"])

    def test_a_slow_file_is_given_up(self):
        os.mkfifo(self.folder / "pipe")
        started = time.monotonic()
        self.assertEqual(self.complete("show", "pipe/x"), [])
        with h5py.File(self.folder / "many.h5", "w", libver="latest") as file:
            for i in range(20000):
                file.create_group(f"g{i}")
        # All or none of what fits.
        found = self.complete("show", "many.h5/")
        self.assertIn(len(found), (0, 1000))
        self.assertLess(time.monotonic() - started, 600)

    def bash(self, line):
        """What bash offers at the end of `line`."""
        script = (f"source <({FILIGREE} completions bash); COMP_LINE=$1 COMP_POINT=${{#1}}; read -ra COMP_WORDS <<<\"$1\"; [[ $1 == *' ' ]] && COMP_WORDS+=('');"
                  " COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_WORDS[0]=$2; compopt() { :; }; _filigree; printf '%s\\n' \"${COMPREPLY[@]}\"")
        done = subprocess.run(["bash", "--norc", "-c", script, "bash", line, FILIGREE], cwd=self.folder, capture_output=True, encoding="utf-8", timeout=1800)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split("\n")[:-1]

    def test_bash(self):
        self.assertEqual(self.bash("filigree tre"), ["tree"])
        self.assertEqual(self.bash("filigree show data.h5/run1/fr"), ["data.h5/run1/frames", "data.h5/run1/free"])
        self.assertEqual(self.bash("filigree show data.h5/run2/"), [r"data.h5/run2/x\ y"])
        self.assertEqual(self.bash("filigree show dat"), [""])  # bash completes names of files

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish(self):
        script = f"function filigree; {FILIGREE} $argv; end; {FILIGREE} completions fish | sed 's|command filigree|{FILIGREE}|' | source; complete -C $argv[1]"
        for line, expected in [("filigree mkg", ["mkgroup\tCreate groups"]), ("filigree show data.h5/run1/fre", ["data.h5/run1/free\tdataset"]), ("filigree show data.h", ["data.h5"])]:
            done = subprocess.run(["fish", "--no-config", "-c", script, line], cwd=self.folder, capture_output=True, encoding="utf-8", timeout=1800, env={**os.environ, "HOME": str(self.folder)})
            self.assertEqual((done.returncode, done.stdout.split("\n")[:-1]), (0, expected), done.stderr)

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh(self):
        script = (f"compdef() {{ :; }}; compadd() {{ shift $(( $@[(i)--] )); print -rl -- \"$@\"; }}; _files() {{ print files; }}; source <({FILIGREE} completions zsh);"
                  " words=(\"$@\"); CURRENT=$#words; _filigree")
        for words, expected in [(["tre"], ["tree"]), (["show", "data.h5/run1/fr"], ["data.h5/run1/frames", "data.h5/run1/free"]), (["show", "dat"], ["files"])]:
            done = subprocess.run(["zsh", "-f", "-c", script, "zsh", FILIGREE, *words], cwd=self.folder, capture_output=True, encoding="utf-8", timeout=1800)
            self.assertEqual((done.returncode, done.stdout.split("\n")[:-1]), (0, expected), done.stderr)


if __name__ == "__main__":
    unittest.main()
