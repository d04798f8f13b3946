#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Prints everything that h5py reads from a file: one line of path, property and value, separated by tabs.

Usage: walk.py FILE. A failure is the value "error TYPE: first line". Values of elements are hashes, of at most MAX_ELEMENTS
elements from the start of a dataset and as many from its last row. compare_tools.py runs this with two libraries.
"""

import hashlib
import sys

import h5py
import numpy

MAX_ELEMENTS = 1 << 20
MAX_OBJECTS = 20000
KINDS = {h5py.h5o.TYPE_GROUP: "group", h5py.h5o.TYPE_DATASET: "dataset", h5py.h5o.TYPE_NAMED_DATATYPE: "datatype"}


def escaped(text):
    raw = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else bytes(text)
    return raw.decode("latin-1").encode("unicode_escape").decode("ascii")


def report(path, what, compute, *arguments):
    """Prints one line, and returns what was computed, or None."""
    try:
        value = compute(*arguments)
        text = value if isinstance(value, str) else repr(value)
    except Exception as why:  # any error of h5py or NumPy
        value, lines = None, str(why).splitlines()
        text = f"error {type(why).__name__}: {lines[0] if lines else ''}"
    print(escaped(path), what, escaped(text), sep="\t", flush=True)
    return value


def feed(digest, value):
    """Adds a value to a hash in a form that does not depend on memory addresses."""
    if isinstance(value, numpy.ndarray) and value.dtype.hasobject:
        digest.update(repr(value.shape).encode())
        if value.dtype.names:
            for name in value.dtype.names:
                feed(digest, value[name])
        else:
            for one in value.ravel():
                feed(digest, one)
    elif isinstance(value, numpy.void) and value.dtype.hasobject:
        for name in value.dtype.names:
            feed(digest, value[name])
    elif isinstance(value, (numpy.ndarray, numpy.generic)):
        digest.update(f"{value.dtype.str}{value.shape}".encode())
        digest.update(value.tobytes())
    elif isinstance(value, (h5py.Reference, h5py.RegionReference)):
        digest.update(f"{type(value).__name__} {bool(value)} {value.typecode}".encode())
    elif isinstance(value, h5py.Empty):
        digest.update(f"empty {value.dtype}".encode())
    else:
        digest.update(f"{type(value).__name__}{value!r}".encode("utf-8", "surrogateescape"))


def hashed(value):
    digest = hashlib.sha256()
    feed(digest, value)
    return digest.hexdigest()[:16]


def described(low):
    """A datatype as h5py sees it and as its encoding."""
    encoded = hashlib.sha256(low.encode()).hexdigest()[:16]
    return f"{low.dtype!r} size {low.get_size()} {encoded}"


def parts(shape):
    """Selections of at most about MAX_ELEMENTS elements: everything, or the first and the last elements."""
    if numpy.prod(shape, dtype=object) <= MAX_ELEMENTS:
        return [()]
    first, last, left = [], [], MAX_ELEMENTS
    for extent in reversed(shape):
        count = max(1, min(extent, left))
        left //= count
        first.insert(0, slice(0, count))
        last.insert(0, slice(extent - count, extent))
    return [tuple(first), tuple(last)]


def values(dataset):
    if dataset.shape is None:
        return hashed(dataset[()])
    return " ".join(hashed(dataset[part]) for part in parts(dataset.shape))


def stored_elements(dataset):
    """The elements in their datatype in the file, without conversion."""
    low, kind = dataset.id, dataset.id.get_type()
    count = low.get_space().get_simple_extent_npoints()
    if not 0 < count <= MAX_ELEMENTS or count * kind.get_size() > MAX_ELEMENTS * 16:
        return "not read"
    if kind.detect_class(h5py.h5t.VLEN) or kind.detect_class(h5py.h5t.STRING) and is_variable(kind):
        return "variable-length"
    elements = numpy.zeros(count * kind.get_size(), dtype="u1")
    low.read(h5py.h5s.ALL, h5py.h5s.ALL, elements, mtype=kind)
    return hashed(elements)


def is_variable(kind):
    if kind.get_class() == h5py.h5t.STRING:
        return kind.is_variable_str()
    if kind.get_class() == h5py.h5t.COMPOUND:
        return any(is_variable(kind.get_member_type(i)) for i in range(kind.get_nmembers()))
    return kind.get_class() == h5py.h5t.ARRAY and is_variable(kind.get_super())


def fill_value(dataset):
    state = dataset.id.get_create_plist().fill_value_defined()
    # h5py crashes when it fetches a fill value of variable length.
    return f"{state} {'' if dataset.dtype.hasobject else hashed(numpy.asarray(dataset.fillvalue))}"


def virtual_sources(plist):
    found = []
    for i in range(plist.get_virtual_count()):
        to, source = plist.get_virtual_vspace(i), plist.get_virtual_srcspace(i)
        found.append((plist.get_virtual_filename(i), plist.get_virtual_dsetname(i), to.get_select_type(),
                      to.get_regular_hyperslab() if to.get_select_type() == h5py.h5s.SEL_HYPERSLABS else None,
                      source.get_select_type()))
    return found


def chunks(low):
    count = low.get_num_chunks()
    listed = [tuple(low.get_chunk_info(i)) for i in range(min(count, 200))]
    return f"{count} {hashlib.sha256(repr(listed).encode()).hexdigest()[:16]}"


def walk_dataset(path, item):
    plist = report_open(path, lambda: item.id.get_create_plist())
    report(path, "shape", lambda: (item.shape, item.maxshape))
    report(path, "type", lambda: described(item.id.get_type()))
    report(path, "storage", lambda: (item.id.get_storage_size(), item.id.get_offset(), item.id.get_space_status()))
    report(path, "fill", fill_value, item)
    report(path, "values", values, item)
    report(path, "elements", stored_elements, item)
    if plist is None:
        return
    layout = report(path, "layout", plist.get_layout)
    report(path, "times", lambda: (plist.get_fill_time(), plist.get_alloc_time(), plist.get_obj_track_times()))
    report(path, "filters", lambda: [plist.get_filter(i) for i in range(plist.get_nfilters())])
    report(path, "external", lambda: [plist.get_external(i) for i in range(plist.get_external_count())])
    if layout == h5py.h5d.CHUNKED:
        report(path, "chunk", plist.get_chunk)
        report(path, "chunks", chunks, item.id)
    elif layout == h5py.h5d.VIRTUAL:
        report(path, "sources", virtual_sources, plist)


def walk_attributes(path, item):
    count = report(path, "attributes", h5py.h5a.get_num_attrs, item.id)
    for i in range(count or 0):
        at = f"{path}@{i}"
        attribute = report_open(at, lambda i=i: h5py.h5a.open(item.id, index=i))
        if attribute is None:
            continue
        name = report(at, "name", lambda: attribute.name)
        report(at, "type", lambda: (attribute.shape, described(attribute.get_type()), attribute.get_storage_size()))
        if name is not None:
            report(at, "values", lambda: hashed(item.attrs[name]))


def report_open(path, opener):
    """Opens something, and prints a line if this fails."""
    try:
        return opener()
    except Exception as why:  # any error of h5py
        report(path, "open", lambda why=why: (_ for _ in ()).throw(why))
        return None


def link_text(group, name):
    link = group.get(name, getlink=True)
    target = getattr(link, "path", "")
    return f"{type(link).__name__} {getattr(link, 'filename', '')} {target}"


def walk_group(path, group, seen, pending):
    report(path, "order", lambda: group.id.get_create_plist().get_link_creation_order())
    report(path, "links", lambda: group.id.get_num_objs())
    names = report_open(path, lambda: list(group))
    for name in names or []:
        below = f"{path.rstrip('/')}/{name}"
        report(below, "link", link_text, group, name)
        pending.append((below, lambda group=group, name=name: group[name]))


def walk_object(path, item, seen, pending):
    info = report(path, "object", lambda: object_text(item))
    location = report_open(path, lambda: (h5py.h5o.get_info(item.id).fileno, h5py.h5o.get_info(item.id).addr))
    if info is None or location in seen:
        return
    seen.add(location)
    walk_attributes(path, item)
    if isinstance(item, h5py.Group):
        walk_group(path, item, seen, pending)
    elif isinstance(item, h5py.Dataset):
        walk_dataset(path, item)
    else:
        report(path, "type", lambda: described(item.id))


def object_text(item):
    info = h5py.h5o.get_info(item.id)
    return f"{KINDS.get(info.type, info.type)} at {info.addr}, {info.rc} links"


def file_text(file):
    plist = file.id.get_create_plist()
    return (plist.get_version(), plist.get_userblock(), plist.get_sizes(), plist.get_link_creation_order(),
            file.id.get_filesize(), file.libver, plist.get_file_space_strategy(), plist.get_file_space_page_size())


def main():
    file = report_open("file", lambda: h5py.File(sys.argv[1], "r"))
    if file is None:
        return
    report("file", "properties", file_text, file)
    report("file", "free space", file.id.get_freespace)
    seen, pending, count = set(), [("/", lambda: file["/"])], 0
    while pending and count < MAX_OBJECTS:
        path, opener = pending.pop(0)
        item = report_open(path, opener)
        if item is not None:
            walk_object(path, item, seen, pending)
        count += 1
    del pending
    report("file", "close", file.close)


if __name__ == "__main__":
    main()
