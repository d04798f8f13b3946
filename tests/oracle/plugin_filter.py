# SPDX-License-Identifier: Apache-2.0
"""The plug-in libh5z_filigree, called as HDF5 calls it."""
import ctypes
import os
import pathlib

REVERSE = 0x0100
PATH = pathlib.Path(os.environ["FILIGREE_BIN"]).parent / "lib" / "hdf5-plugins" / "libh5z_filigree.so"

FUNCTION = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_uint, ctypes.c_size_t, ctypes.POINTER(ctypes.c_uint), ctypes.c_size_t,
                            ctypes.POINTER(ctypes.c_size_t), ctypes.POINTER(ctypes.c_void_p))


class FilterClass(ctypes.Structure):
    """H5Z_class2_t."""
    _fields_ = [("version", ctypes.c_int), ("id", ctypes.c_int), ("encoder", ctypes.c_uint), ("decoder", ctypes.c_uint),
                ("name", ctypes.c_char_p), ("can_apply", ctypes.c_void_p), ("set_local", ctypes.c_void_p), ("filter", FUNCTION)]


class Plugin:
    def __init__(self, path=PATH):
        self.library = ctypes.CDLL(str(path))
        self.library.H5PLget_plugin_info.restype = ctypes.POINTER(FilterClass)
        self.type = self.library.H5PLget_plugin_type()
        self.info = self.library.H5PLget_plugin_info().contents
        self.c = ctypes.CDLL(None)
        self.c.malloc.restype = ctypes.c_void_p
        self.c.malloc.argtypes = [ctypes.c_size_t]
        self.c.free.argtypes = [ctypes.c_void_p]

    def call(self, flags, words, data):
        """What the filter makes of some bytes; None if it fails, when it must leave the buffer unchanged."""
        values = (ctypes.c_uint * len(words))(*words)
        memory = self.c.malloc(max(1, len(data)))
        ctypes.memmove(memory, bytes(data), len(data))
        buffer, size = ctypes.c_void_p(memory), ctypes.c_size_t(len(data))
        result = self.info.filter(flags, len(words), values, len(data), ctypes.byref(size), ctypes.byref(buffer))
        if result == 0 and (buffer.value != memory or size.value != len(data) or ctypes.string_at(memory, len(data)) != bytes(data)):
            raise AssertionError("a failed filter has changed the buffer")
        made = ctypes.string_at(buffer.value, result) if result else None
        if result > size.value:
            raise AssertionError("the buffer is smaller than the result")
        self.c.free(buffer)
        return made

    def decode(self, words, chunk):
        return self.call(REVERSE, words, chunk)

    def encode(self, words, dense):
        return self.call(0, words, dense)
