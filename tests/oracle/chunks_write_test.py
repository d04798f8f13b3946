# SPDX-License-Identifier: Apache-2.0
"""Chunked datasets that we write: read and extended by HDF5, and read again by us. The script of every case is
random, with a fixed seed; a numpy array has the expected values."""

import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "corpus"))
import compare_values  # noqa: E402

BIN = os.environ["FILIGREE_BIN"]
FIRST_SEED = int(os.environ.get("FILIGREE_SEED", "1"))  # set it to try other cases

FILTERS = ["-", "deflate", "shuffle,deflate", "fletcher32", "shuffle,deflate,fletcher32", "scale", "lzf", "nbit,deflate"]
REFERENCE_READS = FILTERS


def text(numbers):
    return ",".join("u" if n is None else str(n) for n in numbers)


class Twin:
    """A dataset and its expected values."""

    def __init__(self, rng, name):
        self.name = name
        rank = rng.randint(1, 3)
        self.shape = [rng.randint(1, [0, 60, 20, 9][rank]) for _ in range(rank)]
        self.chunk = [rng.randint(1, n + 2) for n in self.shape]
        self.most = [rng.choice([None, n, n + rng.randint(0, 30)]) for n in self.shape]
        self.chunk = [c if m is None else min(c, m) for c, m in zip(self.chunk, self.most)]
        self.kind = np.dtype(rng.choice(["<i2", "<i4", "<i8", "<u4", "i1"]))
        self.filters = rng.choice(FILTERS)
        self.fill = rng.choice(["-", "-", "7", "early"])
        self.values = np.full(self.shape, 7 if self.fill == "7" else 0, self.kind)

    def create(self):
        signed = int(self.kind.kind == "i")
        return f"create {self.name} {self.kind.itemsize} {signed} {text(self.shape)} {text(self.most)} {text(self.chunk)} {self.filters} {self.fill}"

    def numbers(self, count, first):
        return np.arange(first, first + count).astype(self.kind)

    def step(self, rng):
        what = rng.choice(["box", "box", "points", "resize", "whole"])
        first = rng.randint(0, 60)
        if what == "resize":
            wanted = [rng.randint(0 if rng.random() < 0.1 else 1, n + 12) for n in self.shape]
            wanted = [n if m is None else min(n, m) for n, m in zip(wanted, self.most)]
            grown = np.full(wanted, 7 if self.fill == "7" else 0, self.kind)
            common = tuple(slice(0, min(a, b)) for a, b in zip(self.shape, wanted))
            grown[common] = self.values[common]
            self.values, self.shape = grown, wanted
            return f"resize {self.name} {text(wanted)}"
        if 0 in self.shape:
            return None
        if what == "points":
            count = rng.randint(1, 12)
            points = [[rng.randrange(n) for n in self.shape] for _ in range(count)]
            for point, value in zip(points, self.numbers(min(count, 120), first)):
                self.values[tuple(point)] = value
            return f"points {self.name} {text(sum(points, []))} {first}"
        start = [0 if what == "whole" else rng.randrange(n) for n in self.shape]
        size = [n if what == "whole" else rng.randint(1, n - s) for n, s in zip(self.shape, start)]
        box = np.arange(first, first + int(np.prod(size))).reshape(size)
        low, high = np.iinfo(self.kind).min, np.iinfo(self.kind).max
        self.values[tuple(slice(s, s + c) for s, c in zip(start, size))] = np.clip(box, low, high).astype(self.kind)
        return f"box {self.name} {text(start)} {text(size)} {first}"


