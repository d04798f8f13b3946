# SPDX-License-Identifier: Apache-2.0
"""filigree beside h5py: objects that h5py has open, on HDF5 and on Filigree's C library, and the plug-in for HDF5."""
import os
import pathlib
import subprocess
import sys
import textwrap
import unittest

import h5py
import numpy as np

import filigree
from support import Scratch


class OnHdf5(Scratch):
    """h5py runs on HDF5, so files are opened again."""

    def setUp(self):
        super().setUp()
        with h5py.File(self.path(), "w") as file:
            data = file.create_dataset("g/d", data=np.arange(12).reshape(3, 4), chunks=(1, 4), compression="gzip")
            data.attrs["unit"] = "mm"
            file["g/t"] = np.dtype("f4")

    def test_objects_of_a_file_for_reading(self):
        with h5py.File(self.path()) as file:
            data = filigree.from_h5py(file["g/d"])
            self.assertIsInstance(data, filigree.Dataset)
            self.assertEqual((data.name, data.attrs["unit"], data.file.mode), ("/g/d", "mm", "r"))
            np.testing.assert_array_equal(data[[2, 0]], file["g/d"][...][[2, 0]])
            self.assertEqual(list(filigree.from_h5py(file)), ["g"])
            self.assertEqual(list(filigree.from_h5py(file["g"])), ["d", "t"])
            self.assertEqual(filigree.from_h5py(file["g/t"]).dtype, np.dtype("f4"))
        self.assertEqual(data[0, 1], 1)  # a file of its own

    def test_an_open_file_for_writing_is_locked(self):
        with h5py.File(self.path(), "r+") as file:
            for obj in (file, file["g/d"]):
                with self.assertRaisesRegex(BlockingIOError, "a.h5' is open for writing in h5py") as caught:
                    filigree.from_h5py(obj)
                self.assertEqual(caught.exception.kind, "locked")

    def test_what_cannot_be_opened_again(self):
        with h5py.File(self.path(), driver="core", backing_store=False) as file:
            with self.assertRaisesRegex(ValueError, "driver 'core'"):
                filigree.from_h5py(file)
        with h5py.File(self.path()) as file:
            group = file["g"]
        with self.assertRaisesRegex(ValueError, "closed"):
            filigree.from_h5py(group)
        with filigree.File(self.path()) as ours:
            for obj in (ours, np.arange(3), None, "g"):
                with self.assertRaises(TypeError):
                    filigree.from_h5py(obj)

    def test_an_object_behind_an_external_link(self):
        with h5py.File(self.path("b.h5"), "w") as file:
            file["x"] = h5py.ExternalLink(self.path(), "/g/d")
        with h5py.File(self.path("b.h5")) as file:
            data = filigree.from_h5py(file["x"])
            self.assertEqual((os.path.basename(data.file.filename), data[2, 3]), ("a.h5", 11))


