# SPDX-License-Identifier: Apache-2.0
"""Datasets."""
from __future__ import annotations

import ctypes
import itertools
import math
import operator
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import DTypeLike

from . import _core, dtypes, filters
from .base import Empty, HLObject, OpenFile, region_shape
from .dimensions import DimensionManager
from .selections import Selected, select
from .views import AsStr, AsType, Fields, OuterIndex, PointIndex

if TYPE_CHECKING:
    from .appending import Appender
    from .sparse import SparseArray

__all__ = ["Dataset"]

#: Reads and writes are made in steps of about so many bytes, so that Ctrl-C ends them.
STEP_BYTES = 64 << 20

Array = np.ndarray[Any, Any]


class Dataset(HLObject):
    """A dataset: an array in a file. Indexing reads and writes it, as h5py does.

    Beyond h5py, a list of indices may be in any order and repeat, `oindex` and `vindex` accept several lists, and
    `sparse`, `masked`, `defined`, `nnz`, `density` and `erase` deal with elements that were never written.
    """

    _handle: _core.Dataset

    def __init__(self, bind: Any, readonly: bool = False) -> None:
        if not isinstance(bind, Dataset):
            raise ValueError(f"{bind!r} is not a dataset")
        self._set(bind._handle, bind._open)

    @classmethod
    def _of(cls, handle: _core.Dataset, open_file: OpenFile) -> Dataset:
        if open_file.chunk_cache is not None:
            open_file.give_chunk_cache(handle)
        made = cls.__new__(cls)
        made._set(handle, open_file)
        return made

    def _set(self, handle: _core.Dataset, open_file: OpenFile) -> None:
        HLObject.__init__(self, handle, open_file)
        self._dtype: np.dtype[Any] | None = None
        self._type: _core.Datatype | None = None
        self._own_elements: Any = None
        self._is_number = False

    # --- properties

    @property
    def _data(self) -> _core.Dataset:
        self._open.require_open()
        return self._handle

    @property
    def _file_type(self) -> _core.Datatype:
        if self._type is None:
            self._type = self._data.datatype
        return self._type

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the elements."""
        if self._dtype is None:
            self._dtype = dtypes.to_dtype(self._file_type)
        else:
            self._open.require_open()
        return self._dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The current shape; None for an empty dataset (H5S_NULL). Assigning to it resizes the dataset."""
        shape: tuple[int, ...] = self._data.space[0]
        return shape

    @shape.setter
    def shape(self, shape: tuple[int, ...]) -> None:
        self.resize(shape)

    @property
    def maxshape(self) -> tuple[int | None, ...] | None:
        """The largest shape; None stands for a dimension without a limit."""
        shape: tuple[int | None, ...] | None = self._data.space[1]
        return shape

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape or ())

    @property
    def size(self) -> int | None:
        """The number of elements; None for an empty dataset."""
        shape = self.shape
        return None if shape is None else math.prod(shape)

    @property
    def nbytes(self) -> int:
        """The number of bytes that all elements have in memory."""
        return (self.size or 0) * self.dtype.itemsize

    def __len__(self) -> int:
        return self.len()

    def len(self) -> int:
        """Returns the length of the first dimension."""
        shape = self.shape
        if not shape:
            raise TypeError("Attempt to take len() of scalar dataset")
        return shape[0]

    @property
    def info(self) -> dict[str, Any]:
        """How the dataset is stored: layout, chunks, filters, bytes in the file."""
        info = self._data.info()
        info["stored_bytes"] = self._data.stored_bytes()
        return info

    @property
    def chunks(self) -> tuple[int, ...] | None:
        """The shape of a chunk; None for a dataset without chunks."""
        chunk: tuple[int, ...] | None = self._data.info()["chunk"]
        return chunk

    def _filters(self) -> Any:
        info = self._data.info()
        return info["value_filters"] if info["portable"] else info["filters"]

    @property
    def compression(self) -> str | None:
        """The name of the compression filter."""
        return filters.name_of(self._filters())[0]

    @property
    def compression_opts(self) -> Any:
        """The options of the compression filter."""
        return filters.name_of(self._filters())[1]

    def _parameters(self, number: int) -> tuple[int, ...] | None:
        for found, parameters, *_ in self._filters():
            if found == number:
                return tuple(parameters)
        return None

    @property
    def shuffle(self) -> bool:
        """Whether bytes are shuffled."""
        return self._parameters(filters.SHUFFLE) is not None

    @property
    def fletcher32(self) -> bool:
        """Whether chunks have checksums."""
        return self._parameters(filters.FLETCHER32) is not None

    @property
    def scaleoffset(self) -> int | None:
        """The parameter of the scale-offset filter; None without it."""
        parameters = self._parameters(filters.SCALEOFFSET)
        return None if parameters is None else parameters[1]

    @property
    def external(self) -> list[tuple[str, int, int]] | None:
        """The external files that hold the elements, as (name, offset, bytes)."""
        return self._data.external() or None

    @property
    def is_virtual(self) -> bool:
        """Whether the dataset is mapped to others."""
        return self._data.is_virtual

    @property
    def is_scale(self) -> bool:
        """Whether the dataset is a dimension scale."""
        from .dimensions import is_scale

        return is_scale(self)

    def virtual_sources(self) -> list[Any]:
        """Returns the mappings of a virtual dataset as (vspace, file_name, dset_name, src_space)."""
        from .virtual import VDSmap

        if not self.is_virtual:
            raise RuntimeError("Not a virtual dataset")
        return [VDSmap._of(entry, self.shape) for entry in self._data.virtual_sources()]

    @property
    def fillvalue(self) -> Any:
        """The value of elements that were never written."""
        value = np.zeros((), self.dtype)
        self._data.read_fill(self._elements, value)
        return value[()]

    @property
    def dims(self) -> DimensionManager:
        """Labels and scales of the dimensions."""
        return DimensionManager(self)

    # --- reading

    @property
    def _elements(self) -> _core.Elements:
        if self._own_elements is None:
            self._own_elements = dtypes.elements_of(self.dtype, self._file_type)
        elements: _core.Elements = self._own_elements
        return elements

    def _transfer_of(self, dtype: np.dtype[Any] | None) -> tuple[np.dtype[Any], _core.Elements]:
        if dtype is None:
            return self.dtype, self._elements
        return dtype, dtypes.elements_of(dtype, self._file_type)

    def __getitem__(self, args: Any, new_dtype: DTypeLike = None) -> Any:
        args = args if isinstance(args, tuple) else (args,)
        if self._dtype is None:
            self._prepare()
        if self._is_number and new_dtype is None:
            found = self._data.read_box(self._elements, self.dtype, args, STEP_BYTES)
            if found is not NotImplemented:
                return found
        return self._get(args, new_dtype)

    def _prepare(self) -> None:
        """Finds the dtype, if the elements are numbers as this machine has them."""
        found = self._data.number_elements()
        if found is not NotImplemented:
            self._dtype, self._own_elements, self._type = found
            self._is_number = True

    def _get(self, args: tuple[Any, ...], new_dtype: DTypeLike) -> Any:
        data = self._data
        names = tuple(arg for arg in args if isinstance(arg, str))
        if names:
            args = tuple(arg for arg in args if not isinstance(arg, str))
        dtype = None if new_dtype is None else np.dtype(new_dtype)
        single: str | None = None
        if names:
            dtype, single = self._fields_dtype(names, dtype)
        shape = data.space[0]
        if shape is None:
            return self._read_empty(args)
        if len(args) == 1 and isinstance(args[0], _core.RegionReference):
            selected = self._select_region(args[0])
        elif not shape:
            return self._read_scalar(args, dtype, single)
        else:
            selected = select(shape, args)
        array = self._read(selected, dtype)
        if single is not None:
            array = array[single]
        return array[()] if array.ndim == 0 else array

    def _fields_dtype(self, names: tuple[str, ...], dtype: np.dtype[Any] | None) -> tuple[np.dtype[Any], str | None]:
        own = self.dtype
        if own.names is None:
            raise ValueError("Field names only allowed for compound types")
        for name in names:
            if name not in own.names:
                raise ValueError(f"Field {name} does not appear in this type.")
        assert own.fields is not None
        if len(names) == 1:
            field = own.fields[names[0]][0] if dtype is None or dtype.names is not None else dtype
            return np.dtype([(names[0], field)]), names[0]
        source = own if dtype is None else dtype
        assert source.fields is not None
        return np.dtype([(name, source.fields[name][0]) for name in names]), None

    def _read_empty(self, args: tuple[Any, ...]) -> Empty:
        if args in ((), (Ellipsis,)):
            return Empty(self.dtype)
        raise ValueError("Empty datasets cannot be sliced")

    def _read_scalar(self, args: tuple[Any, ...], dtype: np.dtype[Any] | None, single: str | None) -> Any:
        if args not in ((), (Ellipsis,)):
            raise ValueError("Illegal slicing argument for scalar dataspace")
        made, elements = self._transfer_of(dtype)
        array = np.empty((), made)
        self._data.read(elements, array, _core.Selection.all())
        if single is not None:
            array = array[single]
        return array if args == (Ellipsis,) else array[()]

    def _select_region(self, reference: _core.RegionReference) -> Selected:
        handle, core = self._open.core.open_region(reference)
        if not handle == self._handle:
            raise TypeError("Region reference must point to this dataset")
        shape = self.shape
        found = region_shape(core, shape)
        return Selected(core, found, found)

    def _read(self, selected: Selected, dtype: np.dtype[Any] | None = None) -> Array:
        made, elements = self._transfer_of(dtype)
        array = np.empty(selected.box, made)
        if not selected.is_empty:
            self._read_into(array, elements, selected)
            if dtype is not None and dtypes.has_bit_bools(made, self._file_type):
                dtypes.make_bools(array)
        if selected.arrange is not None:
            for axis, order in enumerate(selected.arrange):
                if order is not None:
                    array = array.take(order, axis=axis)
        inner = array.shape[len(selected.box):]
        return array.reshape(selected.shape + inner)

    def _read_into(self, array: Array, elements: _core.Elements, selected: Selected) -> None:
        data = self._data
        steps = _steps(array, selected)
        if steps is None:
            data.read(elements, array, selected.core)
            return
        for first, end, core in steps:
            data.read(elements, array[first:end], core)

    def read_direct(self, dest: Array, source_sel: Any = None, dest_sel: Any = None) -> None:
        """Reads into an array: the elements `source_sel` of the dataset into the elements `dest_sel` of the array."""
        shape = self.shape
        if shape is None:
            raise TypeError("Empty datasets have no numpy representation")
        if not (dest.flags.c_contiguous and dest.flags.writeable):
            raise TypeError("Array must be C-contiguous and writable")
        target = dest if dest_sel is None else _view(dest, dest_sel)
        selected = select(shape, _args(source_sel))
        if (target is not None and target.flags.c_contiguous and target.flags.writeable and selected.arrange is None
                and not target.dtype.hasobject and math.prod(selected.box) == target.size):
            elements = self._elements if target.dtype == self.dtype else dtypes.elements_of(
                target.dtype, self._file_type)
            if not selected.is_empty:
                self._read_into(target.reshape(selected.box), elements, selected)
            return
        array = self._read(selected, None if dest.dtype == self.dtype else dest.dtype)
        _assign(dest, dest_sel, array)

    def _read_out(self, selected: Selected, out: Any) -> Array:
        """Reads into a buffer, an array or a DLPack tensor on the CPU."""
        if isinstance(out, np.ndarray):
            array = out
        elif hasattr(out, "__dlpack__"):
            array = _tensor(out)
        else:
            array = np.frombuffer(out, self.dtype).reshape(selected.shape)
        if array.shape != selected.shape:
            raise ValueError(f"the selection has shape {selected.shape}, and `out` {array.shape}")
        if not array.flags.writeable:
            raise ValueError("`out` is read-only")
        array[...] = self._read(selected, array.dtype)
        return array

    def read(self, index: Any = ..., *, out: Any = None) -> Any:
        """Reads what `ds[index]` does, into `out` if it is given: a buffer, an array, or a DLPack tensor."""
        if out is None:
            return self[index]
        self._read_out(select(self.shape, _args(index)), out)
        return out

    def __array__(self, dtype: DTypeLike = None, copy: bool | None = None) -> Array:
        shape = self.shape
        if shape is None:
            raise TypeError("Empty datasets have no numpy representation")
        selected = select(shape, (Ellipsis,))
        array = self._read(selected)
        return array if dtype is None else array.astype(dtype, copy=False)

    def astype(self, dtype: DTypeLike) -> AsType:
        """Returns a view that reads the elements as another dtype: `ds.astype("f8")[:10]`."""
        return AsType(self, dtype)

    def asstr(self, encoding: str | None = None, errors: str = "strict") -> AsStr:
        """Returns a view that reads strings as str instead of bytes."""
        info = dtypes.check_string_dtype(self.dtype)
        if info is None:
            raise TypeError("dset.asstr() can only be used on datasets with an HDF5 string datatype")
        return AsStr(self, encoding or info.encoding, errors)

    def fields(self, names: str | list[str], *, _prior_dtype: DTypeLike = None) -> Fields:
        """Returns a view that reads some fields of a compound."""
        return Fields(self, names, _prior_dtype)

    @property
    def oindex(self) -> OuterIndex:
        """Indexing in which a list in one dimension is independent of the lists in others."""
        return OuterIndex(self)

    @property
    def vindex(self) -> PointIndex:
        """Indexing in which lists name points together: `ds.vindex[rows, columns]`."""
        return PointIndex(self)

    def __iter__(self) -> Iterator[Any]:
        shape = self.shape
        if not shape:
            raise TypeError("Can't iterate over a scalar dataset")
        for i in range(shape[0]):
            yield self[i]

    def iter_chunks(self, sel: Any = None) -> Iterator[tuple[slice, ...]]:
        """Iterates over the chunks, as slices, in row-major order; only those within a box if it is given."""
        return _iter_chunks(self, sel)

    # --- writing

    def __setitem__(self, args: Any, value: Any) -> None:
        from .writing import write

        write(self, args if isinstance(args, tuple) else (args,), value)

    def _write_all(self, array: Array) -> None:
        """Writes all elements, which are as many as those of the array."""
        from .writing import write_array

        shape: tuple[int, ...] = self.shape
        inner = self.dtype.subdtype[1] if self.dtype.subdtype is not None else ()
        write_array(self, select(shape, (Ellipsis,)), array.reshape(shape + inner))

    def write_direct(self, source: Array, source_sel: Any = None, dest_sel: Any = None) -> None:
        """Writes the elements `source_sel` of an array to the elements `dest_sel` of the dataset."""
        from .writing import write_array

        shape = self.shape
        if shape is None:
            raise TypeError("Empty datasets cannot be written to")
        if not source.flags.c_contiguous:
            raise TypeError("Array must be C-contiguous")
        chosen = source if source_sel is None else source[source_sel]
        selected = select(shape, _args(dest_sel))
        if selected.shape != chosen.shape and math.prod(selected.shape) == chosen.size:
            chosen = chosen.reshape(selected.shape)
        write_array(self, selected, chosen)

    def resize(self, size: Any, axis: int | None = None) -> None:
        """Changes the shape, or the length of one dimension."""
        if self.chunks is None and not self._data.is_virtual and not self._data.external():
            raise TypeError("Only chunked datasets can be resized")
        shape = list(self.shape)
        if axis is not None:
            if not 0 <= axis < len(shape):
                raise ValueError(f"Invalid axis (0 to {len(shape) - 1} allowed)")
            try:
                shape[axis] = operator.index(size)
            except TypeError:
                raise TypeError("Argument must be a single int if axis is specified") from None
        else:
            shape = [operator.index(n) for n in ((size,) if isinstance(size, (int, np.integer)) else size)]
        self._data.resize(shape)

    def flush(self) -> None:
        """Writes what is in memory to the file."""
        self._data.file.flush()

    def refresh(self) -> None:
        """Sees what a SWMR writer has flushed since."""
        self._data.file.refresh()

    def make_scale(self, name: str = "") -> None:
        """Makes this dataset a dimension scale."""
        from .dimensions import make_scale

        make_scale(self, name)

    # --- stored chunks

    def read_chunk(self, offset: Any) -> tuple[int, bytes]:
        """Returns the filter mask and the stored bytes of the chunk that begins at these coordinates."""
        result: tuple[int, bytes] = self._data.read_chunk(offset)
        return result

    def write_chunk(self, offset: Any, data: Any, filter_mask: int = 0) -> None:
        """Stores the bytes of a chunk without filtering them."""
        self._data.write_chunk(offset, data, filter_mask)

    def memmap(self) -> np.memmap[Any, Any]:
        """Returns the elements of a contiguous dataset as mapped memory: nothing is read or copied.

        The mapping is read-only. Raises TypeError for a dataset that is stored otherwise.
        """
        info = self._data.info()
        if info["layout"] != "contiguous" or info["data_address"] is None or self._data.external():
            raise TypeError("only contiguous datasets that have been written can be mapped")
        if self.dtype.hasobject or dtypes.to_datatype(self.dtype) != self._file_type:
            raise TypeError("the elements are not in the file as numpy holds them")
        if self._open.driver != "sec2":
            raise TypeError(f"files of the driver {self._open.driver!r} cannot be mapped")
        if self._open.mode != "r":
            self.flush()
        return np.memmap(self._open.name, self.dtype, "r", info["data_address"], self.shape)

    # --- sparse data

    @property
    def is_sparse(self) -> bool:
        """Whether only elements that were written are stored."""
        return bool(self._data.info()["sparse"])

    @property
    def sparse(self) -> Any:
        """Indexing that reads and writes defined elements: `ds.sparse[7:9]` is a SparseArray."""
        from .sparse import SparseView

        return SparseView(self)

    @property
    def masked(self) -> Any:
        """Indexing that reads masked arrays: elements that are not defined are masked."""
        from .sparse import MaskedView

        return MaskedView(self)

    @property
    def defined(self) -> Any:
        """Indexing that reads which elements are defined, as an array of bool."""
        from .sparse import DefinedView

        return DefinedView(self)

    @property
    def nnz(self) -> int:
        """The number of defined elements, from the index of the chunks."""
        if self.shape is None:
            return 0
        return self._data.defined_count(_core.Selection.all())

    @property
    def density(self) -> float:
        """The share of the elements that are defined."""
        size = self.size
        return self.nnz / size if size else 0.0

    def erase(self, index: Any = ...) -> None:
        """Makes elements of a sparse dataset undefined."""
        from .sparse import erase

        erase(self, index)

    def appender(self, buffer_bytes: int = 4 << 20) -> Appender:
        """Returns an object that appends frames along the first dimension, from any number of threads."""
        from .appending import Appender

        return Appender(self, buffer_bytes)

    def iter_defined(self, elements: int = 1 << 20, index: Any = ...) -> Iterator[SparseArray]:
        """Iterates over the defined elements in row-major order, in parts of about `elements` each."""
        from .sparse import iter_defined

        return iter_defined(self, elements, index)

    def to_scipy(self, format: str = "csr", rows: Any = None, columns: Any = None) -> Any:
        """Returns the defined elements of a matrix as a matrix of scipy; only some rows or columns if given."""
        from .matrices import to_scipy

        return to_scipy(self, format, rows, columns)

    # --- text

    def __repr__(self) -> str:
        if not self:
            return "<Closed HDF5 dataset>"
        name = self.name
        shown = "(anonymous)" if name is None else f'"{name.rsplit("/", 1)[-1]}"'
        try:
            kind = self.dtype.str
        except TypeError:  # numpy has no such type
            kind = self._file_type.text
        return f'<HDF5 dataset {shown}: shape {self.shape}, type "{kind}">'

    def _repr_html_(self) -> str:
        from html import escape

        if not self:
            return escape(repr(self))
        info = self.info
        rows = [("shape", self.shape), ("dtype", self.dtype), ("layout", info["layout"]), ("chunks", info["chunk"]),
                ("stored", f"{info['stored_bytes']:,} bytes")]
        if info["sparse"]:
            rows.append(("defined", f"{self.nnz:,} of {self.size:,} elements"))
        cells = "".join(f"<tr><th>{escape(key)}</th><td>{escape(str(value))}</td></tr>" for key, value in rows)
        return f"<table><caption>{escape(str(self.name))}</caption>{cells}</table>"

    __hash__ = HLObject.__hash__


