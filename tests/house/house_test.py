#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants one breach of every house rule in a small tree and expects house.py to find it, and only it."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

HOUSE = pathlib.Path(__file__).with_name("house.py")
SPDX = "// SPDX-License-Identifier: Apache-2.0\n"


def scan(root):
    """(exit code, the lines printed)"""
    done = subprocess.run([sys.executable, HOUSE, root], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines()


class PlantedTree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.plant("include/medley/error.hpp", "#pragma once\n#include <string>\n")
        self.plant("src/core/files.cpp", '#include "core/files.hpp"\n#include "medley/error.hpp"\n')
        self.plant("src/core/CMakeLists.txt", "target_sources(medley PRIVATE\n  files.cpp\n)\n", first="")
        self.plant("src/engines/em.hpp", '#pragma once\n#include "families/family.hpp"\n#include "core/files.hpp"\n')

    def plant(self, path, text, first=SPDX):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(first + text, encoding="utf-8")

    def expect(self, where, what):
        code, lines = scan(self.root)
        self.assertEqual(code, 1, lines)
        self.assertEqual(len(lines), 2, lines)  # the breach and the count
        self.assertTrue(lines[0].startswith(where), lines[0])
        self.assertIn(what, lines[0])

    def test_a_clean_tree_passes(self):
        self.assertEqual(scan(self.root), (0, ["The house is in order."]))

    def test_an_arrow_upwards_is_found(self):
        self.plant("src/core/bad.hpp", '#pragma once\n#include "engines/em.hpp"\n')
        self.expect("src/core/bad.hpp:3:", "wrong arrow: core includes")

    def test_an_arrow_between_siblings_is_found(self):
        self.plant("src/math/bad.hpp", '#pragma once\n#include "data/raw.hpp"\n')
        self.expect("src/math/bad.hpp:3:", "wrong arrow: math includes")

    def test_the_python_module_reaching_behind_the_public_headers_is_found(self):
        self.plant("python/CMakeLists.txt", "nanobind_add_module(_core\n  src/bad.cpp\n)\n", first="")
        self.plant("python/src/bad.cpp", '#include <nanobind/nanobind.h>\n#include "medley/fit.hpp"\n#include "data/raw.hpp"\n')
        self.expect("python/src/bad.cpp:4:", "the Python module includes")

    def test_an_arrow_between_axes_is_found(self):
        self.plant("src/families/bad.hpp", '#pragma once\n#  include <memberships/dirichlet.hpp>\n')
        self.expect("src/families/bad.hpp:3:", "wrong arrow: families includes")

    def test_an_arrow_from_samplers_to_engines_is_found(self):
        self.plant("src/samplers/bad.hpp", '#pragma once\n#include "engines/em.hpp"\n')
        self.expect("src/samplers/bad.hpp:3:", "wrong arrow: samplers includes")

    def test_a_public_header_that_includes_a_room_is_found(self):
        self.plant("include/medley/bad.hpp", '#pragma once\n#include "core/files.hpp"\n')
        self.expect("include/medley/bad.hpp:3:", "a public header includes")

    def test_a_public_header_that_includes_another_library_is_found(self):
        self.plant("include/medley/bad.hpp", "#pragma once\n#include <fmt/format.h>\n")
        self.expect("include/medley/bad.hpp:3:", "a public header includes")

    def test_a_public_header_too_many_is_found(self):
        for number in range(14):
            self.plant(f"include/medley/header{number:02}.hpp", "#pragma once\n")
        self.expect("include/medley/header13.hpp:1:", "public headers, at most 13")

    def test_a_heavy_header_in_a_header_is_found(self):
        self.plant("src/core/bad.hpp", "#pragma once\n#include <nlohmann/json.hpp>\n")
        self.expect("src/core/bad.hpp:3:", "only a .cpp may")

    def test_a_second_file_with_the_command_line_parser_is_found(self):
        self.plant("cli/CMakeLists.txt", "add_executable(medley_cli\n  command_line.cpp\n  fit.cpp\n)\n", first="")
        self.plant("cli/command_line.cpp", "#include <CLI/CLI.hpp>\n")
        self.assertEqual(scan(self.root), (0, ["The house is in order."]))
        self.plant("cli/fit.cpp", "#include <CLI/App.hpp>\n")
        self.expect("cli/fit.cpp:2:", "outside cli/command_line.cpp")

    def test_the_command_line_parser_in_a_header_is_found(self):
        self.plant("cli/command_line.hpp", "#pragma once\n#include <CLI/CLI.hpp>\n")
        self.expect("cli/command_line.hpp:3:", "outside cli/command_line.cpp")

    def test_a_command_that_makes_json_itself_is_found(self):
        self.plant("cli/CMakeLists.txt", "add_executable(medley_cli\n  fit.cpp\n  fit_json.cpp\n)\n", first="")
        self.plant("cli/fit_json.cpp", "#include <nlohmann/json.hpp>\n")
        self.assertEqual(scan(self.root), (0, ["The house is in order."]))
        self.plant("cli/fit.cpp", "#include <nlohmann/json_fwd.hpp>\n")
        self.expect("cli/fit.cpp:2:", "outside *_json.cpp")

    def test_an_include_without_its_room_is_found(self):
        self.plant("src/core/bad.hpp", '#pragma once\n#include "files.hpp"\n')
        self.expect("src/core/bad.hpp:3:", "relative to nothing")

    def test_an_unknown_room_is_found(self):
        self.plant("src/attic/bad.hpp", "#pragma once\n")
        self.expect("src/attic/bad.hpp:1:", "not in a room")

    def test_a_file_that_is_not_built_is_found(self):
        self.plant("src/core/forgotten.cpp", "")
        self.expect("src/core/forgotten.cpp:1:", "not listed in src/core/CMakeLists.txt")

    def test_a_missing_licence_line_is_found(self):
        self.plant("src/core/bad.hpp", "#pragma once\n", first="// Something else.\n")
        self.expect("src/core/bad.hpp:1:", "SPDX")

    def test_a_view_without_its_licence_line_is_found(self):
        self.plant("web/src/view.tsx", "export const x = 1;\n", first="")
        self.expect("web/src/view.tsx:1:", "SPDX")

    def test_markup_made_from_text_is_found(self):
        self.plant("web/src/view.tsx", "element.innerHTML = name;\n")
        self.expect("web/src/view.tsx:2:", "makes markup from text")

    def test_a_missing_pragma_once_is_found(self):
        self.plant("src/core/bad.hpp", "")
        self.expect("src/core/bad.hpp:1:", "#pragma once")

    def test_the_601st_line_is_found_and_the_600th_is_fine(self):
        self.plant("src/core/long.hpp", "#pragma once\n" + "//\n" * 598)
        self.assertEqual(scan(self.root)[0], 0)
        self.plant("src/core/long.hpp", "#pragma once\n" + "//\n" * 599)
        self.expect("src/core/long.hpp:601:", "601 lines")

    def test_a_family_named_outside_its_room_is_found(self):
        self.plant("src/engines/bad.hpp", '#pragma once\nbool f(S s) { return s == "categorical"; }\n')
        self.expect("src/engines/bad.hpp:3:", 'names the family "categorical"')

    def test_a_family_name_is_fine_at_home_in_a_comment_in_a_sentence_and_when_excused(self):
        self.plant("src/families/a.hpp", '#pragma once\nconst char* name = "bernoulli";\n')
        self.plant("src/model/presets.cpp", 'const char* f = "tokens";\n')
        self.plant("src/data/b.hpp", '#pragma once\n/* "tokens"\n"tokens" */ // "tokens"\n'
                   'const char* a = "use x=categorical";\n'
                   'const char* b = "tokens";  // the encoding, not a family\n')
        self.assertEqual(scan(self.root), (0, ["The house is in order."]))

    def test_a_flag_in_a_string_of_the_library_is_found(self):
        self.plant("src/engines/bad.hpp", '#pragma once\n// --k is fine here\nconst char* a = "use --k 3";\n')
        self.expect("src/engines/bad.hpp:4:", "speaks of the command line")

    def test_a_command_in_a_string_of_the_library_is_found(self):
        self.plant("src/engines/bad.hpp", '#pragma once\nconst char* a = "see `medley fit`";\n')
        self.expect("src/engines/bad.hpp:3:", "speaks of the command line")

    def test_options_by_key_and_lines_of_a_table_are_fine(self):
        self.plant("src/engines/good.hpp", '#pragma once\nconst char* a = "`k=3`, |---|---:|";\n')
        self.plant("cli/CMakeLists.txt", "add_executable(m\n  a.cpp\n)\n", first="")
        self.plant("cli/a.cpp", 'const char* a = "--k";\n')
        self.assertEqual(scan(self.root), (0, ["The house is in order."]))


if __name__ == "__main__":
    unittest.main()
