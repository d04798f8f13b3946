# SPDX-License-Identifier: Apache-2.0
"""Enumerators, constants and sizes of types that our headers share with those of the installed HDF5 are the same,
but for what HDF5 itself changed between that release and 1.14."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

OURS = pathlib.Path(__file__).resolve().parent.parent.parent / "include" / "hdf5"
REFERENCE = pathlib.Path(os.environ.get("FILIGREE_STOCK_INCLUDE", "/usr/include/hdf5/serial"))

# Ends of enumerations, types of ids that were inserted, versions, structs that grew.
CHANGED = set("""H5D_MPIO_NO_COLLECTIVE_MAX_CAUSE H5D_NLAYOUTS H5F_LIBVER_NBOUNDS H5F_LIBVER_LATEST H5O_TYPE_NTYPES H5PL_TYPE_NONE
H5R_MAXTYPE H5I_ATTR H5I_VFL H5I_GENPROP_CLS H5I_GENPROP_LST H5I_ERROR_CLASS H5I_ERROR_MSG H5I_ERROR_STACK H5I_NTYPES
H5_VERS_MINOR H5_VERS_RELEASE H5FD_class_t""".split())
GONE = {"H5I_REFERENCE"}

TEXT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
NUMBER = re.compile(r"\(*(?:\(?(?:size_t|unsigned|hid_t)\)?)?\s*-?(?:0x[0-9A-Fa-f]+|\d+)(?:\.\d+)?u?\s*\)*|[A-Z][A-Z0-9_]+")


def read(folder):
    """Enumerators, constants and types of the headers of a folder."""
    enumerators, constants, types = set(), set(), set()
    for path in folder.glob("H5*.h"):
        if not re.fullmatch(r"H5(\w*public|FD\w+|\w*develop)\.h", path.name) or "windows" in path.name:
            continue
        text = TEXT.sub(" ", path.read_text(errors="replace"))
        for body in re.findall(r"\benum\b[^;{]*\{(.*?)\}", text, re.S):
            enumerators |= {entry.split("=")[0].strip() for entry in body.split(",")} - {""}
        for name, value in re.findall(r"^\s*#\s*define\s+(H5\w+)[ \t]+(\S[^\n\\]*?)\s*$", text, re.M):
            if NUMBER.fullmatch(value):
                constants.add(name)
        types |= set(re.findall(r"\}\s*((?:H5|h)\w+_t)\s*;", text))
        types |= set(re.findall(r"typedef\b[^;{]*?\b((?:H5|h)\w+_t)\s*;", text))
    return enumerators, constants, types


def printed(folder, names, form):
    """The values that a program with the headers of the folder prints for each name."""
    body = "".join(f'  printf("{name} %lld\\n", (long long)({form.format(name)}));\n' for name in names)
    with tempfile.TemporaryDirectory() as place:
        source, program = pathlib.Path(place) / "print.c", pathlib.Path(place) / "print"
        source.write_text(f"#include <hdf5_hl.h>\n#include <stdio.h>\nint main(void) {{\n{body}  return 0;\n}}\n")
        subprocess.run(["gcc", "-w", f"-I{folder}", str(source), "-o", str(program)], check=True)
        lines = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout.splitlines()
    return dict(line.split() for line in lines)


def usable(folder, names):
    """The names that the headers define in this build."""
    probe = "#include <hdf5_hl.h>\n" + "".join(f"#ifdef {name}\n@{name}@\n#endif\n" for name in sorted(names))
    done = subprocess.run(["gcc", "-E", "-fdirectives-only", "-P", f"-I{folder}", "-xc", "-"], input=probe, capture_output=True, check=True,
                          text=True)
    return set(re.findall(r"^@(\w+)@$", done.stdout, re.M))


@unittest.skipUnless((REFERENCE / "hdf5.h").exists(), "HDF5 is not installed")
class ValuesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.ours, cls.reference = read(OURS), read(REFERENCE)

    def compare(self, names, form, at_least):
        self.assertGreater(len(names), at_least)
        ours, reference = printed(OURS, names, form), printed(REFERENCE, names, form)
        self.assertEqual({name: ours[name] for name in names}, {name: reference[name] for name in names})

    def test_enumerators(self):
        shared = self.ours[0] & self.reference[0]
        renamed = {"H5R_OBJECT", "H5R_DATASET_REGION"}  # these now name the older types of references
        self.assertEqual(self.reference[0] - self.ours[0] - GONE - renamed, set())
        self.compare(sorted(shared - CHANGED | renamed), "{}", 250)

    def test_constants(self):
        shared = self.ours[1] & self.reference[1] - CHANGED
        shared = usable(OURS, shared) & usable(REFERENCE, shared)
        ids = {name for name in shared if re.match(r"H5T_(INTEL|ALPHA|MIPS)_|H5F_ACC_|H5P_NO_CLASS|H5G_link_t", name)}
        self.compare(sorted(shared - ids), "{}", 150)

    def test_sizes_of_types(self):
        shared = self.ours[2] & self.reference[2] - CHANGED - {"H5FD_mirror_fapl_t", "H5FD_ros3_fapl_t"}
        self.compare(sorted(shared), "sizeof({})", 80)


if __name__ == "__main__":
    unittest.main()
