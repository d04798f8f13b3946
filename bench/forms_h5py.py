#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The same frames through h5py, in turns: portable sparse chunks with the plug-in, and dense chunks with shuffle and deflate. Prints
a table with the medians of CPU time. Usage: bench/forms_h5py.py BUILD FOLDER ROUNDS"""
import os
import pathlib
import resource
import statistics
import sys

build, folder, rounds = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3])
os.environ["HDF5_PLUGIN_PATH"] = str(build / "lib" / "hdf5-plugins")

import h5py  # noqa: E402  (after the path of plug-ins is set)
import numpy as np  # noqa: E402

FRAMES, SIDE, PIXELS, CHUNK = 40, 1024, 4000, (1, 256, 256)
FORMS = {"portable": "shuffle,deflate packed", "dense": None}


def frames():
    some = np.random.default_rng(3)
    for _ in range(FRAMES):
        frame = np.zeros(SIDE * SIDE, "u2")
        frame[some.integers(0, SIDE * SIDE, PIXELS)] = some.integers(1, 60, PIXELS)
        yield frame.reshape(SIDE, SIDE)


def options(form):
    if FORMS[form] is None:
        return dict(compression="gzip", compression_opts=4, shuffle=True)
    # Version, rank, chunk, element bytes, no fill value, section filters: packed selection; shuffle, deflate.
    words = (1, 3, *CHUNK, 2, 0, 1, 500, 1, 0, 2, 2, 1, 1, 2, 1, 1, 1, 4)
    return dict(compression=502, compression_opts=words)


def write(path, form, all_frames):
    with h5py.File(path, "w") as file:
        data = file.create_dataset("d", (FRAMES, SIDE, SIDE), "u2", chunks=CHUNK, **options(form))
        for i, frame in enumerate(all_frames):
            data[i] = frame


def read(path, form, all_frames):
    with h5py.File(path) as file:
        for i, frame in enumerate(all_frames):
            assert (file["d"][i] == frame).all()


def regions(path, form, all_frames):
    some = np.random.default_rng(5)
    with h5py.File(path) as file:
        for _ in range(100):
            i, y, x = some.integers(0, FRAMES), *some.integers(0, SIDE - 100, 2)
            file["d"][i, y:y + 100, x:x + 100]


def cpu(work):
    before = resource.getrusage(resource.RUSAGE_SELF)
    work()
    after = resource.getrusage(resource.RUSAGE_SELF)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


all_frames = list(frames())
tasks = {"write 40 frames": write, "read them, and compare": read, "100 regions of 100 x 100": regions}
times = {(task, form): [] for task in tasks for form in FORMS}
paths = {form: folder / f"{form}.h5" for form in FORMS}
for turn in range(rounds):
    for task, work in tasks.items():
        for form in sorted(FORMS, reverse=turn % 2 == 1):
            times[task, form].append(cpu(lambda: work(paths[form], form, all_frames)))
print("| | dense | portable |\n|---|---|---|")
print(f"| file | {paths['dense'].stat().st_size} | {paths['portable'].stat().st_size} |")
for task in tasks:
    print(f"| {task} | {statistics.median(times[task, 'dense']):.0f} ms | {statistics.median(times[task, 'portable']):.0f} ms |")
