# SPDX-License-Identifier: Apache-2.0
"""The claims of paper 004 in our own words, and what is run for each. LD-CNB is MMNB, CNB is MNB."""
GRID = ("MovieLens 100k, ratings as five categories, k by eps grid, random starts; all ratings of a tenth of the users "
        "held out.")
CLAIMS = {
    1: ("real data", "Gaussian LD-CNB has a lower perplexity than CNB on all ten UCI sets, in training and in test.",
        "`medley evaluate --folds 10` with ld-cnb (its bound) and cnb (exact), random starts of one seed, all columns "
        "Gaussian, for both a prior of one imagined observation of every column in every component (`--shrink 1`), as "
        "the paper states no floor of variances; K is not stated either: the number of classes, 5 and (full mode) "
        "10."),
    2: ("real data", "Perplexity falls steeply in the first iterations and slowly afterwards; LD-CNB stays below CNB.",
        "`medley fit --trace` on iris, lung-cancer and wine, K = 3; perplexity from the bound after every iteration."),
    3: ("real data", "MovieLens with k = 20, eps = 0.1: LD-CNB is below CNB in training and in test.",
        "`medley fit` on all ratings; `medley evaluate --folds` (users held out with all their ratings)."),
    4: ("real data", "Per user, CNB has a far lower perplexity than NB, which counts missing as a sixth answer.",
        "The same with `--model nb`; logarithms to base 10, as the numbers overflow."),
    5: ("real data", "In training LD-CNB is below CNB nearly everywhere on the (k, eps) grid.", GRID),
    6: ("real data", "In training both models gain from larger k and from smaller eps.", GRID),
    7: ("real data", "In test LD-CNB is the better one where eps and k are small.", GRID),
    8: ("real data", "The test perplexity of LD-CNB hardly changes over the grid.", GRID),
    9: ("real data", "Larger eps raises the training and lowers the test perplexity.", GRID + " Slice at k = 20."),
    10: ("real data", "With 50 users only, CNB mostly beats LD-CNB, above all at large eps.",
         "50 users drawn by several seeds (`medley convert --sample-rows 50`), (k, eps) grid, training perplexity."),
    11: ("real data", "Log perplexity per user hardly changes with k, and CNB is always below NB (eps = 0.01).",
         "nb and cnb over k, the users split as above."),
}
