# SPDX-License-Identifier: Apache-2.0
"""SWMR: one process writes a file while others read it, with the reference and Filigree in both roles; and the state of a
file whose writer was killed."""

import os
import random
import shutil
import subprocess
import tempfile
import unittest

import libraries

FILIGREE = os.path.join(os.environ["FILIGREE_BIN"], "filigree")


@unittest.skipUnless(libraries.have_reference(), "needs the reference library HDF5")
class SwmrTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.reference, cls.ours = libraries.both(cls.folder)
        source = libraries.HERE / "exchange" / "swmr.c"
        cls.programs = {library: library.build(source) for library in (cls.reference, cls.ours)}

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def start_writer(self, library, path, steps, pause, hold=-1):
        return subprocess.Popen(
            [str(self.programs[library]), "write", path, str(steps), str(pause), str(hold)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"},
        )

    def read_swmr(self, writer, readers, steps=60, pause=4000):
        """The writer stops half-way until every reader has seen a part, so that none depends on how fast it is."""
        path = os.path.join(self.folder, "growing.h5")
        writing = self.start_writer(writer, path, steps, pause, hold=steps // 2)
        self.assertEqual(writing.stdout.readline(), "0\n")
        reading = [
            subprocess.Popen(
                [str(self.programs[library]), "read_swmr", path, str(steps)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            for library in readers
        ]
        begun = [reader.stdout.readline() for reader in reading]
        _, errors = writing.communicate("\n", timeout=1800)
        self.assertEqual(writing.returncode, 0, errors[:2000])
        self.assertEqual(set(begun), {"begun\n"})
        for reader in reading:
            out, errors = reader.communicate(timeout=1800)
            self.assertEqual((reader.returncode, out), (0, "read step by step\n"), errors[:2000])
        for library in (self.reference, self.ours):
            code, out, errors = library.run(self.programs[library], arguments=["check", path, str(steps)])
            self.assertEqual((code, out), (0, "checked\n"), errors[:2000])

    def test_both_read_what_filigree_writes(self):
        self.read_swmr(self.ours, [self.reference, self.ours])

    def test_filigree_reads_what_the_reference_writes(self):
        self.read_swmr(self.reference, [self.ours])

    def test_a_killed_writer_leaves_its_last_flush(self):
        chance = random.Random(5)
        torn = set()
        for turn in range(12):
            path = os.path.join(self.folder, f"killed{turn}.h5")
            writing = self.start_writer(self.ours, path, 100000, 0)
            last = 0
            for _ in range(chance.randrange(1, 60)):
                last = int(writing.stdout.readline())
            for _ in range(chance.randrange(0, 20000)):
                pass  # killed during the next step
            writing.kill()
            rest = writing.communicate(timeout=1800)[0].split("\n")
            last = max([last] + [int(line) for line in rest[:-1]])
            code, out, _ = self.reference.run(self.programs[self.reference], arguments=["check", path, "0"])
            self.assertNotEqual(code, 0, "the reference opened a file that is marked as being written")
            copy = path + ".copy.h5"
            shutil.copy(path, copy)
            for library, file, clear in ((self.reference, path, ["h5clear", "-s", path]), (self.ours, copy, [FILIGREE, "clear", copy])):
                done = subprocess.run(clear, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                for reader in (self.reference, self.ours):
                    code, out, errors = reader.run(self.programs[reader], arguments=["check", file, str(last)])
                    # A killed writer may leave a write of several pages incomplete.
                    if code != 0 and "checksum" in errors:
                        torn.add(turn)
                        continue
                    self.assertEqual((code, out), (0, "checked\n"), f"turn {turn}, step {last}: {errors[:2000]}")
            os.remove(path)
            os.remove(copy)
        self.assertLessEqual(len(torn), 2)

    @unittest.skipIf(libraries.sanitized(), "a sanitizer wants to be loaded first")
    def test_reference_reads_the_file_after_any_number_of_writes(self):
        library = os.path.join(self.folder, "stop_at.so")
        source = str(libraries.HERE / "exchange" / "stop_at.c")
        subprocess.run(["gcc", "-w", "-shared", "-fPIC", source, "-o", library, "-ldl"], check=True)
        path = os.path.join(self.folder, "stopped.h5")
        checked = 0
        for stop in range(1, 10000, 4):
            writing = subprocess.run(
                [str(self.programs[self.ours]), "write", path, "6", "0", "-1"],
                capture_output=True,
                text=True,
                env={**os.environ, "LD_PRELOAD": library, "STOP_AT": str(stop)},
            )
            steps = [int(line) for line in writing.stdout.split()]
            if writing.returncode == 0:
                break
            self.assertEqual(writing.returncode, 9, writing.stderr[:2000])
            if not steps:
                continue  # readers are admitted when the file is consistent
            for mode in ("look", "check"):
                if mode == "check":
                    subprocess.run(["h5clear", "-s", path], capture_output=True, check=True)
                code, out, errors = self.reference.run(self.programs[self.reference], arguments=[mode, path, str(steps[-1])])
                self.assertEqual((code, out), (0, "checked\n"), f"{mode} before write {stop}: {errors[:2000]}")
            checked += 1
        self.assertGreater(checked, 20)


if __name__ == "__main__":
    unittest.main()
