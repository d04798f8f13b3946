# SPDX-License-Identifier: Apache-2.0
"""The scripts that turn results of benchmarks into charts and pages."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
SCRIPTS = HERE.parent.parent / "scripts"


def run(*command):
    return subprocess.run([sys.executable, *map(str, command)], capture_output=True, text=True)


class Pages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.docs = pathlib.Path(folder.name)
        names = ("results", "losses", "peers", "peer-losses")
        marks = "".join(f"<!-- bench:{name} -->\nold\n<!-- /bench:{name} -->\nkept {name}\n" for name in names)
        (self.docs / "performance.md").write_text(marks, encoding="utf-8")
        marks = "".join(f"<!-- bench:{name} -->\n<!-- /bench:{name} -->\n" for name in ("scale", "extrapolated"))
        (self.docs / "scale.md").write_text(marks, encoding="utf-8")

    def publish(self, path):
        done = run(SCRIPTS / "bench-page", "--docs", self.docs, path)
        self.assertEqual(done.returncode, 0, done.stderr)
        return (self.docs / "performance.md").read_text(encoding="utf-8")

    def test_a_page_has_every_row_machine_version_and_command(self):
        page = self.publish(HERE / "canned.json")
        self.assertIn("| create groups <deep & wide> | 100 ms | 400 ms | HDF5 | 4.00 x | 3.00 x | yes |", page)
        self.assertIn("| create a million links | 2.50 s |  |  |  | at most 20.00 s | yes |", page)
        self.assertIn("| bytes of the file | 1.00 MB | 150.00 MB | HDF5 | 150 x |  | **not checked** |", page)
        for words in ("Some processor, 2 cores, 8 GiB", "HDF5 1.10.8", "filigree_bench --json", "2001-02-03", "abc123"):
            self.assertIn(words, page)

    def test_losses_are_listed(self):
        page = self.publish(HERE / "canned.json")
        self.assertIn("2 of 3 aims are met", page)
        self.assertIn("- sparse: read all: 0.50 x of two lists, aim 3.00 x", page)

    def test_only_what_is_between_the_marks_changes_and_twice_is_as_once(self):
        once = self.publish(HERE / "canned.json")
        self.assertIn("kept results", once)
        self.assertEqual(once.count("old"), 2)  # those of the peers
        self.assertEqual(self.publish(HERE / "canned.json"), once)

    def test_charts_are_xml_with_a_bar_for_every_ratio_and_a_mark_for_every_aim(self):
        self.publish(HERE / "canned.json")
        charts = {path.name: path.read_text(encoding="utf-8") for path in (self.docs / "images").iterdir()}
        self.assertEqual(sorted(charts), ["bench-metadata.svg", "bench-sparse.svg"])
        for chart in charts.values():
            xml.etree.ElementTree.fromstring(chart)
            self.assertIn("prefers-color-scheme: dark", chart)
        self.assertEqual(charts["bench-sparse.svg"].count("<rect"), 2)
        self.assertEqual(charts["bench-sparse.svg"].count('class="aim"'), 1)
        self.assertEqual(charts["bench-sparse.svg"].count('class="loss"'), 1)

    def test_curves_become_tables_and_charts(self):
        self.publish(HERE / "canned_scale.json")
        page = (self.docs / "scale.md").read_text(encoding="utf-8")
        self.assertIn("| defined elements | 10,000 | 10^7 |", page)
        self.assertIn("| write | 1 ms | 1.00 s |", page)
        # A thousand times as many elements took a thousand times as long.
        self.assertIn("| write | 10^7 | 1.00 s | n^1.00 | 28 h | 28 h |", page)
        chart = (self.docs / "images/bench-scale-defined-elements-s.svg").read_text(encoding="utf-8")
        self.assertEqual(chart.count("<circle"), 2)
        xml.etree.ElementTree.fromstring(chart)

    def test_results_of_peers_go_to_their_own_section(self):
        data = json.loads((HERE / "canned.json").read_text(encoding="utf-8"))
        for row in data["results"]:
            row["scenario"] = "peers-matrix"
        path = self.docs / "peers.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        page = self.publish(path)
        self.assertLess(page.index("<!-- bench:peers -->"), page.index("create groups"))
        self.assertIn("old", page[: page.index("<!-- /bench:results -->")])

    def test_what_is_no_result_is_refused(self):
        path = self.docs / "other.json"
        path.write_text("{}", encoding="utf-8")
        for script in ((SCRIPTS / "plot-bench", path, self.docs), (SCRIPTS / "bench-page", "--docs", self.docs, path)):
            done = run(*script)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("not a file of benchmark results", done.stderr)

    def test_a_page_without_marks_is_an_error(self):
        (self.docs / "performance.md").write_text("nothing\n", encoding="utf-8")
        done = run(SCRIPTS / "bench-page", "--docs", self.docs, HERE / "canned.json")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("lacks the marks", done.stderr)


if __name__ == "__main__":
    unittest.main()
