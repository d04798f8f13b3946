# SPDX-License-Identifier: Apache-2.0
"""The headers of the H5 API compile and are complete, and the library exports what they declare."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
INCLUDE = ROOT / "include" / "hdf5"
LIB = pathlib.Path(os.environ["FILIGREE_BIN"]).parent / "lib"
C = ["gcc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"]
CPP = ["g++", "-pedantic", "-Wall", "-Wextra", "-Wshadow", "-Werror"]
ALL = "#include <hdf5.h>\n#include <hdf5_hl.h>\n#include <H5FDwindows.h>\n#include <H5PLextern.h>\n"
LEVELS = ("16", "18", "110", "112", "114", "200")
DEFAULT_LEVEL = "114"


def names(file):
    lines = (HERE / file).read_text().splitlines()
    return [line.split() for line in lines if line and not line.startswith("#")]


FUNCTIONS = [name for (name,) in names("functions.txt")]


def exports(library):
    """name -> (kind, bytes) of the symbols that a shared library exports."""
    out = subprocess.run(["nm", "-D", "-S", "--defined-only", str(LIB / library)], capture_output=True, check=True, text=True)
    found = {}
    for line in out.stdout.splitlines():
        parts = line.split()
        found[parts[-1].split("@")[0]] = (parts[-2], int(parts[1], 16) if len(parts) == 4 else 0)
    return found


class HeadersTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def compile(self, command, sources, *options):
        paths = []
        for name, text in sources.items():
            paths.append(self.folder / name)
            paths[-1].write_text(text)
        done = subprocess.run([*command, f"-I{INCLUDE}", *options, *map(str, paths)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr[:4000])
        return done.stdout

    def alone(self, suffix):
        return {f"{path.stem}.{suffix}": f"#include <{path.name}>\nextern int nothing;\n" for path in INCLUDE.glob("*.h")}

    def test_environment_variables_have_macros(self):
        names = ["DRIVER", "DRIVER_CONFIG", "VOL_CONNECTOR", "PLUGIN_PATH", "PLUGIN_PRELOAD", "USE_FILE_LOCKING", "NOCLEANUP"]
        source = "#include <hdf5.h>\n" + "".join(f"macro HDF5_{name} end\n" for name in names)
        done = subprocess.run(["gcc", "-E", "-P", f"-I{INCLUDE}", "-"], input=source, capture_output=True, check=True, text=True)
        self.assertEqual(re.findall(r"macro (\S+) end", done.stdout), [f'"HDF5_{name}"' for name in names])

    def test_each_compiles_alone_as_c(self):
        self.assertGreater(len(self.alone("c")), 60)
        self.compile(C, self.alone("c"), "-fsyntax-only")

    def test_each_compiles_alone_as_cpp(self):
        self.compile([*CPP, "-std=c++20"], self.alone("cpp"), "-fsyntax-only")
        self.compile([*CPP, "-std=c++11"], {"all.cpp": ALL}, "-fsyntax-only")

    def test_compile_without_old_names(self):
        self.compile(C, {"new.c": ALL}, "-fsyntax-only", "-DH5_NO_DEPRECATED_SYMBOLS")

    def test_unversioned_names_mean_the_version_of_the_level(self):
        rows = names("versions.txt")
        source = ALL + "".join(f'\n@"{row[0]}" {row[0]}' for row in rows) + "\n"
        for column, level in enumerate(LEVELS, 1):
            asked = [[f"-DH5_USE_{level}_API"]] + ([[]] if level == DEFAULT_LEVEL else [])
            for options in asked:
                text = self.compile(C, {"levels.c": source}, "-E", "-P", *options)
                found = dict(re.findall(r'^@"(\w+)" (\w+)$', text, re.M))
                self.assertEqual(found, {row[0]: row[0] + row[column].strip("-") for row in rows}, level)

    def test_one_name_may_be_set_by_itself(self):
        text = self.compile(C, {"one.c": ALL + "\n@H5Dopen H5Gopen\n"}, "-E", "-P", "-DH5Dopen_vers=1")
        self.assertIn("@H5Dopen1 H5Gopen2", text)

    def test_every_function_is_declared(self):
        table = ",\n".join(f"(any){name}" for name in FUNCTIONS)
        source = ALL + f"typedef void (*any)(void);\nany functions[] = {{{table}}};\n"
        self.compile(C, {"declared.c": source}, "-fsyntax-only", "-Wno-cast-function-type")

    def test_every_global_is_declared(self):
        # Neither names of other releases, nor what build systems and our other library look for.
        private = re.compile(r"H5FD_\w+_id_g|H5VL_\w+_g|H5E_(ATOM|BADATOM|LOGFAIL)_g|H5Z_SZIP|filigree_default_plugin_path")
        declared = [name for name, _ in names("globals.txt") if not private.match(name)]
        table = ",\n".join(f"&{name}" for name in declared)
        self.compile(C, {"globals.c": ALL + f"const void* globals[] = {{{table}}};\n"}, "-fsyntax-only")

    def test_asynchronous_calls_name_their_source_line(self):
        source = ALL + "herr_t f(hid_t a, hid_t e);\nherr_t f(hid_t a, hid_t e) { return H5Aclose_async(a, e); }\n" \
            "herr_t g(hid_t a, hid_t e);\nherr_t g(hid_t a, hid_t e) { return H5Aclose_async_wrap(\"x\", \"y\", 1, a, e); }\n"
        self.compile(C, {"source_line.c": source}, "-fsyntax-only")


class ExportsTest(unittest.TestCase):
    def test_every_function_is_exported(self):
        shown = exports("libfiligree_hdf5.so")
        self.assertEqual([name for name in FUNCTIONS if shown.get(name, " ")[0] != "T"], [])

    def test_every_global_is_data_of_its_size(self):
        shown = exports("libfiligree_hdf5.so")
        wrong = {name: shown.get(name) for name, size in names("globals.txt")
                 if name not in shown or shown[name][0] not in "BDR" or shown[name][1] != int(size)}
        self.assertEqual(wrong, {})

    def test_nothing_else_is_exported(self):
        known = set(FUNCTIONS) | {name for name, _ in names("globals.txt")}
        shown = exports("libfiligree_hdf5.so")
        self.assertEqual(sorted(name for name in shown if not name.startswith("_") and name not in known), [])

    def test_the_cpp_library_exports_no_h5(self):
        shown = exports("libfiligree.so")
        self.assertTrue(shown)
        self.assertEqual([name for name in shown if name.startswith("H5")], [])


class UnavailableTest(unittest.TestCase):
    def test_lists_are_sorted_and_known(self):
        missing = []
        for path in sorted((ROOT / "src" / "capi" / "unavailable").glob("*.inc")):
            found = re.findall(r"^FILIGREE_UNAVAILABLE(?:_VOID)?\(.*?\b(H5\w+), \(", path.read_text(), re.M)
            self.assertEqual(found, sorted(set(found)), path.name)
            missing += found
        self.assertEqual(sorted(set(missing) - set(FUNCTIONS)), [])
        self.assertEqual(len(missing), len(set(missing)))
        print(f"{len(FUNCTIONS) - len(missing)} of {len(FUNCTIONS)} functions are built")

    def test_programs_compare_most_functions_with_reference(self):
        done = subprocess.run([str(ROOT / "scripts" / "list-unavailable")], capture_output=True, text=True, check=True)
        compared = int(re.search(r"(\d+) are called by programs", done.stdout)[1])
        print(f"{compared} functions are compared with the reference")
        self.assertGreaterEqual(compared, 500)

    def test_the_page_has_the_table(self):
        done = subprocess.run([str(ROOT / "scripts" / "list-unavailable"), "--check"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
