# SPDX-License-Identifier: Apache-2.0
"""Stubs say what the module is, examples and package are typed, and messages speak Python."""
import pathlib
import subprocess
import sys

import pytest

PACKAGE = pathlib.Path(__file__).resolve().parents[1]


def test_stubs_are_up_to_date():
    pytest.importorskip("nanobind.stubgen")
    from medley import _core  # the one that is installed  # noqa: F401

    sys.path.insert(0, str(PACKAGE))
    import stubs

    assert stubs.text() == (PACKAGE / "medley" / "_core.pyi").read_text(), "run python/stubs.py and commit what it writes"


@pytest.mark.parametrize("what", ["medley", "examples"])
def test_types_are_strict(what, tmp_path):
    pytest.importorskip("mypy")
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), what],
                          cwd=PACKAGE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_what_is_public_has_a_docstring():
    import medley

    for name in medley.__all__:
        thing = getattr(medley, name)
        if not callable(thing):
            continue
        assert thing.__doc__, name
        for member in vars(thing) if isinstance(thing, type) else ():
            if not member.startswith("_") and callable(getattr(thing, member)):
                assert getattr(thing, member).__doc__ or issubclass(thing, tuple), f"{name}.{member}"


def test_the_library_imports_no_tables_of_its_own_accord(tmp_path):
    code = "import sys, medley; print([m for m in ('pandas', 'polars', 'pyarrow', 'sklearn', 'scipy') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_program_is_where_the_package_is(tmp_path):
    pytest.importorskip("medley_program")
    done = subprocess.run([sys.executable, "-c", "import medley_program; medley_program.main()", "--version"], cwd=tmp_path,
                          capture_output=True, text=True, check=False)
    import medley

    assert done.stdout == f"medley {medley.__version__}\n", done.stderr
