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
    """The parameters of the filter. h5py's get_filter() knows 16 of them, and returns other memory for the rest."""
    library = ctypes.CDLL(h5py.h5p.__file__)
    plist, flags, count = dataset.id.get_create_plist(), ctypes.c_uint(), ctypes.c_size_t()
    at = ctypes.c_int64(plist.id), 0, ctypes.byref(flags), ctypes.byref(count)
    library.H5Pget_filter2(*at, None, 0, None, None)
    values = (ctypes.c_uint * count.value)()
    library.H5Pget_filter2(*at, values, 0, None, None)
    return tuple(values)


def parse(words):
    """Chunk dimensions, element size, fill value and the filters of both sections."""
    data = struct.pack(f"<{len(words)}I", *words)
    at = 0

    def word():
        nonlocal at
        at += 4
        return struct.unpack_from("<I", data, at - 4)[0]

    if word() != 1:
        raise ValueError("unknown version of the parameters")
    dims = tuple(word() for _ in range(word()))
    size, fill_bytes = word(), word()
    fill = data[at:at + fill_bytes] or bytes(size)
    at += (fill_bytes + 3) // 4 * 4
    sections = []
    for _ in range(2):
        filters = []
        for _ in range(word()):
            number, flags, parameters = word(), word(), word()
            filters.append((number, [word() for _ in range(parameters)]))
        sections.append(filters)
    return dims, size, fill, sections


def unfilter(section, filters, mask):
    for i, (number, parameters) in reversed(list(enumerate(filters))):
        if mask >> i & 1:
            continue
        if number == 1:
            section = zlib.decompress(section)
        elif number == 2:
            size = parameters[0]
            whole = len(section) // size * size
            planes = numpy.frombuffer(section[:whole], "u1").reshape(size, -1)
            section = planes.T.tobytes() + section[whole:]
        else:
            raise ValueError(f"filter {number} is not known here")
    return section


def selected(blob, dims):
    """The mask of an encoded selection: points, or blocks of hyperslabs, of versions 1 and 2."""
    mask = numpy.zeros(dims, bool)
    rank = len(dims)
    extent, = struct.unpack_from("<I", blob, 3)
    at = 7 + extent
    kind, version = struct.unpack_from("<II", blob, at)
    if kind == 3:
        mask[...] = True
    elif kind == 1:
        if version == 1:
            count, = struct.unpack_from("<I", blob, at + 20)
            numbers = struct.unpack_from(f"<{count * rank}I", blob, at + 24)
        else:
            width = blob[at + 8]
            form = {2: "H", 4: "I", 8: "Q"}[width]
            count, = struct.unpack_from(f"<{form}", blob, at + 13)
            numbers = struct.unpack_from(f"<{count * rank}{form}", blob, at + 13 + width)
        for i in range(count):
            mask[numbers[i * rank:(i + 1) * rank]] = True
    elif kind == 2:
        for low, high in blocks(blob, at, version, rank):
            mask[tuple(slice(a, b + 1) for a, b in zip(low, high))] = True
    return mask


def blocks(blob, at, version, rank):
    """First and last coordinates of the blocks of a hyperslab."""
    if version == 1:
        count, = struct.unpack_from("<I", blob, at + 20)
        numbers, regular = struct.unpack_from(f"<{2 * rank * count}I", blob, at + 24), False
    else:
        flags = blob[at + 8]
        width = 8 if version == 2 else blob[at + 9]
        form, regular = {2: "H", 4: "I", 8: "Q"}[width], flags & 1
        at += 17 if version == 2 else 14
        if regular:
            numbers = struct.unpack_from(f"<{4 * rank}{form}", blob, at)
        else:
            count, = struct.unpack_from(f"<{form}", blob, at)
            numbers = struct.unpack_from(f"<{2 * rank * count}{form}", blob, at + width)
    if not regular:
        for i in range(count):
            corner = numbers[2 * rank * i:2 * rank * (i + 1)]
            yield corner[:rank], corner[rank:]
        return
    steps = [numbers[4 * d:4 * d + 4] for d in range(rank)]
    for index in numpy.ndindex(*(count for _, _, count, _ in steps)):
        low = [start + i * stride for i, (start, stride, _, _) in zip(index, steps)]
        yield low, [a + block - 1 for a, (_, _, _, block) in zip(low, steps)]


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
        kind, mask, stored, original = struct.unpack_from("<BIIQ", chunk, 16 + 17 * i)
        part = unfilter(chunk[at:at + stored], filters[i], mask)
        if kind != i or len(part) != original:
            raise ValueError("the sections contradict the envelope")
        parts.append(part)
        at += stored
    mask = selected(parts[0], dims)
    if mask.sum() != defined or len(parts[1]) != defined * size or at != len(chunk):
        raise ValueError("the sections contradict the envelope")
    values = values.copy()
    values[mask] = numpy.frombuffer(parts[1], dtype)
    return values, mask
