# SPDX-License-Identifier: Apache-2.0
"""Section 0 of sparse chunks is a dataspace as H5Sencode makes it: HDF5 decodes ours, and Filigree stores HDF5's."""

import os
import random
import subprocess
import tempfile
import unittest

import h5py
import numpy as np

DRIVER = os.path.join(os.environ["FILIGREE_BIN"], "sections_driver")
FIRST_SEED = int(os.environ.get("FILIGREE_SEED", "1"))  # set it to try other cases


def drive(lines):
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run([DRIVER, os.path.join(folder, "f.h5")], input="\n".join(lines) + "\n", capture_output=True, text=True)
    if run.returncode != 0:
        raise AssertionError(run.stderr)
    return run.stdout.split("\n")[:-1]


def listed(numbers):
    return ",".join(str(n) for n in numbers)


def random_dims(rng):
    return [rng.randint(1, most) for most in rng.choice([(60,), (12, 14), (5, 6, 7), (3, 4, 4, 5)])]


def random_slab(rng, dims):
    start, stride, count, block = [], [], [], []
    for n in dims:
        start.append(rng.randrange(n))
        rest = n - start[-1]
        block.append(rng.randint(1, min(rest, 3)))
        stride.append(rng.randint(block[-1], block[-1] + 3))
        count.append(rng.randint(1, (rest - block[-1]) // stride[-1] + 1))
    return tuple(start), tuple(count), tuple(stride), tuple(block)


def random_space(rng, kind, dims):
    """An HDF5 dataspace, and the offsets of its elements in the order of their values."""
    space = h5py.h5s.create_simple(tuple(dims))
    if kind == "points":
        chosen = rng.sample(range(int(np.prod(dims))), rng.randint(1, min(20, int(np.prod(dims)))))
        space.select_elements(np.array([np.unravel_index(at, dims) for at in chosen], dtype=np.uint64))
        return space, chosen
    if kind == "all":
        space.select_all()
        return space, list(range(int(np.prod(dims))))
    mask = np.zeros(dims, dtype=bool)
    for i in range(1 if kind == "regular" else rng.randint(2, 5)):
        start, count, stride, block = random_slab(rng, dims)
        space.select_hyperslab(start, count, stride, block, h5py.h5s.SELECT_OR if i else h5py.h5s.SELECT_SET)
        index = [np.array([s + c * t + b for c in range(n) for b in range(k)]) for s, n, t, k in zip(start, count, stride, block)]
        mask[np.ix_(*index)] = True
    return space, list(np.flatnonzero(mask))


def offsets_of(space, dims):
    """The offsets that HDF5 selects, in row-major order; None if they are outside of the extent."""
    mask = np.zeros(dims, dtype=bool)
    kind = space.get_select_type()
    if kind == h5py.h5s.SEL_ALL:
        mask[...] = True
    elif kind == h5py.h5s.SEL_POINTS:
        mask[tuple(space.get_select_elem_pointlist().T.astype(int))] = True
    else:
        for first, last in space.get_select_hyper_blocklist():
            if any(end >= n for end, n in zip(last, dims)):
                return None
            mask[tuple(slice(int(a), int(b) + 1) for a, b in zip(first, last))] = True
    return list(np.flatnonzero(mask))


def cases(count):
    for seed in range(FIRST_SEED, FIRST_SEED + count):
        rng = random.Random(seed)
        dims = random_dims(rng)
        yield seed, dims, *random_space(rng, rng.choice(["points", "regular", "irregular", "all"]), dims)


class Sections(unittest.TestCase):
    def test_hdf5_decodes_ours(self):
        made = list(cases(300))
        answers = drive(f"ours {listed(dims)} {listed(sorted(offsets))}" for _, dims, _, offsets in made)
        for (seed, dims, _, offsets), answer in zip(made, answers):
            with self.subTest(seed=seed):
                space = h5py.h5s.decode(bytes.fromhex(answer))
                self.assertEqual(space.shape, tuple(dims))
                self.assertEqual(space.get_select_npoints(), len(offsets))
                self.assertEqual(offsets_of(space, dims), sorted(offsets))

    def test_we_store_what_hdf5_encodes(self):
        # HDF5 1.10 loses or misplaces blocks of some unions: its own list of blocks shows others than were chosen.
        made = [case for case in cases(300) if offsets_of(case[2], case[1]) == sorted(case[3])]
        self.assertGreater(len(made), 250)
        answers = drive(f"theirs {listed(dims)} {space.encode().hex()} {len(offsets)}" for _, dims, space, offsets in made)
        for (seed, _, _, offsets), answer in zip(made, answers):
            with self.subTest(seed=seed):
                # Values are stored in the order of the selection; for points, that of the list.
                expected = sorted((int(at), i + 1) for i, at in enumerate(offsets))
                self.assertEqual(answer, " ".join(f"{at}:{value}" for at, value in expected))

    def test_regular_patterns_beyond_32_bits(self):
        (answer,) = drive(["ours 5000000003 5000000000,5000000001,5000000002"])
        space = h5py.h5s.decode(bytes.fromhex(answer))
        self.assertEqual(space.shape, (5000000003,))
        self.assertEqual(space.get_select_npoints(), 3)
        self.assertEqual([int(x[0]) for x in space.get_select_bounds()], [5000000000, 5000000002])


if __name__ == "__main__":
    unittest.main()
