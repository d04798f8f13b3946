# SPDX-License-Identifier: Apache-2.0
"""Objects that are created and removed: freed space is reused, and the rest stays readable."""
import os
import random
import unittest

import reference
from oracle import Case, apply_ours, each_bound

PERSISTENT = [{"strategy": 0, "persist": 1}, {"strategy": 1, "persist": 1}]


def churn(rng, cycles, names, group="/g", have=()):
    """Random creation and removal of links, with groups growing and shrinking across the limits of dense storage."""
    have, ops = set(have), []
    for cycle in range(cycles):
        goal = names if cycle // 60 % 2 == 0 else 2
        if len(have) < goal and (not have or rng.random() < 0.7):
            name = f"{group}/n{rng.choice([i for i in range(names) if i not in have])}"
            have.add(int(name.split("/n")[-1]))
            ops += [("group", name)] + [("attr", name, f"a{i}", "<i4", (3,), [i] * 3) for i in range(rng.choice([0, 1, 12]))]
        elif have:
            number = rng.choice(sorted(have))
            have.remove(number)
            ops.append(("remove", f"{group}/n{number}"))
    return ops, have


def fill(count):
    return [op for i in range(count) for op in
            [("group", f"/g/n{i}"), ("attr", f"/g/n{i}", "text", "V:u", (), [b"some text " * 9])] +
            [("attr", f"/g/n{i}", f"a{j}", "<i4", (20,), [j] * 20) for j in range(12)]]


def drain(count):
    return [("remove", f"/g/n{i}") for i in range(count)]


class Churn(Case):
    @each_bound()
    def test_hundreds_of_random_cycles(self, low):
        for seed, settings in enumerate([{}, {"track": 1}, {"track": 1, "index": 1}]):
            with self.subTest(seed=seed):
                ops, _ = churn(random.Random(seed), 400, 40)
                self.cross([("group", "/g", settings)] + ops, low, seed=seed)

    @each_bound()
    def test_taking_turns(self, low):
        for seed, settings in enumerate([{}] + PERSISTENT):
            with self.subTest(**settings):
                rng = random.Random(seed)
                path = self.file("turns.h5")
                apply_ours(path, [("group", "/g", {"track": 1, "index": 1})], low, settings)
                have = set()
                for turn in range(8):
                    ops, have = churn(rng, 70, 30, have=have)
                    (reference.apply if turn % 2 else apply_ours)(path, ops, low)
                    self.agree(path)

    @each_bound()
    def test_space_is_used_again_in_the_same_run(self, low):
        path = self.file("same.h5")
        once = fill(40) + drain(40)
        apply_ours(path, [("group", "/g")] + once, low, {})
        first = os.path.getsize(path)
        apply_ours(path, [("group", "/g")] + once * 10, low, {})
        self.assertLess(os.path.getsize(path), first * 1.3 + 4096)
        self.agree(path)

    @each_bound()
    def test_space_is_used_again_after_reopening_when_it_persists(self, low):
        for settings in PERSISTENT:
            with self.subTest(**settings):
                path = self.file("again.h5")
                apply_ours(path, [("group", "/g")], low, settings)
                sizes = []
                for turn in range(8):
                    side = reference.apply if turn % 4 == 3 else apply_ours
                    side(path, fill(20), low)
                    sizes.append(os.path.getsize(path))
                    side(path, drain(20), low)
                self.agree(path)
                self.assertLess(max(sizes), sizes[0] * 1.4 + 8192, sizes)

    @each_bound()
    def test_a_drained_file_is_small(self, low):
        path = self.file("drained.h5")
        apply_ours(path, [("group", "/g")] + fill(60) + drain(60), low, {})
        ours = os.path.getsize(path)
        reference.apply(path, [("group", "/g")] + fill(60) + drain(60), low, {})
        self.assertLess(ours, 2 * os.path.getsize(path) + 8192)


if __name__ == "__main__":
    unittest.main()
