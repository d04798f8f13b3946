# SPDX-License-Identifier: Apache-2.0
"""`filigree tree`, `filigree FILE`, and what all commands share: help, colours, names."""

import json
import os
import pty
import subprocess
import unittest

from samples import add_frames, add_strange_names
from support import FILIGREE, FolderCase, run  # before h5py, which looks for plug-ins

import h5py
import numpy

UTF8 = dict(os.environ, LC_ALL="C.UTF-8", TERM="xterm")


class Tree(FolderCase):
    def sample(self):
        with h5py.File(self.folder / "f.h5", "w") as file:
            file.create_group("run1").attrs["a"] = 1
            file["run1"].attrs["b"] = [1.5, 2]
            file["run1/energy"] = numpy.arange(100.0)
            file.create_dataset("chunked", (10, 10), "f4", chunks=(5, 5), compression="gzip", compression_opts=6, shuffle=True)[:5] = 1
            file["soft"] = h5py.SoftLink("/run1")
            file["again"] = file["run1"]
            matrix = file.create_group("X")
            matrix.attrs["encoding-type"], matrix.attrs["shape"] = "csr_matrix", [20, 30]
            matrix["data"], matrix["indices"], matrix["indptr"] = numpy.ones(7, "f4"), numpy.arange(7), numpy.zeros(21, "i8")
        add_frames(self.folder / "f.h5")

    def on_a_terminal(self, *arguments, **environment):
        ours, theirs = pty.openpty()
        process = subprocess.Popen([FILIGREE, *arguments], stdout=theirs, cwd=self.folder, env=dict(UTF8, **environment))
        os.close(theirs)
        text = b""
        try:
            while part := os.read(ours, 65536):
                text += part
        except OSError:
            pass  # the other end is closed
        os.close(ours)
        self.assertEqual(process.wait(), 0)
        return text.decode().replace("\r\n", "\n")

    def test_objects_are_lines_with_columns(self):
        self.sample()
        lines = self.lines("tree", "f.h5")
        self.assertRegex(lines[0], r"^f\.h5  [\d.]+ kB  needs: filter 502$")
        self.assertRegex("\n".join(lines), r"(?m)^\|- X +float32 \(20, 30\) +csr_matrix \(AnnData\), 7 stored$")
        self.assertRegex("\n".join(lines), r"(?m)^\|- again +2 attributes$")
        self.assertRegex("\n".join(lines), r"(?m)^\|  \|- energy +float64 \(100\) +contiguous +800 B$")
        self.assertRegex("\n".join(lines), r"(?m)^\|  `- frames +uint16 \(6/Inf, 40, 50\) +portable sparse 0\.075 % +[\d.]+ k?B +[\d]+( of 72)? chunks$")
        self.assertRegex("\n".join(lines), r"(?m)^\|- chunked +float32 \(10, 10\) +chunked, shuffle, deflate 6 +\d+ B +2 of 4 chunks$")
        self.assertIn("|- run1  same as /again", lines)
        self.assertIn("`- soft  -> /run1", lines)

    def test_a_file_alone_is_a_tree(self):
        self.sample()
        self.assertEqual(self.lines("f.h5"), self.lines("tree", "f.h5"))
        self.assertEqual(self.lines("f.h5/run1"), self.lines("tree", "f.h5/run1"))

    def test_terminals_have_boxes_and_colors(self):
        self.sample()
        plain = self.on_a_terminal("f.h5", NO_COLOR="1")
        self.assertIn("\n\u2502  \u251c\u2500 energy", plain)
        self.assertNotIn("\033", plain)
        self.assertIn("\033[1;34magain\033[0m", self.on_a_terminal("tree", "f.h5/", "-L", "9"))
        self.assertNotIn("\033", self.on_a_terminal("tree", "--color", "never", "f.h5"))
        self.assertNotIn("\u2502", self.on_a_terminal("tree", "f.h5", LC_ALL="C"))
        self.assertIn("\033", "\n".join(self.lines("tree", "--color", "always", "f.h5")))

    def test_attributes_and_levels(self):
        self.sample()
        lines = "\n".join(self.lines("tree", "-a", "f.h5/run1"))
        self.assertRegex(lines, r"(?m)^\|- @a +int64 scalar +.*= 1$")
        self.assertRegex(lines, r"(?m)^\|- @b +float64 \(2\) +.*= 1\.5, 2$")
        self.assertNotIn("energy", "\n".join(self.lines("tree", "-L", "1", "f.h5")))
        self.assertRegex("\n".join(self.lines("tree", "-L", "1", "f.h5")), r"again +2 links")

    def test_json_agrees_with_h5py(self):
        self.sample()
        found = {o["path"]: o for o in json.loads(self.lines("tree", "--json", "f.h5")[0])["objects"]}
        with h5py.File(self.folder / "f.h5") as file:
            def compare(name, item):
                if isinstance(item, h5py.Dataset) and not name.startswith("X/"):
                    told = found["/" + name.replace("run1", "again")]
                    self.assertEqual((told["kind"], told["shape"], told["stored_bytes"]), ("dataset", list(item.shape), item.id.get_storage_size()))
                    self.assertEqual(told.get("chunks"), item.id.get_num_chunks() if item.chunks else None)
            file.visititems(compare)
            self.assertEqual(found["/run1"]["same_as"], "/again")
            self.assertEqual(found["/again/frames"]["defined"], numpy.count_nonzero(file["run1/frames"][:]))

    def test_ls_prints_the_same_document(self):
        self.sample()
        self.assertEqual(self.lines("ls", "--json", "-rv", "f.h5"), self.lines("tree", "--json", "-a", "f.h5"))
        self.assertEqual(self.lines("ls", "--json", "f.h5/run1"), self.lines("tree", "--json", "-L", "1", "f.h5/run1"))
        self.assertEqual(json.loads(self.lines("suggest", "--json", "100,100")[0])["elements"], 10000)

    def test_broken_objects_are_marked_and_the_rest_is_shown(self):
        self.sample()
        with h5py.File(self.folder / "f.h5") as file:
            address = h5py.h5o.get_info(file["run1/energy"].id).addr
        with open(self.folder / "f.h5", "r+b") as file:
            file.seek(address)
            file.write(b"\x09")
        done = self.run_here("tree", "f.h5")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"energy.*\[error: .*version")
        self.assertIn("chunked", done.stdout)
        self.assertEqual(json.loads(self.run_here("tree", "--json", "f.h5").stdout)["objects"][-1]["path"], "/soft")

    def test_strange_names_in_every_command(self):
        add_strange_names(self.folder / "s.h5")
        commands = [["tree", "-a"], ["tree"], ["ls", "-rv"], ["info"], ["find"], ["find", "-0"], ["du"]]
        for command in commands:
            for locale in ("C", "C.UTF-8"):
                done = subprocess.run([FILIGREE, *command, "s.h5"], cwd=self.folder, capture_output=True, env=dict(os.environ, LC_ALL=locale))
                self.assertEqual((done.returncode, done.stderr), (0, b""), command)
                if "-0" in command:
                    continue
                self.assertNotRegex(done.stdout.decode(), r"[\x00-\x09\x0b-\x1f\x7f]", command)
                if locale == "C" and command[0] != "ls":
                    done.stdout.decode("ascii")
        for command in [["tree", "-a"], ["info"], ["find"], ["du"]]:
            done = run(*command, "--json", "s.h5", cwd=self.folder)
            document = json.loads(done.stdout)
            if command[0] in ("tree", "du"):
                named = [bytes.fromhex(o["path_hex"]) if "path_hex" in o else o["path"].encode() for o in document["objects"]]
                self.assertIn(b"/\xff\xfe/\xff\xfe", named)
                self.assertIn("/d\u00e9j\u00e0/d\u00e9j\u00e0".encode(), named)
        done = run("diff", "-v", "s.h5", "s.h5", cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertNotRegex(done.stdout, r"[\x00-\x09\x0b-\x1f\x7f]")
        json.loads(run("diff", "--json", "-v", "s.h5", "s.h5", cwd=self.folder).stdout)
        self.assertEqual(run("repack", "--portable", "s.h5", "t.h5", cwd=self.folder).returncode, 0)
        self.assertEqual(run("diff", "s.h5", "t.h5", cwd=self.folder).returncode, 0)

    def test_help_names_every_command_and_has_examples(self):
        overview = run("--help").stdout
        self.assertEqual(overview, run("help").stdout)
        for command in ("tree", "show", "ls", "info", "find", "du", "diff", "repack", "clear", "suggest", "portable-filter"):
            self.assertIn(command, overview)
            text = run("help", command).stdout
            self.assertEqual(text, run(command, "--help").stdout)
            if command not in ("clear", "suggest"):
                self.assertIn(f"filigree {command}", text.split("Example", 1)[1], command)


if __name__ == "__main__":
    unittest.main()