def _tensor(tensor: Any) -> Array:
    """The memory of a DLPack tensor as an array that can be written. The caller keeps the tensor."""
    array: Array = np.from_dlpack(tensor)
    if array.flags.writeable:
        return array
    # Older releases of numpy make every array of DLPack read-only, as the protocol does not say what it is.
    if not array.flags.c_contiguous:
        raise ValueError("a tensor that is read into is contiguous")
    if array.size == 0:
        return np.empty(array.shape, array.dtype)
    memory: Any = (ctypes.c_char * array.nbytes).from_address(array.ctypes.data)
    writable: Array = np.frombuffer(memory, array.dtype).reshape(array.shape)
    return writable


def _args(index: Any) -> tuple[Any, ...]:
    if index is None:
        return (Ellipsis,)
    return index if isinstance(index, tuple) else (index,)


def _view(array: Array, index: Any) -> Array | None:
    """A view of an array, or None where indexing copies."""
    view = array[index]
    return view if isinstance(view, np.ndarray) and np.shares_memory(view, array) else None


def _assign(dest: Array, dest_sel: Any, array: Array) -> None:
    index = Ellipsis if dest_sel is None else dest_sel
    wanted = dest[index].shape
    if wanted != array.shape and math.prod(wanted) == array.size:
        array = array.reshape(wanted)
    if wanted != array.shape:
        raise TypeError(f"Can't broadcast {array.shape} -> {wanted}")
    dest[index] = array


