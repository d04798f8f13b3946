# SPDX-License-Identifier: Apache-2.0
"""Drivers from the API: HDF5 opens and extends what we write through family, split and memory, and the reverse."""
import glob
import json
import os
import unittest

import h5py
import numpy as np

import reference
from oracle import BIN, Case, Refused, run

DRIVER = os.path.join(BIN, "virtual_files_driver")
VALUES = np.arange(20000, dtype="<f4")
LOWS = {"earliest": 0, "v108": 1, "v110": 2}


# h5py knows the simple form of the driver, split, only.
h5py.register_driver("multi", lambda access: reference.call("H5Pset_fapl_multi", access, None, None, None, None, 1))


def fill(file):
    file["values"] = VALUES
    file.create_dataset("chunks", data=VALUES[:4096].reshape(64, 64), chunks=(16, 16))
    file["group/text"] = "variable length, in the global heap"
    file["group"].attrs["number"] = 42


def words(options):
    return [f"{key}={value}" for key, value in options.items()]


class Drivers(Case):
    def ours(self, verb, driver, path, **options):
        return run(DRIVER, verb, driver, path, *words(options)).decode()

    def contents(self, path, more=False, extended=False, **options):
        with h5py.File(path, "r", **options) as file:
            np.testing.assert_array_equal(file["values"][...], VALUES)
            np.testing.assert_array_equal(file["chunks"][...], VALUES[:4096].reshape(64, 64))
            self.assertEqual(file["group/text"][()], b"variable length, in the global heap")
            self.assertEqual(file["group"].attrs["number"], 42)
            self.assertEqual("more" in file, more)
            if more:
                np.testing.assert_array_equal(file["more"][...], VALUES[::-1])
            if extended:
                for i in range(1, 40, 2):
                    self.assertEqual(file[f"group/text{i}"][()], f"value {i}".encode())
                    self.assertEqual(file["group"].attrs[f"number{i}"], i)
                self.assertNotIn("text0", file["group"])

    def both_ways(self, driver, name, reference, settings=None):
        """Ours read and extended by HDF5, then by us again; HDF5's read and extended by us, then by HDF5."""
        settings = settings or {}
        for libver, low in LOWS.items():
            with self.subTest(driver=driver, libver=libver):
                path = self.file(f"ours-{libver}-{name}")
                self.ours("make", driver, path, low=low, **settings)
                self.assertEqual(self.ours("check", driver, path, **settings), "")
                self.contents(path, **reference)
                with h5py.File(path, "r+", **reference) as file:
                    file["more"] = VALUES[::-1]
                self.contents(path, more=True, **reference)
                self.assertEqual(self.ours("check", driver, path, **settings), "more\n")

                path = self.file(f"reference-{libver}-{name}")
                with h5py.File(path, "w", libver=(libver, "latest"), **reference) as file:
                    fill(file)
                self.assertEqual(self.ours("check", driver, path, **settings), "")
                self.ours("extend", driver, path, low=low, **settings)
                self.assertEqual(self.ours("check", driver, path, **settings), "more\n")
                self.contents(path, more=True, extended=True, **reference)
                with h5py.File(path, "r+", **reference) as file:
                    del file["more"]
                    file["again"] = VALUES
                self.contents(path, extended=True, **reference)
                self.ours("check", driver, path, **settings)

    def test_family(self):
        self.both_ways("family", "f%d.h5", dict(driver="family", memb_size=8192), dict(member=8192))

    def test_split(self):
        self.both_ways("split", "s", dict(driver="split"))

    def test_multi(self):
        self.both_ways("multi", "m", dict(driver="multi"))
        # HDF5 keeps global heaps with raw data, and so do we.
        for letter in "sbrglo":
            used = os.path.getsize(self.file(f"ours-earliest-m-{letter}.h5")) > 0
            self.assertEqual(used, letter != "g", letter)

    def test_memory(self):
        self.both_ways("memory", "c.h5", dict(driver="core", backing_store=True))

    def test_uring(self):
        self.both_ways("uring", "u.h5", {})

    def test_unsaved_memory_leaves_no_file(self):
        path = self.file("unsaved.h5")
        self.ours("make", "unsaved", path)
        self.assertFalse(os.path.exists(path))

    def test_all_drivers_of_one_file_write_the_same_bytes(self):
        images = []
        for driver in ("posix", "uring", "memory"):
            path = self.file(driver + ".h5")
            # Headers of the earliest version store no times of objects, but datasets have a message with one.
            self.ours("make", driver, path, times="off")
            with open(path, "rb") as file:
                images.append(file.read())
        self.assertEqual(images[0], images[1])
        self.assertEqual(images[0], images[2])

    def test_split_members_hold_what_hdf5_puts_there(self):
        ours, reference = self.file("ours"), self.file("reference")
        self.ours("make", "split", ours)
        with h5py.File(reference, "w", driver="split") as file:
            fill(file)
        with open(ours + "-r.h5", "rb") as raw:
            data = raw.read()
        self.assertIn(VALUES.tobytes(), data)
        self.assertIn(b"GCOL", data)
        with open(ours + "-m.h5", "rb") as metadata:
            data = metadata.read()
        self.assertLess(len(data), 20000)
        self.assertIn(b"NCSAmult", data)
        self.assertNotIn(b"GCOL", data)
        self.assertLess(abs(os.path.getsize(ours + "-r.h5") - os.path.getsize(reference + "-r.h5")), 8192)

    def test_the_error_names_the_driver_that_is_needed(self):
        for libver in LOWS:
            split, family = self.file(f"split-{libver}"), self.file(f"family-{libver}-%d.h5")
            with h5py.File(split, "w", driver="split", libver=(libver, "latest")) as file:
                fill(file)
            with h5py.File(family, "w", driver="family", memb_size=8192, libver=(libver, "latest")) as file:
                fill(file)
            self.assertIn("needs the split driver", self.ours("fail", "posix", split + "-m.h5"))
            self.assertIn("needs the family driver, with members of 8192 bytes",
                          self.ours("fail", "posix", family % 0))
            self.assertIn("has 8192 bytes, but they were taken to have 10000",
                          self.ours("fail", "family", family, member=10000))
            joined = self.file(f"joined-{libver}-%d.h5")
            with open(joined % 0, "wb") as one:
                for i in range(len(glob.glob(family.replace("%d", "*")))):
                    with open(family % i, "rb") as member:
                        one.write(member.read())
            self.assertIn("the file says 8192 bytes, but they were taken to have 1000000",
                          self.ours("fail", "family", joined, member=1000000))
            os.truncate(split + "-r.h5", 1000)
            self.assertIn("is truncated", self.ours("fail", "split", split))

    def test_plain_file_is_not_split(self):
        path = self.file("plain")
        for suffix in ("-m.h5", "-r.h5"):
            with h5py.File(path + suffix, "w") as file:
                fill(file)
        self.assertIn("does not say", self.ours("fail", "split", path))

    def test_log_tells_types(self):
        kinds = {"superblock", "B-tree", "raw data", "global heap", "local heap", "object header"}
        for driver, options in (("posix", {}), ("memory", {}), ("split", {}), ("family", {"member": 8192})):
            path = self.file(driver + ("%d" if driver == "family" else ""))
            lines = [json.loads(line) for line in self.ours("make", driver, path, log="json", **options).splitlines()]
            writes = [line for line in lines if line["op"] == "write"]
            types = set().union(*(line["types"] for line in writes))
            self.assertNotIn("unspecified", types)
            # What is merged above the driver is known by its first part.
            if driver != "posix":
                self.assertEqual(types, kinds)
            self.assertEqual(set(writes[-1]["types"]), {"superblock"})
            self.assertLessEqual(len(writes), 12)


if __name__ == "__main__":
    unittest.main()
