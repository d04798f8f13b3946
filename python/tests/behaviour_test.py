# SPDX-License-Identifier: Apache-2.0
"""Errors, lifetimes, threads, processes and file-like objects."""
import errno
import gc
import io
import itertools
import multiprocessing
import os
import pickle
import threading
import tracemalloc
import unittest

import numpy as np

import filigree
from filigree import errors
from support import Scratch


def sum_of(data):
    return int(data[...].sum())


class Errors(Scratch):
    def setUp(self):
        super().setUp()
        self.file = filigree.File(self.path(), "w")
        self.addCleanup(self.file.close)
        self.data = self.file.create_dataset("d", data=np.arange(10))

    def assert_error(self, kinds, kind, call):
        with self.assertRaises(kinds[0]) as caught:
            call()
        for each in kinds:
            self.assertIsInstance(caught.exception, each)
        self.assertIsInstance(caught.exception, filigree.Error)
        self.assertEqual(caught.exception.kind, kind)
        return caught.exception

    def test_kinds_are_the_exceptions_of_h5py(self):
        error = self.assert_error([KeyError], "not found", lambda: self.file["nope"])
        self.assertIn("there is no 'nope' in group '/'", str(error))
        self.assert_error([KeyError], "not found", lambda: self.file.attrs["nope"])
        self.assert_error([ValueError, FileExistsError], "already exists", lambda: self.file.create_group("d"))
        self.assert_error([TypeError], "wrong type", lambda: self.data.astype("S3")[...])

    def test_files(self):
        missing = self.assert_error([FileNotFoundError], "not found", lambda: filigree.File(self.path("nope.h5")))
        self.assertEqual((missing.errno, missing.filename), (errno.ENOENT, self.path("nope.h5")))
        exists = self.assert_error([FileExistsError, OSError], "already exists",
                                   lambda: filigree.File(self.path(), "x"))
        self.assertEqual(exists.errno, errno.EEXIST)
        with open(self.path("text"), "w") as text:
            text.write("no HDF5 file" * 100)
        self.assert_error([OSError], "not an HDF5 file", lambda: filigree.File(self.path("text")))
        self.assert_error([BlockingIOError], "locked", lambda: filigree.File(self.path(), "r+"))
        with self.assertRaises(ValueError):
            filigree.File(self.path(), "q")

    def test_a_file_for_reading_is_not_changed(self):
        self.file.close()
        with filigree.File(self.path()) as file:
            for call in (lambda: file.create_group("g"), lambda: file.attrs.update(a=1),
                         lambda: file["d"].__setitem__(0, 1), lambda: file["d"].attrs.create("a", 1)):
                self.assert_error([PermissionError, ValueError], "read-only", call)
            self.assert_error([KeyError, PermissionError], "read-only", lambda: file.__delitem__("d"))

    def test_wrong_arguments(self):
        for error, call in (
                (TypeError, lambda: self.file.create_dataset("o", data=np.array([1, "a", None], object))),
                (TypeError, lambda: self.file.create_dataset("u", data=np.array(["a", "b"]).astype("U1").view("U1"))),
                (ValueError, lambda: self.file.create_dataset("r", (1,) * 33)),
                (OverflowError, lambda: self.file.create_dataset("n", (-1,))),
                (ValueError, lambda: self.file.create_dataset("c", (10,), chunks=(20,))),
                (ValueError, lambda: self.file.create_dataset("f", (10,), compression="nothing")),
                (TypeError, lambda: self.file.create_dataset("k", (10,), kompression="gzip")),
                (ValueError, lambda: self.file.create_dataset("nan", (3,), "i4", fillvalue=float("nan"))),
                (TypeError, lambda: self.data.resize((20,))),
                (TypeError, lambda: self.data.__setitem__(slice(0, 3), np.zeros(4))),
                (ValueError, lambda: self.data.__setitem__(0, "text")),
                (ValueError, lambda: self.data[::-1]),
                (IndexError, lambda: self.data[10]),
                (TypeError, lambda: self.data[1.5]),
                (TypeError, lambda: self.data[None]),
                (ValueError, lambda: self.data[1, 2]),
                (TypeError, lambda: self.data.erase()),
                (TypeError, lambda: self.file[5])):
            with self.assertRaises(error):
                call()
        self.assertEqual(sorted(self.file), ["d"])

    def test_closed_objects(self):
        attributes = self.data.attrs
        self.file.close()
        self.assertFalse(self.file)
        self.assertFalse(self.data)
        for call in (lambda: self.data[0], lambda: self.file["d"], lambda: attributes["a"], lambda: self.data.shape):
            with self.assertRaises(ValueError):
                call()
        self.assertEqual(repr(self.data), "<Closed HDF5 dataset>")
        self.file.close()

    def test_damaged_files_raise(self):
        self.file.close()
        with open(self.path(), "rb") as file:
            image = bytearray(file.read())
        kinds = set()
        for position in range(8, len(image), 23):
            damaged = bytes(image[:position]) + bytes([image[position] ^ 0x5a]) + bytes(image[position + 1:])
            try:
                with filigree.File.in_memory(damaged) as file:
                    file["d"][...]
            except (filigree.Error, TypeError, ValueError, KeyError) as error:
                kinds.add(type(error).__name__)
        self.assertTrue(kinds)


