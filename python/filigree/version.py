# SPDX-License-Identifier: Apache-2.0
"""Versions of the package, of the file format it writes, and of Python and numpy."""
from __future__ import annotations

import sys

import numpy

version = "0.1.0"
version_tuple = (0, 1, 0, "", "")
#: The release of HDF5 whose format and behaviour the library has.
hdf5_version = "1.14.5"
hdf5_version_tuple = (1, 14, 5)
info = f"""filigree {version}
HDF5 format {hdf5_version}
Python {sys.version}
numpy {numpy.__version__}
"""
