# SPDX-License-Identifier: Apache-2.0
"""What calls keep: memory, references, threads at random, and interrupts.

FILIGREE_REPEAT multiplies how often calls are made (make test-python: 50, which is a million opens, reads and appends).
"""
import gc
import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
import unittest

import numpy as np

import filigree
from support import Scratch

REPEAT = int(os.environ.get("FILIGREE_REPEAT", "1"))
CALLS = 20_000 * REPEAT


def resident_bytes():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Memory(Scratch):
    """The memory of the process does not grow, whatever allocates it."""

    #: Far less than a leak of a few bytes in each of the calls, and more than caches that settle.
    MOST = 1 << 20

    def assert_no_growth(self, work):
        """Runs `work(i)` as warming, then for all calls."""
        for i in range(CALLS // 4):
            work(i)
        gc.collect()
        before = resident_bytes()
        for i in range(CALLS):
            work(i)
        gc.collect()
        self.assertLess(resident_bytes() - before, max(self.MOST, CALLS * 4))

    def test_opens_and_reads(self):
        with filigree.File(self.path(), "w") as file:
            file["g/d"] = np.arange(1000.0).reshape(100, 10)
            file["g/s"] = ["one", "two"]
            file["g"].attrs["a"] = "text"
        with filigree.File(self.path()) as file:
            def work(i):
                data = file["g/d"]
                self.assertEqual(data[i % 100, 3], i % 100 * 10 + 3)
                if i % 8 == 0:
                    data[[3, 1, 1]], file["g/s"][...], file["g"].attrs["a"], data.attrs, data.shape
                if i % 8 == 4:
                    try:
                        file["g/nothing"]
                    except KeyError:
                        pass
            self.assert_no_growth(work)

    def test_files(self):
        with filigree.File(self.path(), "w") as file:
            file["d"] = np.arange(10)

        def work(i):
            if i % 100 == 0:
                with filigree.File(self.path()) as file:
                    self.assertEqual(file["d"][3], 3)
        self.assert_no_growth(work)

    def test_appends(self):
        with filigree.File(self.path(), "w") as file:
            data = file.create_sparse_dataset("f", (0, 64, 64), "u2", maxshape=(None, 64, 64), chunks=(64, 64, 64))
            image = np.ones((2, 3), np.uint16)
            with data.appender(1 << 16) as frames:
                def work(i):
                    if i % 2:
                        frames.points(([i % 64], [5]), [7])
                    else:
                        frames.region((3, 4), image)
                self.assert_no_growth(work)
            self.assertEqual(data.shape[0], CALLS + CALLS // 4)
            self.assertEqual(data.nnz, data.shape[0] // 2 * 7)

    def test_assignments(self):
        with filigree.File(self.path(), "w") as file:
            data = file.create_dataset("d", (100,), "i8", chunks=(10,))
            strings = file.create_dataset("s", (4,), filigree.string_dtype())

            def work(i):
                data[i % 100] = i
                file.attrs["n"] = i
                if i % 16 == 0:
                    strings[i % 4] = "text" * (i % 7)
            self.assert_no_growth(work)


#: Runs under Python's debugging allocator, which finds writes outside of blocks and the use of freed ones.
REFERENCES = """
    import gc, sys
    import numpy as np, filigree
    path = sys.argv[1]

    def counts(*objects):
        return [sys.getrefcount(each) for each in objects]

    with filigree.File(path, "w") as file:
        table = np.dtype([("name", filigree.string_dtype()), ("values", filigree.vlen_dtype("i4")), ("n", "f8")])
        number, text, buffer = np.dtype("<f8"), "a text that is used once", bytearray(800)
        values = np.arange(100.0)
        strings = file.create_dataset("s", (3,), filigree.string_dtype())
        data = file.create_dataset("d", (100,), number)
        records = file.create_dataset("t", (2,), table)
        record = np.array([(text, np.arange(3, dtype="i4"), 1.5), ("", np.arange(0, dtype="i4"), 2.5)], table)
        sparse = file.create_sparse_dataset("p", (10, 10), "f8")

        def use():
            strings[...] = [text] * 3
            strings[...]; strings.asstr()[0]
            data[...] = values
            data.read(out=buffer)
            data[5]; data[[5, 2]]; data.astype("i4")[:3]
            records[...] = record
            records[...]; records["name"]; records[0]
            sparse.sparse[...] = ([[1], [2]], [3.5])
            sparse.sparse[...]; sparse.masked[0]
            file.attrs["t"] = text; file.attrs["t"]
            file.attrs["v"] = values; file.attrs["v"]
            for wrong in (lambda: data[1000], lambda: file["nothing"], lambda: strings.__setitem__(0, 5),
                          lambda: strings.__setitem__(slice(None), np.array([text, 5, text], object)),
                          lambda: records.__setitem__(0, (1, 2, 3)), lambda: file.create_dataset("d", (1,))):
                try:
                    wrong()
                except (IndexError, KeyError, TypeError, ValueError):
                    pass
                else:
                    raise AssertionError("a wrong call has succeeded")

        for _ in range(3):
            use()
        gc.collect()
        before = counts(number, text, buffer, values, table, record, np.dtype("i4"), filigree.Error)
        for _ in range(50):
            use()
        gc.collect()
        after = counts(number, text, buffer, values, table, record, np.dtype("i4"), filigree.Error)
        assert all(abs(a - b) < 10 for a, b in zip(before, after)), (before, after)
        part = strings[...]
        assert sys.getrefcount(part[0]) == 2, sys.getrefcount(part[0])
    print("done")
"""


class References(Scratch):
    def test_counts_under_the_debugging_allocator(self):
        env = dict(os.environ, PYTHONMALLOC="debug", PYTHONDEVMODE="1", MALLOC_PERTURB_="165")
        done = subprocess.run([sys.executable, "-c", textwrap.dedent(REFERENCES), self.path()], capture_output=True,
                              text=True, env=env)
        self.assertEqual((done.stdout, done.stderr), ("done\n", ""))


class RandomThreads(Scratch):
    """Eight threads open, read, append and close at random; each knows the values it has to find."""

    def work(self, seed, wrong):
        chance = random.Random(seed)
        path = self.path(f"own{seed}.h5")
        expected = []
        try:
            with filigree.File(path, "w") as file:
                file.create_dataset("grows", (0,), "i8", maxshape=(None,), chunks=(64,), compression="gzip")
                file.create_sparse_dataset("frames", (0, 16, 16), "i4", maxshape=(None, 16, 16), chunks=(4, 16, 16))
            for _ in range(60 * REPEAT):
                with filigree.File(path, chance.choice(("r+", "a"))) as own:
                    for _ in range(chance.randrange(8)):
                        self.append(own, chance, expected)
                    grows = own["grows"]
                    if grows[...].tolist() != expected or grows.shape != (len(expected),):
                        wrong.append((seed, "grows"))
                    if expected and own["frames"].sparse[len(expected) - 1].data.tolist() != [expected[-1]]:
                        wrong.append((seed, "frames"))
                self.read_shared(chance, wrong, seed)
        except Exception as error:  # a thread that fails would be silent
            wrong.append((seed, repr(error)))

    @staticmethod
    def append(own, chance, expected):
        value = chance.randrange(1, 1 << 30)
        grows = own["grows"]
        grows.resize(len(expected) + 1, axis=0)
        grows[-1] = value
        with own["frames"].appender() as frames:
            frames.points(([value % 16], [value % 13]), [value])
        expected.append(value)

    def read_shared(self, chance, wrong, seed):
        """Some threads use one open file, others open and close one of their own."""
        file = self.shared if seed % 2 else filigree.File(self.path("shared.h5"))
        number = chance.randrange(10)
        data = file[f"g{number}/d"]
        first = chance.randrange(900)
        if data[first:first + 100].tolist() != list(range(number + first, number + first + 100)):
            wrong.append((seed, "shared"))
        if data.attrs["n"] != number or data[first] != number + first:
            wrong.append((seed, "attribute"))
        if file is not self.shared:
            file.close()

    def test_eight_threads(self):
        with filigree.File(self.path("shared.h5"), "w") as file:
            for i in range(10):
                data = file.create_dataset(f"g{i}/d", data=np.arange(i, i + 1000), chunks=(100,), compression="gzip")
                data.attrs["n"] = i
        self.shared = filigree.File(self.path("shared.h5"))
        wrong = []
        threads = [threading.Thread(target=self.work, args=(seed, wrong)) for seed in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.shared.close()
        self.assertEqual(wrong, [])


class Closing(Scratch):
    def test_a_file_is_closed_while_others_read(self):
        with filigree.File(self.path(), "w") as file:
            file.create_dataset("d", data=np.arange(200_000).reshape(1000, 200), chunks=(10, 200), compression="gzip")
            file["s"] = ["text"] * 1000
        for read in (lambda file: file["d"][...], lambda file: file["d"][7], lambda file: file["s"][...],
                     lambda file: file["d"][[5, 3]], lambda file: file["d"].attrs.keys()):
            file, outcomes = filigree.File(self.path()), []
            started = threading.Barrier(5)

            def work():
                started.wait()
                try:
                    while True:
                        read(file)
                except ValueError as error:  # what h5py raises, too
                    outcomes.append(type(error).__name__)
            threads = [threading.Thread(target=work) for _ in range(4)]
            for thread in threads:
                thread.start()
            started.wait()
            file["d"][0]
            file.close()
            for thread in threads:
                thread.join()
            self.assertEqual(len(outcomes), 4)


class Interrupts(Scratch):
    """Ctrl-C ends a long transfer between two steps, and leaves the file usable."""

    def setUp(self):
        super().setUp()
        self.file = filigree.File(self.path(), "w")
        self.addCleanup(self.file.close)
        previous = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, previous)

    def steps_until_interrupt(self, work):
        """How many steps a transfer makes when the signal comes in its first one."""
        import filigree.steps
        from unittest import mock
        made, original = [], filigree.steps._divided

        def counted(*arguments):
            for step in original(*arguments):
                made.append(step)
                if len(made) == 1:
                    signal.raise_signal(signal.SIGINT)
                yield step
        with mock.patch("filigree.steps.STEP_BYTES", 10_000), mock.patch("filigree.steps._divided", counted):
            with self.assertRaises(KeyboardInterrupt):
                work()
        return len(made)

    def test_each_kind_of_long_transfer(self):
        values = np.arange(400_000.0).reshape(4000, 100)
        data = self.file.create_dataset("d", data=values, chunks=(10, 100), compression="gzip")
        flat = self.file.create_dataset("f", data=values.reshape(1, 1, -1))
        for work in (lambda: data[...], lambda: data[:, 3:90], lambda: data[::2], lambda: data[np.arange(0, 3900)],
                     lambda: data[::2, [1, 5, 7] + list(range(20, 90))], lambda: flat[...],
                     lambda: data.__setitem__(slice(None), values), lambda: np.asarray(data),
                     lambda: data.read_direct(np.empty((4000, 100)))):
            self.assertEqual(self.steps_until_interrupt(work), 1)
        np.testing.assert_array_equal(data[...], values)
        np.testing.assert_array_equal(flat[...].reshape(4000, 100), values)


if __name__ == "__main__":
    unittest.main()
