# SPDX-License-Identifier: Apache-2.0
"""The plug-in is found and loaded in every way that HDF5 has: by HDF5_PLUGIN_PATH, by paths that a program adds, by several processes
at once, with the library loaded for its program alone, and beside one or both C libraries."""
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

BIN = pathlib.Path(os.environ["FILIGREE_BIN"])
LIB = BIN.parent / "lib"
PLUGINS = LIB / "hdf5-plugins"
PLUGIN = PLUGINS / "libh5z_filigree.so"
HDF5 = "libhdf5_serial.so.103"
OURS = LIB / "libfiligree_hdf5.so"

# Reads all elements through a library that is loaded by its name: no symbol of it is visible to the plug-in.
READ = """
import ctypes, sys

def read(hdf5, path):
    H = ctypes.c_int64
    for name, arguments in dict(H5Fopen=[ctypes.c_char_p, ctypes.c_uint, H], H5Dopen2=[H, ctypes.c_char_p, H],
                                H5Dread=[H, H, H, H, H, ctypes.c_void_p], H5Dclose=[H], H5Fclose=[H]).items():
        getattr(hdf5, name).argtypes = arguments
    hdf5.H5Fopen.restype = hdf5.H5Dopen2.restype = H
    hdf5.H5open()
    hdf5.H5Eset_auto2(H(0), None, None)
    file = hdf5.H5Fopen(path.encode(), 0, 0)
    data = hdf5.H5Dopen2(file, b"d", 0)
    values = (ctypes.c_int * 400)()
    status = hdf5.H5Dread(data, H.in_dll(hdf5, "H5T_NATIVE_INT_g"), 0, 0, 0, values)
    hdf5.H5Dclose(data)
    hdf5.H5Fclose(file)
    return sum(values) if status >= 0 else None
"""
LOCAL = READ + """
hdf5 = ctypes.CDLL(sys.argv[2], mode=ctypes.RTLD_LOCAL)
print(read(hdf5, sys.argv[1]))
"""
STATE = READ + """
hdf5 = ctypes.CDLL(sys.argv[2], mode=ctypes.RTLD_LOCAL)
hdf5.H5open()
state = ctypes.c_uint(9)
print(hdf5.H5PLget_loading_state(ctypes.byref(state)), state.value != 0)
print(hdf5.H5PLset_loading_state(0), read(hdf5, sys.argv[1]))
print(hdf5.H5PLset_loading_state(state.value), read(hdf5, sys.argv[1]))
"""
ADDED = READ + """
hdf5 = ctypes.CDLL(sys.argv[2], mode=ctypes.RTLD_LOCAL)
print(read(hdf5, sys.argv[1]))
print(hdf5.H5PLprepend(sys.argv[3].encode()), read(hdf5, sys.argv[1]))
"""


