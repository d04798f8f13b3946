# SPDX-License-Identifier: Apache-2.0
"""`filigree picture`, with numpy as the judge of what each pixel shows."""

import os
import struct
import unittest
import zlib

from samples import add_frames
from support import FolderCase  # before h5py, which looks for plug-ins

import h5py
import numpy


def read_png(path):
    """The pixels of a PNG of 8 bits, as rows x columns x channels."""
    raw = path.read_bytes()
    assert raw[:8] == b"\x89PNG\r\n\x1a\n", raw[:8]
    position, packed = 8, b""
    while position < len(raw):
        size, kind = struct.unpack(">I4s", raw[position:position + 8])
        body = raw[position + 8:position + 8 + size]
        assert zlib.crc32(kind + body) == struct.unpack(">I", raw[position + 8 + size:position + 12 + size])[0]
        if kind == b"IHDR":
            width, height, depth, color, _, _, interlaced = struct.unpack(">IIBBBBB", body)
            assert (depth, interlaced) == (8, 0)
            channels = {2: 3, 6: 4}[color]
        packed += body if kind == b"IDAT" else b""
        position += size + 12
    lines = numpy.frombuffer(zlib.decompress(packed), "u1").reshape(height, 1 + width * channels)
    pixels = numpy.zeros((height + 1, width + 1, channels), int)  # with a border of zeros
    for y, line in enumerate(lines):
        given = line[1:].reshape(width, channels).astype(int)
        if line[0] == 0:
            pixels[y + 1, 1:] = given
        elif line[0] == 1:
            pixels[y + 1, 1:] = numpy.cumsum(given, axis=0) % 256
        elif line[0] == 2:
            pixels[y + 1, 1:] = (given + pixels[y, 1:]) % 256
        else:
            for x in range(width):
                left, up, corner = pixels[y + 1, x], pixels[y, x + 1], pixels[y, x]
                far = [abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)]
                paeth = numpy.where((far[0] <= far[1]) & (far[0] <= far[2]), left, numpy.where(far[1] <= far[2], up, corner))
                pixels[y + 1, x + 1] = (given[x] + ((left + up) // 2 if line[0] == 3 else paeth)) % 256
    return pixels[1:, 1:]


class Picture(FolderCase):
    def setUp(self):
        super().setUp()
        self.random = numpy.random.default_rng(5)
        with h5py.File(self.folder / "f.h5", "w") as file:
            file["small"] = numpy.arange(12).reshape(3, 4)
            file["cube"] = numpy.arange(60.0).reshape(3, 4, 5)
            file["line"] = numpy.arange(5)
            file["text"] = [["a", "b"]]
            file["flags"] = numpy.array([[True, False], [False, True]])
            file["holes"] = numpy.array([[1.0, numpy.nan], [numpy.inf, 3.0]])
            file["large"] = self.random.random((300, 700))
            file.create_dataset("chunked", (30, 40), "i4", chunks=(10, 10), fillvalue=0)[5:15, 12:38] = 7

    def gray(self, target, *options):
        """The levels of a picture in which each level is exact, one for each pixel before it was enlarged."""
        self.lines("picture", target, "-o", "p.png", "-f", "--colors", "gray", *options)
        pixels = read_png(self.folder / "p.png")
        self.assertTrue((pixels[..., 0] == pixels[..., 2]).all())
        return pixels

    def scaled(self, values, low, high):
        return numpy.rint(numpy.clip((values - low) / (high - low), 0, 1) * 255)

    def test_every_element_is_a_square(self):
        pixels = self.gray("f.h5/small")
        self.assertEqual(pixels.shape[:2], (3 * 64, 4 * 64))
        for y in range(3):
            for x in range(4):
                square = pixels[64 * y:64 * y + 64, 64 * x:64 * x + 64]
                self.assertEqual(numpy.unique(square[..., 0]).size, 1)
                self.assertLessEqual(abs(square[0, 0, 0] - (4 * y + x) * 255 / 11), 1)
                self.assertTrue((square[..., 3] == 255).all())

    def test_slices_choose_two_dimensions(self):
        values = numpy.arange(60.0).reshape(3, 4, 5)
        for text, part in [("[1]", values[1]), ("[:, 2, ::2]", values[:, 2, ::2]), ("[:, 1:3, -1]", values[:, 1:3, -1])]:
            pixels = self.gray(f"f.h5/cube{text}", "--min", "0", "--max", "255")
            step = 256 // max(part.shape)
            self.assertEqual(pixels.shape[:2], (part.shape[0] * step, part.shape[1] * step))
            self.assertLessEqual(abs(pixels[::step, ::step, 0] - part).max(), 1)
        for target, message in [("f.h5/cube", "has 3"), ("f.h5/line", "has 1"), ("f.h5/cube[0, 0]", "has 1"), ("f.h5/cube[0, 4:4]", "no elements")]:
            self.assert_fails(message, "picture", target)

    def test_pixels_of_large_pictures_are_means_or_largest_values(self):
        with h5py.File(self.folder / "f.h5") as file:
            values = file["large"][:]
        for how, reduce in [("mean", numpy.mean), ("max", numpy.max)]:
            pixels = self.gray("f.h5/large", "--size", "70", "--reduce", how, "--min", "0", "--max", "1")
            step = 256 // 70
            expected = reduce(values.reshape(30, 10, 70, 10), axis=(1, 3))
            self.assertLessEqual(abs(pixels[::step, ::step, 0] - self.scaled(expected, 0, 1)).max(), 1)

    def test_logarithms_limits_and_values_without_place(self):
        pixels = self.gray("f.h5/holes", "--max", "3")
        levels = pixels[::128, ::128, 0]
        self.assertEqual(levels.tolist(), [[0, 128], [255, 255]])
        pixels = self.gray("f.h5/small", "--log")
        self.assertEqual(pixels[0, 0, 0], 128)  # 0 has no logarithm
        expected = numpy.log(numpy.arange(1, 12)) / numpy.log(11) * 255
        self.assertLessEqual(abs(pixels[::64, ::64, 0].reshape(-1)[1:] - expected).max(), 1)

    def test_sparse_data_are_transparent_where_nothing_is_defined(self):
        add_frames(self.folder / "f.h5")
        self.lines("repack", "--structured", "f.h5", "s.h5")
        with h5py.File(self.folder / "f.h5") as file:
            frames = file["run1/frames"][:]
        for path in ("f.h5", "s.h5"):
            for i in range(3):
                pixels = self.gray(f"{path}/run1/frames[{i}]", "--min", "0")
                step = 256 // 50
                self.assertEqual((pixels[::step, ::step, 3] == 255).tolist(), (frames[i] != 0).tolist())
                pixels = self.gray(f"{path}/run1/frames[{i}]", "--defined")
                self.assertEqual((pixels[::step, ::step, 3] == 255).tolist(), (frames[i] != 0).tolist())

    def test_chunks_show_their_bytes(self):
        pixels = self.gray("f.h5/chunked", "--chunks")
        self.assertEqual(pixels.shape[:2], (192, 256))
        expected = numpy.zeros((3, 4), bool)
        expected[:2, 1:] = True
        self.assertEqual((pixels[::64, ::64, 3] == 255).tolist(), expected.tolist())
        self.assertEqual(self.lines("picture", "f.h5/chunked[:15]", "--chunks", "--color", "never")[-1], "2 x 4 chunks in 1 x 4 pixels, all 400 bytes")
        self.assert_fails("no chunks", "picture", "--chunks", "f.h5/small")

    def test_terminals(self):
        lines = self.lines("picture", "f.h5/small", "--color", "never")
        self.assertEqual([len(line) for line in lines[:-1]], [4] * (len(lines) - 1))
        self.assertEqual(lines[0][0] + lines[-2][3], " @")
        self.assertEqual(lines[-1], "3 x 4 elements in 1 x 4 pixels, 4 to 7")  # characters are twice as high as wide
        colored = self.run_here("picture", "f.h5/small", "--color", "always")
        self.assertEqual(colored.returncode, 0)
        self.assertIn("\033[", colored.stdout)

    def test_enumerations_are_numbers_and_texts_are_none(self):
        self.assertEqual(self.gray("f.h5/flags")[::128, ::128, 0].tolist(), [[255, 0], [0, 255]])
        self.assert_fails("have no colours", "picture", "f.h5/text")

    def test_wrong_usage_and_existing_files(self):
        self.assert_fails("--colors", "picture", "f.h5/small", "--colors", "pink", status=2)
        self.assert_fails("--size", "picture", "f.h5/small", "--size", "0", status=2)
        self.assert_fails("no dataset", "picture", "f.h5", status=2)
        (self.folder / "kept.png").write_text("kept")
        self.assert_fails("exists already", "picture", "f.h5/small", "-o", "kept.png")
        self.assertEqual((self.folder / "kept.png").read_text(), "kept")
        self.assert_fails("nowhere", "picture", "f.h5/small", "-o", "nowhere/p.png")
        self.assertEqual(sorted(os.listdir(self.folder)), ["f.h5", "kept.png"])


if __name__ == "__main__":
    unittest.main()