#: Wrong calls. Each gets the package, and a file with the datasets "d" (3 x 4 integers) and "t" (strings).
WRONG = {
    "object array": lambda h, f: f.create_dataset("o", data=np.array([1, "a", None], object)),
    "text of numpy": lambda h, f: f.create_dataset("u", data=np.array(["a", "b"])),
    "33 dimensions": lambda h, f: f.create_dataset("r", (1,) * 33, "i1"),
    "negative length": lambda h, f: f.create_dataset("n", (-1,)),
    "huge length": lambda h, f: f.create_dataset("h", (1 << 70,)),
    "too large chunk": lambda h, f: f.create_dataset("c", (10,), chunks=(20,)),
    "chunk of another rank": lambda h, f: f.create_dataset("c2", (10,), chunks=(2, 2)),
    "maxshape below shape": lambda h, f: f.create_dataset("m", (10,), maxshape=(5,)),
    "no filter": lambda h, f: f.create_dataset("f", (10,), compression="nothing"),
    "level of gzip": lambda h, f: f.create_dataset("g", (10,), compression="gzip", compression_opts=10),
    "chunks of a scalar": lambda h, f: f.create_dataset("s", data=1, chunks=True),
    "compressed scalar": lambda h, f: f.create_dataset("s2", data=1, compression="gzip"),
    "unknown keyword": lambda h, f: f.create_dataset("k", (10,), kompression="gzip"),
    "data of another shape": lambda h, f: f.create_dataset("x", (3,), data=np.arange(4)),
    "an existing name": lambda h, f: f.create_dataset("d", (3,)),
    "an existing group": lambda h, f: f.create_group("d"),
    "below a dataset": lambda h, f: f.create_group("d/g"),
    "no name": lambda h, f: f["nothing"],
    "no attribute": lambda h, f: f.attrs["nothing"],
    "a number as name": lambda h, f: f[5],
    "no link to delete": lambda h, f: f.__delitem__("nothing"),
    "no link to move": lambda h, f: f.move("nothing", "new"),
    "negative step": lambda h, f: f["d"][::-1],
    "index out of range": lambda h, f: f["d"][3],
    "index far out of range": lambda h, f: f["d"][1 << 80],
    "too many indices": lambda h, f: f["d"][1, 2, 3],
    "two ellipses": lambda h, f: f["d"][..., ...],
    "a fraction": lambda h, f: f["d"][1.5],
    "None": lambda h, f: f["d"][None],
    "a mask of another shape": lambda h, f: f["d"][np.ones((2, 2), bool)],
    "two lists": lambda h, f: f["d"][[0, 1], [0, 1]],
    "list out of range": lambda h, f: f["d"][[0, 9]],
    "a field of numbers": lambda h, f: f["d"]["field"],
    "a broadcast that fails": lambda h, f: f["d"].__setitem__(slice(0, 2), np.zeros((3, 4))),
    "text into numbers": lambda h, f: f["d"].__setitem__((0, 0), "text"),
    "resize of contiguous data": lambda h, f: f["d"].resize((20, 4)),
    "iteration of a scalar": lambda h, f: list(f.create_dataset("sc", data=5)),
    "length of a scalar": lambda h, f: len(f.create_dataset("sc2", data=5)),
    "asstr of numbers": lambda h, f: f["d"].asstr(),
    "a dtype without a datatype": lambda h, f: f.create_dataset("z", (3,), "O"),
    "an enumeration of floats": lambda h, f: h.enum_dtype({"a": 1}, "f8"),
    "an encoding": lambda h, f: h.string_dtype("latin-1"),
    "a mode": lambda h, f: h.File("a.h5", "q"),
    "a driver": lambda h, f: h.File("a.h5", "r", driver="nothing"),
    "read_direct of another shape": lambda h, f: f["d"].read_direct(np.zeros((2, 2), "i8")),
    "a null reference": lambda h, f: f[h.Reference()],
}


class WrongCalls(Scratch):
    """Wrong arguments raise what h5py raises, or a class below it, and change nothing."""

    def outcome(self, package, name, call):
        with package.File(self.path(f"{package.__name__}.h5"), "w") as file:
            file["d"] = np.arange(12).reshape(3, 4)
            file["t"] = ["one", "two"]
            try:
                call(package, file)
            except Exception as error:
                return error
            return None

    def test_exceptions_are_those_of_h5py(self):
        for name, call in WRONG.items():
            theirs, ours = self.outcome(h5py, name, call), self.outcome(filigree, name, call)
            with self.subTest(name):
                self.assertIsNotNone(theirs)
                self.assertIsInstance(ours, type(theirs), f"{ours!r} in the place of {theirs!r}")


ON_OURS = """
    import sys
    import h5py, numpy as np, filigree
    assert "libfiligree_hdf5" in open("/proc/self/maps").read()
    theirs = h5py.File(sys.argv[1], "w")
    theirs["g/d"] = np.arange(4)
    ours = filigree.from_h5py(theirs["g/d"])
    ours[1] = 10
    theirs["g/d"][2] = 20                           # both see what the other has not flushed
    assert ours[...].tolist() == [0, 10, 20, 3] == theirs["g/d"][...].tolist()
    assert ours.name == "/g/d" and ours.file.mode == "r+" and ours.file.filename == theirs.filename
    file = filigree.from_h5py(theirs)
    assert isinstance(file, filigree.File) and file == ours.file and list(file) == ["g"]
    file.create_sparse_dataset("s", (10, 10), "f4").sparse[...] = ([[1], [2]], [3])
    assert theirs["s"][1, 2] == 3
    assert list(filigree.from_h5py(theirs["g"])) == ["d"]
    try:
        filigree.from_h5py(filigree.File.in_memory())
    except TypeError:
        pass
    else:
        raise AssertionError("filigree's own objects are refused")
    file.close()                                    # ends our view; the file is h5py's
    assert not file and theirs["g/d"][1] == 10 and ours[1] == 10
    theirs.close()
    try:
        ours[1]
    except ValueError as error:
        assert "closed" in str(error), error
    else:
        raise AssertionError("h5py has closed the file")
    with h5py.File(sys.argv[1]) as theirs:
        assert filigree.from_h5py(theirs["s"]).nnz == 1
        ours = [filigree.from_h5py(theirs) for _ in range(3)]
    print("done")
"""