class Callbacks(Scratch):
    def test_exceptions_of_callbacks_pass(self):
        with filigree.File(self.path(), "w") as file:
            file.create_group("a/b/c")

            def fail(*arguments):
                raise ZeroDivisionError(arguments[0])
            for visit in (file.visit, file.visititems, file.visit_links, file.visititems_links):
                with self.assertRaisesRegex(ZeroDivisionError, "a"):
                    visit(fail)
            self.assertEqual(file.visit(lambda name: name if name.endswith("c") else None), "a/b/c")
            file.create_group("d")


class Threads(Scratch):
    def test_reads_run_without_the_interpreters_lock(self):
        values = np.random.default_rng(1).integers(0, 1000, (400, 1000))
        with filigree.File(self.path(), "w") as file:
            file.create_dataset("d", data=values, chunks=(50, 100), compression="gzip")
        with filigree.File(self.path()) as file:
            data, results = file["d"], []

            def read(start):
                for i in range(20):
                    first = (start * 37 + i * 13) % 300
                    results.append(bool((data[first:first + 90] == values[first:first + 90]).all()))
            threads = [threading.Thread(target=read, args=(t,)) for t in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(results, [True] * 80)

    def test_random_calls_and_a_close_in_between(self):
        with filigree.File(self.path(), "w") as file:
            for i in range(4):
                file.create_dataset(f"d{i}", data=np.full(1000, i), maxshape=(None,), chunks=(100,))
        file = filigree.File(self.path(), "r+")
        wrong, closed = [], []

        def work(thread):
            try:
                for i in itertools.count():
                    data = file[f"d{i % 4}"]
                    if i % 5 == thread % 5:
                        data.attrs[f"t{thread}"] = i
                    part = data[i % 900:i % 900 + 50]
                    if not (part == i % 4).all():
                        wrong.append((thread, i))
            except ValueError as error:
                closed.append(str(error))
        threads = [threading.Thread(target=work, args=(t,)) for t in range(6)]
        for thread in threads:
            thread.start()
        threads[0].join(0.5)
        file.close()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])
        self.assertEqual(len(closed), 6)
        with filigree.File(self.path()) as again:
            self.assertEqual(again["d3"][...].tolist(), [3] * 1000)


class Processes(Scratch):
    def setUp(self):
        super().setUp()
        with filigree.File(self.path(), "w") as file:
            for i in range(4):
                file.create_dataset(f"d{i}", data=np.full((50, 50), i), chunks=(10, 10), compression="gzip")
        self.file = filigree.File(self.path())
        self.addCleanup(self.file.close)

    def test_forked_workers_read_what_the_parent_opened(self):
        sum_of(self.file["d1"])
        sets = [self.file[f"d{i}"] for i in range(4)]
        with multiprocessing.get_context("fork").Pool(4) as pool:
            self.assertEqual(pool.map(sum_of, sets), [0, 2500, 5000, 7500])
        children = []
        for i in range(4):
            child = os.fork()
            if child == 0:
                os._exit(0 if sum_of(sets[i]) == i * 2500 else 1)
            children.append(child)
        self.assertEqual([os.waitpid(child, 0)[1] for child in children], [0] * 4)

    def test_pickle(self):
        copy = pickle.loads(pickle.dumps(self.file["d2"]))
        self.assertEqual(sum_of(copy), 5000)
        self.assertEqual(copy.name, "/d2")
        self.assertEqual(sorted(pickle.loads(pickle.dumps(self.file))), ["d0", "d1", "d2", "d3"])
        with filigree.File(self.path("b.h5"), "w") as file:
            with self.assertRaises(TypeError):
                pickle.dumps(file.create_group("g"))


