# SPDX-License-Identifier: Apache-2.0
"""Random operations, applied in turn by Filigree and by stock to one file. ORACLE_SEEDS="7 12" tries just those."""
import os
import random
import unittest

import stock
from oracle import BOUNDS, Case, apply_ours, random_ops

SEEDS = [int(s) for s in os.environ.get("ORACLE_SEEDS", "").split()] or range(40)


class RandomOperations(Case):
    def test_both_libraries_keep_agreeing(self):
        for seed in SEEDS:
            with self.subTest(seed=seed):
                self.play(seed)

    def play(self, seed):
        rng = random.Random(seed)
        low = rng.choice(sorted(BOUNDS.values()))
        create = rng.choice([{}, {"track": 1, "index": 1}, {"strategy": 0, "persist": 1}, {"max_compact": 3, "min_dense": 2}])
        sides = [stock.apply, apply_ours]
        rng.shuffle(sides)
        path = self.file(f"seed{seed}.h5")
        log = []
        try:
            sides[0](path, [], low, create)
            for turn in range(6):
                contents = self.agree(path)
                ops = random_ops(contents, rng, rng.choice([3, 20, 60]), f"t{turn}")
                log.append((sides[turn % 2].__name__, ops))
                sides[turn % 2](path, ops, low)
            self.agree(path)
            self.unchanged_by_opening(path)
        except Exception as error:
            turns = "\n".join(f"{side}: {ops}" for side, ops in log[-2:])
            raise AssertionError(f"seed {seed}, bound {low}, {create}: {error}\nlast turns:\n{turns[:20000]}") from None


if __name__ == "__main__":
    unittest.main()
