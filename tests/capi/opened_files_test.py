# SPDX-License-Identifier: Apache-2.0
"""Debian's tools and h5py tell the same of unusual and damaged files on the library for HDF5 1.10 as with HDF5."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy

import libraries

FOLDER = libraries.LIB / "hdf5-1.10"
TOOLS = [["h5dump", "-p", "{}"], ["h5dump", "-B", "-H", "{}"], ["h5ls", "-r", "-v", "-d", "{}"], ["h5diff", "-v", "{}", "{}"]]
SHOW = """
import sys, h5py
def tell(what, compute):
    try:
        print(what, compute())
    except Exception as why:
        print(what, type(why).__name__, str(why).strip(chr(34) + chr(39)).split("(")[0])
file = h5py.File(sys.argv[1], "r")
creation = file.id.get_create_plist()
print(creation.get_link_creation_order(), creation.get_attr_creation_order())
for name in file:
    tell(name, lambda: file[name].id.get_storage_size())
    tell(name, lambda: file[name].id.get_space_status())
    tell(name, lambda: file[name].fillvalue)
    tell(name, lambda: h5py.h5a.open(file[name].id, b"note").shape)
"""


def run(command, folder, ours):
    environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")
    if ours:
        environment["LD_LIBRARY_PATH"] = f"{FOLDER}:{libraries.LIB}"
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, errors="replace", timeout=300)
    return done.returncode, done.stdout, done.stderr
# Opens a file in all ways, and tells how Python sees failures.
OPEN = """
import sys, h5py
for mode, options in (("r", {}), ("r+", {}), ("a", {}), ("r", {"libver": "latest", "swmr": True})):
    try:
        h5py.File(sys.argv[1], mode, **options).close()
        print(mode, options, "opened")
    except Exception as why:
        print(mode, options, type(why).__name__, getattr(why, "errno", None), "errno" in str(why))
"""
# Writes a file, and ends without closing it, or waits until it is killed.
WRITE = """
import os, sys, h5py
file = h5py.File(sys.argv[1], "w", libver="latest")
file["a"] = 1
if sys.argv[2] == "swmr":
    file.swmr_mode = True
file.flush()
if sys.argv[3] == "end":
    os._exit(0)