def _steps(array: Array, selected: Selected) -> Iterator[tuple[int, int, _core.Selection]] | None:
    """Divides a large transfer of a box along its first dimension; None for others."""
    if array.nbytes <= STEP_BYTES or selected.origin is None or len(array) < 2:
        return None
    origin, box = selected.origin, selected.box
    rows = max(1, STEP_BYTES * len(array) // array.nbytes)

    def divided() -> Iterator[tuple[int, int, _core.Selection]]:
        ones = (1,) * len(box)
        for first in range(0, box[0], rows):
            end = min(first + rows, box[0])
            start = (origin[0] + first, *origin[1:])
            yield first, end, _core.Selection.regular(start, ones, (end - first, *box[1:]), ones)

    return divided()


def _iter_chunks(dataset: Dataset, sel: Any) -> Iterator[tuple[slice, ...]]:
    shape, chunks = dataset.shape, dataset.chunks
    if chunks is None:
        raise TypeError("Chunked dataset required")
    if sel is None:
        box = tuple(slice(0, n) for n in shape)
    else:
        sel = (sel,) if isinstance(sel, slice) else tuple(sel)
        for each in sel:
            if not isinstance(each, slice):
                raise TypeError("iter_chunks() takes slices")
            if each.step not in (None, 1):
                raise ValueError("iter_chunks() takes slices with a step of 1")
        sel = sel + (slice(None),) * (len(shape) - len(sel))
        box = tuple(slice(*each.indices(n)[:2]) for each, n in zip(sel, shape))
    ranges = []
    for part, length in zip(box, chunks):
        ranges.append([slice(max(begin, part.start), min(begin + length, part.stop), 1)
                       for begin in range(part.start // length * length, part.stop, length)])
    return itertools.product(*ranges)