class WrittenChunks(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "chunks.h5")

    def tearDown(self):
        self.folder.cleanup()

    def play(self, mode, script):
        done = subprocess.run([os.path.join(BIN, "chunks_driver"), self.path, mode], input="\n".join(script) + "\n", text=True,
                              capture_output=True, timeout=1800)
        self.assertEqual(done.returncode, 0, done.stderr + "\n" + "\n".join(script))

    def compare(self, twins, script):
        with h5py.File(self.path, "r") as file:
            for twin in twins:
                data = file[twin.name]
                self.assertEqual(list(data.shape), twin.shape, script)
                np.testing.assert_array_equal(data[()], twin.values, err_msg=twin.create() + "\n" + "\n".join(script))
        totals = dict.fromkeys(["same", "different", "explained", "not looked at", "not read by h5py", "not opened by h5py"], 0)
        self.assertEqual(compare_values.compare(os.path.join(BIN, "values_driver"), self.path, {}, totals), [], "\n".join(script))
        self.assertEqual(totals["same"], len(twins))

    def run_case(self, seed, bounds):
        rng = random.Random(seed)
        twins = [Twin(rng, f"d{i}") for i in range(4)]
        script = [twin.create() for twin in twins]
        for _ in range(rng.randint(1, 25)):
            script.append("flush" if rng.random() < 0.1 else rng.choice(twins).step(rng))
        script = [line for line in script if line]
        self.play(bounds, script)
        self.compare(twins, script)
        # HDF5 continues with our file, then Filigree with the result.
        with h5py.File(self.path, "r+", libver=("latest" if bounds == "latest" else None)) as file:
            for twin in twins:
                data = file[twin.name]
                if twin.most[0] is None:
                    grown = np.full([twin.shape[0] + 3] + twin.shape[1:], 7 if twin.fill == "7" else 0, twin.kind)
                    grown[:twin.shape[0]] = twin.values
                    twin.values, twin.shape = grown, list(grown.shape)
                    data.resize(twin.shape)
                if 0 not in twin.shape:
                    data[tuple(n - 1 for n in twin.shape)] = 99
                    twin.values[tuple(n - 1 for n in twin.shape)] = 99
        more = [line for _ in range(12) if (line := rng.choice(twins).step(rng))]
        self.play("open", more)
        self.compare(twins, script + ["(reference)"] + more)

    def test_random_scripts_under_both_bounds(self):
        for seed in range(FIRST_SEED, FIRST_SEED + 20):
            for bounds in ("earliest", "latest"):
                with self.subTest(seed=seed, bounds=bounds):
                    self.run_case(seed, bounds)

    def text_case(self, seed, bounds):
        rng = random.Random(seed)
        text_of = lambda n: "x" * (n % 40) + str(n)  # noqa: E731
        twins, fills, script = {}, {}, []

        def same(note):
            # HDF5 reads unwritten elements with a variable-length fill value only from a file that is open for writing.
            copy = shutil.copy(self.path, self.path + ".copy")
            with h5py.File(copy, "r+") as file:
                self.assertEqual(sorted(file), sorted(twins))
                for name, twin in twins.items():
                    self.assertEqual([t.decode() for t in file[name][()].ravel()], list(twin.ravel()), f"{note} {name}\n" + "\n".join(script))

        for i in range(3):
            shape = [rng.randint(2, 40), rng.randint(1, 6)]
            chunk = [rng.randint(1, n) for n in shape]
            fill = rng.choice(["-", "-", "early", "late", "unset", "not_yet_written"])
            script.append(f"create t{i} 0 0 {text(shape)} u,u {text(chunk)} {rng.choice(['-', 'deflate', 'shuffle,deflate'])} {fill}")
            fills[f"t{i}"] = fill if "_" in fill or fill == "unset" else ""
            twins[f"t{i}"] = np.full(shape, fills[f"t{i}"], object)
        for k in range(rng.randint(4, 20)):
            name = rng.choice(list(twins))
            twin = twins[name]
            what = rng.choice(["texts"] * 5 + ["resize", "copy", "remove", "flush"])
            if what == "flush":
                script.append("flush")
            elif what == "copy":
                twins[f"c{k}"], fills[f"c{k}"] = twin.copy(), fills[name]
                script.append(f"copy {name} c{k}")
            elif what == "remove" and len(twins) > 1:
                del twins[name]
                script.append(f"remove {name}")
            elif what == "resize":
                wanted = [rng.randint(1, n + 5) for n in twin.shape]
                grown = np.full(wanted, fills[name], object)
                common = tuple(slice(0, min(a, b)) for a, b in zip(twin.shape, wanted))
                grown[common] = twin[common]
                twins[name] = grown
                script.append(f"resize {name} {text(wanted)}")
            else:
                start = [rng.randrange(n) for n in twin.shape]
                size = [rng.randint(1, n - s) for n, s in zip(twin.shape, start)]
                first = rng.randint(0, 500)
                box = np.array([text_of(first + j) for j in range(int(np.prod(size)))], object).reshape(size)
                twin[tuple(slice(s, s + c) for s, c in zip(start, size))] = box
                script.append(f"texts {name} {text(start)} {text(size)} {first}")
        self.play(bounds, script)
        same("ours")
        with h5py.File(self.path, "r+", libver=("latest" if bounds == "latest" else None)) as file:
            for name, twin in twins.items():
                # HDF5 frees the values that it overwrites, so no two elements may have referred to the same value.
                for _ in range(3):
                    at = tuple(rng.randrange(n) for n in twin.shape)
                    file[name][at] = twin[at] = "HDF5 was here"
                file[name][0, 0] = twin[0, 0] = "HDF5 was here"
        same("reference's")
        name = rng.choice(list(twins))
        twins[name][0, :] = [text_of(7 + j) for j in range(twins[name].shape[1])]
        script.append(f"texts {name} 0,0 1,{twins[name].shape[1]} 7")
        self.play("open", script[-1:])
        same("ours again")

    def test_random_scripts_of_strings_copies_and_deletions(self):
        for seed in range(FIRST_SEED, FIRST_SEED + 20):
            for bounds in ("earliest", "latest"):
                with self.subTest(seed=seed, bounds=bounds):
                    self.text_case(seed, bounds)


if __name__ == "__main__":
    unittest.main()
