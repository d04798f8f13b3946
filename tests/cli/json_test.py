# SPDX-License-Identifier: Apache-2.0
"""The keys of `--json` are those of docs/commands-json.md."""

import json
import pathlib
import re
import unittest

from samples import add_frames
from support import FolderCase  # before h5py, which looks for plug-ins

import h5py
import numpy

PAGE = (pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "commands-json.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## ([\w-]+)\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S))
COMMON = set(re.findall(r"`(\w+)`", PAGE.split("\n## ")[0]))
# Their keys come from the file.
FREE = {"attribute_values", "conventions", "values"}


def keys(value, command):
    """All keys of a document, except those that are names from the file."""
    found = set()
    if isinstance(value, list):
        for item in value:
            found |= keys(item, command)
    if isinstance(value, dict):
        for key, item in value.items():
            found.add(key)
            if key not in FREE and not (command == "info" and key == "objects"):
                found |= keys(item, command)
    return found


class Json(FolderCase):
    def setUp(self):
        super().setUp()
        with h5py.File(self.folder / "f.h5", "w") as file:
            file["x"] = numpy.arange(5.0)
            file["x"].attrs["a"] = 1
            file.create_dataset("c", (4,), "i4", chunks=(2,), maxshape=(None,), compression="gzip")
            file["again"], file["soft"], file["out"] = file["x"], h5py.SoftLink("/x"), h5py.ExternalLink("o.h5", "/y")
            file.create_group(b"\xff")
            file["type"] = numpy.dtype("i4")
        add_frames(self.folder / "f.h5")
        with h5py.File(self.folder / "g.h5", "w") as file:
            file["x"] = numpy.arange(5.0) + 1
            file["c"] = [1]

    def document(self, *arguments):
        done = self.run_here(*arguments)
        self.assertEqual(done.stdout.count("\n"), 1)
        return json.loads(done.stdout)

    def test_every_key_is_in_the_page(self):
        commands = [
            ("tree", "-a", "f.h5"), ("ls", "-rv", "f.h5"), ("info", "f.h5"), ("find", "f.h5"), ("du", "f.h5"), ("show", "f.h5/x"), ("show", "--sparse", "f.h5/run1/frames"),
            ("show", "--stats", "f.h5/x"), ("diff", "--defined", "f.h5", "g.h5"), ("repack", "--structured", "f.h5", "s.h5"), ("suggest", "-s", "100,100"),
            ("check", "--data", "f.h5"), ("debug", "f.h5", "0"), ("debug", "--as", "local heap", "f.h5", "8"),
            ("portable-filter", "--type", "u2", "--chunk", "4"), ("attr", "get", "f.h5/x"),
        ]
        for command, *rest in commands:
            with self.subTest([command, *rest]):
                told = COMMON | set(re.findall(r"`(\w+)`", SECTIONS["tree" if command == "ls" else command]))
                self.assertEqual(sorted(keys(self.document(command, *rest, "--json"), command) - told), [])

    def test_every_command_of_the_page_exists(self):
        for command in SECTIONS:
            self.assertIn("--json", self.run_here("help", command).stdout, command)


if __name__ == "__main__":
    unittest.main()
