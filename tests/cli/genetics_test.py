#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Genotypes: two alleles at each locus, as a wide table, as a long file and as tags."""
import csv
import io
import json
import random

from program import ProgramTest, main

LOCI, ALLELES, PEOPLE = 12, 6, 160
LONG = ("--format", "triplets", "--duplicates", "replicate")
TIED = ("--id", "ind", "--tie", "*_1,*_2")


def planted(seed=3):
    """Alleles of each individual and locus, and the population: two that differ, with allele lengths of each locus."""
    draw = random.Random(seed)
    weights = [[[draw.gammavariate(0.4, 1) for _ in range(ALLELES)] for _ in range(2)] for _ in range(LOCI)]
    people = []
    for i in range(PEOPLE):
        home = i % 2
        pairs = []
        for locus in range(LOCI):
            pair = []
            for _ in range(2):
                population = home if draw.random() < 0.9 else 1 - home
                allele = 100 + 13 * locus + 2 * draw.choices(range(ALLELES), weights[locus][population])[0]
                pair.append("" if draw.random() < 0.05 else str(allele))
            pairs.append(pair)
        people.append((f"i{i}", home, pairs))
    return people


class Genetics(ProgramTest):
    def setUp(self):
        super().setUp()
        self.people = planted()
        header = ["ind"] + [f"L{locus}_{copy}" for locus in range(LOCI) for copy in (1, 2)]
        wide = [[name] + [allele for pair in pairs for allele in pair] for name, _, pairs in self.people]
        self.write("wide.csv", self.lines([header] + wide))
        self.write("long.csv", self.lines([["ind", "locus", "allele"]] + [
            [name, f"L{locus}", allele] for name, _, pairs in self.people
            for locus, pair in enumerate(pairs) for allele in pair if allele]))
        self.write("tags.csv", self.lines([["ind"] + [f"L{locus}" for locus in range(LOCI)]] + [
            [name] + [";".join(filter(None, pair)) for pair in pairs] for name, _, pairs in self.people]))

    @staticmethod
    def lines(rows):
        return "".join(",".join(row) + "\n" for row in rows)

    def summary(self, data, name, *words):
        """The summary of a fit."""
        return json.loads(self.medley("fit", data, *words, "--json", "-o", name).stdout)

    def shares(self, model, data, *words):
        rows = list(csv.DictReader(io.StringIO(self.medley("transform", model, data, *words).stdout)))
        return [[float(value) for key, value in row.items() if key != "id"] for row in rows]

    def counted_alleles(self):
        """How many alleles there are, locus by locus."""
        return sum(len({allele for _, _, pairs in self.people for allele in pairs[locus] if allele})
                   for locus in range(LOCI))

    def test_a_wide_table_a_long_file_and_tags_give_the_same_model(self):
        same = ("--k", 2, "--inference", "exact", "--init", "single", "--shrink", 0, "--smoothing", 0.5, "--tries", 1,
                "--tolerance", 1e-12, "--max-iterations", 3000)
        tags = [word for locus in range(LOCI) for word in ("--column", f"L{locus}=tags")]
        wide = self.summary("wide.csv", "wide.medley", *TIED, *same)
        long = self.summary("long.csv", "long.medley", *LONG, *same)
        listed = self.summary("tags.csv", "tags.medley", "--id", "ind", "--min-count", 1, *tags, *same)
        for other in (long, listed):
            self.assertAlmostEqual(other["log_likelihood"] / wide["log_likelihood"], 1, delta=1e-9)
        a = self.shares("wide.medley", "wide.csv", "--id", "ind")
        b = self.shares("long.medley", "long.csv", "--duplicates", "replicate")
        for row, other in zip(a, b):
            self.assertAlmostEqual(row[0], other[0], delta=1e-5)

    def test_whole_numbers_of_repeated_pairs_are_names_unless_it_is_said_otherwise(self):
        schema = self.medley("schema", "long.csv", *LONG).stdout
        self.assertIn("whole numbers are taken as names, --column value=gaussian takes them as quantities",
                      schema.replace("\n# ", " "))
        self.assertIn('family = "categorical"', schema)
        self.assertIn('family = "gaussian"', self.medley("schema", "long.csv", *LONG, "--column", "value=gaussian").stdout)
        once = [line.split(",") for line in ("ind,locus,length", *(f"i{i},L{j},{100 + (7 * i + 3 * j) % 40}"
                                                                  for i in range(30) for j in range(8)))]
        self.write("once.csv", self.lines(once))
        self.assertIn('family = "gaussian"', self.medley("schema", "once.csv", "--format", "triplets").stdout)

    def test_items_without_a_common_scale_have_levels_of_their_own(self):
        told = self.medley("fit", "long.csv", *LONG, "--k", 2, "-o", "own.medley").stdout
        self.assertIn(f"{LOCI} features with {self.counted_alleles()} levels", told)
        self.assertIn("each item has levels of its own", told)
        self.assertIn("--pool-levels", told)
        schema = self.medley("schema", "long.csv", *LONG).stdout
        self.assertIn("[source.item_levels]", schema)
        self.write("own.toml", schema)
        self.medley("fit", "long.csv", "--schema", "own.toml", "--duplicates", "replicate", "--format", "triplets",
                    "--k", 2, "-o", "again.medley")
        self.refused("fit", "long.csv", "--schema", "own.toml", "--duplicates", "replicate", "--format", "triplets",
                     "--pool-levels", "--k", 2, "-o", "no.medley", says=["--pool-levels", "levels for each item"])
        pooled = self.medley("fit", "long.csv", *LONG, "--pool-levels", "--k", 2, "-o", "pooled.medley").stdout
        self.assertIn("all items share one list of levels", pooled)

    def test_held_out_alleles_are_likelier_with_levels_of_their_own(self):
        def nats_per_row(*words):
            told = self.medley("evaluate", "long.csv", *LONG, *words, "--folds", 4, "--k", 2, "--json").stdout
            return json.loads(told)["test"]["log_row_perplexity"]["mean"]

        self.assertLess(nats_per_row(), nats_per_row("--pool-levels") - 0.1)

    def test_sampled_chains_find_the_populations_where_pooled_levels_hide_them(self):
        found = []
        for name, more in (("own", ()), ("pooled", ("--pool-levels",))):
            self.medley("fit", "long.csv", *LONG, *more, "--model", "gom-bayes", "--k", 2, "--seed", 4,
                        "-o", f"{name}.medley")
            shares = self.shares(f"{name}.medley", "long.csv", "--duplicates", "replicate")
            right = sum((row[0] > 0.5) == (home == 0) for row, (_, home, _) in zip(shares, self.people))
            found.append(max(right, PEOPLE - right) / PEOPLE)
        self.assertGreater(found[0], 0.95)
        self.assertLess(found[1], 0.8)

    def test_tied_columns_are_one_feature_in_every_command(self):
        told = self.medley("fit", "wide.csv", *TIED, "--k", 2, "-o", "wide.medley").stdout
        self.assertIn(f"{LOCI} features with {self.counted_alleles()} levels", told)
        schema = self.medley("schema", "wide.csv", *TIED).stdout
        self.assertIn('tied = ["L0_1", "L0_2"]', schema)
        self.assertIn("whole numbers are taken as names", " ".join(schema.replace("\n# ", " ").split()))
        self.write("wide.toml", schema)
        by_schema = self.summary("wide.csv", "by_schema.medley", "--schema", "wide.toml", "--k", 2)
        by_option = self.summary("wide.csv", "by_option.medley", *TIED, "--k", 2)
        self.assertEqual(by_schema["log_likelihood"], by_option["log_likelihood"])
        self.medley("evaluate", "wide.medley", "wide.csv", "--id", "ind")
        self.medley("evaluate", "wide.csv", *TIED, "--folds", 2, "--k", 2)
        self.assertIn("L3", self.medley("inspect", "wide.medley").stdout)
        self.assertEqual(self.shares("wide.medley", "wide.csv", "--id", "ind"),
                         self.shares("wide.medley", "wide.csv", *TIED))

    def test_a_converted_table_has_its_copies_again(self):
        self.medley("convert", "wide.csv", *TIED, "-o", "copy.csv")
        first, again = ({row["ind"]: row for row in csv.DictReader(io.StringIO(self.contents()[name].decode()))}
                        for name in ("wide.csv", "copy.csv"))
        self.assertEqual(len(again), PEOPLE)
        for name, row in again.items():
            for locus in range(LOCI):
                both = [f"L{locus}_1", f"L{locus}_2"]
                self.assertEqual(sorted(row[c] for c in both), sorted(first[name][c] for c in both))

    def test_single_copies_are_not_imputed(self):
        self.once("fit", "wide.csv", *TIED, "--k", 2, "-o", "wide.medley")
        self.refused("impute", "wide.medley", "wide.csv", "--id", "ind",
                     says=["is one feature of the columns L0_1, L0_2", "--distribution"])
        told = self.medley("impute", "wide.medley", "wide.csv", "--id", "ind", "--distribution").stdout
        absent = sum(pair == ["", ""] for _, _, pairs in self.people for pair in pairs)
        cells = {(line["id"], line["column"]) for line in csv.DictReader(io.StringIO(told))}
        self.assertEqual(len(cells), absent)

    def test_items_with_levels_of_their_own_are_not_recommended(self):
        self.once("fit", "long.csv", *LONG, "--k", 2, "-o", "own.medley")
        self.refused("recommend", "own.medley", "long.csv", "--duplicates", "replicate", "--row", "i1",
                     says=["levels of their own"])

    def test_wrong_ties_are_refused(self):
        fit = ("fit", "wide.csv", "--id", "ind", "--k", 2, "-o", "no.medley")
        self.refused(*fit, "--tie", "L0=L0_1,L0_9", says=['there is no column "L0_9"', 'did you mean'])
        self.refused(*fit, "--tie", "L0=L0_1,L0_2", "--tie", "M=L0_2,L1_1", says=['"L0_2" is tied twice'])
        self.refused(*fit, "--tie", "*.a,*.b", says=["no columns have names of this form"])
        self.refused(*fit, "--tie", "L0=L0_1,L0_2", "--column", "L0_1=categorical", "--column", "L0_2=gaussian",
                     says=["--column L0_1", "one family", "--column L0=FAMILY"])
        self.refused(*fit, "--tie", "L0_1,L0_2", says=["NAME=COLUMN,COLUMN"])
        self.refused(*fit, "--tie", "L0=L0_1", says=["NAME=COLUMN,COLUMN"])
        self.once("fit", "wide.csv", "--id", "ind", "--k", 2, "-o", "apart.medley")
        self.refused("transform", "apart.medley", "wide.csv", *TIED, says=["fitted without tied columns"])


if __name__ == "__main__":
    main()
