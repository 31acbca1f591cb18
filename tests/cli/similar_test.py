# SPDX-License-Identifier: Apache-2.0
"""medley similar: the rows most like a given one."""
import csv
import io
import json
import math
import unittest

import program


class SimilarTest(program.ProgramTest):
    def model(self):
        self.topics(k=3, model="m.medley")

    def test_neighbours_are_those_of_the_memberships(self):
        self.model()
        table = list(csv.reader(io.StringIO(self.medley("transform", "m.medley", "docs.ldac").stdout)))[1:]
        share = {row[0]: [float(x) for x in row[1:]] for row in table}
        lines = list(csv.DictReader(io.StringIO(
            self.medley("similar", "m.medley", "docs.ldac", "--row", 5, "--row", 9, "--n", 4).stdout)))
        self.assertEqual([line["id"] for line in lines], ["5"] * 4 + ["9"] * 4)
        self.assertEqual([line["rank"] for line in lines], ["1", "2", "3", "4"] * 2)
        for asked in ("5", "9"):
            every = sorted((sum(math.sqrt(a * b) for a, b in zip(share[asked], share[other])) for other in share
                            if other != asked), reverse=True)
            ours = [float(line["similarity"]) for line in lines if line["id"] == asked]
            for a, b in zip(ours, every):
                self.assertAlmostEqual(a, b, places=9)
            self.assertIn("Topic", lines[0]["shared"])

    def test_json(self):
        self.model()
        out = json.loads(self.medley("similar", "m.medley", "docs.ldac", "--row", 5, "--n", 2, "--json").stdout)
        self.assertEqual(len(out["rows"][0]["nearest"]), 2)
        self.assertIn("Bhattacharyya", out["metric"])

    def test_an_unknown_row_gets_the_nearest_ids(self):
        self.write("t.csv", "who,a,b\nanna,x,u\nben,y,v\ncarl,x,v\ndora,y,u\n")
        self.medley("fit", "t.csv", "--id", "who", "--k", 2, "--quiet", "-o", "m.medley")
        self.refused("similar", "m.medley", "t.csv", "--id", "who", "--row", "hanna",
                     says=['no row "hanna"', "the nearest: anna,"])

    def test_rows_with_nothing_observed_are_skipped(self):
        self.model()
        self.write("some.ldac", "2 0:1 3:2\n0\n2 1:1 2:2\n")
        done = self.medley("similar", "m.medley", "some.ldac", "--vocab", "vocab.txt", "--row", 1, "--row", 2)
        self.assertIn("nothing observed are skipped: 1 of 3", done.stderr)
        self.assertIn('nothing is observed in row "2"', done.stderr)
        self.assertEqual(len(done.stdout.splitlines()), 2)


if __name__ == "__main__":
    unittest.main()
