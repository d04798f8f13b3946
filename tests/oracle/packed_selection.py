# SPDX-License-Identifier: Apache-2.0
"""The sets of filter 500 (forms 4, 5, 7 and 10), decoded as docs/format/packed-selection.md says."""
import packed_values
from packed_values import Bad, BitReader, Reader

ELEMENTS, RUNS, HOLES, LINES = 4, 5, 7, 10


def rice(bits, k):
    quotient = 0
    while quotient < 32 and not bits.bit():
        quotient += 1
    return bits.number(64) if quotient == 32 else quotient << k | bits.number(k)


def code(r):
    """A function that reads a number of this stream."""
    k = r.byte()
    if k == 255:
        constant = r.varint()
        return lambda bits: constant
    return lambda bits: rice(bits, k)


def rest(r):
    return BitReader(r.take(len(r.data) - r.at))


def read_elements(r, count):
    gap, found, next_one = code(r), [], 0
    bits = rest(r)
    for _ in range(count):
        next_one += gap(bits) + 1
        found.append(next_one - 1)
    return found


def read_runs(r, count):
    gap, length = code(r), code(r)
    bits, found, at = rest(r), [], 0
    for i in range(count):
        at += gap(bits) + (i > 0)
        longer = length(bits) + 1
        found += range(at, at + longer)
        at += longer
    return found


def read_lines(r, count, end):
    columns, direction, size = r.varint(), r.byte(), r.varint()
    lines, n = (columns, end // columns) if direction else (end // columns, columns)
    packed = packed_values.decode(r.take(size), 4, 0)
    counts = [int.from_bytes(packed[4 * i:4 * i + 4], "little") for i in range(lines)]
    if len(packed) != 4 * lines or sum(counts) != count:
        raise Bad("counts")
    bits, found = rest(r), []
    for line, c in enumerate(counts):
        items, at = c if 2 * c <= n else n - c, 0
        k = ((2 * n - items) * 77 // (320 * items)).bit_length() if items else 0
        offsets = []
        for _ in range(items):
            at += rice(bits, k) + 1
            offsets.append(at - 1)
        if offsets and offsets[-1] >= n:
            raise Bad("line")
        if 2 * c > n:
            offsets = sorted(set(range(n)) - set(offsets))
        found += [offset * columns + line if direction else line * columns + offset for offset in offsets]
    return sorted(found)


def decode_set(stored):
    """(form, dims, ascending offsets) of a set in rank order, without its checksum."""
    r = Reader(stored[:-4])
    form, extent, _, rank = r.byte() & 127, r.byte(), r.byte(), r.byte()
    dims = [r.varint() for _ in range(rank)]
    if extent & 2 and not extent & 4:
        for _ in range(rank):
            r.varint()
    r.varint()  # items
    end = 1
    for dim in dims:
        end *= dim
    count = r.varint()
    if form == LINES:
        return form, dims, read_lines(r, count, end)
    if form == RUNS:
        return form, dims, read_runs(r, count)
    found = read_elements(r, count)
    return form, dims, found if form == ELEMENTS else sorted(set(range(end)) - set(found))