class Memory(Scratch):
    def test_many_calls_keep_no_memory(self):
        with filigree.File(self.path(), "w") as file:
            file.create_dataset("d", data=np.arange(100), maxshape=(None,), chunks=(10,))
            file["s"] = ["text"] * 10
            file.attrs["a"] = "text"

            def calls():
                for i in range(300):
                    data = file["d"]
                    data[i % 90:i % 90 + 5] = i
                    data[[3, 1, 1]], file["s"][...], file.attrs["a"]
                    try:
                        file["nope"]
                    except KeyError:
                        pass
            calls()
            gc.collect()
            tracemalloc.start()
            self.addCleanup(tracemalloc.stop)
            for _ in range(4):  # until Python and numpy have filled what they keep for later objects
                calls()
            gc.collect()
            growth = []
            for _ in range(4):  # a leak grows each time, what Python keeps does not
                before = tracemalloc.get_traced_memory()[0]
                for _ in range(3):
                    calls()
                gc.collect()
                growth.append(tracemalloc.get_traced_memory()[0] - before)
            self.assertLess(min(growth), 5000, growth)

    def test_strings_are_counted_once(self):
        import sys
        with filigree.File(self.path(), "w") as file:
            text = "a text that nothing else refers to"
            data = file.create_dataset("s", (3,), filigree.string_dtype())
            before = sys.getrefcount(text)
            for _ in range(10):
                data[...] = [text] * 3
            self.assertEqual(sys.getrefcount(text), before)
            read = data[...]
            self.assertEqual(sys.getrefcount(read[0]), 2)


class FileObjects(Scratch):
    def test_bytes_io(self):
        stream = io.BytesIO()
        with filigree.File(stream, "w") as file:
            file["d"] = np.arange(1000)
            file.create_sparse_dataset("s", (100, 100), "f4").sparse[...] = ([[1], [2]], [3])
        with filigree.File(stream) as file:
            self.assertEqual(file["d"][...].tolist(), list(range(1000)))
            self.assertEqual(file["s"].sparse[...].data.tolist(), [3])
        with open(self.path(), "wb") as copy:
            copy.write(stream.getvalue())
        with filigree.File(self.path()) as file:
            self.assertEqual(file["d"][7], 7)

    def test_failures_of_the_object_are_errors(self):
        class Broken(io.BytesIO):
            def readinto(self, buffer):
                raise ZeroDivisionError("broken")
        stream = io.BytesIO()
        filigree.File(stream, "w").close()
        with self.assertRaisesRegex(OSError, "ZeroDivisionError: broken"):
            filigree.File(Broken(stream.getvalue()))

    def test_images(self):
        with filigree.File.in_memory() as file:
            file["d"] = np.arange(5)
            image = file.image()
        with filigree.File.in_memory(image) as file:
            self.assertEqual(file["d"][...].sum(), 10)


