# SPDX-License-Identifier: Apache-2.0
"""`filigree du` and `filigree info`."""

import json
import subprocess
import sys
import unittest

from samples import add_frames
from support import FolderCase  # before h5py, which looks for plug-ins

import h5py
import numpy


class Usage(FolderCase):
    def sums(self, path):
        """The document of `du`, after its parts were added up."""
        found = json.loads(self.lines("du", "--json", path)[0])
        parts = sum(o["total"] for o in found["objects"]) + sum(found[k] for k in ("user_block", "superblock", "shared_messages", "free_space_managers", "free", "rest"))
        self.assertEqual(parts - found["counted_twice"], found["file_bytes"])
        self.assertEqual(found["file_bytes"], (self.folder / path).stat().st_size)
        for one in found["objects"]:
            self.assertEqual(one["total"], sum(one[k] for k in ("header", "index", "heap", "attributes", "selection", "elements")))
        return found

    def test_everything_sums_to_the_size_of_the_file(self):
        for version in ("earliest", "latest"):
            with h5py.File(self.folder / "f.h5", "w", libver=version, userblock_size=512) as file:
                file["x"] = numpy.arange(1000)
                file["again"] = file["x"]
                file.create_dataset("c", (100, 100), "f8", chunks=(10, 10), compression="gzip")[:50] = 1
                for i in range(50):
                    file.create_group(f"g{i}").attrs["a"] = "text" * 20
                del file["g7"]
            found = self.sums("f.h5")
            self.assertEqual((found["user_block"], found["counted_twice"]), (512, 0))
            objects = {o["path"]: o for o in found["objects"]}
            with h5py.File(self.folder / "f.h5") as file:
                self.assertEqual(objects["/c"]["elements"], file["c"].id.get_storage_size())
                self.assertEqual(objects["/again"]["elements"], 8000)
                self.assertNotIn("/x", objects)
                header = h5py.h5o.get_info(file["c"].id).hdr.space.total
                self.assertEqual(objects["/c"]["header"], header)

    def test_sections_are_columns(self):
        add_frames(self.folder / "p.h5")
        self.lines("repack", "--structured", "p.h5", "s.h5")
        [frames] = [o for o in self.sums("s.h5")["objects"] if o["path"] == "/run1/frames"]
        self.assertGreater(min(frames["selection"], frames["elements"]), 0)

    def test_the_table_ends_with_the_size(self):
        with h5py.File(self.folder / "f.h5", "w") as file:
            file["g/x"] = 1
        lines = self.lines("du", "f.h5")
        size = (self.folder / "f.h5").stat().st_size
        self.assertEqual(lines[-1].split(None, 1), [str(size), "sum: size of the file"])
        self.assertEqual(sum(int(line.split()[0]) for line in lines[1:-1]), size)
        below = self.lines("du", "f.h5/g")
        self.assertEqual([line.split()[-1] for line in below[1:]], ["/g", "/g/x", "/g"])

    def test_info_is_one_screen(self):
        with h5py.File(self.folder / "f.h5", "w", libver="latest") as file:
            for i in range(20):
                file[f"x{i}"] = numpy.zeros(10 * i)
            file.create_dataset("lz", (10,), "i4", chunks=(5,), compression="lzf")[:] = 1
        add_frames(self.folder / "f.h5")
        lines = self.lines("info", "f.h5")
        self.assertLess(len(lines), 24)
        text = "\n".join(lines)
        self.assertRegex(text, r"Needs: +HDF5 1\.10, filter 502 .*, filter 32000 .*\(plug-in\)")
        self.assertRegex(text, r"Largest: +\d.* kB  /run1/frames  uint16 \(6/Inf, 40, 50\), portable sparse|Largest: +1\.5 kB  /x19")
        found = json.loads(self.lines("info", "--json", "f.h5")[0])
        self.assertEqual((found["objects"]["dataset"], found["filters"]), (22, [502, 32000]))
        self.assertEqual(found["needs"], ["HDF5 1.10", "filter 502", "filter 32000"])

    def test_info_says_that_a_file_was_not_closed(self):
        left_open = 'import h5py, os; file = h5py.File("t.h5", "w", libver="latest"); file["x"] = 1; file.flush(); os._exit(0)'
        subprocess.run([sys.executable, "-c", left_open], cwd=self.folder, check=True, timeout=1800)
        done = self.run_here("info", "t.h5")
        self.assertEqual(done.returncode, 1)
        self.assertIn("Not closed:", done.stdout)
        self.assertTrue(json.loads(self.run_here("info", "--json", "t.h5").stdout)["not_closed"])


if __name__ == "__main__":
    unittest.main()
