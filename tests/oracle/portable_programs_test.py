# SPDX-License-Identifier: Apache-2.0
"""What programs that use HDF5 do with a file that has a portable sparse dataset, without the plug-in and with it. The table in
docs/concepts/sparse.md is compared with what happens here; --write renews it."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "concepts" / "sparse.md"
BIN = pathlib.Path(os.environ["FILIGREE_BIN"])
PLUGINS = BIN.parent / "lib" / "hdf5-plugins"
BEGIN, END = "<!-- table: programs -->\n", "<!-- end of table -->"
NAME = "filigree sparse chunks, plug-in libh5z_filigree"
NAMES_FILTER = "no; the error names the filter"
OTHERS = "all but its elements"

PREPARE = """
import h5py, numpy, subprocess, sys
driver, path = sys.argv[1:]
subprocess.run([driver, "create", path, "d", "i4", "20,20", "8,8", "3", "shuffle,deflate", "packed"], check=True)
elements = {o: o % 50 + 4 for o in range(1, 400, 7)}
subprocess.run([driver, "write", path, "d"], input="".join(f"{o} {v}\\n" for o, v in elements.items()), text=True, check=True)
with h5py.File(path, "r+") as file:
    file["other"] = numpy.arange(5)
    file.create_group("g")["x"] = 1.5
    file["d"].attrs["unit"] = "counts"
"""

# Each of these prints its last line if it succeeds. The array of right values is `right`.
PYTHON = """
import sys, numpy
right = numpy.full(400, 3); right[1::7] = numpy.arange(1, 400, 7) % 50 + 4; right = right.reshape(20, 20)
path = sys.argv[1]
"""
H5PY = PYTHON + "import h5py\nfile = h5py.File(path)\nd = file['d']\n"
SCRIPTS = {
    "h5py: list, `visititems`, attributes": H5PY + """
found = []
file.visititems(lambda name, o: found.append(name))
assert found == ["d", "g", "g/x", "other"] and d.attrs["unit"] == "counts" and file["other"][4] == 4
""",
    "h5py: slices": H5PY + "assert (d[3:9, ::2] == right[3:9, ::2]).all() and (d[...] == right).all()\n",
    "h5py: fancy indexing": H5PY + """
assert (d[[1, 5, 19]] == right[[1, 5, 19]]).all() and (d[right != 3] == right[right != 3]).all()
""",
    "h5py: `iter_chunks`": H5PY + "assert all((d[box] == right[box]).all() for box in d.iter_chunks())\n",
    "h5py: `read_direct_chunk`": H5PY + """
for i in range(d.id.get_num_chunks()):
    assert d.id.read_direct_chunk(d.id.get_chunk_info(i).chunk_offset)[1].startswith(b"FGSC")
""",
    "anndata: `read_h5ad`, a dense X": PYTHON + """
import anndata, h5py, shutil
anndata.AnnData(numpy.zeros((20, 20), "f4")).write_h5ad(path + "ad")
with h5py.File(path + "ad", "r+") as to, h5py.File(path) as file:
    attributes = dict(to["X"].attrs)
    del to["X"]
    h5py.h5o.copy(file.id, b"d", to.id, b"X")
    to["X"].attrs.update(attributes)
assert (anndata.read_h5ad(path + "ad").X == right).all()
""",
    "PyTables: list, other datasets": PYTHON + """
import tables
with tables.open_file(path) as file:
    assert [n._v_pathname for n in file.walk_nodes()] == ["/", "/d", "/g", "/other", "/g/x"] and file.root.other[4] == 4
""",
    "PyTables: elements": PYTHON + "import tables\nassert (tables.open_file(path).root.d[:] == right).all()\n",
}
NEEDS = {"anndata": "anndata", "PyTables": "tables"}


def run(folder, plugins, *arguments):
    environment = {**os.environ, "HDF5_PLUGIN_PATH": str(plugins), "LC_ALL": "C"}
    return subprocess.run(list(map(str, arguments)), cwd=folder, env=environment, capture_output=True, text=True, timeout=1800)


def script(folder, plugins, text):
    return run(folder, plugins, sys.executable, "-c", text, "f.h5")


class Programs:
    """Runs programs in a folder, with or without the plug-in. Each function returns the words of the table."""

    def __init__(self, folder, plugins):
        self.folder, self.plugins = folder, plugins

    def run(self, *arguments):
        return run(self.folder, self.plugins, *arguments)

    def fresh(self, name):
        (self.folder / name).unlink(missing_ok=True)
        return name

    def filters(self, path):
        """The filters of the dataset; nothing where it is missing."""
        listed = run(self.folder, PLUGINS, "h5dump", "-p", "-H", "-d", "/d", path)
        return re.findall(r"FILTER_ID (\d+)|COMPRESSION (\w+)", listed.stdout)

    def same_bytes(self, path):
        text = H5PY + """
other = h5py.File(sys.argv[2])["d"]
for i in range(d.id.get_num_chunks()):
    at = d.id.get_chunk_info(i).chunk_offset
    assert d.id.read_direct_chunk(at) == other.id.read_direct_chunk(at)
