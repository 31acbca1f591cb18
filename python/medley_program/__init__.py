# SPDX-License-Identifier: Apache-2.0
"""Starts the program medley that the wheel brings along. Not in the package medley, which takes a moment to import."""
from __future__ import annotations

import os
import subprocess
import sys


def main() -> None:
    """medley on the command line."""
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "medley")
    if os.name == "nt":
        sys.exit(subprocess.call([program + ".exe", *sys.argv[1:]]))
    os.execv(program, ["medley", *sys.argv[1:]])
