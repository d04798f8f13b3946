# SPDX-License-Identifier: Apache-2.0
"""Filter 501, written from docs/format/packed-values.md and from nothing else: a slow decoder, and an encoder that
makes unusual choices."""
import struct

STORED, EQUAL, PACKED, TABLE, RUNS, GROUPS = range(6)


class Bad(Exception):
    pass


class Reader:
    """Bytes from the front, then bits."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        if self.at + count > len(self.data):
            raise Bad("truncated")
        self.at += count
        return self.data[self.at - count:self.at]

    def byte(self):
        return self.take(1)[0]

    def varint(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def word(self, width):
        return int.from_bytes(self.take(width), "little")

    def numbers(self, count, bits):
        if bits > 56:
            raise Bad("bits")
        packed = int.from_bytes(self.take((count * bits + 7) // 8), "little")
        return [packed >> i * bits & (1 << bits) - 1 for i in range(count)]


class BitReader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def bit(self):
        if self.at >= 8 * len(self.data):
            raise Bad("truncated")
        self.at += 1
        return self.data[(self.at - 1) // 8] >> (self.at - 1) % 8 & 1

    def number(self, bits):
        return sum(self.bit() << i for i in range(bits))


def canonical(lengths):
    """{(length, code): symbol}"""
    codes, code, previous = {}, 0, 0
    for length, symbol in sorted((n, s) for s, n in enumerate(lengths) if n):
        code <<= length - previous
        codes[length, code] = symbol
        code, previous = code + 1, length
    if sum(2.0**-length for length in lengths if length) != 1 or max(lengths) > 12:
        raise Bad("incomplete")
    return codes


def read_exceptions(r, count):
    return [(r.varint(), r.varint()) for _ in range(count)]


def add_exceptions(values, exceptions, bits):
    at = -1
    for gap, high in exceptions:
        at += gap + 1
        values[at] += high << bits


def read_packed(r, n, w):
    base, bits, exceptions = r.word(w), r.byte(), r.varint()
    values = [base + number for number in r.numbers(n, bits)]
    add_exceptions(values, read_exceptions(r, exceptions), bits)
    return values


def read_table(r, n, w):
    table = [r.word(w) for _ in range(r.varint())]
    return [table[i] for i in r.numbers(n, (len(table) - 1).bit_length())]


def read_runs(r, n, w):
    runs, length_bits, base, value_bits = r.varint(), r.byte(), r.word(w), r.byte()
    lengths, values = r.numbers(runs, length_bits), r.numbers(runs, value_bits)
    found = [base + value for length, value in zip(lengths, values) for _ in range(length + 1)]
    if len(found) != n:
        raise Bad("runs")
    return found


def read_group(bits, codes, symbols, literal_bits, base):
    code = length = 0
    while (length, code) not in codes:
        code, length = code << 1 | bits.bit(), length + 1
    group = list(symbols[codes[length, code]])
    if group[-1] is None:
        group[-1] = base + bits.number(literal_bits)
    return group


def read_groups(r, n, w):
    base, values, literal_bits, longest, segments = r.word(w), r.byte(), r.byte(), r.byte(), r.byte()
    table = [base + r.varint() for _ in range(values)]
    others = table[1:] + ([None] if literal_bits else [])
    symbols = [[table[0]] * run + [other] for run in range(longest) for other in others] + [[table[0]] * longest]
    nibbles = [n for byte in r.take((len(symbols) + 1) // 2) for n in (byte & 15, byte >> 4)]
    codes = canonical(nibbles[:len(symbols)])
    exceptions = read_exceptions(r, r.varint())
    sizes = [r.varint() for _ in range(segments - 1)]
    found, each = [], -(-n // segments)
    for i in range(segments):
        bits = BitReader(r.take(sizes[i]) if i + 1 < segments else r.take(len(r.data) - r.at))
        wanted = min(each, n - len(found))
        segment = []
        while len(segment) < wanted:
            segment += read_group(bits, codes, symbols, literal_bits, base)
        found += segment[:wanted]
    add_exceptions(found, exceptions, literal_bits)
    return found


def decode(stored, w, flags):
    r = Reader(stored)
    first = r.byte()
    if first == STORED:
        return stored[1:]
    form, converted, size = first & 127, first >> 7, r.varint()
    tail, n = r.take(size % w), size // w
    if form == EQUAL:
        values = [r.word(w)] * n
    else:
        values = {PACKED: read_packed, TABLE: read_table, RUNS: read_runs, GROUPS: read_groups}[form](r, n, w)
    values = [value % (1 << 8 * w) for value in values]
    if converted:
        signed = [value - (value >> 8 * w - 1 << 8 * w) for value in values]
        values = [struct.unpack("<I" if w == 4 else "<Q", struct.pack("<f" if w == 4 else "<d", value))[0]
                  for value in signed]
    return b"".join(value.to_bytes(w, "big" if flags & 1 else "little") for value in values) + tail


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def numbers(values, bits):
    packed = sum(value << i * bits for i, value in enumerate(values))
    return packed.to_bytes((len(values) * bits + 7) // 8, "little")


def head(form, values, w, tail=b""):
    return bytes([form]) + varint(len(values) * w + len(tail)) + tail


def encode_packed(values, w, bits, base, tail=b""):
    rest = [(value - base) % (1 << 8 * w) for value in values]
    count, exceptions = exceptions_of(rest, bits)
    return (head(PACKED, values, w, tail) + base.to_bytes(w, "little") + bytes([bits]) + count +
            numbers([value & (1 << bits) - 1 for value in rest], bits) + exceptions)


def encode_table(values, w, table):
    return (head(TABLE, values, w) + varint(len(table)) + b"".join(v.to_bytes(w, "little") for v in table) +
            numbers([table.index(value) for value in values], (len(table) - 1).bit_length()))


def bit_bytes(bits):
    return numbers(bits, 1)


def exceptions_of(values, bits):
    late = [i for i, value in enumerate(values) if value >> bits]
    gaps = [at - before - 1 for before, at in zip([-1] + late, late)]
    return varint(len(late)), b"".join(varint(gap) + varint(values[at] >> bits) for gap, at in zip(gaps, late))


def encode_groups(values, w, longest, segments, known, literal_bits):
    """Groups with codes of equal lengths, as far as that is possible. The table has the first `known` values."""
    table = sorted(set(values), key=values.count, reverse=True)[:known]
    literal_bits = min(literal_bits, 8 * w) if set(values) - set(table) else 0
    others = table[1:] + ([None] if literal_bits else [])
    count = longest * len(others) + 1
    length = (count - 1).bit_length()
    short = (1 << length) - count  # this many symbols have codes that are one bit shorter
    lengths = [length] * (count - short) + [length - 1] * short
    codes = {symbol: key for key, symbol in canonical(lengths).items()}
    streams, each = [], -(-len(values) // segments)
    for i in range(segments):
        bits, part = [], values[i * each:(i + 1) * each]
        while part:
            run = 0
            while run < min(longest, len(part)) and part[run] == table[0]:
                run += 1
            if run == min(longest, len(part)):
                symbol, other = longest * len(others), None
            else:
                other = part[run]
                symbol = run * len(others) + (others.index(other) if other in others else len(others) - 1)
            size, code = codes[symbol]
            bits += [code >> size - 1 - k & 1 for k in range(size)]
            if other is not None and other not in table:
                bits += [other >> k & 1 for k in range(literal_bits)]
            part = part[run + (other is not None):]
        streams.append(bit_bytes(bits))
    nibbles = lengths + [0] * (len(lengths) % 2)
    return (head(GROUPS, values, w) + bytes(w) + bytes([len(table), literal_bits, longest, segments]) +
            b"".join(varint(value) for value in table) +
            bytes(a | b << 4 for a, b in zip(nibbles[::2], nibbles[1::2])) +
            b"".join(exceptions_of([0 if value in table else value for value in values], literal_bits)) +
            b"".join(varint(len(stream)) for stream in streams[:-1]) + b"".join(streams))
