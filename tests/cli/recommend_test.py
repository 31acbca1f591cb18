#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""medley recommend, and single pairs of a rating log."""
import csv
import io
import random

from program import ProgramTest, main


def table(text):
    return list(csv.reader(io.StringIO(text)))


class Recommend(ProgramTest):
    def ratings(self, levels=("1", "2", "4", "5")):
        """Half of the users like even items, half odd ones."""
        draw = random.Random(2)
        lines = ["user,item,value"]
        self.seen = {}
        for user in range(80):
            for item in draw.sample(range(20), 12):
                like = (user + item) % 2 == 0
                value = levels[-1 if draw.random() < 0.7 else -2] if like else levels[0 if draw.random() < 0.7 else 1]
                lines.append(f"u{user},i{item},{value}")
                self.seen.setdefault(f"u{user}", set()).add(f"i{item}")
        lines.append(f"u0,rare,{levels[-1]}")
        return self.write("ratings.csv", "\n".join(lines) + "\n")

    def model(self, **more):
        self.once("fit", self.ratings(**more), "--format", "triplets", "--column", "value=categorical", "--k", "2",
                  "-o", "taste.medley", "--quiet")
        return "taste.medley"

    def ask(self, *words):
        return self.medley("recommend", "taste.medley", "ratings.csv", "--format", "triplets", *words)

    def test_unseen_items_of_the_right_kind_come_first(self):
        self.model()
        done = self.ask("--row", "u3", "--row", "u4", "--top", "4")
        rows = table(done.stdout)
        self.assertEqual(rows[0], ["id", "rank", "item", "score", "ratings"] + [f"p_{level}" for level in (1, 2, 4, 5)])
        self.assertIn("score is the mean value", done.stderr)
        for user, odd in (("u3", 1), ("u4", 0)):
            mine = [row for row in rows[1:] if row[0] == user]
            self.assertEqual([row[1] for row in mine], ["1", "2", "3", "4"])
            self.assertEqual(mine, sorted(mine, key=lambda row: -float(row[3])))
            for row in mine:
                self.assertNotIn(row[2], self.seen[user])
                self.assertAlmostEqual(sum(map(float, row[5:])), 1, places=12)
                self.assertAlmostEqual(float(row[3]), sum(r * float(p) for r, p in zip((1, 2, 4, 5), row[5:])), places=9)
            self.assertTrue(all(int(row[2][1:]) % 2 == odd for row in mine[:3]), mine)

    def test_rare_items_are_left_out_unless_asked_for(self):
        self.model()
        items = {row[2] for row in table(self.ask("--row", "u2", "--top", "50").stdout)}
        self.assertNotIn("rare", items)
        rows = table(self.ask("--row", "u2", "--top", "50", "--min-ratings", "0").stdout)
        self.assertEqual([row[4] for row in rows if row[2] == "rare"], ["1"])

    def test_all_rows_are_the_rows_one_by_one(self):
        self.model()
        every = self.ask("--all", "--top", "3").stdout.splitlines()
        self.assertEqual(len(every), 1 + 80 * 3)
        one = self.ask("--row", "u7", "--top", "3").stdout.splitlines()
        self.assertEqual([line for line in every if line.startswith("u7,")], one[1:])

    def test_words_are_ranked_by_the_last_level(self):
        self.model(levels=("awful", "bad", "fine", "great"))
        done = self.ask("--row", "u4", "--top", "3")
        self.assertIn('probability of "great"', done.stderr)
        rows = table(done.stdout)
        self.assertEqual(rows[1][3], rows[1][rows[0].index("p_great")])
        self.assertIn('probability of "bad"', self.ask("--row", "u4", "--level", "bad").stderr)
        self.refused("recommend", "taste.medley", "ratings.csv", "--format", "triplets", "--row", "u4", "--level",
                     "superb", says=['"superb"', '"great"'])

    def test_wrong_requests(self):
        self.model()
        asked = ("recommend", "taste.medley", "ratings.csv", "--format", "triplets")
        self.refused(*asked, says=["--row", "--all"])
        self.refused(*asked, "--row", "u3", "--row", "nobody", says=['no row "nobody"'])
        self.refused(*asked, "--row", "u3", "--source", "x", says=['no rating log "x"'])
        self.refused("recommend", self.fitted(), "survey.csv", "--row", "1", says=["medley impute"])

    def test_pairs_of_a_log(self):
        self.model()
        self.write("pairs.csv", "user,item\nu3,i4\nu3,rare\n")
        rows = table(self.medley("impute", "taste.medley", "ratings.csv", "--format", "triplets", "--cells",
                                 "pairs.csv").stdout)
        self.assertEqual([row[:3] for row in rows[1:5]], [["u3", "i4", r] for r in "1245"])
        self.refused("impute", "taste.medley", "ratings.csv", "--format", "triplets",
                     says=["rating log", "--cells", "medley recommend"])
        self.write("pairs.csv", "user,item\nu3,i99\nu99,i4\n")
        self.refused("impute", "taste.medley", "ratings.csv", "--format", "triplets", "--cells", "pairs.csv",
                     says=['"i99" is no column or item', 'no row "u99"'])


if __name__ == "__main__":
    main()
