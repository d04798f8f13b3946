# SPDX-License-Identifier: Apache-2.0
"""`filigree ls` on files that HDF5 wrote, compared with h5ls line by line."""

import subprocess
import unittest

import h5py
import numpy

from support import FolderCase, h5ls

VERSIONS = ["earliest", "v108", "v110"]


def fill(file):
    """Every kind of object and link, and names that need escapes."""
    file["scalar"] = 1.5
    file["null"] = h5py.Empty("f4")
    file["zero"] = numpy.zeros((0, 3))
    file.create_dataset("unlimited", (10, 20), maxshape=(None, 20), dtype="i4")
    file.create_dataset("limited", (10, 20), maxshape=(30, None), dtype="i4", chunks=(5, 5))
    file["type"] = numpy.dtype([("x", "f4"), ("y", "i8")])
    sub = file.create_group("g/sub")
    sub["x"] = numpy.arange(3)
    sub["up"] = file["/"]
    file["same_dataset"] = sub["x"]
    file["same_group"] = sub
    file["same_type"] = file["type"]
    file["soft"] = h5py.SoftLink("/g/sub")
    file["dangling"] = h5py.SoftLink("no/where with spaces")
    file["external"] = h5py.ExternalLink("other file.h5", "/a/b")
    file["external_relative"] = h5py.ExternalLink("other.h5", "a/b")
    many = file.create_group("many")
    for i in range(40):
        many.create_group(f"n{i}")
    for name in ["a b", "tab\there", "line\nbreak", "quo\"te", "back\\slash", "it's", "bell\a", "rub\x7fout",
                 "a name that is much longer than its column"]:
        file[name] = 0


class Listing(FolderCase):
    def make(self, version):
        name = f"{version}.h5"
        with h5py.File(self.folder / name, "w", libver=(version, version if version != "earliest" else "v108")) as file:
            fill(file)
        return name

    def test_recursive_listing_is_that_of_hdf5(self):
        for version in VERSIONS:
            with self.subTest(version):
                name = self.make(version)
                expected = h5ls("-r", name, cwd=self.folder)
                self.assertGreater(len(expected), 60)
                self.assertEqual(self.lines("ls", "-r", name), expected)
                self.assertEqual(self.lines("ls", "--recursive", name), expected)

    def test_listing_of_one_group_is_that_of_hdf5(self):
        for version in VERSIONS:
            name = self.make(version)
            for target in (name, f"{name}/g", f"{name}/g/sub", f"{name}/many"):
                with self.subTest(target):
                    self.assertEqual(self.lines("ls", target), h5ls(target, cwd=self.folder))

    def test_listing_of_one_object_is_that_of_hdf5(self):
        name = self.make("earliest")
        for path in ("unlimited", "type", "soft", "dangling", "external", "g/sub/x", "same_dataset", "a b"):
            with self.subTest(path):
                self.assertEqual(self.lines("ls", f"{name}/{path}"), h5ls(f"{name}/{path}", cwd=self.folder))

    def test_user_defined_links_are_listed_as_hdf5_does(self):
        source = self.folder / "make.c"
        source.write_text(
            """
            #include <hdf5.h>
            static hid_t traverse(const char* n, hid_t g, const void* d, size_t s, hid_t p) { return -1; }
            int main(void) {
              H5L_class_t kind = {H5L_LINK_CLASS_T_VERS, (H5L_type_t)187, "test", 0, 0, 0, traverse, 0, 0};
              hid_t file = H5Fcreate("user.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
              H5Lregister(&kind);
              if (H5Lcreate_ud(file, "user", 187, "abc", 3, H5P_DEFAULT, H5P_DEFAULT) < 0) return 1;
              return H5Fclose(file) < 0;
            }
            """
        )
        found = subprocess.run(["pkg-config", "--cflags", "--libs", "hdf5-serial"], check=True, capture_output=True, text=True)
        compile_it = ["cc", "make.c", "-o", "make", *found.stdout.split()]
        subprocess.run(compile_it, cwd=self.folder, check=True, capture_output=True)
        subprocess.run(["./make"], cwd=self.folder, check=True)
        self.assertEqual(self.lines("ls", "-r", "user.h5"), h5ls("-r", "user.h5", cwd=self.folder))
        self.assertIn("    Kind:       187, 3 bytes of data", self.lines("ls", "-r", "-v", "user.h5"))

    def test_unicode_is_printed_as_it_is_and_aligned(self):
        with h5py.File(self.folder / "u.h5", "w") as file:
            file["größe"] = 1
        self.assertEqual(self.lines("ls", "u.h5"), ["größe                    Dataset {SCALAR}"])

    def test_bytes_that_are_no_text_and_controls_beyond_ascii_are_escaped(self):
        with h5py.File(self.folder / "b.h5", "w") as file:
            for name in (b"bad\xff\xfe", "c1\u0085".encode(), "turn\u202eed".encode(), b"cut\xc3"):
                h5py.h5g.create(file.id, name)
        self.assertEqual(
            [line.split()[0] for line in self.lines("ls", "b.h5")],
            [r"bad\377\376", r"c1\302\205", r"cut\303", r"turn\342\200\256ed"],
        )

    def test_user_block_and_narrow_offsets(self):
        plist = h5py.h5p.create(h5py.h5p.FILE_CREATE)
        plist.set_userblock(1024)
        plist.set_sizes(4, 4)
        file = h5py.h5f.create(str(self.folder / "narrow.h5").encode(), h5py.h5f.ACC_TRUNC, plist)
        h5py.h5g.create(h5py.h5g.create(file, b"a"), b"b")
        file.close()
        self.assertEqual(self.lines("ls", "-r", "narrow.h5"), h5ls("-r", "narrow.h5", cwd=self.folder))
        self.assertRegex(self.lines("ls", "-v", "narrow.h5")[0], "user block of 1024 bytes, offsets of 4 and lengths of 4 bytes")


