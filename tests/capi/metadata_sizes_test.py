# SPDX-License-Identifier: Apache-2.0
"""Both libraries tell the same sizes of indexes and heaps, of objects that either has written."""

import re
import tempfile
import unittest

import twins


def corrected(text):
    """Stock leaves out the addresses of blocks of blocks when it opens an extensible array, 29 of them here."""
    old, new = text[: text.index("\n.:")], text[text.index("\n.:") :]
    return old + re.sub(r"(\nextensible\w*: index )(\d+)", lambda found: f"{found[1]}{int(found[2]) + 29 * 8}", new)


@unittest.skipUnless(twins.have_stock(), "needs stock HDF5")
class MetadataSizesTest(unittest.TestCase):
    maxDiff = 4000

    def test_the_sizes_are_the_same(self):
        source = twins.HERE / "exchange" / "metadata_sizes.c"
        with tempfile.TemporaryDirectory() as folder:
            both = twins.both(folder)
            programs = {twin: twin.build(source) for twin in both}
            for writer in both:
                code, _, errors = writer.run(programs[writer], arguments=["write", str(writer.folder)])
                self.assertEqual(code, 0, errors[:2000])
                stock, ours = (reader.run(programs[reader], arguments=["read", str(writer.folder)]) for reader in both)
                self.assertEqual(stock[0], 0, stock[2][:2000])
                self.assertEqual(len(stock[1].splitlines()), 50)
                self.assertEqual(corrected(stock[1]), ours[1], ours[2][:2000])
                self.assertEqual(ours[0], 0, ours[2][:2000])


if __name__ == "__main__":
    unittest.main()
