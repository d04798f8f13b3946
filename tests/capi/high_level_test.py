# SPDX-License-Identifier: Apache-2.0
"""Tables, packet tables and raster images in both directions: each library extends and reads the file of the other."""

import itertools
import tempfile
import unittest

import libraries


@unittest.skipUnless(libraries.have_reference(), "needs the reference library HDF5")
class HighLevelTest(unittest.TestCase):
    maxDiff = 4000

    def run_in(self, library, action, path):
        code, out, errors = library.run(self.programs[library], arguments=[action, path])
        self.assertEqual(code, 0, errors[:2000])
        return out

    def test_each_extends_and_reads_files_of_the_other(self):
        source = libraries.HERE / "exchange" / "high_level.c"
        with tempfile.TemporaryDirectory() as folder:
            both = libraries.both(folder)
            self.programs = {library: library.build(source) for library in both}
            results = {}
            for writer, extender in itertools.product(both, both):
                path = f"{folder}/{writer.folder.name}-{extender.folder.name}.h5"
                self.run_in(writer, "write", path)
                extended = self.run_in(extender, "extend", path)
                self.assertNotIn("-1", extended)
                shown = [self.run_in(library, "show", path) for library in both]
                results[path] = (extended, shown[0], shown[1], libraries.dump(folder, path)[1].split("\n", 1)[1])
            expected = next(iter(results.values()))
            self.assertEqual(expected[1], expected[2])
            self.assertIn("17 records", expected[1])
            for path, result in results.items():
                self.assertEqual(expected, result, path)


if __name__ == "__main__":
    unittest.main()