class Loading(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="filigree_loading_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = self.make("f.h5")
        self.empty = self.folder / "empty"
        self.empty.mkdir()
        self.sum = 3 * 400 + sum(range(1, 400, 7)) - 3 * len(range(1, 400, 7))

    def make(self, name):
        path = self.folder / name
        for words, text in (("create {} d i4 20,20 8,8 3 shuffle,deflate packed", ""),
                            ("write {} d", "".join(f"{o} {o}\n" for o in range(1, 400, 7)))):
            subprocess.run([BIN / "portable_driver", *words.format(path).split()], input=text, text=True, check=True, timeout=1800)
        return path

    def run_python(self, text, *arguments, plugins=PLUGINS, wait=True, **environment):
        process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(text), *map(str, arguments)], text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env={**os.environ, "HDF5_PLUGIN_PATH": str(plugins), **environment})
        return self.finish(process) if wait else process

    def finish(self, process):
        out, err = process.communicate(timeout=1800)
        self.assertEqual((process.returncode, err), (0, ""), out + err)
        return out.splitlines()

    def test_by_a_library_that_its_program_hides(self):
        self.assertEqual(self.run_python(LOCAL, self.path, HDF5), [str(self.sum)])
        self.assertEqual(self.run_python(LOCAL, self.path, HDF5, plugins=self.empty), ["None"])

    def test_by_the_loading_state(self):
        self.assertEqual(self.run_python(STATE, self.path, HDF5), ["0 True", "0 None", f"0 {self.sum}"])

    def test_by_paths(self):
        self.assertEqual(self.run_python(LOCAL, self.path, HDF5, plugins=f"{self.empty}:{PLUGINS}"), [str(self.sum)])
        self.assertEqual(self.run_python(LOCAL, self.path, HDF5, plugins="::"), ["None"])  # turns all plug-ins off
        self.assertEqual(self.run_python(ADDED, self.path, HDF5, PLUGINS, plugins=self.empty), ["None", f"0 {self.sum}"])

    def test_before_a_first_write_if_the_program_asks(self):
        """HDF5 1.10 looks for plug-ins when it reads or creates a dataset, but not before it writes to an existing one."""
        text = """
        import h5py, sys
        if sys.argv[2] == "ask":
            assert h5py.h5z.filter_avail(502)
        with h5py.File(sys.argv[1], "r+") as file:
            try:
                file["d"][3] = 9
                print((file["d"][3] == 9).all())
            except OSError as error:
                print("required filter 502 is not registered" in str(error))
        """
        self.assertEqual(self.run_python(text, self.path, "ask"), ["True"])
        self.assertEqual(self.run_python(text, self.path, "do not ask"), ["True"])

    def test_beside_files_that_are_no_plug_ins(self):
        crowded = self.folder / "crowded"
        crowded.mkdir()
        (crowded / "aaa.txt").write_text("text")
        (crowded / PLUGIN.name).symlink_to(PLUGIN)
        self.assertEqual(self.run_python(LOCAL, self.path, HDF5, plugins=crowded), [str(self.sum)])

    def test_by_several_processes_at_once(self):
        text = """
        import h5py, numpy, sys
        path = sys.argv[1]
        assert h5py.h5z.filter_avail(502)
        for turn in range(20):
            with h5py.File(path, "r+" if turn % 2 else "r") as file:
                if turn % 2:
                    file["d"][turn] = turn
                assert (file["d"][1:turn + 1:2].max(axis=1) >= 1).all()
        print("done")
        """
        running = [self.run_python(text, self.make(f"{i}.h5"), wait=False) for i in range(8)]
        readers = [self.run_python(LOCAL, self.path, HDF5, wait=False) for _ in range(8)]
        for process in running:
            self.assertEqual(self.finish(process), ["done"])
        for process in readers:
            self.assertEqual(self.finish(process), [str(self.sum)])

    def test_in_processes_with_any_c_library(self):
        """The plug-in is called directly, so that it is this copy that works, whatever the libraries would do."""
        text = """
        import ctypes, pathlib, sys
        path, mode, *libraries = sys.argv[1:]
        loaded = [ctypes.CDLL(name, mode=int(mode)) for name in libraries]
        if loaded:  # where both are global, the functions of the second are those of the first
            assert loaded[0].H5open() >= 0
        import plugin_filter
        plugin = plugin_filter.Plugin()
        # Chunks of 4 x 4 bytes, fill value 1, no filters.
        words, dense = [1, 2, 4, 4, 1, 1, 1, 0, 0], bytes([1, 2, 1, 3] * 4)
        stored = plugin.encode(words, dense)
        assert plugin.decode(words, stored) == dense
        print(plugin.type, plugin.info.id, plugin.info.name.decode())
        """
        for mode in (0, 0x100):  # RTLD_LOCAL, RTLD_GLOBAL
            for libraries in ([], [OURS], [HDF5], [OURS, HDF5], [HDF5, OURS]):
                with self.subTest(mode=mode, libraries=libraries):
                    lines = self.run_python(text, self.path, mode, *libraries, PYTHONPATH=str(pathlib.Path(__file__).parent))
                    self.assertEqual(lines, ["0 502 filigree sparse chunks, plug-in libh5z_filigree"])

    def test_it_is_silent_unless_it_is_asked(self):
        text = """
        import plugin_filter
        print(plugin_filter.Plugin().decode([1, 2, 3], b"nothing"))
        """
        path = str(pathlib.Path(__file__).parent)
        self.assertEqual(self.run_python(text, PYTHONPATH=path), ["None"])
        asked = self.run_python(text, PYTHONPATH=path, FILIGREE_PLUGIN_DEBUG="1", wait=False)
        out, err = asked.communicate(timeout=1800)
        self.assertEqual(out, "None\n")
        self.assertRegex(err, "^libh5z_filigree: .*parameters of portable chunks")

    def test_forked_children_use_it(self):
        text = """
        import h5py, os, sys
        assert h5py.File(sys.argv[1])["d"][...].sum()
        child = os.fork()
        if child == 0:
            os._exit(int(h5py.File(sys.argv[1])["d"][...].sum() == 0))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """
        self.assertEqual(self.run_python(text, self.path), ["0"])


if __name__ == "__main__":
    unittest.main()
