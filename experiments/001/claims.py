# SPDX-License-Identifier: Apache-2.0
"""The claims of paper 001 in our own words, and what is run for each. NMF: nonnegative matrix factorisation."""
TEXT = ("The New York Times corpus is licensed: acl-anthology (titles and abstracts, 10,862 words) stands in. c0 = "
        "0.05 V, a0 = b0 = 1/K, 50 dimensions, kappa 0.7, one pass (quick: 80,000 documents) in batches of 1000; "
        "scored on documents left out by `medley evaluate --estimator completion --threefold`. ")
DRAWN = "`medley simulate correlated-nmf`: 10 topics, 500 words, topics 1 and 2, 3 and 4 ... positively correlated. "
CLAIMS = {
    1: ("stand-in", "The held-out log-likelihood per word improves with K over 50, 100 and 150.", TEXT),
    2: ("stand-in", "Larger batches help until about 1000 documents.", TEXT +
        "Batches of 500 to 2000, documents seen the same, t0 = 1."),
    3: ("stand-in", "Bayesian NMF, correlated NMF and online LDA predict about equally well.", TEXT),
    4: ("stand-in", "Modelling correlations of topics does not improve prediction.", TEXT),
    5: ("simulation", "Learnt correlations of topics are meaningful in their sign.",
        DRAWN + "correlated-nmf, `medley correlations --matrix`, topics matched to the true ones; both with the mean "
                "location taken off."),
    6: ("stand-in", "Topics of low probability are still coherent.", TEXT +
        "`medley evaluate --quality` of the largest K."),
    7: ("stand-in", "Stochastic inference learns fast where batch inference is too slow.",
        TEXT + "Processor seconds and held-out score: online-lda in one pass of 20,000 against the same model on these "
               "at once."),
    8: ("theory", "The masses of topics in Bayesian NMF have prior mean 1 and variance 1/c0.",
        "Columns drawn from the prior with c0 = 0.05 V; and the column sums of a fitted model."),
    9: ("theory", "The objective of a minibatch is unbiased for that of all documents.",
        "Local terms of a small corpus, all minibatches of a size enumerated."),
    10: ("stand-in", "Locations of documents in correlated NMF are good for retrieval.",
         "Announced and not shown in the chapter. cmu-diff: share of the ten nearest documents (`medley similar`) of "
         "the same newsgroup."),
    11: ("simulation", "A small dimension m restricts the correlations that can be modelled; m > K is redundant.",
         DRAWN + "Rank of the matrix of correlations and held-out score against m."),
}
