# SPDX-License-Identifier: Apache-2.0
"""One program with the signatures of the RFC and with those of the prototype writes the same file."""

import pathlib
import subprocess
import tempfile
import unittest

import libraries

SOURCE = libraries.HERE / "exchange" / "sparse_signatures.c"
# Version 1, two sections; section 0 has one filter in 10 bytes: deflate, optional, one parameter, 9.
START_OF_FILTERS = bytes.fromhex("01 02 00 01 0a00 0100 0100 0100 09000000 01 03")
WRONG = """
#include <hdf5.h>
int main(void) {
  hsize_t chunk[1] = {4};
  unsigned level = 6;
  hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
  return H5Pset_struct_chunk(dcpl, 1, chunk, H5D_SPARSE_CHUNK) < 0 ||
         H5Pset_filter2(dcpl, 1, H5Z_FILTER_DEFLATE, 0, 1, &level) >= 0;
}
"""


class SparseSignaturesTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def run_program(self, source, *options):
        folder = self.folder / ("with" + "".join(options).replace("-", "_"))
        folder.mkdir()
        program = folder / "program"
        subprocess.run(["gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", *options, str(source), "-o", str(program), *libraries.OURS],
                       check=True)
        done = subprocess.run([str(program)], cwd=folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done, folder

    def test_both_signatures_write_the_same(self):
        rfc, rfc_folder = self.run_program(SOURCE)
        prototype, prototype_folder = self.run_program(SOURCE, "-DH5_USE_SPARSE_PROTOTYPE_API")
        self.assertEqual(rfc.stdout, prototype.stdout)
        self.assertIn("section 0: filter 1 'deflate', flags 1, 1 parameters: 9", rfc.stdout)
        self.assertIn("section 1: filter 300 '', flags 1, 4 parameters: 1 2 3 4", rfc.stdout)
        images = [(folder / "sparse.h5").read_bytes() for folder in (rfc_folder, prototype_folder)]
        # The root group's header, of 147 bytes after the superblock of 48, has the time of its creation.
        self.assertEqual(images[0][:48], images[1][:48])
        self.assertEqual(images[0][48 + 147:], images[1][48 + 147:])
        self.assertIn(START_OF_FILTERS, images[0])

    def test_a_count_instead_of_a_size_is_refused(self):
        source = self.folder / "wrong.c"
        source.write_text(WRONG)
        done, _ = self.run_program(source)
        self.assertIn("takes their size in bytes", done.stderr)
        self.assertIn("H5_USE_SPARSE_PROTOTYPE_API takes their number", done.stderr)


if __name__ == "__main__":
    unittest.main()
