# SPDX-License-Identifier: Apache-2.0
"""Every filter against HDF5 (and the plug-ins that Debian has for it), on raw chunks: each library decodes
what the other stored, and the parameters of a new dataset are the same."""
import os
import struct
import tempfile
import unittest

import h5py
import numpy as np
from h5py import h5t, h5z

import filters_reference as reference
from filters_reference import (BITSHUFFLE, BLOSC, DEFLATE, FLETCHER32, LZ4, LZF, NBIT, SCALE_OFFSET, SHUFFLE, SZIP, ZSTD)

MANDATORY, OPTIONAL = 0, 1
NUMBERS = ["<i1", "<u1", "<i2", "<u2", ">i2", ">u2", "<i4", "<u4", ">i4", "<i8", "<u8", ">i8", ">u8", "<f4", ">f4",
           "<f8", ">f8"]


def type_of(text):
    return h5t.py_create(np.dtype(text))


def narrow(base, precision, offset):
    """An integer with unused bits."""
    kind = type_of(base).copy()
    if base[1] == "f":
        kind.set_fields(offset + precision - 1, offset + precision - 1 - 6, 6, offset, precision - 1 - 6)
    kind.set_precision(precision)
    kind.set_offset(offset)
    return kind


def compound(size, *members):
    kind = h5t.create(h5t.COMPOUND, size)
    for i, (at, member) in enumerate(members):
        kind.insert(f"m{i}".encode(), at, member)
    return kind


def patterns(size, count, seed):
    """Chunks of `count` elements of `size` bytes, smooth and rough."""
    rng = np.random.default_rng(seed)
    yield bytes(size * count)
    yield rng.bytes(size * count)
    yield b"".join(struct.pack("<Q", (1000 + 3 * i) & 0xffffffffffffffff)[:size].ljust(size, b"\0") for i in range(count))
    yield (rng.bytes(size) * count)
    # Noise of few values with even and uneven frequencies: nothing repeats, but entropy codes save some bits.
    yield rng.integers(0, 4, size * count, dtype=np.uint8).tobytes()
    yield np.minimum(rng.geometric(0.1, size * count), 255).astype(np.uint8).tobytes()


class FilterCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.driver = reference.Driver()
        cls.folder = tempfile.TemporaryDirectory()
        cls.file = reference.new_file(os.path.join(cls.folder.name, "filters.h5"))
        cls.count = 0

    @classmethod
    def tearDownClass(cls):
        cls.driver.close()
        cls.file.close()
        cls.folder.cleanup()

    def create(self, type_id, dims, filters, fill=None):
        type(self).count += 1
        return reference.create(self.file, f"d{self.count}", type_id, dims, filters, fill)

    def check(self, type_id, dims, filters, plain, fill=None, same_bytes=False):
        """`plain` through HDF5's filters and ours. `filters`: (id, flags, wanted)."""
        theirs = self.create(type_id, dims, filters, fill)
        theirs = reference.write_plain(self.file, theirs, plain)
        plain_read = reference.read_plain(theirs)
        entries = reference.stored_filters(theirs)
        pipeline = [(code, optional, params) for code, optional, params, _ in entries]
        mask, stored = reference.read_raw(theirs)
        about = (pipeline, dims, len(plain), mask, stored[:64].hex(" "))
        self.assertEqual(self.driver.decode(pipeline, mask, stored, len(plain)), plain_read, about)

        fill_bytes = (None if fill is reference.UNDEFINED else
                      bytes(type_id.get_size()) if fill is None else fill.tobytes())
        for (code, _, wanted), (_, _, params, name) in zip(filters, entries):
            self.assertEqual(self.driver.prepare(code, wanted, dims, type_id, fill_bytes), params, about)
            self.assertEqual(self.driver.name(code).decode().split(";")[0], name.decode().split(";")[0])

        our_mask, our_stored = self.driver.encode(pipeline, plain)
        if same_bytes:
            self.assertEqual((our_mask, our_stored.hex(" ")), (mask, stored.hex(" ")), about)
        ours = self.create(type_id, dims, filters, fill)
        ours = reference.write_raw(self.file, ours, our_mask, our_stored)
        self.assertEqual(reference.read_plain(ours), plain_read, about)
        self.assertEqual(self.driver.decode(pipeline, our_mask, our_stored, len(plain)), plain_read, about)

    def check_patterns(self, type_id, dims, filters, **options):
        for plain in patterns(type_id.get_size(), int(np.prod(dims)), self.count):
            self.check(type_id, dims, filters, plain, **options)


