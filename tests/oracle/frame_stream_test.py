#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Threads append frames while others flush the file, and two other processes read it: Filigree the sparse streams, HDF5 the
dense one. Every frame is whole when it is seen for the first time, and no extent shrinks."""

import os
import subprocess
import sys
import tempfile
import time
import unittest

import h5py
import numpy

DRIVER = os.path.join(os.environ["FILIGREE_BIN"], "frame_stream_driver")
SECONDS = os.environ.get("FILIGREE_STREAM_SECONDS", "3")


def follow(path):
    """The reader with HDF5: prints the number of frames when the line with the expected number has come."""
    import select

    with h5py.File(path, "r", swmr=True) as file:
        data = file["dense"]
        pixels = numpy.arange(data.shape[1] * data.shape[2], dtype="<u4").reshape(data.shape[1:])
        print("ready", flush=True)
        seen, ended = 0, False
        while not ended:
            ended = bool(select.select([sys.stdin], [], [], 0)[0])
            data.refresh()
            extent = data.shape[0]
            if extent < seen:
                sys.exit(f"the extent has shrunk from {seen} to {extent}")
            for number in range(seen, extent):
                frame = data[number]
                if frame[0, 0] == 0 or not numpy.array_equal(frame, pixels + frame[0, 0]):
                    sys.exit(f"frame {number} is not whole: {frame}")
            seen = extent
            time.sleep(0.001)
    print(seen)


class FrameStreamTest(unittest.TestCase):
    def start(self, *command):
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "ready\n", "it did not start")
        return process

    def end(self, process, line=""):
        out, errors = process.communicate(line, timeout=1800)
        self.assertEqual(process.returncode, 0, errors[:3000])
        return out

    def test_every_frame_is_whole_when_it_is_first_seen(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "live.h5")
            writer = self.start(DRIVER, "write", path, SECONDS)
            readers = [self.start(DRIVER, "read", path), self.start(sys.executable, __file__, "follow", path)]
            frames, numbered, dense = self.end(writer).split()
            self.assertGreater(int(frames), 100)
            self.assertEqual(frames, numbered)
            self.assertIn("whole, in", self.end(readers[0], f"{frames} {numbered}\n"))
            self.assertEqual(self.end(readers[1], "\n"), f"{dense}\n")
            with h5py.File(path, "r") as file:
                self.assertEqual(file["dense"].shape[0], int(dense))


if __name__ == "__main__":
    if sys.argv[1:2] == ["follow"]:
        follow(sys.argv[2])
    else:
        unittest.main()
