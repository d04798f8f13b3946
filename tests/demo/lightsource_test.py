# SPDX-License-Identifier: Apache-2.0
"""The stream of `make demo`, with few and small frames: it succeeds, it finds wrong frames, and HDF5 agrees with it."""

import os
import pathlib
import re
import struct
import subprocess
import tempfile
import unittest
import zlib

import h5py
import numpy

BIN = pathlib.Path(os.environ["FILIGREE_BIN"])
STREAM = BIN / "example_lightsource_stream"
REFERENCE = BIN / "lightsource_reference"
SMALL = ["--frames", "10", "--size", "160", "--every", "4"]


def read_png(path):
    """Width, height and rows of RGB of a PNG without interlacing; its checksums are compared."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    at, packed, size = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        assert zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0], path
        if kind == b"IHDR":
            size = struct.unpack(">IIBB", body[:10])
        if kind == b"IDAT":
            packed += body
        at += 12 + length
    width, height, depth, colour = size
    assert (depth, colour) == (8, 2), path
    assert len(zlib.decompress(packed)) == height * (1 + 3 * width), path
    return width, height


@unittest.skipUnless(STREAM.exists(), "example_lightsource_stream was not built")
class LightSource(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name) / "it's here"

    def run_stream(self, *options, status=0):
        done = subprocess.run(
            [STREAM, "--output", self.folder, *SMALL, *options], capture_output=True, encoding="utf-8", timeout=1800
        )
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def test_stores_verifies_erases_and_paints(self):
        done = self.run_stream()
        self.assertEqual(done.stderr, "", "a progress bar is for terminals")
        self.assertIn("Verified: offsets and values", done.stdout)
        self.assertIn("Not compared with HDF5", done.stdout)
        region = re.search(r"^region +10 +(\d+) ", done.stdout, re.MULTILINE)
        self.assertEqual(int(region[1]), 10 * 50 * 50)
        for kind in ("region", "peaks"):
            self.assertEqual(read_png(self.folder / f"{kind}-frame.png"), (160, 160))
            self.assertEqual(read_png(self.folder / f"{kind}-defined.png"), (160, 160))
            read_png(self.folder / f"{kind}-chunks.png")
        width, height = read_png(self.folder / "lightsource.png")
        self.assertGreater(width, 3 * 256, "titles, axes and scales surround the maps")
        self.assertGreater(height, 2 * 256)

    def test_kinds_filters_threads_and_sizes(self):
        for kind in ("region", "peaks"):
            for options in (["--filter", "deflate"], ["--threads", "3", "--frames", "150"], ["--size", "99"], ["--frames", "1"]):
                with self.subTest(kind=kind, options=options):
                    done = self.run_stream("--kind", kind, *options)
                    self.assertEqual(done.stdout.count("\n  in full"), 1)

    def test_finds_that_frames_are_not_those_that_were_sent(self):
        for kind in ("region", "peaks"):
            done = self.run_stream("--kind", kind, "--seed", "5", "--expect-seed", "6", status=1)
            self.assertRegex(done.stderr, f"{kind}, frame at [0-9]+: not what was sent")
            self.assertNotIn("Verified", done.stdout)

    @unittest.skipUnless(REFERENCE.exists(), "HDF5 is not here")
    def test_reference_writes_the_same_frames(self):
        done = self.run_stream("--reference", REFERENCE, "--every", "1", "--filter", "deflate")
        self.assertIn("Against HDF5", done.stdout)
        with h5py.File(self.folder / "reference.h5") as reference, h5py.File(self.folder / "lightsource.h5") as ours:
            for kind in ("region", "peaks"):
                self.assertEqual(sorted(ours[kind]["number"]), list(range(10)))
                filled, full = reference[kind][...], ours[kind]["full"][...]
                self.assertEqual(filled.shape, (10, 160, 160))
                # What counts is the same; the rest is zeros in one and faint noise in the other.
                self.assertTrue(numpy.all((filled == full) | ((filled == 0) & (full <= 2))))
                self.assertTrue(all(250 <= numpy.count_nonzero(frame) <= 2500 for frame in filled))

    def test_refuses_what_makes_no_sense(self):
        for options, message in (
            (["--size", "20"], "--size: '20' is not a number from 64 to 8192"),
            (["--frames", "many"], "--frames: 'many' is not a number"),
            (["--kind", "all"], "--kind: 'all' is none of region, peaks, both"),
            (["--reference", "/nowhere"], "--reference: '/nowhere' is no program"),
            (["--colour"], "there is no option '--colour'"),
            (["--seed"], "--seed needs a value"),
        ):
            with self.subTest(options=options):
                done = self.run_stream(*options, status=2)
                self.assertIn(message, done.stderr)
                self.assertFalse(self.folder.exists())

    def test_says_when_the_folder_cannot_be_made(self):
        blocked = self.folder.parent / "file"
        blocked.write_text("")
        done = self.run_stream("--output", blocked / "x", status=1)
        self.assertRegex(done.stderr, "lightsource_stream: .*file/x")

    def test_help_names_every_option(self):
        done = self.run_stream("--help")
        for option in "frames size kind every seed threads filter output reference expect-seed".split():
            self.assertIn(f"--{option} ", done.stdout)


if __name__ == "__main__":
    unittest.main()
