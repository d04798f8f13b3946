# SPDX-License-Identifier: Apache-2.0
"""Wrong environment variables are reported when a file is opened: by the command, and to programs in C and C++."""

import os
import pathlib
import shutil
import subprocess
import unittest

import h5py

from support import FILIGREE, FolderCase, run

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LIB = pathlib.Path(FILIGREE).parent.parent / "lib"
WRONG = {"FILIGREE_THREADS": ("0", "many", "-1", ""), "FILIGREE_CHUNK_CACHE_BYTES": ("many", "-1", "64MB", "")}

# Each program makes new.h5 and opens kept.h5. It writes as soon as it has a file, in chunks that several threads encode.
C_PROGRAM = r"""
#include <hdf5.h>
#include <stdio.h>
static void write_to(const char* what, hid_t file) {
  static int numbers[1 << 20];
  hsize_t dims[1] = {1 << 20}, chunk[1] = {1 << 14};
  hid_t space = H5Screate_simple(1, dims, NULL), list = H5Pcreate(H5P_DATASET_CREATE), set;
  printf("%s %s\n", what, file < 0 ? "failed" : "gave a file");
  if (file < 0) return;
  H5Pset_chunk(list, 1, chunk);
  H5Pset_deflate(list, 1);
  set = H5Dcreate2(file, "set", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
  printf("write %d\n", (int)H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers));
  printf("close %d\n", H5Dclose(set) + H5Fclose(file));
}
int main(void) {
  write_to("create", H5Fcreate("new.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  write_to("open", H5Fopen("kept.h5", H5F_ACC_RDWR, H5P_DEFAULT));
  return 0;
}
"""
CPP_PROGRAM = r"""
#include <filigree/filigree.hpp>
#include <iostream>
#include <vector>
using namespace filigree;
template <class Open>
void write_to(const char* what, Open open) {
  try {
    File file = open();
    std::cout << what << " gave a file" << std::endl;
    DatasetOptions options;
    options.chunk = {1 << 14};
    options.filters = {filters::deflate(1)};
    auto set = file.root().create_dataset<int>("set", Dataspace::simple({1 << 20}), options);
    set.write(std::vector<int>(1 << 20));
    file.close();
    std::cout << "write 0\nclose 0" << std::endl;
  } catch (const Error& error) {
    std::cout << what << " failed" << std::endl;
    std::cerr << error.what() << std::endl;
  }
}
int main() {
  write_to("create", [] { return File::create("new.h5", CreateMode::truncate); });
  write_to("open", [] { return File::open("kept.h5", OpenMode::read_write); });
}
"""


class Environment(FolderCase):
    def make_file(self, name):
        h5py.File(self.folder / name, "w").close()

    def test_wrong_values_are_named(self):
        self.make_file("empty.h5")
        for name, values in WRONG.items():
            for value in values:
                with self.subTest(variable=name, value=value):
                    done = run("ls", "empty.h5", cwd=self.folder, env=dict(os.environ, **{name: value}))
                    self.assertNotEqual(done.returncode, 0)
                    self.assertIn(f"{name} is '{value}'", done.stderr)

    def build(self, compiler, suffix, text, *flags):
        source, program = self.folder / f"program{suffix}", self.folder / "program"
        source.write_text(text)
        sanitizers = os.environ.get("FILIGREE_SANITIZE")
        more = ["-g", f"-fsanitize={sanitizers}"] if sanitizers else []
        done = subprocess.run([*compiler, str(source), "-o", str(program), f"-L{LIB}", f"-Wl,-rpath,{LIB}", *flags, *more],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr[:3000])
        return program

    def call(self, program, **variables):
        environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0", **variables}
        return subprocess.run([str(program)], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=600)

    def compare(self, program):
        """With a wrong value, the program gets no file, and nothing is written."""
        for name, values in WRONG.items():
            for value in values:
                with self.subTest(variable=name, value=value):
                    self.make_file("kept.h5")
                    before = (self.folder / "kept.h5").read_bytes()
                    done = self.call(program, **{name: value})
                    self.assertEqual((done.returncode, done.stdout), (0, "create failed\nopen failed\n"), done.stderr)
                    self.assertEqual(done.stderr.count(f"{name} is '{value}'"), 2, done.stderr)
                    self.assertFalse((self.folder / "new.h5").exists())
                    self.assertEqual((self.folder / "kept.h5").read_bytes(), before)
        right = self.call(program, FILIGREE_THREADS="3")
        written = "gave a file\nwrite 0\nclose 0\n"
        self.assertEqual((right.returncode, right.stdout), (0, f"create {written}open {written}"), right.stderr)

    @unittest.skipUnless(shutil.which("gcc") and (LIB / "libfiligree_hdf5.so").exists(), "needs gcc, and the C API")
    def test_programs_in_c_get_no_file(self):
        self.compare(self.build(["gcc", "-std=c99"], ".c", C_PROGRAM, f"-I{ROOT / 'include' / 'hdf5'}", "-lfiligree_hdf5"))

    @unittest.skipUnless(shutil.which("g++"), "needs g++")
    def test_programs_in_cpp_get_no_file(self):
        self.compare(self.build(["g++", "-std=c++20"], ".cpp", CPP_PROGRAM, f"-I{ROOT / 'include'}", "-lfiligree"))


if __name__ == "__main__":
    unittest.main()