"""
        return run(self.folder, PLUGINS, sys.executable, "-c", text, "f.h5", path).returncode == 0

    def equal_values(self, path):
        return run(self.folder, PLUGINS, "h5diff", "f.h5", path).returncode == 0

    def lists(self, *arguments, wanted):
        done = self.run(*arguments)
        return "yes" if done.returncode == 0 and not done.stderr and all(w in done.stdout for w in wanted) else "no"

    def h5dump(self):
        done = self.run("h5dump", "--enable-error-stack", "f.h5")
        numbers = done.stdout.count("(0,0): 3, 5, 3")
        others = "0, 1, 2, 3, 4" in done.stdout and "1.5" in done.stdout
        if done.returncode == 0 and numbers and others:
            return "yes"
        return f"{OTHERS}; `--enable-error-stack` names the filter" if others and NAME in done.stderr else "no"

    def h5copy(self):
        done = self.run("h5copy", "-i", "f.h5", "-o", self.fresh("copy.h5"), "-s", "/d", "-d", "/d")
        return "yes, the same bytes" if done.returncode == 0 and self.same_bytes("copy.h5") else "no"

    def h5repack(self):
        done = self.run("h5repack", "f.h5", self.fresh("repacked.h5"))
        return "yes, the same bytes" if done.returncode == 0 and self.same_bytes("repacked.h5") else "no"

    def h5repack_with_filter(self):
        done = self.run("h5repack", "-f", "GZIP=1", "f.h5", self.fresh("deflated.h5"))
        if done.returncode == 0 and self.filters("deflated.h5") == [("", "DEFLATE")] and self.equal_values("deflated.h5"):
            return "yes, as a dense dataset"
        left_out = self.filters("deflated.h5") == [] and "cannot be read, user defined filter is not available" in done.stderr
        return "the dataset is left out, with a warning" if left_out else "no"

    def h5diff(self):
        shutil.copy(self.folder / "f.h5", self.folder / "g.h5")
        done = self.run("h5diff", "--enable-error-stack", "f.h5", "g.h5")
        if done.returncode == 0:
            return "yes"
        return "no; `--enable-error-stack` names the filter" if NAME in done.stderr else "no"

    def ncdump(self):
        done = self.run("ncdump", "f.h5")
        if done.returncode == 0 and "3, 5, 3, 3, 3, 3, 3, 3, 12" in done.stdout:
            return "yes"
        other = self.run("ncdump", "-v", "other", "f.h5")
        return "`-v` with other variables" if other.returncode == 0 and "0, 1, 2, 3, 4" in other.stdout else "no"

    def script(self, text):
        done = script(self.folder, self.plugins, text)
        if done.returncode == 0:
            return "yes"
        return NAMES_FILTER if NAME in done.stderr else "no"

    def rows(self):
        yield "`h5ls -v`", self.lists("h5ls", "-v", "f.h5", wanted=[NAME, "other", "unit"])
        yield "`h5dump -H`, `h5dump -H -p`", self.lists("h5dump", "-H", "-p", "f.h5", wanted=[NAME, '"other"', '"x"'])
        yield "`h5dump`", self.h5dump()
        yield "`h5stat`", self.lists("h5stat", "f.h5", wanted=["# of unique datasets: 3"])
        yield "`h5copy`", self.h5copy()
        yield "`h5repack`", self.h5repack()
        yield "`h5repack -f GZIP=1`", self.h5repack_with_filter()
        yield "`h5diff`", self.h5diff()
        if shutil.which("ncdump"):
            yield "netCDF: `ncdump -h`", self.lists("ncdump", "-h", "f.h5", wanted=["int d(", "counts", "other"])
            yield "netCDF: `ncdump`", self.ncdump()
        for title, text in SCRIPTS.items():
            module = NEEDS.get(title.split(":")[0])
            if module is None or script(self.folder, PLUGINS, f"import {module}").returncode == 0:
                yield title, self.script(text)


def measure():
    """The lines of the table, as far as the programs are installed."""
    with tempfile.TemporaryDirectory(prefix="filigree_programs_") as name:
        folder = pathlib.Path(name)
        empty = folder / "empty"
        empty.mkdir()
        made = run(folder, PLUGINS, sys.executable, "-c", PREPARE, BIN / "portable_driver", folder / "f.h5")
        if made.returncode:
            raise AssertionError(made.stderr)
        without, with_it = dict(Programs(folder, empty).rows()), dict(Programs(folder, PLUGINS).rows())
    return ["| Program | without the plug-in | with it |", "|---|---|---|",
            *(f"| {title} | {without[title]} | {with_it[title]} |" for title in without)]


def split_page():
    before, rest = PAGE.read_text().split(BEGIN)
    table, after = rest.split(END, 1)
    return before, [line for line in table.splitlines() if line], after


class PortablePrograms(unittest.TestCase):
    maxDiff = None

    def test_the_table_says_what_happens(self):
        found, written = measure(), split_page()[1]
        missing = [line for line in written if line.split("|")[1] not in {f.split("|")[1] for f in found}]
        for line in missing:  # its program is not installed
            self.assertRegex(line, "^\\| (anndata|PyTables|netCDF)", "rows that nothing makes")
            print("not installed, and so not tested:", line.split("|")[1].strip())
        self.assertEqual(found, [line for line in written if line not in missing])

    def test_everything_works_with_the_plug_in(self):
        for line in split_page()[1][2:]:
            self.assertTrue(line.split("|")[3].strip().startswith("yes"), line)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        before, _, after = split_page()
        PAGE.write_text(before + BEGIN + "\n" + "\n".join(measure()) + "\n\n" + END + after)
    else:
        unittest.main()
