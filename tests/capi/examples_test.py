# SPDX-License-Identifier: Apache-2.0
"""Debian's example programs of HDF5, unmodified, do the same with Filigree as with the reference."""

import gzip
import pathlib
import subprocess
import tempfile
import unittest

import libraries

FOLDER = pathlib.Path("/usr/share/doc/libhdf5-doc/examples")
# Needs a file that another example creates.
AFTER = {"h5_read": "h5_write", "h5_chunk_read": "h5_extend_write", "h5_rdwt": "h5_crtdat", "h5_crtatt": "h5_crtdat",
         "h5_crtgrpd": "h5_crtgrpar"}


def sources():
    return sorted({p.name.removesuffix(".gz") for p in FOLDER.glob("h5_*.c*")})


class ExamplesTest(unittest.TestCase):
    maxDiff = 4000

    def prepare(self, folder, name):
        to = pathlib.Path(folder) / name
        packed = FOLDER / f"{name}.gz"
        to.write_bytes(gzip.decompress(packed.read_bytes()) if packed.exists() else (FOLDER / name).read_bytes())
        return to

    def compare(self, name):
        with tempfile.TemporaryDirectory() as folder:
            reference, ours = libraries.both(folder)
            results = []
            for library in (reference, ours):
                for folder_of_links in ("red", "blue", "u2w"):  # where examples of external links put files
                    (library.folder / folder_of_links).mkdir()
                if name.removesuffix(".c") in AFTER:
                    first = self.prepare(folder, AFTER[name.removesuffix(".c")] + ".c")
                    library.run(library.build(first))
                results.append(library.run(library.build(self.prepare(folder, name))))
            expected, found = results
            self.assertEqual(expected[1], found[1], found[2][:3000])
            self.assertEqual(expected[0], found[0], found[2][:3000])
            self.assertEqual(reference.files(), ours.files())
            for path in reference.files():
                done = subprocess.run(["h5diff", "-v", str(reference.folder / path), str(ours.folder / path)], capture_output=True, text=True)
                if done.returncode == 0:
                    continue
                # h5diff itself fails on some files, which are compared as text then.
                self.assertEqual(libraries.dump(reference.folder, path), libraries.dump(ours.folder, path), done.stdout[:2000])


def make(name):
    def test(self):
        self.compare(name)

    return test


if __name__ == "__main__":
    if not FOLDER.exists():
        raise SystemExit("libhdf5-doc is not installed: scripts/install-deps installs it")
    for name in sources():
        setattr(ExamplesTest, f"test_{pathlib.Path(name).stem}", make(name))
    unittest.main()
