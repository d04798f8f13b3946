# SPDX-License-Identifier: Apache-2.0
"""A file that one process writes while others read it (SWMR), with stock and Filigree on either side; and what is left of
one whose writer was killed."""

import os
import random
import shutil
import subprocess
import tempfile
import unittest

import twins

FILIGREE = os.path.join(os.environ["FILIGREE_BIN"], "filigree")


@unittest.skipUnless(twins.have_stock(), "needs stock HDF5")
class FollowingTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.stock, cls.ours = twins.both(cls.folder)
        source = twins.HERE / "exchange" / "following.c"
        cls.programs = {twin: twin.build(source) for twin in (cls.stock, cls.ours)}

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def start_writer(self, twin, path, steps, pause, hold=-1):
        return subprocess.Popen(
            [str(self.programs[twin]), "write", path, str(steps), str(pause), str(hold)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"},
        )

    def follow(self, writer, readers, steps=60, pause=4000):
        """The writer stops half-way until every reader has seen a part, so that none depends on how fast it is."""
        path = os.path.join(self.folder, "growing.h5")
        writing = self.start_writer(writer, path, steps, pause, hold=steps // 2)
        self.assertEqual(writing.stdout.readline(), "0\n")
        reading = [
            subprocess.Popen(
                [str(self.programs[twin]), "follow", path, str(steps)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            for twin in readers
        ]
        begun = [reader.stdout.readline() for reader in reading]
        _, errors = writing.communicate("\n", timeout=1800)
        self.assertEqual(writing.returncode, 0, errors[:2000])
        self.assertEqual(set(begun), {"begun\n"})
        for reader in reading:
            out, errors = reader.communicate(timeout=1800)
            self.assertEqual((reader.returncode, out), (0, "followed step by step\n"), errors[:2000])
        for twin in (self.stock, self.ours):
            code, out, errors = twin.run(self.programs[twin], arguments=["check", path, str(steps)])
            self.assertEqual((code, out), (0, "checked\n"), errors[:2000])

    def test_both_follow_what_filigree_writes(self):
        self.follow(self.ours, [self.stock, self.ours])

    def test_filigree_follows_what_stock_writes(self):
        self.follow(self.stock, [self.ours])

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
                pass  # somewhere in the next step
            writing.kill()
            rest = writing.communicate(timeout=1800)[0].split("\n")
            last = max([last] + [int(line) for line in rest[:-1]])
            code, out, _ = self.stock.run(self.programs[self.stock], arguments=["check", path, "0"])
            self.assertNotEqual(code, 0, "stock opened a file that is marked as being written")
            copy = path + ".copy.h5"
            shutil.copy(path, copy)
            for twin, file, clear in ((self.stock, path, ["h5clear", "-s", path]), (self.ours, copy, [FILIGREE, "clear", copy])):
                done = subprocess.run(clear, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                for reader in (self.stock, self.ours):
                    code, out, errors = reader.run(self.programs[reader], arguments=["check", file, str(last)])
                    # The system may end a write of several pages between two of them when it kills the writer.
                    if code != 0 and "checksum" in errors:
                        torn.add(turn)
                        continue
                    self.assertEqual((code, out), (0, "checked\n"), f"turn {turn}, step {last}: {errors[:2000]}")
            os.remove(path)
            os.remove(copy)
        self.assertLessEqual(len(torn), 2)

    @unittest.skipIf(twins.sanitized(), "a sanitizer wants to be loaded first")
    def test_stock_reads_what_is_left_after_any_number_of_writes(self):
        library = os.path.join(self.folder, "stop_at.so")
        source = str(twins.HERE / "exchange" / "stop_at.c")
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
                continue  # readers are let in when it is in order
            for mode in ("look", "check"):
                if mode == "check":
                    subprocess.run(["h5clear", "-s", path], capture_output=True, check=True)
                code, out, errors = self.stock.run(self.programs[self.stock], arguments=[mode, path, str(steps[-1])])
                self.assertEqual((code, out), (0, "checked\n"), f"{mode} before write {stop}: {errors[:2000]}")
            checked += 1
        self.assertGreater(checked, 20)


if __name__ == "__main__":
    unittest.main()
