# SPDX-License-Identifier: Apache-2.0
"""What build systems of well-known packages ask an HDF5 installation: each question gets the answer that HDF5 gives, apart
from a list with reasons. Packages look for functions in the library, for macros in H5pubconf.h, and for versions."""

import ctypes
import pathlib
import re
import subprocess
import tempfile
import unittest

import libraries

# package -> the functions that its build system looks for in the library
FUNCTIONS = {
    "netCDF-C": "H5Fflush H5Z_SZIP H5Pset_deflate H5Pset_szip H5free_memory H5resize_memory H5allocate_memory H5Pset_libver_bounds H5Dread_chunk"
                " H5Pget_fapl_mpio H5Pget_fapl_mpiposix H5Pset_fapl_mpiposix H5Zget_filter_info H5DSis_scale",
    "h5py": "H5get_libversion H5Pget_fapl_mpio H5Pget_fapl_direct H5Pset_fapl_direct H5Pset_fapl_mpio",
    "HighFive": "H5Fopen H5Pset_fapl_mpio H5Pset_szip H5Pset_dxpl_mpio",
    "PyTables": "H5close H5get_libversion H5Pset_fapl_core H5Pset_fapl_direct H5Pset_file_image",
    "CGNS": "H5Fopen H5Zfilter_avail H5Pset_dxpl_mpio H5Dwrite_multi",
    "MED": "H5open H5Fopen H5Pset_fapl_mpio H5Pset_libver_bounds",
    "Silo": "H5open H5Pset_fapl_core H5Pset_fapl_split H5Pset_fapl_direct H5Pset_file_image",
    "GDAL": "H5Fopen H5Aopen H5Pset_fapl_windows H5DSget_num_scales",
    "VTK and ParaView": "H5Fopen H5Dcreate2 H5Literate_by_name1 H5Pset_fapl_mpio",
    "ADIOS2": "H5Fopen H5Pset_fapl_mpio H5Pset_dxpl_mpio H5Pset_all_coll_metadata_ops H5VLregister_connector_by_name H5Dread_multi",
}
# Functions that HDF5 1.10.8 lacks and 1.14 has, a hint that is harmless without MPI, and a driver of Windows.
OURS_ONLY = set("H5Dread_multi H5Dwrite_multi H5Literate_by_name1 H5VLregister_connector_by_name H5Pset_all_coll_metadata_ops H5Pset_fapl_windows".split())

# package -> macros that its sources or build system test after including the headers
MACROS = {
    "netCDF-C": "H5_HAVE_ZLIB_H H5_HAVE_LIBZ H5_HAVE_FILTER_DEFLATE H5_HAVE_FILTER_SZIP H5_HAVE_SZLIB_H H5_HAVE_PARALLEL H5_HAVE_LIBSZ",
    "h5py": "H5_HAVE_THREADSAFE H5_HAVE_PARALLEL H5_HAVE_DIRECT",
    "HighFive": "H5_HAVE_PARALLEL H5_HAVE_THREADSAFE",
    "PyTables": "H5_HAVE_IMAGE_FILE H5FD_CORE_H H5_HAVE_WIN32_API",
    "CGNS": "H5_HAVE_PARALLEL H5_HAVE_MULTI_DATASETS",
    "MED": "H5_HAVE_PARALLEL H5_SIZEOF_HID_T H5_SIZEOF_LONG",
    "Silo": "H5_HAVE_FILTER_DEFLATE H5_HAVE_FILTER_SZIP H5_HAVE_PARALLEL H5_HAVE_DIRECT",
    "GDAL": "H5_HAVE_PARALLEL H5_HAVE_WINDOWS H5_HAVE_WIN32_API",
    "VTK and ParaView": "H5_HAVE_PARALLEL H5_BUILT_AS_DYNAMIC_LIB H5_HAVE_STDINT_H",
    "ADIOS2": "H5_HAVE_PARALLEL H5_HAVE_SUBFILING_VFD H5_HAVE_MAP_API",
}
MACROS_OURS_ONLY = {"H5_BUILT_AS_DYNAMIC_LIB"}  # HDF5 defines it when it is built by CMake


