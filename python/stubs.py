#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes medley/_core.pyi from the built module, which has to be where Python finds it. A test compares the two."""
import pathlib
import re

from nanobind.stubgen import StubGen


def text() -> str:
    """What the stub should be."""
    from medley import _core

    stub = StubGen(_core)
    stub.put(_core)
    found = str(stub.get())
    # Dicts and lists whose entries C++ puts together.
    found = re.sub(r"\bdict\b(?!\[)", "dict[Any, Any]", found)
    found = re.sub(r"\blist\b(?!\[)", "list[Any]", found)
    found = re.sub(r"\btuple\b(?!\[)", "tuple[Any, ...]", found)
    found = re.sub(r": Sequence\b(?!\[)", ": Sequence[Any]", found)
    found = re.sub(r"^from typing import (?!.*\bAny\b)", "from typing import Any, ", found, count=1, flags=re.M)
    return "# SPDX-License-Identifier: Apache-2.0\n" + found


if __name__ == "__main__":
    pathlib.Path(__file__).with_name("medley").joinpath("_core.pyi").write_text(text(), encoding="utf-8")
