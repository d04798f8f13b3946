# SPDX-License-Identifier: Apache-2.0
"""How datasets are created from the keywords of h5py."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core, dtypes, filters
from .base import Empty, array_for, chunk_cache
from .datasets import Dataset
from .datatypes import Datatype, stored_type
from .errors import RangeError
from .selections import UNLIMITED
from .sparse import as_sparse

if TYPE_CHECKING:
    from .groups import Group

_COMMON = {"maxshape", "fillvalue", "track_times", "track_order", "chunks"}
_DENSE = _COMMON | {"compression", "compression_opts", "shuffle", "fletcher32", "scaleoffset", "external", "fill_time",
                    "dcpl", "dapl", "efile_prefix", "virtual_prefix", "allow_unknown_filter", "rdcc_nbytes",
                    "rdcc_nslots", "rdcc_w0"}
_SPARSE = _COMMON | {"density", "access", "values", "selection", "heap", "portable"}


def create_dataset(group: Group, name: Any, shape: Any, dtype: Any, data: Any, kwds: dict[str, Any]) -> Dataset:
    """Creates a dataset; see Group.create_dataset."""
    sparse = as_sparse(data)
    if sparse is not None:
        return create_sparse_dataset(group, name, shape, dtype, sparse, kwds)
    _require_known(kwds, _DENSE)
    type_, memory_dtype = (None, None) if dtype is None else stored_type(dtype)
    array = None
    if data is not None and not isinstance(data, Empty):
        array = array_for(data, memory_dtype)
    shape = _shape_for(shape, memory_dtype, array, data)
    if type_ is None:
        memory_dtype = _guessed(array, data)
        type_ = dtypes.to_datatype(memory_dtype)
    assert memory_dtype is not None
    maxshape = _maxshape(kwds.get("maxshape"), shape)
    options = _dense_options(kwds, shape, maxshape, memory_dtype)
    _common_options(options, kwds, group, memory_dtype, type_)
    handle = group._group.create_dataset(name, type_, shape, maxshape, options)
    made: Dataset = group._wrap(handle)
    _set_access(made, kwds)
    if array is not None and array.size:
        if isinstance(dtype, Datatype) or array.dtype.metadata is None or memory_dtype.metadata is not None:
            made._write_all(array)
        else:
            made[...] = array
    return made


def _require_known(kwds: dict[str, Any], known: set[str]) -> None:
    for key in kwds:
        if key not in known:
            raise TypeError(f"create_dataset() got an unexpected keyword argument {key!r}")
    for key in ("dcpl", "dapl"):
        if kwds.get(key) is not None:
            raise NotImplementedError(f"property lists ({key}) are not available: use the keywords")


def _shape_for(shape: Any, dtype: np.dtype[Any] | None, array: np.ndarray[Any, Any] | None, data: Any) -> Any:
    if shape is None:
        if data is None:
            if dtype is None:
                raise TypeError("One of data, shape or dtype must be specified")
            return None
        if array is None:
            return None
        inner = dtype.subdtype[1] if dtype is not None and dtype.subdtype is not None else ()
        if inner and array.shape[array.ndim - len(inner):] == inner:
            return array.shape[:array.ndim - len(inner)]
        return array.shape
    wanted = (int(shape),) if isinstance(shape, (int, np.integer)) else tuple(int(n) for n in shape)
    if isinstance(data, Empty):
        raise ValueError("an empty dataset has no shape")
    for n in wanted:
        if not 0 <= n < UNLIMITED:
            raise RangeError(f"the dimension {n} is negative or does not fit into 64 bits")
    if array is not None:
        inner = dtype.subdtype[1] if dtype is not None and dtype.subdtype is not None else ()
        size = 1
        for n in wanted + inner:
            size *= n
        if size != array.size:
            raise ValueError("Shape tuple is incompatible with data")
    return wanted


def _guessed(array: np.ndarray[Any, Any] | None, data: Any) -> np.dtype[Any]:
    if isinstance(data, Empty):
        dtype: np.dtype[Any] = data.dtype
        return dtype
    guessed: np.dtype[Any] = np.dtype("<f4") if array is None else array.dtype
    return guessed


def _maxshape(maxshape: Any, shape: Any) -> tuple[int | None, ...] | None:
    if maxshape is None or shape is None:
        return None
    if maxshape is True:
        return (None,) * len(shape)
    if isinstance(maxshape, (int, np.integer)):
        maxshape = (maxshape,)
    made = tuple(None if n is None or n == UNLIMITED else int(n) for n in maxshape)
    for n in made:
        if n is not None and not 0 <= n < UNLIMITED:
            raise RangeError(f"{n} in maxshape is negative or does not fit into 64 bits")
    if len(made) != len(shape):
        raise ValueError(f"maxshape has {len(made)} dimensions, and the dataset {len(shape)}")
    return made


def _chunks(kwds: dict[str, Any], shape: Any, maxshape: Any) -> tuple[int, ...] | bool | None:
    chunks = kwds.get("chunks")
    if chunks is None or isinstance(chunks, bool):
        return chunks
    made = (int(chunks),) if isinstance(chunks, (int, np.integer)) else tuple(int(n) for n in chunks)
    if shape is None or shape == ():
        raise TypeError("Scalar datasets don't support chunk/filter options")
    if len(made) != len(shape):
        raise ValueError("Chunk shape must have the same number of dimensions as the dataset")
    if any(n < 1 for n in made):
        raise ValueError("the dimensions of a chunk are positive")
    limits = shape if maxshape is None else [None if m is None else max(n, m) for n, m in zip(shape, maxshape)]
    if any(limit is not None and n > limit for n, limit in zip(made, limits)):
        raise ValueError("Chunk shape must not be greater than data shape in any dimension. "
                         f"{made} is not compatible with {shape}")
    return made


def _dense_options(kwds: dict[str, Any], shape: Any, maxshape: Any, dtype: np.dtype[Any]) -> dict[str, Any]:
    pipeline = _pipeline(kwds, dtype)
    chunks = _chunks(kwds, shape, maxshape)
    options: dict[str, Any] = {}
    if chunks is False and (pipeline or maxshape is not None):
        raise ValueError("Chunked format required for given storage options")
    if shape is None and (pipeline or chunks or kwds.get("maxshape") is not None):
        raise TypeError("Empty datasets don't support chunk/filter options")
    if not shape and (pipeline or chunks or maxshape):
        raise TypeError("Scalar datasets don't support chunk/filter options")
    extends = maxshape is not None and any(m is None or m != n for n, m in zip(shape, maxshape))
    external = kwds.get("external")
    if external is not None:
        if chunks or pipeline:
            raise ValueError("external and chunks or filters exclude each other")
        options["external"] = _external(external)
    elif chunks is True or pipeline or extends or (maxshape is not None and chunks is None):
        options["layout"] = "chunked"
    if isinstance(chunks, tuple):
        options["layout"], options["chunk"] = "chunked", chunks
    if pipeline:
        options["filters"] = pipeline
    if kwds.get("fill_time") is not None:
        options["fill_time"] = kwds["fill_time"]
    return options


def _pipeline(kwds: dict[str, Any], dtype: np.dtype[Any]) -> list[filters.Filter]:
    method, options = kwds.get("compression"), kwds.get("compression_opts")
    pipeline: list[filters.Filter] = []
    if method is True:
        method = "gzip"
    if method is False or method is None:
        if options is not None:
            raise TypeError("compression method must be specified")
        method = None
    if hasattr(method, "filter_id"):  # filters.Gzip(), and filters of other packages
        given: Any = method
        method, options = given.filter_id, given.filter_options
    unknown = bool(kwds.get("allow_unknown_filter"))
    chosen = None if method is None else filters.compression(method, options, unknown)
    scaleoffset = kwds.get("scaleoffset")
    lossy = scaleoffset is not None and scaleoffset is not False
    if lossy and kwds.get("fletcher32"):
        raise ValueError("fletcher32 cannot be used with potentially lossy scale/offset filter")
    if lossy:
        pipeline.append(filters.scaleoffset(scaleoffset, dtype))
    if kwds.get("shuffle") and (chosen is None or chosen[0] != filters.SZIP):
        pipeline.append((filters.SHUFFLE, (), True))
    if chosen is not None:
        pipeline.append(chosen)
    if kwds.get("fletcher32"):
        pipeline.append((filters.FLETCHER32, (), False))
    return pipeline


def _external(external: Any) -> list[tuple[bytes, int, int]]:
    if isinstance(external, (str, bytes, os.PathLike)):
        external = [external]
    parts: list[tuple[bytes, int, int]] = []
    try:
        for each in external:
            name, *rest = (each,) if isinstance(each, (str, bytes, os.PathLike)) else each
            if len(rest) > 2:
                raise TypeError
            offset = int(rest[0]) if rest else 0
            size = int(rest[1]) if len(rest) > 1 else UNLIMITED
            if not (0 <= offset <= UNLIMITED and 0 <= size <= UNLIMITED):
                raise ValueError(f"offset {offset} or size {size} of an external file is negative or too large")
            parts.append((os.fsencode(name), offset, size))
    except TypeError:
        raise TypeError("external must be a list of names or tuples (name, offset, size)") from None
    return parts


def _common_options(options: dict[str, Any], kwds: dict[str, Any], group: Group, dtype: np.dtype[Any],
                    type_: _core.Datatype) -> None:
    track_times = kwds.get("track_times")
    if track_times not in (None, True, False):
        raise TypeError("track_times must be either True or False")
    options["track_times"] = bool(track_times)
    options["track_attribute_order"] = bool(kwds.get("track_order"))
    fill = kwds.get("fillvalue")
    if fill is not None:
        options["fill"] = fill_of(fill, dtype, type_)


def fill_of(fill: Any, dtype: np.dtype[Any], type_: _core.Datatype) -> tuple[_core.Elements, np.ndarray[Any, Any]]:
    """Returns a fill value as the core takes it."""
    string = dtypes.check_string_dtype(dtype)
    if string is not None:
        if isinstance(fill, np.ndarray) and fill.ndim == 0:
            fill = fill[()]
        if not isinstance(fill, (str, bytes)):
            raise TypeError(f"the fill value of strings is str or bytes, not {fill!r}")
    if string is not None and string.length is None:
        encoded = fill.encode("utf-8") if isinstance(fill, str) else bytes(fill)
        made = dtypes.string_dtype(string.encoding, len(encoded) + 1)
        return dtypes.elements_of(made), np.array(encoded, dtype=made)
    if dtype.hasobject:
        raise TypeError("a fill value of this dtype is not supported")
    if dtype.kind in "iu":
        number = np.asarray(fill)
        if number.dtype.kind == "f" and not np.isfinite(number).all():
            raise ValueError(f"the fill value {fill!r} is no integer")
    if isinstance(fill, str) and dtype.kind == "S":
        fill = fill.encode("utf-8")
    if dtype.names is not None and not isinstance(fill, (tuple, np.void, np.ndarray)):
        raise ValueError(f"the fill value {fill!r} has not the fields {dtype.names}")
    if dtype.subdtype is not None:
        base, inner = dtype.subdtype
        array = np.ascontiguousarray(np.broadcast_to(np.asarray(fill, dtype=base), inner))
        return dtypes.elements_of(dtype, type_), array
    return dtypes.elements_of(dtype, type_), np.asarray(fill, dtype=dtype, order="C")


def _set_access(made: Dataset, kwds: dict[str, Any]) -> None:
    if kwds.get("efile_prefix") is not None:
        made._handle.set_external_data_prefix(os.fsencode(kwds["efile_prefix"]))
    if kwds.get("virtual_prefix") is not None:
        made._handle.set_virtual_prefix(os.fsencode(kwds["virtual_prefix"]))
    cache = chunk_cache(kwds)
    if cache is not None:
        made._handle.set_chunk_cache(*cache)


def create_sparse_dataset(group: Group, name: Any, shape: Any, dtype: Any, data: Any, kwds: dict[str, Any]) -> Dataset:
    """Creates a sparse dataset; see Group.create_sparse_dataset."""
    kwds = {key: value for key, value in kwds.items() if value is not None}
    if "compression" in kwds:  # what create_dataset() calls it
        kwds.setdefault("values", [*(["shuffle"] if kwds.pop("shuffle", False) else []),
                                   (kwds.pop("compression"), *_options_of(kwds.pop("compression_opts", None)))])
    for key in kwds:
        if key not in _SPARSE:
            raise TypeError(f"a sparse dataset has no option {key!r}")
    sparse = as_sparse(data)
    if data is not None and sparse is None:
        raise TypeError("the data of a sparse dataset is a SparseArray or a sparse matrix; write others afterwards")
    if shape is None:
        if sparse is None:
            raise TypeError("One of data or shape must be specified")
        shape = sparse.shape
    shape = (int(shape),) if isinstance(shape, (int, np.integer)) else tuple(int(n) for n in shape)
    if sparse is not None and sparse.shape != shape:
        raise ValueError("Shape tuple is incompatible with data")
    if dtype is None:
        dtype = np.dtype("<f4") if sparse is None else sparse.data.dtype
    type_, memory_dtype = stored_type(dtype)
    maxshape = _maxshape(kwds.get("maxshape"), shape)
    options = sparse_options(kwds, shape, maxshape)
    if sparse is not None and sparse.fill_value is not None and "fillvalue" not in kwds and sparse.fill_value != 0:
        kwds["fillvalue"] = sparse.fill_value
    _common_options(options, kwds, group, memory_dtype, type_)
    made: Dataset = group._wrap(group._group.create_dataset(name, type_, shape, maxshape, options))
    if sparse is not None:
        made.sparse[...] = sparse
    return made


def _options_of(options: Any) -> tuple[Any, ...]:
    if options is None:
        return ()
    return tuple(options) if isinstance(options, (tuple, list)) else (options,)


def sparse_options(kwds: dict[str, Any], shape: Any, maxshape: Any) -> dict[str, Any]:
    """Returns the storage of a sparse dataset as the core takes it."""
    options: dict[str, Any] = {"sparse": True, "portable": bool(kwds.get("portable", False))}
    chunks = _chunks(kwds, shape, maxshape)
    if chunks is False:
        raise ValueError("a sparse dataset has chunks")
    if isinstance(chunks, tuple):
        options["chunk"] = chunks
    for key in ("density", "access"):
        if key in kwds:
            options[key] = kwds[key]
    options["filters"] = filters.pipeline(kwds.get("values"), "packed_values")
    options["selection_filters"] = filters.pipeline(kwds.get("selection"), "packed_selection")
    options["heap_filters"] = filters.pipeline(kwds.get("heap"), "zstd")
    made = {key: value for key, value in options.items() if value}
    # Filters that are given, even none, are used. Otherwise the library chooses them by the datatype.
    made["choose_section_filters"] = not any(key in kwds for key in ("values", "selection", "heap"))
    return made


def create_dataset_like(group: Group, name: Any, other: Dataset, updates: dict[str, Any]) -> Dataset:
    """Creates a dataset with the properties of another one; see Group.create_dataset_like."""
    info = other._handle.info()
    kept: dict[str, Any] = {"shape": other.shape, "maxshape": other.maxshape, "dtype": other.dtype}
    kept["track_times"] = other._handle.creation()["track_times"]
    kept["track_order"] = other._handle.creation()["track_attribute_order"]
    if info["fill"] == "value":
        kept["fillvalue"] = other.fillvalue
    if info["sparse"]:
        kept.update(chunks=other.chunks, portable=info["portable"],
                    values=_respecified(info["value_filters"] if info["portable"] else info["filters"]),
                    selection=_respecified(info["selection_filters"]), heap=_respecified(info["heap_filters"]))
        kept.update(updates)
        return create_sparse_dataset(group, name, kept.pop("shape"), kept.pop("dtype"), None, kept)
    for key in ("chunks", "compression", "compression_opts", "shuffle", "fletcher32"):
        kept[key] = getattr(other, key)
    kept["fill_time"] = other._handle.creation()["fill_time"]
    kept["scaleoffset"] = other.scaleoffset
    if other.dtype.kind in "iu" and kept["scaleoffset"] == 0:
        kept["scaleoffset"] = True
    kept.update(updates)
    if kept["maxshape"] == kept["shape"] and not kept["chunks"]:
        kept["maxshape"] = None
    return create_dataset(group, name, kept.pop("shape"), kept.pop("dtype"), kept.pop("data", None), kept)


def _respecified(pipeline: Any) -> list[Any]:
    return [(number, *parameters) for number, parameters, *_ in pipeline]


def create_virtual_dataset(group: Group, name: Any, layout: Any, fillvalue: Any) -> Dataset:
    """Creates a virtual dataset; see Group.create_virtual_dataset."""
    type_, memory_dtype = stored_type(layout.dtype)
    options: dict[str, Any] = {"virtual_sources": layout._mappings(group._open), "track_times": False}
    if fillvalue is not None:
        options["fill"] = fill_of(fillvalue, memory_dtype, type_)
    maxshape = _maxshape(layout.maxshape, layout.shape)
    return group._wrap(  # type: ignore[no-any-return]
        group._group.create_dataset(name, type_, layout.shape, maxshape, options))
