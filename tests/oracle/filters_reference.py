# SPDX-License-Identifier: Apache-2.0
"""Raw chunks through HDF5, and through filters_driver."""
import ctypes
import os
import subprocess

import numpy as np
from h5py import h5d, h5f, h5i, h5p, h5s, h5t

LIBRARY = ctypes.CDLL("libhdf5_serial.so.103")  # the one that h5py uses: their handles are the same
BIN = os.environ["FILIGREE_BIN"]

DEFLATE, SHUFFLE, FLETCHER32, SZIP, NBIT, SCALE_OFFSET = 1, 2, 3, 4, 5, 6
LZF, BLOSC, LZ4, BITSHUFFLE, ZSTD = 32000, 32001, 32004, 32008, 32015

ORDERS = {h5t.ORDER_LE: 0, h5t.ORDER_BE: 1}


class Refused(Exception):
    """The driver answered with an error."""


class Driver:
    """One running filters_driver."""

    def __init__(self):
        self.process = subprocess.Popen([os.path.join(BIN, "filters_driver")], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()

    def ask(self, *words, payload=b""):
        self.process.stdin.write(" ".join(map(str, words)).encode() + b"\n" + payload)
        self.process.stdin.flush()
        line = self.process.stdout.readline().decode()
        if not line.startswith("ok "):
            raise Refused(line.strip() or "the driver died")
        numbers = [int(word) for word in line.split()[1:]]
        return numbers[:-1], self.process.stdout.read(numbers[-1])

    def encode(self, filters, plain):
        (mask,), stored = self.ask("encode", *pipeline_words(filters), len(plain), payload=plain)
        return mask, stored

    def decode(self, filters, mask, stored, expected_bytes):
        return self.ask("decode", mask, expected_bytes, *pipeline_words(filters), len(stored), payload=stored)[1]

    def prepare(self, code, wanted, dims, type_id, fill):
        tail = [-1] if fill is None else [len(fill)]
        numbers, _ = self.ask("prepare", code, len(wanted), *wanted, len(dims), *dims, *type_words(type_id), *tail,
                              payload=fill or b"")
        return numbers[1:]

    def name(self, code):
        return self.ask("name", code)[1]


def pipeline_words(filters):
    """`filters`: a list of (id, optional, parameters)."""
    words = [len(filters)]
    for code, optional, params in filters:
        words += [code, int(optional), len(params), *params]
    return words


def type_words(type_id):
    """The facts of a datatype, as the driver reads them."""
    kind, size = type_id.get_class(), type_id.get_size()
    if kind in (h5t.INTEGER, h5t.FLOAT):
        words = ["integer" if kind == h5t.INTEGER else "floating", size, ORDERS[type_id.get_order()],
                 type_id.get_precision(), type_id.get_offset()]
        return words + ([int(type_id.get_sign() == h5t.SGN_2)] if kind == h5t.INTEGER else [])
    if kind == h5t.ARRAY:
        return ["array", size, *type_words(type_id.get_super())]
    if kind == h5t.COMPOUND:
        words = ["compound", size, type_id.get_nmembers()]
        for i in range(type_id.get_nmembers()):
            words += [type_id.get_member_offset(i), *type_words(type_id.get_member_type(i))]
        return words
    return ["other", size, 2, 0, 0]


def new_file(path):
    return h5f.create(path.encode(), h5f.ACC_TRUNC)


UNDEFINED = "undefined"


def create(file, name, type_id, dims, filters, fill=None):
    """A dataset of one chunk. `filters`: (id, flags, what H5Pset_filter takes). `fill`: None for the default."""
    dcpl = h5p.create(h5p.DATASET_CREATE)
    dcpl.set_chunk(dims)
    dcpl.set_fill_time(h5d.FILL_TIME_ALLOC)
    if fill is UNDEFINED:
        if LIBRARY.H5Pset_fill_value(ctypes.c_int64(dcpl.id), ctypes.c_int64(type_id.id), None) < 0:
            raise RuntimeError("H5Pset_fill_value")
        dcpl.set_fill_time(h5d.FILL_TIME_IFSET)
    elif fill is not None:
        dcpl.set_fill_value(fill)
    for code, flags, values in filters:
        dcpl.set_filter(code, flags, tuple(values))
    return h5d.create(file, name.encode(), type_id, h5s.create_simple(dims), dcpl)


def stored_filters(dataset):
    """(id, optional, parameters, name) of each filter, as in the file. h5py knows only 16 parameters."""
    dcpl = dataset.get_create_plist()
    entries = []
    for i in range(dcpl.get_nfilters()):
        flags, config, count = ctypes.c_uint(), ctypes.c_uint(), ctypes.c_size_t(256)
        values, name = (ctypes.c_uint * 256)(), ctypes.create_string_buffer(256)
        code = LIBRARY.H5Pget_filter2(ctypes.c_int64(dcpl.id), ctypes.c_uint(i), ctypes.byref(flags),
                                      ctypes.byref(count), values, ctypes.c_size_t(256), name, ctypes.byref(config))
        entries.append((code, flags.value & 1, list(values[:count.value]), name.value))
    return entries


def reopened(file, dataset):
    """Reopens the dataset, so that no cache bypasses the filters. HDF5 1.10 also forgets the mask of a raw chunk that was just written."""
    name = h5i.get_name(dataset)
    dataset.close()
    return h5d.open(file, name)


def write_plain(file, dataset, plain):
    dataset.write(h5s.ALL, h5s.ALL, np.frombuffer(plain, np.uint8).copy(), mtype=dataset.get_type())
    return reopened(file, dataset)


def read_plain(dataset):
    size = dataset.get_type().get_size() * int(np.prod(dataset.shape))
    plain = np.zeros(size, np.uint8)
    dataset.read(h5s.ALL, h5s.ALL, plain, mtype=dataset.get_type())
    return plain.tobytes()


def read_raw(dataset):
    mask, stored = dataset.read_direct_chunk((0,) * len(dataset.shape))
    return mask, bytes(stored)


def write_raw(file, dataset, mask, stored):
    dataset.write_direct_chunk((0,) * len(dataset.shape), stored, mask)
    return reopened(file, dataset)