class OnFiligree(Scratch):
    """h5py runs on Filigree's C library, so files are shared."""

    def test_objects_are_those_of_the_same_open_file(self):
        folder = pathlib.Path(os.environ.get("FILIGREE_LIB", "")) / "hdf5-1.10"
        if not folder.is_dir():
            self.skipTest("there is no library for HDF5 1.10 beside the package")
        if (pathlib.Path(h5py.__file__).parent.parent / "h5py.libs").is_dir():
            self.skipTest("h5py comes from a wheel that brings an HDF5 of its own")
        env = dict(os.environ, LD_LIBRARY_PATH=str(folder))
        done = subprocess.run([sys.executable, "-c", textwrap.dedent(ON_OURS), self.path()], capture_output=True,
                              text=True, env=env)
        self.assertEqual((done.stdout, done.stderr), ("done\n", ""))


class Plugin(Scratch):
    def setUp(self):
        super().setUp()
        with filigree.File(self.path(), "w") as file:
            data = file.create_sparse_dataset("d", (100, 100), "i4", chunks=(50, 50), portable=True)
            data.sparse[...] = ([[1, 60], [2, 70]], [3, 4])

    def run_with_h5py(self, code):
        env = {key: value for key, value in os.environ.items() if key != "HDF5_PLUGIN_PATH"}
        done = subprocess.run([sys.executable, "-c", "import h5py, sys, filigree.plugin\n" + textwrap.dedent(code),
                               self.path()], capture_output=True, text=True, env=env)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_h5py_reads_and_writes_the_portable_form(self):
        self.assertEqual(self.run_with_h5py("""
            filigree.plugin.register()
            with h5py.File(sys.argv[1], "r+") as file:
                print(file["d"][1, 2], file["d"][...].sum())
                file["d"][0, 0] = 5
            with filigree.File(sys.argv[1]) as file:
                print(file["d"][0, 0], file["d"][60, 70])
            """), ["3", "7", "5", "4"])

    def test_h5py_creates_the_portable_form(self):
        self.assertEqual(self.run_with_h5py("""
            import numpy as np
            filigree.plugin.register()
            words = filigree.plugin.portable_filter(">f4", (10, 8), fillvalue=-1, values=["shuffle", ("zstd", 5)], selection=["packed"])
            with h5py.File(sys.argv[1] + ".new", "w") as file:
                made = file.create_dataset("d", (20, 16), **words)
                made[3, 4:6] = 7, 8
            with filigree.File(sys.argv[1] + ".new") as file:
                d = file["d"]
                print(d.nnz, d.dtype.str, d.fillvalue, d.sparse[...].data.tolist())
                print(filigree.plugin.portable_filter("u2", (1, 256, 256), values=["shuffle", ("zstd", 3)])["compression_opts"])
            try:
                filigree.plugin.portable_filter(filigree.string_dtype(), (10,))
            except ValueError as error:
                print("refused", bool(str(error)))
            """), ["2", ">f4", "-1.0", "[7.0,", "8.0]", *self.words(), "refused", "True"])

    def words(self):
        """What the command prints for the same filter."""
        program = pathlib.Path(os.environ["FILIGREE_BIN"]) / "filigree"
        done = subprocess.run([program, "portable-filter", "--words", "--type", "u2", "--chunk", "1x256x256", "--values", "shuffle,zstd=3"],
                              capture_output=True, text=True, check=True)
        return str(tuple(map(int, done.stdout.split()))).split()

    def test_it_can_be_registered_after_a_file_is_open(self):
        self.assertEqual(self.run_with_h5py("""
            file = h5py.File(sys.argv[1])
            try:
                file["d"][1, 2]
            except OSError:
                print("missing")
            first = filigree.plugin.register()
            size = h5py.h5pl.size()
            assert filigree.plugin.register() == first == filigree.plugin.folder() and h5py.h5pl.size() == size
            print(file["d"][1, 2])
            """), ["missing", "3"])


if __name__ == "__main__":
    unittest.main()
