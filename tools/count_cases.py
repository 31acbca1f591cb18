#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the test cases that the programs of a build folder ran: tools/count_cases.py build/asan-ubsan

ctest counts processes; each process of GoogleTest writes what it ran to cases/ (tests/CMakeLists.txt).
"""
import json
import pathlib
import sys


def main():
    cases = skipped = programs = 0
    for path in sorted(pathlib.Path(sys.argv[1], "cases").glob("*.json")):
        result = json.loads(path.read_text(encoding="utf-8"))
        programs += 1
        for suite in result["testsuites"]:
            for case in suite["testsuite"]:
                if case["status"] == "RUN":
                    cases += 1
                    skipped += case["result"] == "SKIPPED"
    print(f"{cases:,} GoogleTest cases in {programs} processes, {skipped} of them skipped.")


if __name__ == "__main__":
    main()