print("ready", flush=True)
sys.stdin.read()
"""


@unittest.skipIf(libraries.sanitized(), "programs of Debian are built without sanitizers")
class OpenedFilesTest(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def patch(self, old, new):
        """Replaces bytes of the file, which must be there once."""
        path = self.folder / "file.h5"
        content = path.read_bytes()
        self.assertEqual(content.count(old), 1)
        path.write_bytes(content.replace(old, new))

    def compare(self, *more):
        """Compares all tools, and returns what h5py tells with Filigree."""
        script = [sys.executable, "-c", SHOW, "{}"]
        for command in [*TOOLS, *more, script]:
            command = [part.replace("{}", "file.h5") if part != SHOW else part for part in command]
            reference, ours = run(command, self.folder, False), run(command, self.folder, True)
            self.assertEqual(reference, ours, command)
        return ours[1]

    def create(self, **options):
        return h5py.File(self.folder / "file.h5", "w", **options)

    def test_space_of_chunks_is_compared_in_bytes(self):
        with self.create() as file:
            values = numpy.arange(54, dtype="u1")
            for name, extent, options in (("deflated", 54, {"compression": "gzip"}), ("edge", 49, {}), ("even", 50, {}),
                                          ("checked", 54, {"fletcher32": True}), ("part", 54, {})):
                dataset = file.create_dataset(name, (extent,), "u1", chunks=(25,), **options)
                dataset[:50 if name in ("checked", "part") else extent] = values[:50 if name in ("checked", "part") else extent]
            file.create_dataset("text", (10,), h5py.string_dtype(), chunks=(5,))[...] = "a"
            pairs = numpy.dtype([("a", "i4"), ("b", h5py.string_dtype())])
            file.create_dataset("pairs", (10,), pairs, chunks=(5,), compression="gzip")[0] = (1, "b")
            file.create_dataset("lists", (10,), h5py.vlen_dtype("i4"), chunks=(10,))[3] = [1, 2]
        printed = self.compare()
        self.assertIn("deflated 1\n", printed)
        self.assertIn("even 2\n", printed)

    def test_opened_file_has_default_properties_of_groups(self):
        with self.create(track_order=True) as file:
            file["a"] = 1
        self.assertTrue(self.compare().startswith("0 0\n"))

    def test_undefined_fill_value_is_reported(self):
        with self.create() as file:
            plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            plist.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
            h5py.h5d.create(file.id, b"a", h5py.h5t.STD_I32LE, h5py.h5s.create_simple((3,)), plist)
            file["a"][...] = 4
        # The message of version 2: allocate late, fill never, and a value that is not defined.
        self.patch(bytes([2, 2, 1, 1, 0, 0, 0, 0]), bytes([2, 2, 1, 0, 0, 0, 0, 0]))
        self.assertIn("a RuntimeError Can't get fill value", self.compare())

    def test_external_files_of_old_layouts_have_no_size(self):
        with self.create() as file:
            file.create_dataset("a", (2,), "<i4", external=[("raw.bin", 0, 8)])
        (self.folder / "raw.bin").write_bytes(b"\5\0\0\0\6\0\0\0")
        unset = b"\xff" * 8
        self.patch(b"\3\1" + unset + b"\x08" + bytes(7), b"\2\1\1" + bytes(5) + unset + b"\2\0")
        self.assertIn("a 0\n", self.compare())

    def test_dataset_with_damaged_dataspace_is_not_opened(self):
        with self.create() as file:
            file.create_dataset("a", (0x12345,), "u1")
            file["b"] = 1
        self.patch(b"\1\1\1" + bytes(5) + b"\x45\x23\x01", b"\1\x21\1" + bytes(5) + b"\x45\x23\x01")
        self.assertIn("a KeyError", self.compare())

    def test_dataset_with_damaged_datatype_is_not_opened(self):
        with self.create() as file:
            file.create_dataset("a", (3,), numpy.dtype([("x", "<i4"), ("y", "<f8")]))
            file["b"] = 1
        self.patch(b"\x16\2\0\0\x0c\0\0\0x", b"\x16\0\0\0\x0c\0\0\0x")
        self.assertIn("a KeyError", self.compare())

    def test_attribute_with_damaged_dataspace_is_not_opened(self):
        with self.create() as file:
            file["b"] = 1
            file["b"].attrs.create("note", numpy.zeros(77, "u1"))
        self.patch(b"\1\1\1" + bytes(5) + b"\x4d" + bytes(7), b"\1\x21\1" + bytes(5) + b"\x4d" + bytes(7))
        self.assertIn("b KeyError", self.compare())

    def opened(self):
        """How Python sees attempts to open the file, which are the same with both libraries."""
        command = [sys.executable, "-c", OPEN, "file.h5"]
        reference, ours = run(command, self.folder, False), run(command, self.folder, True)
        self.assertEqual(reference[:2], ours[:2], ours[2][-2000:])
        return ours[1]

    def test_file_that_was_not_closed_is_not_a_locked_file(self):
        for swmr in ("swmr", "plain"):
            self.assertEqual(run([sys.executable, "-c", WRITE, "file.h5", swmr, "end"], self.folder, False)[0], 0)
            found = self.opened()
            self.assertIn("r {} OSError None False\n", found)
            self.assertEqual(found.count("opened"), 1 if swmr == "swmr" else 0, found)

    def test_file_of_another_process_is_a_locked_file(self):
        writer = subprocess.Popen([sys.executable, "-c", WRITE, "file.h5", "plain", "wait"], cwd=self.folder, stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, text=True)
        try:
            self.assertEqual(writer.stdout.readline(), "ready\n")
            self.assertIn("r {} BlockingIOError 11 True\n", self.opened())
        finally:
            writer.kill()
            writer.communicate()


if __name__ == "__main__":
    unittest.main()
