# SPDX-License-Identifier: Apache-2.0
"""Files are no larger than those that HDF5 makes by the same calls, also after links, attributes and objects were
deleted. Each library reads and extends what the other has written."""

import pathlib
import random
import shutil
import tempfile
import unittest

import libraries

VERSIONS = ("earliest", "latest")
# By how many bytes our files may be larger, and why.
ONE_LEAF = 512  # HDF5 shares the records of a full B-tree node with two siblings at a time, we with one: a leaf more in 25
OTHER_ORDER = 216  # the same structures are allocated in another order, and fill the holes differently
LARGER = {
    ("soft_kept", "latest"): ONE_LEAF,
    ("three_sessions", "latest"): ONE_LEAF,
    ("renamed", "latest"): ONE_LEAF,
    ("renamed", "earliest"): OTHER_ORDER,
    ("datasets", "latest"): OTHER_ORDER,
}


@unittest.skipUnless(libraries.have_reference(), "needs the reference library HDF5")
class FileSizesTest(unittest.TestCase):
    maxDiff = 2000

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.both = libraries.both(cls.folder)
        source = libraries.HERE / "exchange" / "file_sizes.c"
        cls.programs = {library: library.build(source) for library in cls.both}
        names = cls.both[0].run(cls.programs[cls.both[0]], arguments=["names"])[1].split()
        cls.scenarios = [(name, version) for version in VERSIONS for name in names]
        for library in cls.both:
            for name, version in cls.scenarios:
                path = cls.path(library, name, version)
                code, _, errors = library.run(cls.programs[library], arguments=["make", name, version, str(path)])
                if code != 0:
                    raise AssertionError(f"{name} {version}: {errors[:2000]}")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def path(cls, library, name, version):
        return library.folder / f"{name}-{version}.h5"

    def run_with(self, library, *arguments):
        code, output, errors = library.run(self.programs[library], arguments=[str(word) for word in arguments])
        self.assertEqual(code, 0, errors[:2000])
        return output

    def test_ours_are_not_larger(self):
        self.assertGreaterEqual(len(self.scenarios), 60)
        for name, version in self.scenarios:
            with self.subTest(scenario=name, version=version):
                reference, ours = (self.path(library, name, version).stat().st_size for library in self.both)
                self.assertLessEqual(ours, reference + LARGER.get((name, version), 0))

    def test_both_libraries_list_the_same(self):
        for name, version in self.scenarios:
            lists = [self.run_with(reader, "list", self.path(writer, name, version)) for writer in self.both for reader in self.both]
            for other in lists[1:]:
                self.assertEqual(lists[0], other, f"{name} {version}")

    def test_each_extends_what_the_other_wrote(self):
        reference, ours = self.both
        for name, version in self.scenarios:
            lists = []
            for writer, extender in ((reference, ours), (ours, reference), (ours, ours)):
                path = self.folder / "extended.h5"
                shutil.copy(self.path(writer, name, version), path)
                self.run_with(extender, "extend", path)
                lists += [self.run_with(reader, "list", path) for reader in self.both]
            for other in lists[1:]:
                self.assertEqual(lists[0], other, f"{name} {version}")

    def test_damaged_files_do_not_crash(self):
        choose = random.Random(7)
        ours = self.both[1]
        for name in ("soft_in_group", "first_half", "second_half", "attributes_halved", "filtered_halved"):
            for version in VERSIONS:
                content = self.path(ours, name, version).read_bytes()
                for trial in range(20):
                    damaged = bytearray(content)
                    if trial % 4 == 0:
                        damaged = damaged[: choose.randrange(len(damaged))]
                    else:
                        for _ in range(3):
                            damaged[choose.randrange(len(damaged))] ^= 1 << choose.randrange(8)
                    path = self.folder / "damaged.h5"
                    path.write_bytes(damaged)
                    for command in ("list", "extend"):
                        code, _, errors = ours.run(self.programs[ours], seconds=60, arguments=[command, str(path)])
                        self.assertIn(code, (0, 1), f"{name} {version} {trial} {command}: {errors[-500:]}")


if __name__ == "__main__":
    unittest.main()