class SimpleFilters(FilterCase):
    def test_shuffle_deflate_and_fletcher32(self):
        for text in ["<i1", "<i2", ">i4", "<f8", "S3", "S16", "S33"]:
            for dims in [(1,), (7,), (64, 3), (1000,)]:
                kind = type_of(text)
                self.check_patterns(kind, dims, [(SHUFFLE, OPTIONAL, ())], same_bytes=True)
                self.check_patterns(kind, dims, [(FLETCHER32, MANDATORY, ())], same_bytes=True)
                self.check_patterns(kind, dims, [(DEFLATE, OPTIONAL, (6,))])
                self.check_patterns(kind, dims, [(SHUFFLE, OPTIONAL, ()), (DEFLATE, OPTIONAL, (1,)), (FLETCHER32, MANDATORY, ())])

    def test_lzf(self):
        for text in ["<i1", "<i2", "<f8", "S5"]:
            for dims in [(1,), (3,), (50, 7), (3000,), (20000,)]:
                self.check_patterns(type_of(text), dims, [(LZF, OPTIONAL, ())])
                self.check_patterns(type_of(text), dims, [(SHUFFLE, OPTIONAL, ()), (LZF, OPTIONAL, ())])

    def test_hdf5_reads_lzf_that_did_not_shrink(self):
        plain = np.random.default_rng(4).bytes(5000)
        mask, stored = self.driver.encode([(LZF, 0, [4, 261, 5000])], plain)
        self.assertEqual(mask, 0)
        self.assertGreater(len(stored), 5000)
        dataset = self.create(type_of("<i1"), (5000,), [(LZF, OPTIONAL, ())])
        dataset = reference.write_raw(self.file, dataset, 0, stored)
        self.assertEqual(reference.read_plain(dataset), plain)


