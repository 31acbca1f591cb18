# SPDX-License-Identifier: Apache-2.0
"""The examples run as they stand, and so do the code blocks of docs/python.md and docs/coming-from.md."""
import pathlib
import re
import subprocess
import sys

import pytest
from conftest import ROOT

EXAMPLES = pathlib.Path(__file__).resolve().parents[1] / "examples"


@pytest.mark.parametrize("name", ["survey", "texts", "ratings"])
def test_examples_run(name, tmp_path):
    pytest.importorskip("pandas")
    pytest.importorskip("polars")
    done = subprocess.run([sys.executable, "-W", "ignore", str(EXAMPLES / f"{name}.py")], cwd=tmp_path,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout) > 500


def blocks(page):
    """(line, code) of every block marked python; those marked otherwise show other packages."""
    text = page.read_text(encoding="utf-8")
    for found in re.finditer(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        yield text[:found.start()].count("\n") + 2, found[1]


@pytest.mark.parametrize("page", ["python.md", "coming-from.md"])
def test_pages_run_from_top_to_bottom(page, tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    pytest.importorskip("polars")
    pytest.importorskip("sklearn")
    pytest.importorskip("matplotlib").use("agg")
    path = ROOT / "docs" / page
    (tmp_path / "data").symlink_to(ROOT / "data")
    monkeypatch.chdir(tmp_path)
    scope = {"__name__": "__main__"}
    found = list(blocks(path))
    assert len(found) >= 4
    for line, code in found:
        exec(compile("\n" * (line - 1) + code, str(path), "exec"), scope)  # noqa: S102
