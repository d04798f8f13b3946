# SPDX-License-Identifier: Apache-2.0
"""The command as a whole: help, version, wrong usage, pipes."""

import re
import signal
import subprocess
import unittest

import h5py

from support import FILIGREE, FolderCase, run


class General(FolderCase):
    def test_help_names_the_commands_and_the_exit_codes(self):
        for flag in ("--help", "-h"):
            done = run(flag)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertRegex(done.stdout, r"(?m)^  ls +List the objects and links in a file$")
            self.assertIn("Exit codes: 0", done.stdout)

    def test_help_of_ls_has_options_and_examples(self):
        done = run("ls", "--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for text in ("-r,--recursive", "-v,--verbose", "FILE[/path]", "Examples:", "filigree ls -r data.h5"):
            self.assertIn(text, done.stdout)

    def test_version(self):
        done = run("--version")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"^filigree \d+\.\d+\.\d+\n$")

    def test_wrong_usage_ends_with_2(self):
        for arguments, message in [
            ([], "subcommand is required"),
            (["ls"], "FILE is required"),
            (["ls", "--frobnicate", "x.h5"], "--frobnicate"),
            (["--frobnicate"], "filigree: "),
        ]:
            done = run(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertTrue(done.stderr.startswith("filigree: "), done.stderr)
            self.assertIn(message, done.stderr)
            self.assertIn("--help", done.stderr)

    def test_unknown_command_suggests_the_nearest(self):
        done = run("lss", "x.h5")
        self.assertEqual((done.returncode, done.stderr), (2, "filigree: lss: no such command; did you mean 'ls'?\n"))

    def test_unknown_command_that_is_near_to_none_gets_the_list(self):
        done = run("frobnicate")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"^filigree: frobnicate: no such command; there are: .*\bls\b")

    def test_a_folder_is_no_command_and_no_file(self):
        (self.folder / "repac").mkdir()
        self.assert_fails("repac: no such command; did you mean 'repack'", "repac", status=2)

    def test_a_reader_that_stops_early_is_no_error(self):
        with h5py.File(self.folder / "many.h5", "w") as file:
            for i in range(5000):
                file.create_group(f"group_with_quite_a_long_name_{i}")
        for command in (["ls", "-r"], ["tree"], ["find"], ["du"], ["tree", "--json"]):
            with self.subTest(command):
                process = subprocess.Popen([FILIGREE, *command, self.folder / "many.h5"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                self.assertTrue(process.stdout.read(10))
                process.stdout.close()
                self.assertEqual(process.stderr.read(), b"")
                process.stderr.close()
                process.wait(timeout=1800)

    def test_ctrl_c_ends_with_130(self):
        with h5py.File(self.folder / "long.h5", "w") as file:
            file.create_dataset("x", (10**9,), "u1", chunks=(10**6,))
        process = subprocess.Popen([FILIGREE, "show", "--csv", self.folder / "long.h5/x"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(process.stdout.readline(), b"dim0,value\n")
        process.send_signal(signal.SIGINT)
        # A pipe that is closed at once might end the process first.
        while process.stdout.read(1 << 20):
            pass
        process.stdout.close()
        self.assertEqual(process.stderr.read(), b"")
        process.stderr.close()
        self.assertEqual(process.wait(timeout=1800), 130)

    def test_a_full_device_is_an_error(self):
        h5py.File(self.folder / "x.h5", "w").create_group("g")
        with open("/dev/full", "wb") as full:
            done = subprocess.run([FILIGREE, "ls", self.folder / "x.h5"], stdout=full, stderr=subprocess.PIPE, encoding="utf-8", timeout=1800)
        self.assertEqual(done.returncode, 1)
        self.assertTrue(re.match(r"filigree: standard output: No space left", done.stderr), done.stderr)


if __name__ == "__main__":
    unittest.main()
