# SPDX-License-Identifier: Apache-2.0
"""Both libraries report the same sizes of shared messages and free space, for files of either."""

import tempfile
import unittest

import libraries


@unittest.skipUnless(libraries.have_reference(), "needs the reference library HDF5")
class FileStatisticsTest(unittest.TestCase):
    maxDiff = 4000

    def test_both_report_the_same_of_either_file(self):
        source = libraries.HERE / "exchange" / "file_statistics.c"
        with tempfile.TemporaryDirectory() as folder:
            both = libraries.both(folder)
            programs = {library: library.build(source) for library in both}
            for writer in both:
                written = writer.run(programs[writer], arguments=["write", str(writer.folder)])
                self.assertEqual(written[0], 0, written[2][:2000])
                shown = [library.run(programs[library], arguments=["show", str(writer.folder)]) for library in both]
                self.assertEqual(shown[0][:2], shown[1][:2], shown[1][2][:2000])
                self.assertRegex(shown[0][1], "shared: version 0, header [1-9]")
                self.assertRegex(shown[0][1], "free: version 0, metadata [1-9]")


if __name__ == "__main__":
    unittest.main()
