# SPDX-License-Identifier: Apache-2.0
"""The claims of paper 000 in our own words, and what is run for each. MNB (NB on complete data) has one component a
row."""
OWN = ("Training rows are scored with the variational parameters that the fit ended with (section 6.2 of the paper), "
       "their groups are told by memberships inferred anew.")
UCI = ("`medley evaluate --folds 10 --truth class` with mmnb and mnb on nine UCI tables, all columns Gaussian, K = "
       "classes, random starts, and for both models a prior of one imagined observation of every column in every "
       "component (`--shrink 1`), as the paper states no floor of variances. Controls: `--estimator importance`, "
       "`--restarts 2` from a single-membership start, `--max-iterations 5`, no prior (the program's own floor "
       "alone, a thousandth of a column's variance). " + OWN)
GRID = ("MovieLens 100k, ratings as five categories, (k, eps) grid, random starts; all ratings of a tenth of the "
        "users held out.")
BINARY = ("`medley convert --binarise` and `medley evaluate --folds`: mmnb on all observed cells, lda on the cells "
          "that are 1 (`--ones-as-tokens`).")
NOISE = ("A tenth of the cells held out, k = 10, fitted to the others; a share of the held-out cells flipped (more "
         "and more of the same ones), and all cells scored by the bound.")
TEXT = ("lda and fast-lda, k = 3, on Classic3, CMU-Diff and CMU-Sim; NASA ASRS is not public.")
CLAIMS = {
    1: ("real data", "MMNB has a lower perplexity than NB on most UCI sets.", UCI),
    2: ("real data", "MMNB finds the classes with a higher micro-precision than NB on most UCI sets, above all in "
        "test.", UCI),
    3: ("real data", "MMNB has more mutual information with the classes than NB on most UCI sets.", UCI),
    4: ("real data", "On Jester MMNB is mostly below MNB in perplexity for k = 5 to 25, in training and test.",
        "1000 users who rated all 100 jokes, Gaussian columns with the prior of the UCI tables (`--shrink 1`), folds "
        "of users."),
    5: ("real data", "On Foodmart MNB is lower in training but over-fits as k grows, while MMNB stays sound in test.",
        "Units minus 1 as Poisson counts (`--column value=poisson:shift=1`), k = 4 to 20, folds of customers."),
    6: ("real data", "On MovieLens at k = 20 a larger eps raises training and lowers test perplexity of both models.",
        GRID),
    7: ("real data", "In training MMNB is below MNB nearly everywhere on the grid, but for very large k with very "
        "large eps.", GRID),
    8: ("real data", "In training both models gain from larger k and smaller eps.", GRID),
    9: ("real data", "In test MMNB is lower for small eps, and MNB slightly lower for large eps.", GRID),
    10: ("real data", "The test perplexity of MMNB is nearly the same all over the grid.", GRID),
    11: ("real data", "MNB with small eps over-fits: very good in training, poor in test.", GRID),
    12: ("real data",
         "NB memberships have an entropy below 0.1 nearly always; those of MMNB spread: on Wdbc mostly low with "
         "some in 0.4 to 0.7, on Sonar mostly in 0.6 to 0.7.", "Fits to all rows, `medley evaluate --per-row`."),
    13: ("real data", "Test perplexity rises with membership entropy on all nine UCI sets but Ionosphere.",
         "`entropy_quintiles` of the test rows of the same folds; rank correlation over the five parts."),
    14: ("real data", "On binarised ratings MMNB has a perplexity orders of magnitude below that of LDA at every k.",
         BINARY),
    15:
    ("real data", "The perplexity of MMNB rises steadily as 1 to 10 % of held-out binary cells are flipped.", NOISE),
    16: ("real data", "On Jester with steps of 0.01 and 0.1 % MMNB nearly always rises, while LDA goes up and down.",
         NOISE),
    17: ("real data", "On MovieLens with such steps MMNB rises steadily and LDA falls.", NOISE),
    18: ("real data", "Fast LDA has about the training perplexity of LDA and a slightly higher test perplexity.",
         "`medley evaluate --folds` by the bound, and by completion: " + TEXT),
    19: ("real data", "Fast LDA is five to ten times faster than LDA.",
         "Processor seconds of `medley fit --threads 1`, the whole fit with its start and first iteration, without "
         "reading the data, plus `medley evaluate` of a tenth of the documents: " + TEXT),
    20: ("real data", "The time saved by Fast LDA grows with the size of the vocabulary.", "The same runs."),
    21: ("real data", "Micro-precision of Fast LDA is close to that of LDA, sometimes a little higher.",
         "Both start (`--init FILE`) from an LDA of 5 % of the documents, five draws of them; Fast also from the "
         "topics of LDA: " + TEXT),
    22: ("real data", "The word lists of LDA and Fast LDA share most words, in another order.",
         "The ten likeliest words of matched topics on Classic3 (NASA is not public), same fits."),
    23: ("real data", "Fast MMNB has a perplexity close to that of MMNB, above all in training, and is five to ten "
         "times faster.", "fast-mmnb and mmnb on Jester, MovieLens and Foodmart, k = 10, folds; "
         "processor seconds of whole fits on one thread, without reading."),
    24: ("theory", "The bound of variational EM never falls.",
         "`medley fit --trace` with eps = 0 on simulated and real tables: the smallest step of the bound."),
    25: ("theory", "Fast inference needs n vectors phi in place of n x d.",
         "Counted from the updates, and peak memory of `medley fit` on simulated tables with growing d."),
    26: ("real data", "Perplexities of MMNB and LDA go the same way as k grows.", BINARY),
}
