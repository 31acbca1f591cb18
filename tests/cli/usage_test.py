#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Help texts, versions and mistyped command lines."""
import pathlib
import re

from program import ProgramTest, main

COMMANDS = ["fit", "transform", "impute", "recommend", "evaluate", "inspect", "name", "export", "schema", "models"]

SOURCE = pathlib.Path(__file__).resolve().parents[2]


class Usage(ProgramTest):
    def test_help_shows_examples_before_options(self):
        text = self.medley("--help").stdout
        self.assertLess(text.index("Examples"), text.index("Usage"))
        for command in COMMANDS:
            self.assertRegex(text, rf"(?m)^  {command} ")

    def test_every_command_has_help(self):
        for command in COMMANDS:
            text = self.medley(command, "--help").stdout
            self.assertIn(f"medley {command}", text)
            self.assertLess(text.index("Example"), text.index("Usage"))

    def test_version_is_three_numbers(self):
        self.assertTrue(re.fullmatch(r"medley \d+\.\d+\.\d+\n", self.medley("--version").stdout))

    def test_unknown_command_gets_the_closest(self):
        self.refused("transfrom", says=['"transfrom" is no command', 'did you mean "transform"?'])

    def test_commands_that_do_not_exist_are_unknown(self):
        self.refused("cluster", "m", "d", says=['"cluster" is no command'])

    def test_no_command_is_an_error(self):
        self.refused(says=["a command is missing", "medley --help"])

    def test_unknown_option_gets_the_closest(self):
        self.refused("fit", "x.csv", "--restart", "3", says=["--restart", 'did you mean "--restarts"?'])

    def test_all_missing_options_are_named_at_once(self):
        self.refused("fit", "x.csv", says=["--k: the number of profiles is missing", "-o: the name of the model"])

    def test_missing_arguments(self):
        self.refused("fit", "--k", "2", "-o", "m", says=["DATA"])
        self.refused("inspect", says=["MODEL"])

    def test_numbers_out_of_range(self):
        for option, values in {"--k": ["0", "-3", "2.5", "auto", "99999999999999999999999"],
                               "--smoothing": ["-0.1", "nan", "x"], "--tolerance": ["0", "-1", "inf"],
                               "--restarts": ["0"], "--threads": ["0", "many"], "--max-iterations": ["0"],
                               "--seed": ["-1"], "--alpha": ["fixed:0", "fixed:-1", "fixed:", "free"],
                               "--model": ["gomm"], "--membership": ["both"], "--inference": ["slow"],
                               "--format": ["xls"], "--column": ["q1"], "--duplicates": ["first"]}.items():
            for value in values:
                self.refused("fit", self.survey(), "-o", "m.medley", option, value, says=[option, value])

    def test_a_near_miss_of_a_preset_is_pointed_out(self):
        self.refused("fit", "x.csv", "--model", "gomm", says=['did you mean "gom"?'])

    def test_help_and_models_say_what_the_table_of_options_says(self):
        """One line a option in src/model/fit_option_table.cpp; the flags and the defaults must be those."""
        table = (SOURCE / "src/model/fit_option_table.cpp").read_text()
        names = re.findall(r'\(\{"([a-z0-9_]+)", k[A-Z]|\{"(smoothing|alpha_prior|concentration)", k', table)
        flags = {"--" + (plain or made).replace("_", "-") for plain, made in names}
        self.assertGreater(len(flags), 40)
        help_text = re.sub(r"\n {20,}", " ", self.medley("fit", "--help").stdout)
        listed, defaults, part = set(), {}, ""
        for line in help_text.split("\n"):
            part = line.rstrip(":") if line and not line.startswith(" ") else part
            found = re.match(r"  (--[a-z0-9-]+)", line)
            if not found or part.split(" ")[0] in ("Data", "Text,", "Options"):
                continue
            listed.add(found[1])
            if "default " in line:
                defaults[found[1]] = re.sub(r"; auto with --k auto$|, or a model file$", "", line.split("default ", 1)[1])
        self.assertEqual(listed - flags, {"--trace", "--json", "--quiet", "--strict"})
        self.assertEqual(flags - listed, set())
        models = self.medley("models").stdout
        models = models[models.index("Defaults of medley fit"):]
        told = dict(re.findall(r"(?m)^  (--[a-z0-9-]+) +(.*)$", models[:models.index("\n\n")]))
        del defaults["--checkpoint"]  # named after the model by the program
        self.assertEqual(told, defaults)

    def test_every_option_that_the_library_names_becomes_a_flag(self):
        program = (SOURCE / "cli/flags.cpp").read_text()
        known = set(re.findall(r'"([a-z0-9_]+)"', program[program.index("kOfOneFunction"):program.index("kNoFlag")]))
        for table in ("fit", "read"):
            text = (SOURCE / f"src/model/{table}_option_table.cpp").read_text()
            known.update(re.findall(r'\(?\{?"([a-z0-9_]+)", k[A-Z]', text))
        unknown = set()
        for path in (SOURCE / "src").rglob("*.cpp"):
            text = re.sub(r"(?m)//.*$", "", path.read_text())
            for literal in re.findall(r'"((?:\\.|[^"\\\n])*)"', text):
                found = re.findall(r"`([a-z][a-z0-9_]*)(?:=[^`]*)?`", literal)
                unknown.update((name, path.name) for name in found if name not in known)
            found = re.findall(r'core::setting\("([a-z0-9_]+)"', text)
            unknown.update((name, path.name) for name in found if name not in known)
        self.assertEqual(unknown, set())

    def test_models_lists_presets_and_defaults(self):
        text = self.medley("models").stdout
        for word in ["lda", "fast-lda", "gom", "mmnb", "fast-mmnb", "ld-cnb", "mnb", "cnb", "nb", "text-references",
                     "--smoothing", "0.01", "--tolerance", "1e-6", "Not offered"]:
            self.assertIn(word, text)

    def test_outputs_never_replace_inputs(self):
        data = self.survey()
        self.refused("fit", data, "--k", "2", "-o", data, says=["-o", "is read by this command"])
        self.refused("fit", data, "--k", "2", "-o", "./" + data, says=["is read by this command"])
        self.refused("fit", data, "--k", "2", "-o", "m", "--trace", data, says=["--trace"])
        self.refused("fit", data, "--k", "2", "-o", "m", "--trace", "m", says=["is also the file of -o"])
        self.refused("schema", data, "-o", data, says=["is read by this command"])

    def test_folders_that_are_not_there(self):
        self.refused("fit", self.survey(), "--k", "2", "-o", "no/such/m.medley", says=["-o", "there is no folder"])
        self.refused("fit", self.survey(), "--k", "2", "-o", ".", says=["is a folder"])

    def test_weights_need_a_column(self):
        self.refused("fit", self.survey(), "--k", "2", "-o", "m", "--weights", "frequency", says=["--weight COLUMN"])


if __name__ == "__main__":
    main()
