# SPDX-License-Identifier: Apache-2.0
"""Either library reads and extends datasets of more than 2^64 elements that the other one wrote."""

import itertools
import tempfile
import unittest

import libraries


@unittest.skipUnless(libraries.have_reference(), "needs the reference library HDF5")
class HugePartsTest(unittest.TestCase):
    maxDiff = 4000

    def test_either_extends_the_file_of_the_other(self):
        source = libraries.HERE / "exchange" / "huge_parts.c"
        with tempfile.TemporaryDirectory() as folder:
            both = libraries.both(folder)
            programs = {library: library.build(source) for library in both}

            def run(library, *arguments):
                # A library that hangs fails the test.
                code, output, errors = library.run(programs[library], seconds=600, arguments=[str(a) for a in arguments])
                self.assertEqual(code, 0, (arguments, errors[:2000]))
                self.assertNotIn("= -1", output)
                return output

            for creation in "create", "create-latest":
                shown = []
                for creator, extender in itertools.product(both, both):
                    path = creator.folder / "parts.h5"
                    run(creator, creation, path)
                    created = [run(library, "show", path) for library in both]
                    self.assertEqual(created[0], created[1])
                    shown.append(created[0])
                    run(extender, "extend", path)
                    extended = [run(library, "show", path) for library in both]
                    self.assertEqual(extended[0], extended[1])
                    shown[-1] += extended[0]
                self.assertEqual(shown, shown[:1] * 4)
                self.assertIn(" 300 301 302 303", shown[0])


if __name__ == "__main__":
    unittest.main()
