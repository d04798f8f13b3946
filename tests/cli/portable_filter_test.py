# SPDX-License-Identifier: Apache-2.0
"""`filigree portable-filter`: what it prints creates datasets with h5py."""

import json
import unittest

from support import FolderCase, run  # before h5py, which looks for plug-ins

import h5py


class PortableFilter(FolderCase):
    def create(self, *arguments):
        """A dataset that h5py creates from the printed arguments."""
        [line] = self.lines("portable-filter", *arguments)
        options = eval(f"dict({line})")
        shape = tuple(3 * n for n in options["chunks"])
        with h5py.File(self.folder / "p.h5", "w") as file:
            data = file.create_dataset("x", shape, **options)
            last = tuple(n - 1 for n in shape)
            data[last] = data[(0,) * len(shape)]  # the fill value
        if "float" in line:
            return "\n".join(self.lines("ls", "-v", "p.h5/x"))
        with h5py.File(self.folder / "p.h5") as file:
            self.assertEqual(file["x"].fillvalue, file["x"][last])
        return "\n".join(self.lines("ls", "-v", "p.h5/x"))

    def test_the_example_of_the_help(self):
        listing = self.create("--type", "u2", "--chunk", "1x256x256", "--values", "shuffle,zstd=3")
        self.assertIn("portable sparse chunks of {1, 256, 256}", listing)
        self.assertIn("shuffle, zstd 3", listing)

    def test_types_selections_and_fill_values(self):
        for kind, fill in (("<f8", "-1.5"), (">f4", "nan"), ("i1", "-128"), ("u8", "18446744073709551615"), ("float32", "inf"), ("S7", None), ("V3", None), ("c16", None)):
            with self.subTest(kind):
                fills = [] if fill is None else [f"--fill={fill}"]
                listing = self.create("--type", kind, "--chunk", "5,6", "--selection", "packed", *fills)
                self.assertIn("filigree packed selection", listing)

    def test_words_and_json_agree(self):
        arguments = ["portable-filter", "--type", "u2", "--chunk", "7", "--values", "lz4"]
        words = list(map(int, self.lines(*arguments, "--words")[0].split()))
        document = json.loads(self.lines(*arguments, "--json")[0])
        self.assertEqual((document["words"], document["filter"], document["chunk"]), (words, 502, [7]))
        self.assertEqual(eval(f"dict({self.lines(*arguments)[0]})")["compression_opts"], tuple(words))

    def test_wrong_usage_names_the_option(self):
        for message, arguments in (
            ("--type", []),
            ("--type x9: no such type", ["--type", "x9", "--chunk", "4"]),
            ("--chunk 4x: these are no chunk", ["--type", "u2", "--chunk", "4x"]),
            ("--chunk 0", ["--type", "u2", "--chunk", "0"]),
            ("'shufle': no such filter", ["--type", "u2", "--chunk", "4", "--values", "shufle"]),
            ("--fill 300: the type cannot", ["--type", "u1", "--chunk", "4", "--fill", "300"]),
            ("--fill x: this is no", ["--type", "f4", "--chunk", "4", "--fill", "x"]),
            ("4 GiB", ["--type", "f8", "--chunk", "100000x100000"]),
        ):
            with self.subTest(message):
                done = run("portable-filter", *arguments)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main()
