#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds plain casts from floating point to integers: tools/double_casts.py build/release

A cast of 1e20, or of NaN, to an integer is undefined; src, cli and include use integer_of and nearest_integer_of
(medley/error.hpp). Asks clang about every file that build/*/compile_commands.json lists, which takes some minutes; exit
code 1 if there is one. Vectors that Highway converts are no casts, and are not looked at.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ALLOWED = "include/medley/error.hpp"


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    root = build.parents[1]
    query = shutil.which("clang-query-19") or shutil.which("clang-query")
    if query is None:
        print("Left out: there is no clang-query.")
        return 0
    files = sorted({entry["file"] for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
                    if not re.search(r"/(tests|examples|bench)/|_tests\.dir|test_headers", entry["file"] + entry.get("output", ""))})
    with tempfile.NamedTemporaryFile("w", suffix=".query") as script:
        script.write('set output diag\nset bind-root true\n'
                     f'match castExpr(hasCastKind("CK_FloatingToIntegral"), isExpansionInFileMatching("^{root}/(src|cli|include)/"))\n')
        script.flush()

        def ask(file):
            done = subprocess.run([query, "-p", str(build), "-f", script.name, file], capture_output=True, text=True, check=False)
            return re.findall(r'^(\S+?:\d+:\d+): note: "root" binds here', done.stdout, re.MULTILINE), "matches." in done.stdout or \
                "match." in done.stdout

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as several:
            answers = list(several.map(ask, files))
    unanswered = [file for file, (_, answered) in zip(files, answers) if not answered]
    found = sorted({place.removeprefix(f"{root}/") for places, _ in answers for place in places})
    found = [place for place in found if not place.startswith(ALLOWED)]
    for place in found:
        print(f"{place}: a plain cast from floating point to an integer (use integer_of of medley/error.hpp)")
    for file in unanswered:
        print(f"{file}: clang-query could not read it")
    if not found and not unanswered:
        print(f"{len(files)} files have no plain cast from floating point to an integer.")
    return 1 if found or unanswered else 0


if __name__ == "__main__":
    sys.exit(main())
