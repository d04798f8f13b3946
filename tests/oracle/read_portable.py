# SPDX-License-Identifier: Apache-2.0
"""A reader of portable sparse chunks, written from docs/format/portable-chunks.md. It knows the section filters deflate and
shuffle, and uses h5py's read_direct_chunk."""
import ctypes
import struct
import zlib

import h5py
import numpy

FILTER = 502


def words(dataset):
    """The parameters of the filter, of which HDF5 tells 256. h5py's get_filter() knows 16 of them, and returns other memory
    for the rest."""
    library = ctypes.CDLL(h5py.h5p.__file__)
    values, count, flags = (ctypes.c_uint * 256)(), ctypes.c_size_t(256), ctypes.c_uint()
    plist = dataset.id.get_create_plist()  # closed with its last reference
    library.H5Pget_filter2(ctypes.c_int64(plist.id), 0, ctypes.byref(flags), ctypes.byref(count), values,
                           ctypes.c_size_t(0), None, None)
    return tuple(values[:min(count.value, 256)])


def parse(words):
    """Chunk dimensions, element size, fill value and the filters of both sections."""
    word = iter(words).__next__
    if word() != 1:
        raise ValueError("unknown version of the parameters")
    dims = tuple(word() for _ in range(word()))
    size, fill_bytes = word(), word()
    fill = struct.pack(f"<{(fill_bytes + 3) // 4}I", *(word() for _ in range((fill_bytes + 3) // 4)))
    sections = []
    for _ in range(2):
        filters = [(word(), word(), [word() for _ in range(word())]) for _ in range(word())]
        sections.append([(number, parameters) for number, flags, parameters in filters])
    return dims, size, fill[:fill_bytes] or bytes(size), sections


def unfilter(section, filters, mask):
    for i, (number, parameters) in reversed(list(enumerate(filters))):
        if mask >> i & 1:
            continue
        if number == 1:
            section = zlib.decompress(section)
        elif number == 2:
            shuffled = len(section) // parameters[0] * parameters[0]
            planes = numpy.frombuffer(section[:shuffled], "u1").reshape(parameters[0], -1)
            section = planes.T.tobytes() + section[shuffled:]
        else:
            raise ValueError(f"filter {number} is not known here")
    return section


def selected(blob, dims):
    """The mask of an encoded selection: all, points, or hyperslabs, in every version."""
    mask, rank = numpy.zeros(dims, bool), len(dims)
    at = 7 + struct.unpack_from("<I", blob, 3)[0]
    kind, version = struct.unpack_from("<II", blob, at)
    if kind in (0, 3):
        mask[...] = kind == 3
        return mask
    # Where the numbers start, and how wide they are.
    start, width = {(1, 1): (20, 4), (1, 2): (13, blob[at + 8]), (2, 1): (20, 4), (2, 2): (17, 8),
                    (2, 3): (14, blob[at + 9])}[kind, version]
    numbers = blob[at + start:]
    numbers = numpy.frombuffer(numbers[:len(numbers) // width * width], f"<u{width}").astype(int)
    if kind == 1:
        mask[tuple(numbers[1:1 + numbers[0] * rank].reshape(-1, rank).T)] = True
    elif version > 1 and blob[at + 8] & 1:
        mask[numpy.ix_(*((first + stride * numpy.arange(count)[:, None] + numpy.arange(block)).ravel()
                         for first, stride, count, block in numbers[:4 * rank].reshape(-1, 4)))] = True
    else:
        for low, high in numbers[1:1 + 2 * rank * numbers[0]].reshape(-1, 2, rank):
            mask[tuple(map(slice, low, high + 1))] = True
    return mask


def read_chunk(chunk, words, dtype):
    """Values and mask of defined elements of a stored chunk, as HDF5's read_direct_chunk returns it."""
    dims, size, fill, filters = parse(words)
    magic, version, flags, sections, defined = struct.unpack_from("<4sBBHQ", chunk)
    if magic != b"FGSC" or version != 1 or sections != 2:
        raise ValueError("not a portable chunk")
    values = numpy.frombuffer(fill, dtype).repeat(numpy.prod(dims)).reshape(dims)
    if defined == 0:
        return values, numpy.zeros(dims, bool)
    at, parts = 54, []
    for i in range(2):
        kind, skipped, stored, original = struct.unpack_from("<BIIQ", chunk, 16 + 17 * i)
        parts.append(unfilter(chunk[at:at + stored], filters[i], skipped))
        at += stored
        if (kind, len(parts[i])) != (i, original):
            raise ValueError("the sections contradict the envelope")
    mask = selected(parts[0], dims)
    if mask.sum() != defined or len(parts[1]) != defined * size or at != len(chunk):
        raise ValueError("the sections contradict the envelope")
    values = values.copy()
    values[mask] = numpy.frombuffer(parts[1], dtype)
    return values, mask
