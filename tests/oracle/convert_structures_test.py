# SPDX-License-Identifier: Apache-2.0
"""Conversions between structured types agree with those of the HDF5 library, over fixed random seeds."""
import os
import subprocess
import sys

DRIVER = os.path.join(os.environ["FILIGREE_BIN"], "convert_structures_driver")


def main():
    return subprocess.run([DRIVER, "1", "6000"], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
