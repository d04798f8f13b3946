# SPDX-License-Identifier: Apache-2.0
"""Programs that Debian built with HDF5 1.10 run on Filigree unchanged: the folder hdf5-1.10 of the build has the names that
they load. Each program runs with the reference library and with ours, and the outputs are compared."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import libraries

FOLDER = libraries.LIB / "hdf5-1.10"
JAVA = [pathlib.Path("/usr/share/java") / f"{name}.jar" for name in ("jarhdf5", "slf4j-api", "slf4j-nop")]


def run(command, ours, folder, seconds=300):
    environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")
    if ours:
        environment["LD_LIBRARY_PATH"] = f"{FOLDER}:{libraries.LIB}"
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, errors="replace", timeout=seconds)
    return done.returncode, done.stdout, done.stderr


def version_nodes(path):
    text = subprocess.run(["readelf", "-V", str(path)], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"Name: (HDF5_SERIAL_[\d.]+)", text))


def exported(path):
    text = subprocess.run(["nm", "-D", "--defined-only", str(path)], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1].split("@")[0] for line in text.splitlines()}


def gif(width, height, pixels):
    """A GIF file with 8 colors. It has a clear code in front of every four pixels, so that all codes have 4 bits."""
    clear, end = 8, 9
    codes = [code for i, pixel in enumerate(pixels) for code in ([clear, pixel] if i % 4 == 0 else [pixel])] + [end]
    codes += [0] * (len(codes) % 2)
    data = bytes(low | high << 4 for low, high in zip(codes[::2], codes[1::2]))
    size = width.to_bytes(2, "little") + height.to_bytes(2, "little")
    palette = bytes(range(24))
    return b"GIF87a" + size + b"\xf2\0\0" + palette + b"," + bytes(4) + size + b"\0\3" + bytes([len(data)]) + data + b"\0;"


@unittest.skipIf(libraries.sanitized(), "programs of Debian are built without sanitizers")
class Abi110Test(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        for name in ("reference", "ours"):
            (self.folder / name).mkdir()

    def both(self, command):
        return run(command, False, self.folder / "reference"), run(command, True, self.folder / "ours")

    def make_files(self):
        script = libraries.HERE / "helpers" / "python_tour.py"
        reference, ours = self.both([sys.executable, str(script)])
        self.assertEqual(reference[0], 0, reference[2][-2000:])
        self.assertEqual(reference, ours)

    def test_every_version_of_symbols_is_there(self):
        wanted = version_nodes(libraries.debian_folder() / "libhdf5_serial.so.103")
        self.assertTrue(wanted)
        self.assertLessEqual(wanted, version_nodes(FOLDER / "libhdf5_serial.so.103"))

    def test_every_high_level_function_is_there(self):
        wanted = {name for name in exported(libraries.debian_folder() / "libhdf5_serial_hl.so.100") if re.fullmatch(r"H5[A-Z]{2}A?[a-z].*", name)}
        wanted = {name for name in wanted if not name.startswith("H5LTyy")}  # its parser of datatypes
        self.assertIn("H5TBAget_fill", wanted)
        self.assertLessEqual(wanted, exported(FOLDER / "libhdf5_serial.so.103") | exported(libraries.LIB / "libfiligree_hdf5.so"))

    def test_it_is_ours_that_is_loaded(self):
        command = [sys.executable, "-c", "import h5py; print('filigree' in open('/proc/self/maps').read())"]
        reference, ours = self.both(command)
        self.assertEqual((reference[1], ours[1]), ("False\n", "True\n"), ours[2])

    def test_h5py_prints_the_same(self):
        self.make_files()

    def compare(self, program, name):
        reference, ours = self.both([str(program)])
        self.assertEqual(reference[0], 0, f"{name}: the reference itself failed: {reference[2][-2000:]}")
        self.assertEqual(reference[:2], ours[:2], f"{name}: {ours[2][-2000:]}")

    def build(self, source, *options):
        program = self.folder / f"{source.stem}.program"
        compiler = "g++" if source.suffix == ".cpp" else "gcc"
        command = [compiler, "-w", f"-I{libraries.HERE}", str(source), "-o", str(program), *options, *libraries.reference_flags(), "-lm", "-lz", "-ldl"]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr[:3000])
        return program

    def test_numbers_and_structures_are_those_of_1_10(self):
        self.compare(self.build(libraries.HERE / "abi110" / "numbers.c"), "numbers")

    def test_options_of_tools_are_read_as_in_hdf5(self):
        self.compare(self.build(libraries.HERE / "abi110" / "options.c"), "options")

    def test_programs_of_the_cpp_library_print_the_same(self):
        self.compare(self.build(libraries.HERE / "abi110" / "tour.cpp", "-lhdf5_cpp"), "tour")

    def test_packet_tables_of_the_cpp_library_print_the_same(self):
        self.compare(self.build(libraries.HERE / "abi110" / "packets.cpp", "-lhdf5_hl_cpp", "-lhdf5_cpp"), "packets")

    @unittest.skipUnless(shutil.which("gfortran"), "no Fortran; scripts/install-deps --with-languages installs it")
    def test_programs_of_the_fortran_library_print_the_same(self):
        for name in ("tour", "high_level"):
            program = self.folder / f"{name}_f.program"
            command = ["h5fc", "-shlib", str(libraries.HERE / "abi110" / f"{name}.f90"), "-o", str(program)]
            done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr[:3000])
            self.compare(program, f"Fortran {name}")

    @unittest.skipUnless(shutil.which("javac") and JAVA[0].exists(), "no Java; scripts/install-deps --with-languages installs it")
    def test_programs_of_the_java_library_print_the_same(self):
        path = ":".join(map(str, [*JAVA, self.folder]))
        source = libraries.HERE / "abi110" / "Tour.java"
        subprocess.run(["javac", "-cp", path, "-d", str(self.folder), str(source)], check=True, capture_output=True)
        reference, ours = self.both(["java", "-cp", path, f"-Djava.library.path={libraries.debian_folder() / 'jni'}", "Tour"])
        self.assertEqual(reference[0], 0, reference[2][-2000:])
        self.assertEqual(reference[:2], ours[:2], ours[2][-2000:])

    def test_sparse_datasets_are_chunked_for_programs_that_do_not_know_them(self):
        folder = self.folder / "ours"
        program = self.folder / "sparse_file.program"
        source = libraries.HERE / "abi110" / "sparse_file.c"
        subprocess.run(["gcc", str(source), "-o", str(program), *libraries.OURS], check=True)
        subprocess.run([str(program)], cwd=folder, check=True)
        self.assertIn("CHUNKED ( 4, 4 )", run(["h5dump", "-p", "-H", "sparse.h5"], True, folder)[1])
        script = "import h5py; d = h5py.File('sparse.h5')['sparse']; print(d.chunks, d[1, 2], d[7, 8], d[...].sum())"
        self.assertEqual(run([sys.executable, "-c", script], True, folder)[1], "(4, 4) 5 6 11\n")
        for number, options in enumerate(([], ["-f", "GZIP=3"], ["-l", "CONTI"], ["-l", "CHUNK=5x5"])):
            packed = f"packed{number}.h5"
            self.assertEqual(run(["h5repack", *options, "sparse.h5", packed], True, folder)[0], 0, options)
            self.assertEqual(run(["h5diff", "sparse.h5", packed], True, folder)[:2], (0, ""), options)

    @unittest.skipUnless(shutil.which("gif2h5"), "needs HDF5's tools for GIF files")
    def test_gif_files_are_converted_in_the_same_way(self):
        for name in ("reference", "ours"):
            (self.folder / name / "in.gif").write_bytes(gif(6, 5, [i % 8 for i in range(30)]))
        for command in (["gif2h5", "in.gif", "image.h5"], ["h52gif", "image.h5", "out.gif", "-i", "Image0"]):
            reference, ours = self.both(command)
            self.assertEqual(reference[0], 0, reference[2])
            self.assertEqual(reference[:2], ours[:2], ours[2])
        dumps = [libraries.dump(self.folder / name, "image.h5") for name in ("reference", "ours")]
        self.assertIn("PALETTE", dumps[0][1])
        self.assertEqual(*dumps)
        self.assertEqual(*((self.folder / name / "out.gif").read_bytes() for name in ("reference", "ours")))

    def test_objects_of_later_datatypes_are_not_opened(self):
        driver = pathlib.Path(os.environ["FILIGREE_BIN"]) / "later_types_driver"
        for name in ("reference", "ours"):
            subprocess.run([str(driver), str(self.folder / name / "later.h5")], check=True)
        script = libraries.HERE / "helpers" / "python_open_all.py"
        tools = [["h5ls", "-r", "later.h5"], ["h5dump", "-H", "later.h5"], ["h5dump", "later.h5"], ["h5dump", "-A", "later.h5"],
                 ["h5diff", "later.h5", "later.h5"], ["h5stat", "later.h5"], [sys.executable, str(script), "later.h5"]]
        for command in tools:
            reference, ours = self.both(command)
            self.assertEqual(reference[:2], ours[:2], f"{command}: {ours[2]}")
        self.assertIn("complex cannot be opened", ours[1])
        self.assertIn("z_known has 3 elements", ours[1])

    @unittest.skipUnless(shutil.which("h5stat"), "needs HDF5's tools")
    def test_h5stat_prints_the_same_for_one_file(self):
        self.make_files()
        for name in ("reference", "ours"):  # the sizes of metadata depend on who wrote the file
            for other in ("reference", "ours"):
                shutil.copy(self.folder / name / "tour.h5", self.folder / other / "counted.h5")
            reference, ours = self.both(["h5stat", "counted.h5"])
            self.assertEqual(reference[0], 0, reference[2])
            self.assertEqual(reference[:2], ours[:2], ours[2])

    def test_the_programs_of_the_c_api_print_the_same(self):
        for source in sorted(libraries.HERE.glob("*.c")):
            with self.subTest(source.stem):
                self.compare(self.build(source, "-DH5_USE_110_API"), source.stem)

    def test_tools_print_the_same(self):
        self.make_files()
        tools = [["h5ls", "-r", "tour.h5"], ["h5dump", "tour.h5"], ["h5dump", "-H", "-A", "tour.h5"], ["h5dump", "-A", "0", "-d", "/records", "tour.h5"],
                 ["h5diff", "tour.h5", "tour.h5"], ["h5copy", "-i", "tour.h5", "-o", "copied.h5", "-s", "a", "-d", "b"],
                 ["h5ls", "-r", "copied.h5"], ["h5repack", "-f", "GZIP=1", "tour.h5", "packed.h5"],
                 ["h5diff", "tour.h5", "packed.h5"], ["h5mkgrp", "tour.h5", "made"], ["h5ls", "tour.h5"],
                 ["h5diff", "-v1", "tour.h5", "packed.h5"], ["h5diff", "-v2", "tour.h5", "packed.h5"], ["h5diff", "-v", "tour.h5", "copied.h5"],
                 ["h5diff", "--verbose=1", "tour.h5", "copied.h5"], ["h5diff", "-r", "-v1", "tour.h5", "copied.h5", "/a", "/b"],
                 ["h5dump", "absent.h5"], ["h5ls", "--nonsense"]]
        for command in tools:
            if shutil.which(command[0]) is None:
                continue
            reference, ours = ((done[0], libraries.without_addresses(done[1]), done[2]) for done in self.both(command))
            self.assertEqual(reference[:2], ours[:2], f"{command}: {ours[2]}")


if __name__ == "__main__":
    unittest.main()
