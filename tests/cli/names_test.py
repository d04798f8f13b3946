# SPDX-License-Identifier: Apache-2.0
"""Names and texts that would change a terminal, break a line or a document, in every command and format."""

import json
import os
import re
import subprocess
import unittest

from support import FILIGREE, FolderCase  # before h5py, which looks for plug-ins

import h5py
import numpy

NAMES = [b"line\nbreak", b'quo"te', b"it's", b"back\\slash", b"tab\there", b"bell\a", b"esc\x1b[31mred", b"bad\xff\xfe", b"cut\xc3", "c1\u0085".encode(), "turn\u202eed".encode(),
         "w\u00efde".encode(), b" space ", b"-r", b"--json", b"a[0]", b"a::b", b"*?"]
# What may be in the output: no control character but the line feed, no C1 control, no change of direction.
# The reports of HDF5's tools have tabs.
DANGEROUS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class Names(FolderCase):
    def setUp(self):
        super().setUp()
        with h5py.File(self.folder / "n.h5", "w") as file:
            for i, name in enumerate(NAMES):
                group = file.create_group(name)
                group["data"] = numpy.arange(i + 1)
                group["text"] = numpy.array([n for n in NAMES], "S20")
                group.create_dataset("chunked", (4,), "i2", chunks=(2,))[:2] = 1
                group["data"].attrs.create(name, name)
                group[b"soft " + name] = h5py.SoftLink(name)
                group[b"external " + name] = h5py.ExternalLink(b"no file " + name.replace(b"\0", b""), name)
                group[b"type " + name] = numpy.dtype(("i2", (i + 1,)))
            compound = numpy.dtype([("w\u00efde\n\x1b", "i4"), ('"', "f4")])
            file["compound"] = numpy.zeros(2, compound)
            file["enumeration"] = numpy.array([0, 1], h5py.enum_dtype({"li\nne": 0, "\x1b[0m": 1}, "i1"))

    def output(self, *arguments, locale="C.UTF-8", codes=(0,)):
        words = [os.fsencode(FILIGREE), *(a if isinstance(a, bytes) else os.fsencode(a) for a in arguments)]
        done = subprocess.run(words, cwd=self.folder, capture_output=True, timeout=1800, env={**os.environ, "LC_ALL": locale})
        self.assertIn(done.returncode, codes, (arguments, done.stderr))
        for stream in (done.stdout, done.stderr):
            if arguments[0] in ("dump", "stat"):
                stream = stream.replace(b"\t", b" ")
            text = stream.decode("ascii" if locale == "C" and arguments[0] not in ("ls", "diff", "dump", "stat") else "utf-8")
            self.assertIsNone(DANGEROUS.search(text), (arguments, DANGEROUS.search(text)))
        return done.stdout

    def paths(self):
        return [b"n.h5/" + name + b"/data" for name in NAMES]

    def test_looking_at_everything(self):
        for command in (("tree", "-a"), ("ls", "-r"), ("ls", "-rv"), ("info",), ("find",), ("du",), ("check",), ("stat",), ("dump",), ("dump", "-p", "-n", "1")):
            for locale in ("C.UTF-8", "C"):
                with self.subTest(command, locale=locale):
                    output = self.output(*command, "n.h5", locale=locale)
                    if command in (("ls", "-r"), ("find",)):  # a line for each name: the root, two datasets, and seven for each of the names
                        self.assertEqual(output.count(b"\n"), 3 + 7 * len(NAMES))

    def test_looking_at_each(self):
        for path in self.paths():
            for command in (("show",), ("show", "--csv"), ("show", "--stats"), ("tree", "-a"), ("ls", "-v"), ("du",), ("find",), ("attr", "get"), ("dump",), ("picture", "--chunks")):
                if command == ("picture", "--chunks"):
                    self.output(*command, "--", path, codes=(1,))  # one dimension: the message has the name
                    continue
                with self.subTest(command, path=path):
                    self.output(*command, "--", path)

    def test_values(self):
        for path in (b"n.h5/compound", b"n.h5/enumeration", b"n.h5/" + NAMES[0] + b"/text"):
            for command in (("show",), ("show", "--csv")):
                self.output(*command, path)
            json.loads(self.output("show", "--json", path))

    def test_every_document_parses_and_has_all_names(self):
        for command in ("tree", "ls", "find", "du"):
            arguments = [command, "--json", "n.h5"] if command != "ls" else ["ls", "-r", "--json", "n.h5"]
            document = json.loads(self.output(*arguments))
            items = document if isinstance(document, list) else document["objects"]
            found = {bytes.fromhex(i["path_hex"]) if "path_hex" in i else i["path"].encode() for i in items}
            for name in NAMES:
                self.assertIn(b"/" + name + b"/data", found, command)
        for path in self.paths():
            json.loads(self.output("show", "--json", "--", path))
            document = json.loads(self.output("attr", "get", "--json", "--", path))
            self.assertEqual(len(document["attributes"]), 1)

    def test_find_ends_names_with_nul(self):
        done = subprocess.run([FILIGREE, "find", "-0", "n.h5"], cwd=self.folder, capture_output=True, check=True, timeout=1800)
        found = done.stdout.split(b"\0")
        for name in NAMES:
            self.assertIn(b"/" + name + b"/data", found)

    def test_comparing_and_copying(self):
        with h5py.File(self.folder / "n.h5") as one, h5py.File(self.folder / "m.h5", "w") as other:
            for name in one:
                one.copy(one[name], other, name)
            for name in NAMES:
                other[name + b"/data"][0] = 9
                del other[name + b"/text"]
        self.output("diff", "-v", "n.h5", "m.h5", codes=(1,))
        json.loads(self.output("diff", "--json", "n.h5", "m.h5", codes=(1,)))
        for i, path in enumerate(self.paths()):
            self.output("copy", "--", path, f"copy.h5/d{i}")
            self.output("copy", "-p", "--", path, b"n.h5/copies/" + NAMES[i])
            self.output("mv", "--", b"n.h5/copies/" + NAMES[i], b"n.h5/copies/new " + NAMES[i])
            self.output("rm", "--", b"n.h5/copies/new " + NAMES[i])

    def test_errors(self):
        for name in NAMES:
            for command in ("tree", "show", "ls", "find", "du", "rm", "picture", "dump"):
                self.output(command, "--", b"n.h5/none " + name, codes=(1, 2))
            self.output("tree", "--", b"none " + name, codes=(1,))
            self.output(b"none " + name, codes=(2,))


if __name__ == "__main__":
    unittest.main()
