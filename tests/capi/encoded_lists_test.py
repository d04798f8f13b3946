# SPDX-License-Identifier: Apache-2.0
"""What one library encodes of property lists, the other decodes to equal lists."""

import tempfile
import unittest

import twins


@unittest.skipUnless(twins.have_stock(), "needs stock HDF5")
class EncodedListsTest(unittest.TestCase):
    def test_each_reads_what_the_other_writes(self):
        source = twins.HERE / "exchange" / "encoded_lists.c"
        with tempfile.TemporaryDirectory() as folder:
            stock, ours = twins.both(folder)
            programs = {twin: twin.build(source) for twin in (stock, ours)}
            for writer, reader in ((stock, ours), (ours, stock)):
                for twin, mode in ((writer, "write"), (reader, "read")):
                    code, out, errors = twin.run(programs[twin], arguments=[mode, str(writer.folder)])
                    self.assertEqual((code, out), (0, "13 lists\n"), errors[:2000])


if __name__ == "__main__":
    unittest.main()
