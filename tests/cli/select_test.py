#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""medley select: its table, its folder, and what it refuses."""
import csv
import json
import math
import random
import shutil

from program import ProgramTest, main

QUICK = ["--restarts", 2, "--folds", 2, "--quiet", "--model", "mnb"]


class Select(ProgramTest):
    def select(self, *words, data=None, **more):
        return self.medley("select", data or self.survey(rows=120, missing=0), "--label", "group", "--head", "none",
                           *words, *QUICK, **more)

    def scores(self, folder):
        with open(self.folder / folder / "criteria.csv", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_table_and_folder(self):
        text = self.select("--k", "1..3", "-o", "choice").stdout
        lines = text.splitlines()
        for title in ("K", "held out", "AIC likelihood", "BIC likelihood", "patterns r²", "found again", "smallest"):
            self.assertIn(title, text[:text.index("* best")])
        self.assertEqual([line.split()[0] for line in lines[1:4]], ["1", "2", "3"])
        self.assertIn("one standard error: 2", text)  # two groups were planted
        self.assertTrue(any("+" in line for line in lines[1:4]))
        folder = self.folder / "choice"
        for name in ("k01.medley", "k02.medley", "k03.medley", "k02_held_out.csv", "select.json", "criteria.csv"):
            self.assertTrue((folder / name).exists(), name)
        self.assertIn("Profile 2", self.medley("inspect", "choice/k02.medley").stdout)

    def test_json_and_csv_agree_with_evaluate(self):
        data = self.survey(rows=100, missing=0)
        found = json.loads(self.select("--k", "1,3", "-o", "c", "--json", "--by", "cv,bic", data=data).stdout)
        self.assertEqual([c["k"] for c in found["candidates"]], [1, 3])
        self.assertEqual(json.loads((self.folder / "c/select.json").read_text())["result"], found)
        for candidate in found["candidates"]:
            judged = json.loads(self.medley("evaluate", "c/" + candidate["model"], data, "--json").stdout)
            bic = next(s for s in candidate["scores"] if s["criterion"] == "bic")
            expected = -2 * judged["log_likelihood"] + math.log(100) * candidate["parameters"]
            self.assertAlmostEqual(bic["value"], expected, places=5)
        rows = self.scores("c")
        self.assertEqual(list(rows[0]), ["k", "smoothing", "criterion", "estimator", "value", "error", "behind",
                                         "behind_error"])
        self.assertEqual(len(rows), 4)
        with open(self.folder / "c/k03_held_out.csv", encoding="utf-8") as file:
            held_out = [float(row["log_likelihood"]) for row in csv.DictReader(file)]
        mean = next(float(r["value"]) for r in rows if r["criterion"] == "cv" and r["k"] == "3")
        self.assertAlmostEqual(sum(held_out) / 100, mean, places=9)

    def test_resume_skips_what_is_there(self):
        data = self.survey(rows=80, missing=0)
        first = self.select("--k", "1..3", "-o", "c", data=data).stdout
        before = (self.folder / "c/k03.medley").stat().st_mtime_ns
        criteria = (self.folder / "c/criteria.csv").read_bytes()
        (self.folder / "c/k02_held_out.csv").unlink()  # as if it had been interrupted there
        again = self.select("--k", "1..3", "-o", "c", "--resume", "--threads", 1, data=data).stdout
        self.assertEqual(first, again)
        self.assertEqual(criteria, (self.folder / "c/criteria.csv").read_bytes())
        self.assertEqual(before, (self.folder / "c/k03.medley").stat().st_mtime_ns)

    def test_a_run_killed_before_it_had_written_anything_is_taken_up(self):
        """Its folder holds what a kill leaves of the first file, or nothing at all."""
        data = self.survey(rows=80, missing=0)
        whole = self.select("--k", "1..3", "-o", "whole", data=data).stdout
        for left in ([], ["select.json.tmp-abc123"]):
            for more in ([], ["--resume"]):
                (self.folder / "c").mkdir()
                for name in left:
                    self.write(f"c/{name}", '{"form')
                self.assertEqual(whole, self.select("--k", "1..3", "-o", "c", *more, data=data).stdout, (left, more))
                self.assertEqual(sorted(p.name for p in (self.folder / "c").iterdir()),
                                 sorted(p.name for p in (self.folder / "whole").iterdir()))
                shutil.rmtree(self.folder / "c")

    def test_a_finished_run_is_not_computed_again(self):
        data = self.survey(rows=80, missing=0)
        first = self.select("--k", "1..3", "-o", "c", data=data).stdout
        for k in (1, 2, 3):  # whoever reads a model or the rows of a fold now fails
            self.write(f"c/k0{k}.medley", "no model")
            self.write(f"c/k0{k}_held_out.csv", "no rows")
        self.assertEqual(first, self.select("--k", "1..3", "-o", "c", "--resume", data=data).stdout)
        # other criteria have to be computed
        self.select("--k", "1..3", "-o", "c", "--resume", "--by", "aic", data=data, expect=2)

    def test_many_blocks_of_tags_fit_a_screen(self):
        draw = random.Random(3)
        names = [f"locus{b:02}" for b in range(12)]
        lines = [",".join(names)]
        for i in range(60):
            lines.append(",".join(f"{'ab' if i % 2 else 'cd'}{draw.randrange(3)};x{draw.randrange(2)}" for _ in names))
        self.write("tags.csv", "\n".join(lines) + "\n")
        tags = [word for name in names for word in ("--column", f"{name}=tags")]
        words = ("select", "tags.csv", *tags, "--k", "1,2", "--restarts", "2", "--folds", "2", "--quiet", "-o", "t")
        said = self.medley(*words).stdout
        table = said[:said.index("* best")]
        self.assertLess(max(map(len, table.split("\n"))), 122)
        self.assertIn("coherence, exclusivity: means of 12 blocks", said)
        self.assertRegex(said, r"(?m)^  coherence +K = [12] \(\d+ blocks?\)")
        self.assertLess(said.count("coherence"), 6)

    def test_refusals(self):
        data = self.survey(rows=60, missing=0)
        words = ["select", data, "--label", "group", "--head", "none"]
        self.refused(*words, says=["--k", "-o", "2..10"])
        self.refused(*words, "--k", "5..2", "-o", "c", says=["5..2", "2..10"])
        self.refused(*words, "--k", "2", "-o", "c", "--by", "bik", says=["bik", "bic"])
        self.refused(*words, "--k", "2", "-o", "c", "--by", "coherence", says=["no words"])
        self.refused(*words, "--k", "2", "-o", "c", "--model", "dp-mixture", says=["--by dp"])
        self.select("--k", "1,2", "-o", "c", "--by", "bic", data=data)
        self.refused(*words, "--k", "1,2", "-o", "c", says=["--resume"])
        self.refused(*words, "--k", "1,2", "-o", "c", "--resume", "--seed", 2, says=["other options"])
        self.refused(*words, "--k", "1..3", "-o", "c", "--resume", says=["other options"])

    def test_given_alpha_is_warned_about(self):
        self.corpus(documents=30, words=12)
        done = self.medley("select", "docs.ldac", "--k", "2,3", "-o", "c", "--alpha", "fixed:50/K", "--restarts", 1,
                           "--folds", 2, "--quiet")
        self.assertIn("fixed:50/K", done.stderr)
        self.assertIn("biases K", done.stdout)
        for title in ("coherence", "exclusivity", "BIC bound", "BIC likelihood"):
            self.assertIn(title, done.stdout[:done.stdout.index("* best")])

    def test_chains_and_clusters(self):
        data = self.survey(rows=60, missing=0)
        text = self.medley("select", data, "--ignore", "group", "--k", "1,2", "-o", "c", "--by", "dic,dp", "--sweeps",
                           20, "--chains", 2, "--restarts", 1, "--quiet").stdout
        self.assertIn("DIC", text.splitlines()[0])
        self.assertIn("DP posterior", text)
        shares = [float(r["value"]) for r in self.scores("c") if r["criterion"] == "dp"]
        self.assertAlmostEqual(sum(shares), 1, places=6)

    def test_the_prior_of_clusters_is_that_of_the_mixture_fitted_with_it(self):
        data = self.survey(rows=60, missing=0)
        chains = ["--sweeps", 20, "--chains", 2, "--quiet"]
        self.medley("select", data, "--ignore", "group", "--k", "1", "-o", "c", "--by", "dp", "--restarts", 1,
                    "--cluster-smoothing", 7, *chains)
        self.medley("fit", data, "--ignore", "group", "--model", "dp-mixture", "--smoothing", 7, "-o", "d.medley", *chains)
        self.assertEqual(self.medley("export", "c/clusters.medley").stdout, self.medley("export", "d.medley").stdout)


if __name__ == "__main__":
    main()
