# SPDX-License-Identifier: Apache-2.0
"""The report page."""
from __future__ import annotations

import html
import os
import tempfile
import webbrowser


class Report:
    """One HTML page that needs no network; in a notebook it shows itself in a frame of its own."""

    def __init__(self, page: str) -> None:
        self.html = page

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def open(self) -> None:
        """Opens the page in a browser."""
        handle, path = tempfile.mkstemp(suffix=".html", prefix="medley-")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(self.html)
        webbrowser.open("file://" + path)

    def _repr_html_(self) -> str:
        return (f'<iframe sandbox="allow-scripts allow-downloads" style="width:100%;height:720px;border:1px solid #ccc" '
                f'srcdoc="{html.escape(self.html)}"></iframe>')

    def __repr__(self) -> str:
        return f"<medley.Report of {len(self.html) // 1000} kB: save(path), open()>"