class Datasets(Scratch):
    def setUp(self):
        super().setUp()
        self.file = filigree.File(self.path(), "w")
        self.addCleanup(self.file.close)

    def test_memmap(self):
        values = np.arange(20, dtype="<f8").reshape(4, 5)
        data = self.file.create_dataset("d", data=values)
        np.testing.assert_array_equal(data.memmap(), values)
        chunked = self.file.create_dataset("c", data=values, chunks=(2, 2))
        with self.assertRaises(TypeError):
            chunked.memmap()

    def test_out(self):
        data = self.file.create_dataset("d", data=np.arange(20).reshape(4, 5))
        array = np.zeros((2, 5), "f4")
        self.assertIs(data.read(np.s_[1:3], out=array), array)
        np.testing.assert_array_equal(array, [[5, 6, 7, 8, 9], [10, 11, 12, 13, 14]])
        buffer = bytearray(160)
        data.read(out=buffer)
        self.assertEqual(np.frombuffer(buffer, "<i8").tolist(), list(range(20)))
        with self.assertRaises(ValueError):
            data.read(np.s_[:1], out=array)

    def test_out_of_dlpack(self):
        class Tensor:
            def __init__(self):
                self.array = np.zeros((4, 5), "f8")

            def __dlpack__(self, stream=None):
                return self.array.__dlpack__()

            def __dlpack_device__(self):
                return self.array.__dlpack_device__()
        data = self.file.create_dataset("d", data=np.arange(20).reshape(4, 5))
        tensor = Tensor()
        self.assertIs(data.read(out=tensor), tensor)
        np.testing.assert_array_equal(tensor.array, np.arange(20).reshape(4, 5))

    def test_ctrl_c_ends_a_read_and_leaves_the_file_usable(self):
        import signal
        from unittest import mock
        data = self.file.create_dataset("d", (20000, 100), "f8", chunks=(10, 100))
        data[:10] = 1

        def interrupt(number, frame):
            raise KeyboardInterrupt
        previous = signal.signal(signal.SIGALRM, interrupt)
        self.addCleanup(signal.signal, signal.SIGALRM, previous)
        self.addCleanup(signal.setitimer, signal.ITIMER_REAL, 0)
        with mock.patch("filigree.steps.STEP_BYTES", 8000):
            with self.assertRaises(KeyboardInterrupt):
                signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
                while True:
                    data[...]
            signal.setitimer(signal.ITIMER_REAL, 0)
        self.assertEqual(data[:20].sum(), 1000)

    def test_large_transfers_in_steps(self):
        from unittest import mock
        values = np.arange(10000).reshape(100, 100)
        with mock.patch("filigree.steps.STEP_BYTES", 3000):
            data = self.file.create_dataset("d", (100, 100), "i8", chunks=(30, 30))
            data[...] = values
            np.testing.assert_array_equal(data[...], values)
            np.testing.assert_array_equal(data[3:97, 5:60], values[3:97, 5:60])
            data[10:90] = 7
            self.assertEqual((data[...] == 7).sum(), 8001)

    def test_raw_chunks(self):
        data = self.file.create_dataset("d", data=np.arange(16, dtype="<i4").reshape(4, 4), chunks=(2, 4))
        mask, stored = data.read_chunk((2, 0))
        self.assertEqual((mask, np.frombuffer(stored, "<i4").tolist()), (0, list(range(8, 16))))
        data.write_chunk((0, 0), stored)
        self.assertEqual(data[0].tolist(), [8, 9, 10, 11])

    def test_info_and_html(self):
        data = self.file.create_sparse_dataset("d", (10, 10), "f4")
        self.assertTrue(data.info["sparse"])
        self.assertIn("0 of 100 elements", data._repr_html_())

    def test_dataset_like_keeps_its_storage(self):
        first = self.file.create_sparse_dataset("a", (10, 10), "f4", values=["shuffle", "zstd"], fillvalue=3)
        second = self.file.create_dataset_like("b", first)
        self.assertTrue(second.is_sparse)
        self.assertEqual((second.shape, second.chunks, second.fillvalue), (first.shape, first.chunks, 3))
        self.assertEqual(second.info["filters"], first.info["filters"])
        dense = self.file.create_dataset("c", (10, 10), "i2", chunks=(5, 5), compression="gzip", shuffle=True)
        like = self.file.create_dataset_like("e", dense, compression_opts=9)
        self.assertEqual((like.compression, like.compression_opts, like.shuffle), ("gzip", 9, True))


class Exceptions(unittest.TestCase):
    def test_every_kind_has_its_class(self):
        for kind in errors._CLASSES:
            made = errors.make(kind, "doing: why", "why")
            self.assertEqual((made.kind, str(made), made.message), (kind, "doing: why", "why"))
        self.assertIsInstance(errors.make("new kind", "a", "b"), RuntimeError)


if __name__ == "__main__":
    unittest.main()
