# SPDX-License-Identifier: Apache-2.0
"""Debian's tools do the same with virtual datasets on the library for HDF5 1.10 as with HDF5."""

import os
import pathlib
import subprocess
import tempfile
import unittest

import h5py
import numpy

import libraries

FOLDER = libraries.LIB / "hdf5-1.10"


def make_files(folder):
    for number in range(3):
        with h5py.File(folder / f"source{number}.h5", "w") as file:
            file["d"] = numpy.arange(6, dtype="<i4") + 10 * number
    layout = h5py.VirtualLayout((4, 6), "<i4")
    for number in range(4):  # the last one is missing
        layout[number] = h5py.VirtualSource(f"source{number}.h5", "d", (6,))
    with h5py.File(folder / "virtual.h5", "w", libver="latest") as file:
        file.create_virtual_dataset("v", layout, fillvalue=-1)


@unittest.skipIf(libraries.sanitized(), "programs of Debian are built without sanitizers")
class VirtualToolsTest(unittest.TestCase):
    COMMANDS = (
        ("h5dump", "-p", "virtual.h5"),
        ("h5ls", "-r", "virtual.h5"),
        ("h5repack", "virtual.h5", "same.h5"),
        ("h5dump", "-p", "same.h5"),
        ("h5repack", "-l", "CONTI", "virtual.h5", "contiguous.h5"),
        ("h5dump", "-p", "contiguous.h5"),
        ("h5repack", "-l", "CHUNK=2x3", "virtual.h5", "chunked.h5"),
        ("h5dump", "-p", "chunked.h5"),
        ("h5diff", "virtual.h5", "contiguous.h5"),
        ("h5copy", "-i", "virtual.h5", "-o", "copied.h5", "-s", "v", "-d", "v"),
        ("h5dump", "-p", "copied.h5"),
    )

    def outputs(self, folder, ours):
        environment = dict(os.environ)
        if ours:
            environment["LD_LIBRARY_PATH"] = f"{FOLDER}:{libraries.LIB}"
        make_files(folder)
        found = {}
        for command in self.COMMANDS:
            done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
            found[" ".join(command)] = (done.returncode, libraries.without_addresses(done.stdout))
        return found

    def test_tools_do_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            folders = [pathlib.Path(folder) / name for name in ("reference", "ours")]
            for one in folders:
                one.mkdir()
            reference, ours = (self.outputs(one, one.name == "ours") for one in folders)
            for command, expected in reference.items():
                with self.subTest(command):
                    self.assertEqual(expected[0], 0)
                    self.assertEqual(expected, ours[command])
            self.assertIn("CONTIGUOUS", ours["h5dump -p contiguous.h5"][1])


if __name__ == "__main__":
    unittest.main()
