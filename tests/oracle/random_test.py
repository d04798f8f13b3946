# SPDX-License-Identifier: Apache-2.0
"""Random operations, applied in turn by Filigree and by HDF5 to one file. ORACLE_SEEDS="7 12" runs only these seeds."""
import os
import random
import unittest

import reference
from oracle import BOUNDS, Case, apply_ours, random_ops

SEEDS = [int(s) for s in os.environ.get("ORACLE_SEEDS", "").split()] or range(40)

SETTINGS = [
    {}, {"track": 1, "index": 1, "attr_track": 1}, {"max_compact": 3, "min_dense": 2}, {"offset": 4, "length": 4}, {"leaf_k": 1, "internal_k": 1},
    {"strategy": 0, "persist": 1}, {"strategy": 1, "page": 512}, {"strategy": 1, "persist": 1}, {"strategy": 2}, {"strategy": 3},
    {"shared": "1:2,8,4096"}, {"shared": "20:4096;1:2,8", "list_max": 3, "btree_min": 2, "strategy": 0, "persist": 1}, {"userblock": 1024},
]


class RandomOperations(Case):
    def test_both_libraries_keep_agreeing(self):
        for seed in SEEDS:
            with self.subTest(seed=seed):
                self.in_child(lambda: self.play(seed))

    def test_long_turns(self):
        # Seeds that once failed: HDF5 moves shared messages to continuation blocks and keeps their flags.
        for seed in (1023, 1032):
            with self.subTest(seed=seed):
                self.in_child(lambda: self.play(seed, turns=4, size=300))

    def in_child(self, work):
        """Runs `work` in a child process, since HDF5 may crash on a file."""
        progress, report = self.file("progress"), self.file("report")
        child = os.fork()
        if child == 0:
            try:
                work()
                os._exit(0)
            except BaseException as error:
                with open(report, "w") as file:
                    file.write(str(error))
                os._exit(1)
        status = os.waitpid(child, 0)[1]
        if status != 0:
            path = report if os.path.exists(report) else progress
            with open(path) as file:
                text = file.read()
            os.remove(path)
            self.fail(text if path == report else f"crashed with status {status} in the last of these turns:\n{text}")

    def play(self, seed, turns=6, size=None):
        rng = random.Random(seed)
        low = rng.choice(sorted(BOUNDS.values()))
        create = rng.choice(SETTINGS)
        sides = [reference.apply, apply_ours]
        rng.shuffle(sides)
        path = self.file(f"seed{seed}.h5")
        log = []
        try:
            sides[0](path, [], low, create)
            for turn in range(turns):
                contents = self.agree(path)
                ops = random_ops(contents, rng, size or rng.choice([3, 20, 60]), f"t{turn}")
                log.append((sides[turn % 2].__name__, ops))
                with open(self.file("progress"), "w") as file:
                    file.write(f"seed {seed}, bound {low}, {create}\n{log[-2:]}"[:20000])
                sides[turn % 2](path, ops, low)
            self.agree(path)
            self.unchanged_by_opening(path)
        except Exception as error:
            turns = "\n".join(f"{side}: {ops}" for side, ops in log[-2:])
            raise AssertionError(f"seed {seed}, bound {low}, {create}: {error}\nlast turns:\n{turns[:20000]}") from None


if __name__ == "__main__":
    unittest.main()
