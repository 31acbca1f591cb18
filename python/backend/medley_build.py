# SPDX-License-Identifier: Apache-2.0
"""The build backend: scikit-build-core, but a source distribution carries the C++ tree (as cpp/) and the built report page,
so that building from it needs neither npm nor a network."""
import os
import pathlib
import shutil
import subprocess
import tempfile

from scikit_build_core.build import (  # noqa: F401
    build_editable,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)
from scikit_build_core.build import build_sdist as _build_sdist
from scikit_build_core.build import build_wheel as _build_wheel

HERE = pathlib.Path(__file__).resolve().parent.parent  # python/
TREE = HERE.parent  # the clone, unless this is a source distribution
# What the library and the program are built from.
CPP = ["CMakeLists.txt", "LICENSE", "cmake", "include", "src", "cli", "web"]
PAGES = ["web/dist/page.html", "build/release/web/page.html"]


def _in_clone():
    return not (HERE / "cpp").exists() and (TREE / "src").is_dir() and (TREE / "include/medley").is_dir()


def _page():
    """The built page of the report: what the clone has, or npm builds it now."""
    for place in PAGES:
        if (TREE / place).exists():
            return TREE / place
    with tempfile.TemporaryDirectory() as folder:
        web = pathlib.Path(folder) / "web"
        web.mkdir()
        for name in ("package.json", "package-lock.json", ".npmrc"):
            shutil.copy(TREE / "web" / name, web)
        subprocess.run(["npm", "ci", "--prefix", web, "--no-audit", "--no-fund"], check=True)
        subprocess.run(["node", TREE / "web/build.mjs", web], check=True)
        kept = TREE / PAGES[0]
        kept.parent.mkdir(exist_ok=True)
        shutil.copy(web / "page.html", kept)
        return kept


def _stage(folder):
    """A copy of this folder with the C++ tree in cpp/."""
    ignored = shutil.ignore_patterns("__pycache__", "*.so", "node_modules", "dist", ".pytest_cache", ".mypy_cache")
    shutil.copytree(HERE, folder, ignore=ignored, dirs_exist_ok=True)
    for name in CPP:
        source, target = TREE / name, folder / "cpp" / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=ignored)
        else:
            target.parent.mkdir(exist_ok=True)
            shutil.copy(source, target)
    (folder / "cpp/web/dist").mkdir(parents=True, exist_ok=True)
    shutil.copy(_page(), folder / "cpp/web/dist/page.html")
    shutil.copy(TREE / "LICENSE", folder / "LICENSE")


def build_sdist(sdist_directory, config_settings=None):
    """The source distribution."""
    target = os.path.abspath(sdist_directory)
    if not _in_clone():
        return _build_sdist(target, config_settings)
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        staged = pathlib.Path(folder) / "python"
        _stage(staged)
        os.chdir(staged)
        try:
            return _build_sdist(target, config_settings)
        finally:
            os.chdir(before)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The wheel, with our licence."""
    if not (HERE / "LICENSE").exists() and (TREE / "LICENSE").exists():
        shutil.copy(TREE / "LICENSE", HERE / "LICENSE")
        try:
            return _build_wheel(wheel_directory, config_settings, metadata_directory)
        finally:
            (HERE / "LICENSE").unlink()
    return _build_wheel(wheel_directory, config_settings, metadata_directory)
