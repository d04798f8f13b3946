# SPDX-License-Identifier: Apache-2.0
"""Files for the tests of several commands."""

from support import run  # before h5py, which looks for plug-ins

import h5py
import numpy


def words(*arguments):
    """The parameters of the filter of portable sparse chunks."""
    return tuple(map(int, run("portable-filter", "--words", *arguments).stdout.split()))


def add_frames(path, name="run1/frames"):
    """A portable sparse dataset with a defined zero; returns its values and what is defined."""
    values = numpy.zeros((6, 40, 50), "u2")
    values[1, 10:12, 20:24] = [[2, 9, 8, 2], [1, 5, 3, 7]]
    values[5, 39, 49] = 65535
    with h5py.File(path, "a") as file:
        file.create_dataset(name, values.shape, "<u2", maxshape=(None, 40, 50), chunks=(1, 16, 16), compression=502,
                            compression_opts=words("--type", "u2", "--chunk", "1x16x16", "--values", "shuffle,zstd=3", "--selection", "packed"))[:] = values
    return values


STRANGE = ["line\nfeed", 'quo"te', "back\\slash", "sp ace", "[1:2]", "::", "d\u00e9j\u00e0", b"\xff\xfe", "\x1b[31mred", "tab\t", "*"]


def add_strange_names(path):
    """Groups, datasets, links and attributes whose names are hard to print."""
    with h5py.File(path, "a") as file:
        for name in STRANGE:
            raw = name if isinstance(name, bytes) else name.encode()
            group = h5py.h5g.create(file.id, raw)
            h5py.h5d.create(group, raw, h5py.h5t.NATIVE_INT32, h5py.h5s.create_simple((3,)))
            h5py.h5a.create(group, raw, h5py.h5t.NATIVE_INT32, h5py.h5s.create_simple((2,)))
            group.links.create_soft(b"to " + raw, raw)
            group.links.create_external(b"out " + raw, raw, raw)
            text = h5py.h5t.C_S1.copy()
            text.set_size(4)
            value = h5py.h5a.create(group, b"value of " + raw, text, h5py.h5s.create(h5py.h5s.SCALAR))
            value.write(numpy.array(raw[:4], "S4"), mtype=text)
