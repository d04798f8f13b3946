# SPDX-License-Identifier: Apache-2.0
"""Enumerators, constants and sizes of types that our headers share with those of the installed HDF5 are the same,
but for what HDF5 itself changed between that release and 1.14. Everything that the headers of 1.14 and 2.2 define is there."""

import importlib.machinery
import importlib.util
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OURS = ROOT / "include" / "hdf5"
REFERENCE = pathlib.Path(os.environ.get("FILIGREE_REFERENCE_INCLUDE", "/usr/include/hdf5/serial"))

# Ends of enumerations, types of ids that were inserted, versions, structs that grew.
CHANGED = set("""H5D_MPIO_NO_COLLECTIVE_MAX_CAUSE H5D_NLAYOUTS H5F_LIBVER_NBOUNDS H5F_LIBVER_LATEST H5O_TYPE_NTYPES H5PL_TYPE_NONE
H5R_MAXTYPE H5I_ATTR H5I_VFL H5I_GENPROP_CLS H5I_GENPROP_LST H5I_ERROR_CLASS H5I_ERROR_MSG H5I_ERROR_STACK H5I_NTYPES
H5_VERS_MINOR H5_VERS_RELEASE H5FD_class_t H5T_NCLASSES""".split())
GONE = {"H5I_REFERENCE"}
TABLE = ROOT / "docs" / "abi-110.md"

# Macros of HDF5's configuration that are not ours: the package, its folders and tools, Fortran, quadruple precision, the
# driver for S3 and its libraries, Debian's choice of the default API, and libtool.
OTHER_CONFIGURATION = re.compile(r"H5_(PACKAGE(_\w+)?|VERSION|DEFAULT_PLUGINDIR|EXAMPLESDIR|LT_OBJDIR|FC_FUNC_?|\w*F(ORTRAN|ortran)_\w+"
                                 r"|H5CONFIG_F_\w+|PAC_(C|FC)_MAX_REAL_PRECISION|HAVE_FLOAT128|SIZEOF___FLOAT128|HAVE_QUADMATH_H"
                                 r"|HAVE_(LIB)?CURL(_CURL_H)?|HAVE_LIBCRYPTO|HAVE_OPENSSL_\w+|HAVE_ROS3_VFD|HAVE_EMBEDDED_LIBINFO|USE_18_API_DEFAULT)")

# What the headers of 1.14 have and ours have not, or with another value, with the reason.
DIFFERENT_FROM_114 = {
    r"macro \w+_H_?": "guards of headers",
    r"macro H5_(FC_FUNC_?|F(ORTRAN|ortran)_\w+|PAC_(C|FC)_MAX_REAL_PRECISION)": "there is no Fortran interface",
    r"macro H5_(PACKAGE(_\w+)?|VERSION|VERS_(INFO|STR|RELEASE)|HAVE_EMBEDDED_LIBINFO)": "the package, and the release 1.14.5",
    r"macro H5FD_MIRROR": "HDF5's expansion names an identifier that does not exist",
    r"enum (H5D_NLAYOUTS|H5F_LIBVER_NBOUNDS|H5T_NCLASSES)": "structured chunks, and what came with 2.0",
    r"size H5VL_(map_args_t|native_\w+_t)": "there are no VOL connectors",
}

# The same for what 2.2 added to 1.14, or changed.
DIFFERENT_FROM_22 = {
    r"macro H5(CPP|CPP_HL|FC|FC_HL|FC_TEST|HL|TESTPAR)_DLL(VAR)?": "libraries that we have not, or not apart",
    r"macro H5_(PACKAGE_\w+|VERSION|VERS_\w+)": "the release, which is 1.14.5, and parts of its names",
    r"macro HDF5_PREFER_WINDOWS_CODE_PAGE": "for Windows",
    r"enum H5F_LIBVER_LATEST": "files of the latest version are those of 1.14",
    r"macro H5(Dread_chunk|Iregister_type|Tdecode)(_vers)?": "the first version, as in 1.14, unless H5_USE_200_API asks for the second",
    r"macro H5F_ACC_\w+": "the same numbers, but checked and no constants, as in 1.14",
    r"size H5VL_native_\w+_t": "there are no VOL connectors",
}

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
    with tempfile.TemporaryDirectory() as scratch:
        source, program = pathlib.Path(scratch) / "print.c", pathlib.Path(scratch) / "print"
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


