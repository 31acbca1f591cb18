#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The house rules that a compiler does not see: who may include whom, and what every file must have.

    house.py ROOT    prints one line per breach, `file:line: what (remedy)`, and exits 1 if there is any

house_test.py plants one breach of every rule in a small tree and expects it to be found here.
"""
import pathlib
import re
import sys

# Every room with the rooms it may include besides itself; include/medley is open to all.
ROOMS = {"core": set(), "math": {"core"}, "data": {"core"}}
ROOMS["kernels"] = {"core", "math", "data"}
AXES = ["families", "memberships", "heads"]  # these never include one another
for axis in AXES:
    ROOMS[axis] = {"core", "math", "data", "kernels"}
BELOW = {"core", "math", "data", "kernels", *AXES}
for level in [["model"], ["samplers"], ["engines"], ["predict"], ["evaluate"], ["choose"], ["report"]]:
    for room in level:
        ROOMS[room] = set(BELOW)
    BELOW.update(level)
ROOMS["cli"] = set(BELOW)

LONGEST = 600  # lines
PUBLIC_HEADERS = 13  # medley.hpp and a dozen: a subject each
HEAVY = ("nlohmann/json.hpp", "toml++/")  # slow to compile: never in a header
COMMAND_LINE = "cli/command_line.cpp"  # the only file that may include CLI11: every other would cost seconds
FAMILY_NAMES = {"tokens", "categorical", "bernoulli", "gaussian", "lognormal", "poisson", "exponential",
                "geometric", "gamma", "rates"}
FAMILY_NAMES_ALLOWED = ("src/families/", "src/model/presets.cpp")
FLAG = re.compile(r"(?<![\w-])--[a-z]|`medley ")  # the command line's own words, in a string of the library
NOT_A_FAMILY = "not a family"  # a comment on the line: the word means something else here

SCANNED = ["include", "src", "cli", "tests", "bench", "examples", "tools", "web", "python"]
SCRIPTS = (".ts", ".tsx", ".mjs")  # of the report page: the first line and the length are looked at
MARKUP = re.compile(r"\binnerHTML\b|\bouterHTML\b|insertAdjacentHTML|document\.write|dangerouslySet")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
STANDARD = re.compile(r"[a-z_0-9]+")  # <vector>, <cstddef>: neither a dot nor a slash
# Comments, raw strings, strings and characters, so that a name in a comment is not taken for code.
LEXEME = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"((?:\\.|[^"\\\n])*)"|\'(?:\\.|[^\'\\\n])+\'',
                    re.DOTALL)


class House:
    """Collects the breaches of the tree below `root`."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.breaches = []

    def breach(self, path, line, what):
        self.breaches.append(f"{path.relative_to(self.root)}:{line}: {what}")

    def room_of(self, path):
        """("include" | "tests" | a room's name | None, with "src/" taken off)."""
        parts = path.relative_to(self.root).parts
        if parts[0] == "src":
            return parts[1] if len(parts) > 2 else None
        return parts[0]

    def check(self):
        for folder in SCANNED:
            for path in sorted((self.root / folder).rglob("*")):
                if "node_modules" in path.parts or "dist" in path.parts:
                    continue
                if path.suffix in (".cpp", ".hpp", ".py", ".sh", *SCRIPTS):
                    self.check_file(path, path.read_text(encoding="utf-8"))
        headers = sorted((self.root / "include/medley").glob("*.hpp"))
        if len(headers) > PUBLIC_HEADERS:
            self.breach(headers[-1], 1, f"{len(headers)} public headers, at most {PUBLIC_HEADERS} (put it into the one of "
                                        "its subject)")
        return self.breaches

    def check_file(self, path, text):
        lines = text.splitlines()
        if len(lines) > LONGEST:
            self.breach(path, LONGEST + 1, f"{len(lines)} lines, at most {LONGEST} (split the file)")
        mark = "#" if path.suffix in (".py", ".sh") else "//"
        wanted = mark + " SPDX-License-Identifier: Apache-2.0"
        if wanted not in (lines[:1] if mark == "//" else lines[:2]):
            self.breach(path, 1, f'does not start with "{wanted}"')
        if path.suffix in SCRIPTS:
            for number, line in enumerate(lines, 1):
                if MARKUP.search(line):
                    self.breach(path, number, "makes markup from text (names and words are other people's: set text)")
        if mark == "#" or path.suffix in SCRIPTS:
            return
        per_target = path.name.endswith("-inl.hpp")  # Highway includes it once for every instruction set
        if path.suffix == ".hpp" and not per_target and "#pragma once" not in lines:
            self.breach(path, 1, "a header without #pragma once")
        self.check_includes(path, lines)
        self.check_listed(path)
        self.check_family_names(path, text)
        self.check_flags(path, text)

    def check_flags(self, path, text):
        """The library speaks to users of C++ and Python too: it names options by key, the program makes flags of them."""
        if not path.relative_to(self.root).as_posix().startswith("src/"):
            return
        for found in LEXEME.finditer(text):
            if found[2] and FLAG.search(found[2]):
                number = text.count("\n", 0, found.start()) + 1
                self.breach(path, number, 'speaks of the command line (name options as `k=3`, functions as `fit()`: '
                                          'cli/flags.cpp makes flags and commands of them)')

    def check_listed(self, path):
        """Rooms list their files by hand: one forgotten would silently not be built."""
        top = path.relative_to(self.root).parts[0]
        if path.suffix != ".cpp" or top not in ("src", "cli", "python"):
            return
        for folder in path.parents:
            lists = folder / "CMakeLists.txt"
            if lists.exists():
                if path.relative_to(folder).as_posix() not in re.split(r"[\s()]+", lists.read_text()):
                    self.breach(path, 1, f"not listed in {lists.relative_to(self.root)}")
                return

    def check_includes(self, path, lines):
        room = self.room_of(path)
        if room is None or (path.is_relative_to(self.root / "src") and room not in ROOMS):
            self.breach(path, 1, "not in a room of the house (see ROOMS in tests/house/house.py)")
            return
        for number, line in enumerate(lines, 1):
            found = INCLUDE.match(line)
            if found:
                what = self.wrong_include(path, room, found[1] == '"', found[2])
                if what:
                    self.breach(path, number, what)

    def wrong_include(self, path, room, quoted, name):
        """What is wrong with `room` including `name`, or None."""
        first = name.split("/")[0] if "/" in name else ""
        if room == "include":
            if first == "medley" or (not quoted and STANDARD.fullmatch(name)):
                return None
            return f'a public header includes "{name}" (only the standard library and medley/...)'
        if name.startswith("CLI/") and path != self.root / COMMAND_LINE:
            return f"<{name}> outside {COMMAND_LINE} (use command_line.hpp: CLI11 is slow to compile)"
        if room == "cli" and first == "nlohmann" and not path.stem.endswith("_json"):
            return f"<{name}> outside *_json.cpp (move what makes JSON there: they are compiled together)"
        if path.suffix == ".hpp" and name.startswith(HEAVY):
            return f"a header includes <{name}> (only a .cpp may: it is slow to compile)"
        if room == "python" and first not in ("", "medley", "nanobind"):
            return f'the Python module includes "{name}" (only medley/..., nanobind/... and the standard library)'
        if room not in ROOMS or first == "medley":
            return None
        if first in ROOMS:
            if first == room or first in ROOMS[room]:
                return None
            return f'wrong arrow: {room} includes "{name}" ({room} may use {self.allowed(room)})'
        if quoted and not (room == "cli" and (self.root / "cli" / name).exists()):
            return f'"{name}" is relative to nothing (write it from src/: "{room}/...")'
        return None

    @staticmethod
    def allowed(room):
        return ", ".join(other for other in ROOMS if other in ROOMS[room]) or "nothing but itself"

    def check_family_names(self, path, text):
        """Outside src/families nobody names a family: new ones then work everywhere by themselves."""
        where = path.relative_to(self.root).as_posix()
        if not where.startswith("src/") or where.startswith(FAMILY_NAMES_ALLOWED):
            return
        lines = text.splitlines()
        for found in LEXEME.finditer(text):
            if found[2] in FAMILY_NAMES:
                number = text.count("\n", 0, found.start()) + 1
                if NOT_A_FAMILY not in lines[number - 1]:
                    self.breach(path, number, f'names the family "{found[2]}" (ask the registry; if it means '
                                f'something else, say "{NOT_A_FAMILY}" in a comment on the line)')


def main():
    if len(sys.argv) != 2 or not (pathlib.Path(sys.argv[1]) / "src").is_dir():
        print("usage: house.py ROOT (the folder that holds src/)", file=sys.stderr)
        return 2
    breaches = House(sys.argv[1]).check()
    for breach in breaches:
        print(breach)
    print(f"{len(breaches)} breaches of the house rules" if breaches else "The house is in order.")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