class Szip(FilterCase):
    MASKS = [4, 32]

    def test_numbers_blocks_and_shapes(self):
        for text in NUMBERS:
            for block in (2, 4, 8, 10, 14, 16, 30, 32):
                for dims in [(block,), (33,), (100,), (5, 40), (40, 5), (3, 4097)]:
                    if np.prod(dims) < block:
                        continue
                    for mask in self.MASKS:
                        plain = list(patterns(type_of(text).get_size(), int(np.prod(dims)), block))[block // 2 % 4]
                        self.check(type_of(text), dims, [(SZIP, OPTIONAL, (mask | 1 | 128, block))], plain)

    def test_every_pattern(self):
        for text in ["<i1", "<u2", ">i4", "<f8"]:
            for mask in self.MASKS:
                self.check_patterns(type_of(text), (17, 20), [(SZIP, OPTIONAL, (mask | 1 | 128, 8))])

    def test_fewer_bits(self):
        rng = np.random.default_rng(3)
        for base in ["<u2", ">u2", "<i4", ">i4", "<i8", ">u8"]:
            size = int(base[2])
            for precision, offset in [(3, 0), (8, 0), (9, 0), (12, 0), (15, 0), (17, 0), (24, 0), (25, 0), (33, 0), (12, 3)]:
                if precision + offset > 8 * size:
                    continue
                values = rng.integers(0, 1 << precision, 200, dtype="u8") << np.uint64(offset)
                plain = values.astype(base.replace("i", "u")).tobytes()
                for mask in self.MASKS:
                    self.check(narrow(base, precision, offset), (10, 20), [(SZIP, OPTIONAL, (mask | 1 | 128, 8))], plain)

    def test_szip_among_others(self):
        self.check_patterns(type_of("<i4"), (20, 10), [(SHUFFLE, OPTIONAL, ()), (SZIP, OPTIONAL, (4 | 1 | 128, 4)), (FLETCHER32, MANDATORY, ())])

    def test_hdf5_reads_szip_that_did_not_shrink(self):
        plain = np.random.default_rng(4).bytes(4000)
        dataset = self.create(type_of("<i4"), (1000,), [(SZIP, OPTIONAL, (161, 8))])
        params = reference.stored_filters(dataset)[0][2]
        mask, stored = self.driver.encode([(SZIP, 0, params)], plain)
        self.assertEqual(mask, 0)
        dataset = reference.write_raw(self.file, dataset, 0, stored)
        self.assertEqual(reference.read_plain(dataset), plain)

    def test_what_hdf5_refuses_is_refused(self):
        for text, dims, wanted in [("<i4", (3,), (161, 8)), ("S3", (100,), (161, 8)), ("<i4", (100,), (161, 7)),
                                   ("S16", (100,), (161, 8))]:
            with self.assertRaises(reference.Refused):
                self.driver.prepare(SZIP, wanted, dims, type_of(text), b"\0")
        for text, dims, wanted in [("<i4", (3,), (161, 8)), ("S16", (100,), (161, 8))]:
            with self.assertRaises(Exception):
                self.create(type_of(text), dims, [(SZIP, MANDATORY, wanted)])


class Nbit(FilterCase):
    def check_nbit(self, kind, dims):
        for plain in patterns(kind.get_size(), int(np.prod(dims)), self.count):
            self.check(kind, dims, [(NBIT, OPTIONAL, ())], plain, same_bytes=True)

    def test_whole_numbers_pass(self):
        for text in NUMBERS:
            self.check_nbit(type_of(text), (13,))

    def test_every_precision_and_offset(self):
        for base in ["<i1", "<i2", ">u2"]:
            bits = 8 * int(base[2])
            for precision in range(1, bits + 1):
                for offset in range(0, bits + 1 - precision):
                    self.check(narrow(base, precision, offset), (9,), [(NBIT, OPTIONAL, ())],
                               np.random.default_rng(offset).bytes(9 * bits // 8), same_bytes=True)

    def test_wide_numbers(self):
        for base in ["<i4", ">i4", "<i8", ">u8"]:
            bits = 8 * int(base[2])
            for precision, offset in [(1, 0), (7, 3), (8, 8), (17, 0), (17, 9), (31, 1), (bits - 1, 1), (bits - 1, 0),
                                      (33, 5), (40, 24), (63, 0)]:
                if precision + offset <= bits:
                    for dims in [(1,), (8,), (5, 5)]:
                        self.check_nbit(narrow(base, precision, offset), dims)

    def test_floats_and_numbers_beyond_eight_bytes(self):
        for base in ["<f4", ">f4"]:
            kind = type_of(base).copy()
            kind.set_fields(26, 20, 6, 7, 13)
            kind.set_offset(7)
            kind.set_precision(20)
            self.check_nbit(kind, (2, 6))
        self.check_nbit(type_of("g"), (7,))
        kind = type_of("<i8").copy()
        kind.set_size(12)
        kind.set_precision(70)
        kind.set_offset(5)
        self.check_nbit(kind, (11,))
        kind = type_of(">i8").copy()
        kind.set_size(9)
        kind.set_precision(65)
        self.check_nbit(kind, (11,))

    def test_compounds_and_arrays(self):
        twelve, five = narrow("<i2", 12, 2), narrow(">i4", 5, 20)
        array = h5t.array_create(twelve, (2, 3))
        inner = compound(16, (1, five), (6, type_of("<f8")))
        enum = h5t.enum_create(h5t.STD_I16LE)
        enum.enum_insert(b"A", 0)
        kinds = [compound(2, (0, twelve)), compound(10, (0, five), (6, twelve)), array, compound(20, (2, array)), inner,
                 h5t.array_create(inner, (3,)), compound(40, (0, inner), (16, twelve), (19, h5t.array_create(inner, (1,)))),
                 compound(20, (0, type_of("S5")), (7, twelve), (9, enum), (12, type_of("<f4"))),
                 h5t.array_create(h5t.array_create(five, (2,)), (2,)),
                 h5t.array_create(type_of("S5"), (3,)), compound(21, (0, h5t.array_create(type_of("S5"), (3,))), (16, five)),
                 compound(16, (0, type_of("<i4")), (8, type_of("<i8"))),
                 compound(12, (8, twelve), (0, five)), h5t.array_create(type_of("<i4"), (4,))]
        for kind in kinds:
            for dims in [(1,), (7,), (3, 5)]:
                self.check_nbit(kind, dims)

    def test_members_behind_an_array_of_compounds(self):
        # HDF5 stores no parameters for them. Filigree reads the same, and does not compress.
        twelve, five = narrow("<i2", 12, 2), narrow(">i4", 5, 20)
        inner = compound(16, (1, five), (6, type_of("<f8")))
        for kind in [compound(40, (0, inner), (16, h5t.array_create(inner, (1,))), (36, twelve)),
                     compound(60, (0, h5t.array_create(inner, (3,))), (50, twelve))]:
            plain = np.random.default_rng(9).bytes(5 * kind.get_size())
            theirs = reference.write_plain(self.file, self.create(kind, (5,), [(NBIT, OPTIONAL, ())]), plain)
            pipeline = [entry[:3] for entry in reference.stored_filters(theirs)]
            mask, stored = reference.read_raw(theirs)
            self.assertEqual(self.driver.decode(pipeline, mask, stored, len(plain)), reference.read_plain(theirs), pipeline)
            self.assertEqual(self.driver.prepare(NBIT, (), (5,), kind, None)[1], 1)
            self.assertEqual(self.driver.encode(pipeline, plain), (1, plain))

    def test_other_types_pass(self):
        enum = h5t.enum_create(narrow("<i2", 12, 2))
        enum.enum_insert(b"A", 0)
        for kind in [type_of("S7"), enum, h5t.create(h5t.OPAQUE, 5), h5t.STD_B16LE.copy()]:
            self.check_nbit(kind, (10,))


class ScaleOffset(FilterCase):
    def check_scale(self, text, values, wanted, fill=None, same_bytes=True):
        dtype = np.dtype(text)
        values = np.asarray(values).astype(dtype)
        if fill is not None and fill is not reference.UNDEFINED:
            fill = np.asarray(fill).astype(dtype)
        self.check(type_of(text), values.shape, [(SCALE_OFFSET, OPTIONAL, wanted)], values.tobytes(), fill, same_bytes)

    def test_integers(self):
        rng = np.random.default_rng(5)
        for text in [t for t in NUMBERS if t[1] != "f"]:
            info = np.iinfo(text)
            ranges = [(0, 0), (5, 5), (info.min, info.min), (info.max, info.max), (0, 1), (3, 18), (info.max - 6, info.max),
                      (info.min, info.min + 7), (info.min, info.max), (info.min + 1, info.max), (info.min + 2, info.max),
                      (info.min + 3, info.max), (info.min, info.max // 2), (0, info.max // 2), (1, info.max // 2 + 2)]
            for low, high in ranges:
                for count in (1, 2, 13, 64):
                    values = rng.integers(low, high, count, dtype=text.replace(">", "<"), endpoint=True)
                    values[0], values[-1] = low, high
                    for fill in [None, low, high, 77]:
                        self.check_scale(text, values, (2, 0), fill)

    def test_given_bits(self):
        rng = np.random.default_rng(6)
        for text in ["<i1", "<u2", ">i2", "<i4", ">u8", "<i8"]:
            bits = 8 * int(text[2])
            for factor in [1, 3, 5, 7, 8, bits - 1, bits]:
                values = rng.integers(10, 14, 37)
                for fill in [None, 11]:
                    self.check_scale(text, values, (2, factor), fill)

    def test_floats(self):
        rng = np.random.default_rng(7)
        for text in ["<f4", ">f4", "<f8", ">f8"]:
            for digits in [0, 1, 2, 3, 5, 9, 0xffffffff, 0xfffffffe]:
                for scale in [0, 1e-3, 1, 100, 12345.678, 1e6]:
                    for count in (1, 3, 50):
                        values = rng.normal(0, 1, count) * scale
                        for fill in [None, values[0], -99.9, 0.5]:
                            self.check_scale(text, values, (0, digits), fill)
                        self.check_scale(text, np.full(count, scale), (0, digits))

    def test_floats_out_of_range_keep_all_bits(self):
        for text in ["<f4", ">f8"]:
            for values in [[1e30, -1e30, 1], [3e38, -3e38, 0]]:
                self.check_scale(text, values, (0, 2), same_bytes=True)

    def test_what_is_no_number_survives(self):
        for text in ["<f4", ">f8"]:
            for values, fill in [([1, np.nan, 2.5], -1), ([np.inf, 1, 2], 7), ([np.nan, np.nan], 5), ([1, 2.25, np.nan], np.nan)]:
                plain = np.array(values, text).tobytes()
                dataset = self.create(type_of(text), (len(values),), [(SCALE_OFFSET, OPTIONAL, (0, 2))], np.array(fill, text))
                pipeline = [entry[:3] for entry in reference.stored_filters(dataset)]
                mask, stored = self.driver.encode(pipeline, plain)
                self.assertEqual(mask, 0)
                dataset = reference.write_raw(self.file, dataset, mask, stored)
                self.assertEqual(reference.read_plain(dataset), plain)
                self.assertEqual(self.driver.decode(pipeline, 0, stored, len(plain)), plain)

    def test_fill_undefined(self):
        rng = np.random.default_rng(8)
        for text in ["<i1", ">u2", "<i4", "<i8"]:
            for low, high in [(42, 42), (42, 43), (0, 100), (3, 66)]:
                values = rng.integers(low, high, 100, endpoint=True)
                values[0], values[-1] = low, high
                # Where all values are equal, HDF5 leaves one undefined byte after the header.
                self.check_scale(text, values, (2, 0), reference.UNDEFINED, same_bytes=low != high)
        for text in ["<f4", ">f8"]:
            for scale in [0, 1, 1e6]:
                self.check_scale(text, 1 + rng.normal(0, 1, 30) * scale, (0, 3), reference.UNDEFINED, same_bytes=scale != 0)


class PlugIns(FilterCase):
    """Blosc, LZ4 and bitshuffle by their own authors' plug-ins, as Debian packages them."""

    def require(self, code):
        if not h5z.filter_avail(code):
            self.skipTest(f"HDF5 has no plug-in for filter {code}; scripts/install-deps --with-plug-ins installs it")

    def test_lz4(self):
        self.require(LZ4)
        for text in ["<i1", "<i4", "<f8", "S5"]:
            for dims in [(1,), (10, 11), (5000,)]:
                for wanted in [(), (0,), (16,), (1000,), (1 << 30,)]:
                    self.check_patterns(type_of(text), dims, [(LZ4, OPTIONAL, wanted)])

    def test_blosc(self):
        self.require(BLOSC)
        array = h5t.array_create(type_of("<i4"), (5,))
        for kind in [type_of("<i1"), type_of("<i4"), type_of(">f8"), type_of("S300"), type_of("S7"), array]:
            for dims in [(1,), (10, 11), (3000,)]:
                for level, shuffle in [(5, 1), (9, 2), (1, 0), (0, 1)]:
                    for codec in (0, 1, 2, 4, 5):
                        self.check_patterns(kind, dims, [(BLOSC, OPTIONAL, (0, 0, 0, 0, level, shuffle, codec))])
                self.check_patterns(kind, dims, [(BLOSC, OPTIONAL, ())])
                self.check_patterns(kind, dims, [(BLOSC, OPTIONAL, (0, 0, 0, 0, 4))])

    def test_bitshuffle(self):
        self.require(BITSHUFFLE)
        for text in ["<i1", "<i2", "<i4", "<f8", "S3", "S16", "S100"]:
            for dims in [(1,), (7,), (8,), (9,), (10, 13), (1024,), (3001,)]:
                for wanted in [(), (0, 0), (0, 2), (8, 2), (64, 2), (64, 0), (1024, 2)]:
                    # The version of the writer, which comes first, may differ.
                    self.check_bitshuffle(type_of(text), dims, wanted)

    def check_bitshuffle(self, kind, dims, wanted):
        for plain in patterns(kind.get_size(), int(np.prod(dims)), self.count):
            theirs = self.create(kind, dims, [(BITSHUFFLE, OPTIONAL, wanted)])
            theirs = reference.write_plain(self.file, theirs, plain)
            pipeline = [entry[:3] for entry in reference.stored_filters(theirs)]
            mask, stored = reference.read_raw(theirs)
            about = (pipeline, dims, mask, stored[:64].hex(" "))
            self.assertEqual(self.driver.decode(pipeline, mask, stored, len(plain)), plain, about)
            self.assertEqual(self.driver.prepare(BITSHUFFLE, wanted, dims, kind, None)[2:], pipeline[0][2][2:])
            our_mask, our_stored = self.driver.encode(pipeline, plain)
            self.assertEqual(our_mask, 0)
            if len(wanted) < 2 or wanted[1] == 0:
                self.assertEqual(our_stored.hex(), stored.hex(), about)
            ours = self.create(kind, dims, [(BITSHUFFLE, OPTIONAL, wanted)])
            ours = reference.write_raw(self.file, ours, our_mask, our_stored)
            self.assertEqual(reference.read_plain(ours), plain, about)


class Registered(FilterCase):
    def test_all_filters_have_their_names(self):
        self.assertEqual({code: self.driver.name(code) for code in (DEFLATE, SHUFFLE, FLETCHER32, SZIP, NBIT, SCALE_OFFSET, LZF)},
                         {DEFLATE: b"deflate", SHUFFLE: b"shuffle", FLETCHER32: b"fletcher32", SZIP: b"szip", NBIT: b"nbit",
                          SCALE_OFFSET: b"scaleoffset", LZF: b"lzf"})
        self.assertIn(b"Zstandard", self.driver.name(ZSTD))


if __name__ == "__main__":
    unittest.main()
