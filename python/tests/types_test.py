# SPDX-License-Identifier: Apache-2.0
"""The annotations of the package are accepted by mypy --strict, where it is installed."""
import pathlib
import shutil
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Types(unittest.TestCase):
    @unittest.skipUnless(shutil.which("mypy"), "mypy is not installed")
    def test_mypy_accepts_the_package(self):
        done = subprocess.run(["mypy", "--config-file", "pyproject.toml", "--cache-dir=/dev/null", "-p", "filigree"],
                              cwd=ROOT, capture_output=True, text=True)
        errors = [line for line in done.stdout.splitlines() if "error:" in line]
        self.assertEqual((done.returncode, errors), (0, []), done.stderr)

    def test_the_stubs_name_what_the_extension_has(self):
        import ast
        import inspect
        from filigree import _core
        stubs = ast.parse((ROOT / "python/filigree/_core.pyi").read_text())
        for node in stubs.body:
            if isinstance(node, ast.ClassDef):
                real = getattr(_core, node.name)
                named = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
                found = {name for name in vars(real) if not name.startswith("_")}
                self.assertEqual({name for name in named if not name.startswith("_")}, found, node.name)
        classes = {node.name for node in stubs.body if isinstance(node, ast.ClassDef)}
        self.assertEqual(classes, {name for name, each in vars(_core).items() if inspect.isclass(each)})


if __name__ == "__main__":
    unittest.main()