def configuration(folder):
    """name -> expansion of the macros of H5pubconf.h."""
    flags = ["gcc", "-E", f"-I{folder}", "-xc"]
    macros = subprocess.run([*flags, "-dM", "-include", "H5pubconf.h", "/dev/null"], capture_output=True, check=True, text=True).stdout
    names = re.findall(r"^#define (H5_\w+)", macros, re.M)
    probe = "#include <H5pubconf.h>\n" + "".join(f'@"{name}" {name}\n' for name in names)
    text = subprocess.run([*flags, "-P", "-"], input=probe, capture_output=True, check=True, text=True).stdout
    return dict(re.findall(r'^@"(\w+)" (.*)$', text, re.M))


def value(text):
    return eval(text, {}, {}) if re.fullmatch(r"[\d()/ ]+", text) else text


def lister():
    """The script that made values-1.14.txt and values-2.2.txt, as a module."""
    loader = importlib.machinery.SourceFileLoader("list_hdf5_values", str(ROOT / "scripts" / "list-hdf5-values"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def listed(file):
    return [line for line in (HERE / file).read_text().splitlines() if not line.startswith("#")]


class LaterReleasesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.ours = set(lister().listing(OURS))

    def compare(self, lines, different):
        missing = sorted(set(lines) - self.ours)
        unexplained = [line for line in missing if not any(re.match(rf"{known}( |$)", line) for known in different)]
        self.assertEqual(unexplained, [])
        for known in different:
            self.assertTrue(any(re.match(rf"{known}( |$)", line) for line in missing), f"{known}: no difference any more")

    def test_headers_define_all_that_those_of_114_define(self):
        lines = listed("values-1.14.txt")
        self.assertGreater(len(lines), 1800)
        self.compare(lines, DIFFERENT_FROM_114)

    def test_headers_define_all_that_those_of_22_define(self):
        lines = listed("values-2.2.txt")
        for name in ("macro H5E_RTREE", "macro H5F_PAGE_BUFFER_SIZE_DEFAULT -1", "macro HLTB_MAX_FIELD_LEN 255", "size HDoff_t 8",
                     "macro H5_LIKELY (1)", "macro H5T_COMPLEX_IEEE_F64BE", "enum H5F_LIBVER_V200 5"):
            self.assertIn(name, lines)
        self.compare(lines, DIFFERENT_FROM_22)

    def test_flags_of_files_have_the_numbers_of_22(self):
        numbers = dict(re.findall(r"^macro (H5F_ACC_\w+) (\d+)$", (HERE / "values-2.2.txt").read_text(), re.M))
        self.assertEqual(len(numbers), 9)
        probe = "#include <hdf5.h>\n" + "".join(f'@"{name}" {name}\n' for name in numbers)
        done = subprocess.run(["gcc", "-E", "-P", f"-I{OURS}", "-xc", "-"], input=probe, capture_output=True, check=True, text=True)
        ours = re.findall(r'^@"(\w+)" .*?(0x[0-9a-f]+)u\)$', done.stdout, re.M)
        self.assertEqual({name: str(int(value, 16)) for name, value in ours}, numbers)


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

    def test_every_change_is_in_the_table_of_the_documentation(self):
        listed = set(re.findall(r"^\| `(\w+)` \|", TABLE.read_text(), re.M))
        self.assertEqual(listed, CHANGED | GONE)

    def test_changes_have_the_values_of_the_table(self):
        rows = re.findall(r"^\| `(\w+)` \| (\d+)(?: bytes)? \| (\d+|none)(?: bytes)? \|", TABLE.read_text(), re.M)
        self.assertEqual(len(rows), len(CHANGED | GONE))
        for folder, column in ((REFERENCE, 1), (OURS, 2)):
            named = {row[0]: row[column] for row in rows if row[column] != "none"}
            for form, names in (("sizeof({})", {"H5FD_class_t"}), ("{}", named.keys() - {"H5FD_class_t"})):
                self.assertEqual(printed(folder, sorted(names), form), {name: named[name] for name in names}, folder)

    def test_configuration(self):
        ours, reference = configuration(OURS), configuration(REFERENCE)
        self.assertGreater(len(reference), 150)
        wanted = {name: value(text) for name, text in reference.items() if not OTHER_CONFIGURATION.fullmatch(name)}
        self.assertGreater(len(wanted), 130)
        self.assertEqual({name: value(ours[name]) if name in ours else None for name in wanted}, wanted)

    def test_sizes_of_types(self):
        shared = self.ours[2] & self.reference[2] - CHANGED - {"H5FD_mirror_fapl_t", "H5FD_ros3_fapl_t"}
        self.compare(sorted(shared), "sizeof({})", 80)


if __name__ == "__main__":
    unittest.main()
