# SPDX-License-Identifier: Apache-2.0
"""Property lists that one library encodes are decoded to equal lists by the other."""

import tempfile
import unittest

import libraries


@unittest.skipUnless(libraries.have_reference(), "needs the reference library HDF5")
class EncodedListsTest(unittest.TestCase):
    def test_each_reads_what_the_other_writes(self):
        source = libraries.HERE / "exchange" / "encoded_plists.c"
        with tempfile.TemporaryDirectory() as folder:
            reference, ours = libraries.both(folder)
            programs = {library: library.build(source) for library in (reference, ours)}
            for writer, reader in ((reference, ours), (ours, reference)):
                for library, mode in ((writer, "write"), (reader, "read")):
                    code, out, errors = library.run(programs[library], arguments=[mode, str(writer.folder)])
                    self.assertEqual((code, out), (0, "13 lists\n"), errors[:2000])


if __name__ == "__main__":
    unittest.main()