class Paths(FolderCase):
    def setUp(self):
        super().setUp()
        with h5py.File(self.folder / "f.h5", "w") as file:
            file["g/sub/x"] = numpy.arange(3)
            file["to_sub"] = h5py.SoftLink("/g/sub")

    def test_recursive_listing_below_a_group_has_paths_from_the_root(self):
        self.assertEqual([line.split()[0] for line in self.lines("ls", "-r", "f.h5/g")], ["/g", "/g/sub", "/g/sub/x"])

    def test_extra_slashes_do_not_matter(self):
        for target in ("f.h5/g", "f.h5/g/", "f.h5//g", "./f.h5/./g//"):
            self.assertEqual(self.lines("ls", target), ["sub                      Group"], target)
        self.assertEqual(self.lines("ls", "f.h5/"), self.lines("ls", "f.h5"))

    def test_a_path_may_lead_through_links(self):
        self.assertEqual(self.lines("ls", "f.h5/to_sub/x"), ["x                        Dataset {3}"])

    def test_a_slash_at_the_end_follows_a_link(self):
        self.assertEqual(self.lines("ls", "f.h5/to_sub"), ["to_sub                   Soft Link {/g/sub}"])
        self.assertEqual(self.lines("ls", "f.h5/to_sub/"), ["x                        Dataset {3}"])

    def test_folders_and_files_may_have_names_like_objects(self):
        (self.folder / "g").mkdir()
        (self.folder / "f.h5").rename(self.folder / "g" / "sub")
        self.assertEqual(self.lines("ls", "g/sub/g/sub"), ["x                        Dataset {3}"])

    def test_absolute_paths(self):
        self.assertEqual(self.lines("ls", self.folder / "f.h5" / "g"), ["sub                      Group"])

    def test_several_targets_have_headings(self):
        self.assertEqual(
            self.lines("ls", "f.h5/g", "f.h5/g/sub"),
            ["f.h5/g:", "sub                      Group", "", "f.h5/g/sub:", "x                        Dataset {3}"],
        )


if __name__ == "__main__":
    unittest.main()
