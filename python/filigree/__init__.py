# SPDX-License-Identifier: Apache-2.0
"""HDF5 files with sparse data, with the interface of h5py where h5py has one.

    import filigree

    with filigree.File("run.h5", "w") as f:
        frames = f.create_sparse_dataset("frames", (0, 1024, 1024), "u2", maxshape=(None, 1024, 1024))
        with frames.appender() as appender:
            appender.points((rows, columns), counts)
"""
from __future__ import annotations

from . import plugin, version
from ._core import Reference, RegionReference
from .appending import Appender
from .attributes import AttributeManager
from .base import Empty, HLObject, is_hdf5
from .datasets import Dataset
from .datatypes import Datatype
from .dtypes import (check_dtype, check_enum_dtype, check_opaque_dtype, check_ref_dtype, check_string_dtype,
                     check_vlen_dtype, enum_dtype, opaque_dtype, ref_dtype, regionref_dtype, special_dtype,
                     string_dtype, vlen_dtype)
from .errors import Error
from .files import File, registered_drivers
from .groups import ExternalLink, Group, HardLink, SoftLink
from .interop import from_h5py
from .selections import UNLIMITED, MultiBlockSlice, Selection
from .sparse import SparseArray
from .virtual import VirtualLayout, VirtualSource

__version__ = version.version

__all__ = ["Appender", "AttributeManager", "Dataset", "Datatype", "Empty", "Error", "ExternalLink", "File", "Group",
           "HLObject", "HardLink", "MultiBlockSlice", "Reference", "RegionReference", "Selection", "SoftLink",
           "SparseArray", "UNLIMITED", "VirtualLayout", "VirtualSource", "check_dtype", "check_enum_dtype",
           "check_opaque_dtype", "check_ref_dtype", "check_string_dtype", "check_vlen_dtype", "enum_dtype",
           "from_h5py", "is_hdf5", "opaque_dtype", "plugin", "ref_dtype", "registered_drivers", "regionref_dtype", "special_dtype",
           "string_dtype", "version", "vlen_dtype"]