class ProbesTest(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def links(self, function, flags):
        """As AC_CHECK_FUNCS, AC_CHECK_LIB and check_library_exists find out: the declaration is not used."""
        source = self.folder / "probe.c"
        source.write_text(f"char {function}(void);\nint main(void) {{ return {function}(); }}\n")
        command = ["gcc", "-w", str(source), "-o", str(self.folder / "probe"), *flags]
        return subprocess.run(command, capture_output=True).returncode == 0

    def defined(self, macros, flags):
        """As check_symbol_exists finds out, and as `#if` does: the macro, and whether it is true."""
        text = "#include <hdf5.h>\n" + "".join(f"#if {m}\n@{m}@\n#endif\n" for m in macros)
        text = re.sub(r"@(\w+)@", r'@"\1"', text)
        done = subprocess.run(["gcc", "-E", "-P", *flags, "-xc", "-"], input=text, capture_output=True, text=True, check=True)
        return set(re.findall(r'^@"(\w+)"$', done.stdout, re.M))

    def test_functions(self):
        ours, reference = libraries.OURS, libraries.reference_flags()
        for package, names in FUNCTIONS.items():
            for name in names.split():
                with self.subTest(package=package, function=name):
                    wanted = self.links(name, reference) or name in OURS_ONLY
                    self.assertEqual(self.links(name, ours), wanted)

    def test_macros(self):
        for package, names in MACROS.items():
            with self.subTest(package):
                ours = self.defined(names.split(), [f"-I{libraries.ROOT / 'include' / 'hdf5'}"])
                reference = self.defined(names.split(), ["-I/usr/include/hdf5/serial"])
                self.assertEqual(ours - MACROS_OURS_ONLY, reference)

    def test_version_and_parallel_build_as_cmake_reads_them(self):
        text = (libraries.ROOT / "include" / "hdf5" / "H5pubconf.h").read_text()
        version = re.findall(r'^[ \t]*#[ \t]*define[ \t]+H5_VERSION[ \t]+"([0-9]+\.[0-9]+\.[0-9]+(?:-patch[0-9]+)?)"', text, re.M)
        self.assertEqual(version, ["1.14.5"])
        self.assertEqual(re.findall(r"^#define H5_HAVE_PARALLEL 1", text, re.M), [])

    def test_version_as_h5py_reads_it(self):
        library = ctypes.CDLL(str(libraries.LIB / "libfiligree_hdf5.so"))
        major, minor, release = ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint()
        self.assertEqual(library.H5get_libversion(ctypes.byref(major), ctypes.byref(minor), ctypes.byref(release)), 0)
        self.assertEqual((major.value, minor.value, release.value), (1, 14, 5))

    def test_hints_of_parallel_programs_succeed(self):
        source = self.folder / "hints.c"
        source.write_text("""
#include <hdf5.h>
int main(void) {
  hbool_t ops = 0, write = 0, of_links = 0;
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), links = H5Pcreate(H5P_DATASET_ACCESS), file;
  if (H5Pset_all_coll_metadata_ops(access, 1) < 0 || H5Pset_coll_metadata_write(access, 1) < 0) return 1;
  if (H5Pset_all_coll_metadata_ops(links, 1) < 0 || H5Pget_all_coll_metadata_ops(links, &of_links) < 0) return 2;
  if (H5Pget_all_coll_metadata_ops(access, &ops) < 0 || H5Pget_coll_metadata_write(access, &write) < 0) return 3;
  file = H5Fcreate("hints.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  if (file < 0 || H5Fclose(file) < 0) return 4;
  H5E_BEGIN_TRY {
    if (H5Pset_all_coll_metadata_ops(H5P_DATASET_XFER_DEFAULT, 1) >= 0) return 5;
    if (H5Pset_coll_metadata_write(links, 1) >= 0) return 6;
  }
  H5E_END_TRY
  return ops && write && of_links ? 0 : 7;
}
""")
        program = self.folder / "hints"
        subprocess.run(["gcc", "-w", str(source), "-o", str(program), *libraries.OURS], check=True)
        self.assertEqual(subprocess.run([str(program)], cwd=self.folder).returncode, 0)


if __name__ == "__main__":
    unittest.main()
