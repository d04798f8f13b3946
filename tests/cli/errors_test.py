# SPDX-License-Identifier: Apache-2.0
"""Messages of `filigree ls` about files and objects that it cannot read."""

import os
import unittest

import h5py
import numpy

from support import FolderCase


class Errors(FolderCase):
    def setUp(self):
        super().setUp()
        self.file = self.folder / "f.h5"
        with h5py.File(self.file, "w", libver="latest") as file:
            for name in "abc":
                file[name] = numpy.arange(4)
            file.create_group("g/sub")
            file["dangling"] = h5py.SoftLink("/nowhere")

    def damage(self, at, bytes_=b"\xee\xee\xee\xee"):
        with open(self.file, "r+b") as raw:
            raw.seek(at)
            raw.write(bytes_)

    def address(self, name):
        with h5py.File(self.file) as file:
            return h5py.h5o.get_info(file[name].id).addr

    def test_missing_file(self):
        self.assert_fails(r"^filigree: no\.h5: .*No such file or directory\n$", "ls", "no.h5")
        self.assert_fails(r"^filigree: no\.h5/g: .*No such file or directory\n$", "ls", "no.h5/g")

    def test_directory(self):
        self.assert_fails(r"^filigree: \.: .*is a directory\n$", "ls", ".")

    def test_not_hdf5(self):
        (self.folder / "text").write_text("hello, world\n" * 100)
        self.assert_fails(r"^filigree: text: not an HDF5 file: ", "ls", "text")

    def test_empty_file(self):
        (self.folder / "empty").touch()
        self.assert_fails(r"^filigree: empty: the file is empty", "ls", "empty")

    def test_truncated_file(self):
        os.truncate(self.file, self.file.stat().st_size - 10)
        self.assert_fails(r"^filigree: f\.h5: the file is truncated: ", "ls", "f.h5")

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_permission_denied(self):
        self.file.chmod(0)
        self.assert_fails(r"^filigree: f\.h5: .*Permission denied\n$", "ls", "f.h5")

    def test_missing_object(self):
        self.assert_fails(r"^filigree: f\.h5/nope: there is no 'nope' in group '/'\n$", "ls", "f.h5/nope")
        self.assert_fails(r"^filigree: f\.h5/g/nope: there is no 'nope' in group '/g'\n$", "ls", "f.h5/g/nope")
        self.assert_fails(r"^filigree: f\.h5/a/x: '/a' is not a group", "ls", "f.h5/a/x")
        self.assert_fails(r"^filigree: f\.h5/dangling/: .*'nowhere'", "ls", "f.h5/dangling/")

    def test_controls_in_messages_are_escaped(self):
        done = self.assert_fails(r"no\\033\[31m", "ls", "f.h5/no\x1b[31m")
        self.assertNotIn("\x1b", done.stderr)

    def test_a_broken_object_is_marked_and_the_rest_listed(self):
        self.damage(self.address("b"))
        for arguments in (["ls", "f.h5"], ["ls", "-r", "f.h5"], ["ls", "-r", "-v", "f.h5"]):
            done = self.assert_fails(r"^filigree: f\.h5: some of it could not be read", *arguments)
            rows = {line.split()[0].lstrip("/"): line for line in done.stdout.splitlines() if not line.startswith("    ")}
            self.assertRegex(rows["b"], r"^/?b +\[error: opening '/b': object header at 0x[0-9a-f]+: ")
            self.assertTrue(rows["a"].endswith("Dataset {4}"), rows["a"])
            self.assertTrue(rows["c"].endswith("Dataset {4}"), rows["c"])

    def test_a_broken_object_that_was_asked_for(self):
        self.damage(self.address("b"))
        self.assert_fails(r"^filigree: f\.h5/b: opening '/b': object header at ", "ls", "f.h5/b")

    def test_a_broken_root(self):
        self.damage(self.address("/"))
        self.assert_fails(r"^filigree: f\.h5: .*object header at ", "ls", "f.h5")

    def test_a_failure_does_not_keep_other_targets_from_being_listed(self):
        done = self.assert_fails(r"^filigree: no\.h5: ", "ls", "no.h5", "f.h5/g")
        self.assertIn("sub                      Group", done.stdout)


if __name__ == "__main__":
    unittest.main()
