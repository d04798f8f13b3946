# SPDX-License-Identifier: Apache-2.0
"""Files of several members: Filigree and HDF5 store the same bytes in the members of the family and split drivers."""
import glob
import os
import struct
import unittest

import h5py
import numpy as np

from oracle import BIN, Case, run

DRIVER = os.path.join(BIN, "io_members_driver")
VALUES = np.arange(20000, dtype="<f4")


def fill(file):
    file["values"] = VALUES
    file.create_dataset("chunks", data=VALUES[:4096].reshape(64, 64), chunks=(16, 16), compression="gzip")
    file["group/text"] = "variable length, in the global heap"
    file["group"].attrs["number"] = 42


class Members(Case):
    def contents(self, path, more=(), **options):
        with h5py.File(path, "r", **options) as file:
            np.testing.assert_array_equal(file["values"][...], VALUES)
            np.testing.assert_array_equal(file["chunks"][...], VALUES[:4096].reshape(64, 64))
            self.assertEqual(file["group/text"][()], b"variable length, in the global heap")
            self.assertEqual(file["group"].attrs["number"], 42)
            for name in more:
                np.testing.assert_array_equal(file[name][...], VALUES[::-1])

    def bytes_of(self, *paths):
        parts = []
        for path in paths:
            with open(path, "rb") as file:
                parts.append(file.read())
        return b"".join(parts)

    def members(self, name):
        paths = glob.glob(self.file(name + "*.h5"))
        return sorted(paths, key=lambda p: int("".join(c for c in os.path.basename(p)[len(name):-3])))

    def member_size_at(self, image):
        """The offset of the member size in the superblock's driver information."""
        return image.index(b"NCSAfami") + 8

    def check_family(self, size, **options):
        reference, plain = self.file("reference%d.h5"), self.file("plain.bin")
        with h5py.File(reference, "w", driver="family", memb_size=size, **options) as file:
            fill(file)
        self.assertGreater(len(self.members("reference")), 2)
        run(DRIVER, "from-family", reference, "0", plain)
        image = self.bytes_of(plain)
        self.assertEqual(image, self.bytes_of(*self.members("reference")))

        # The same bytes in members of another size; only the member size in the file differs.
        for other in (size, size + 1000):
            if other != size:
                if "libver" in options:
                    continue  # the size is stored in the superblock extension, which has a checksum
                at = self.member_size_at(image)
                with open(plain, "wb") as file:
                    file.write(image[:at] + struct.pack("<Q", other) + image[at + 8:])
            ours = self.file(f"ours{other}-%d.h5")
            run(DRIVER, "to-family", ours, str(other), plain)
            self.contents(ours, driver="family", memb_size=other)
            with h5py.File(ours, "r+", driver="family", memb_size=other) as file:
                file["more"] = VALUES[::-1]
            self.contents(ours, ["more"], driver="family", memb_size=other)
            back = self.file("back.bin")
            run(DRIVER, "from-family", ours, "0", back)
            self.assertEqual(self.bytes_of(back), self.bytes_of(*self.members(f"ours{other}-")))
        return reference, image

    def test_family(self):
        reference, image = self.check_family(8192)
        # As HDF5 itself joins the members.
        joined = self.file("joined%d.h5")
        run("h5repart", "-m", "1g", reference, joined)
        one = bytearray(self.bytes_of(joined % 0))
        at = self.member_size_at(image)
        one[at:at + 8] = image[at:at + 8]
        self.assertEqual(bytes(one[:len(image)]), image)

    def test_family_of_the_latest_format(self):
        self.check_family(8192, libver="latest")

    def test_wrong_size_of_members(self):
        reference = self.file("reference%d.h5")
        with h5py.File(reference, "w", driver="family", memb_size=8192) as file:
            fill(file)
        with self.assertRaisesRegex(Exception, "more than the 4096 of a member"):
            run(DRIVER, "from-family", reference, "4096", self.file("plain.bin"))

    def check_split(self, **options):
        reference, ours = self.file("reference"), self.file("ours")
        with h5py.File(reference, "w", driver="split", **options) as file:
            fill(file)
        parts = self.file("metadata.bin"), self.file("raw.bin")
        run(DRIVER, "from-split", reference, *parts)
        for part, suffix in zip(parts, ("-m.h5", "-r.h5")):
            self.assertEqual(self.bytes_of(part), self.bytes_of(reference + suffix))
        run(DRIVER, "to-split", ours, *parts)
        self.contents(ours, driver="split")
        with h5py.File(ours, "r+", driver="split") as file:
            file["more"] = VALUES[::-1]
        self.contents(ours, ["more"], driver="split")
        run(DRIVER, "from-split", ours, *parts)
        for part, suffix in zip(parts, ("-m.h5", "-r.h5")):
            self.assertEqual(self.bytes_of(part), self.bytes_of(ours + suffix))

    def test_split(self):
        self.check_split()

    def test_split_of_the_latest_format(self):
        self.check_split(libver="latest")


if __name__ == "__main__":
    unittest.main()
