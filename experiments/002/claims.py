# SPDX-License-Identifier: Apache-2.0
"""The claims of paper 002 in our own words, and what is run for each. GoM is grade of membership, DP Dirichlet
process."""
TEXT = "PNAS is not public: cora (2,410 abstracts with citations among themselves) stands in. "
NLTCS = ("NLTCS, 21,574 people: `medley select --k 2..10 --by cv,aic,bic,dic,pearson --least-count 100`, by exact EM "
         "(K = 10 Monte-Carlo EM), chains of gom-bayes for DIC. Control: DIC and patterns with K = 8, 9, 10 on 4,000 "
         "people drawn from the fit with nine profiles.")
VARIATIONAL = ("NLTCS by variational EM as in the paper: `medley select --model gom --by cv,bic --estimator bound`. "
               "Control: three random starts at K = 5, 8 and 9.")
CLAIMS = {
    1: ("stand-in", "Cross-validation supports 20 to 40 topics, with or without references.",
        TEXT + "`medley select --alpha symmetric --by cv` of the words, and of words and references; the words also "
               "with `--inference collapsed --estimator completion`."),
    2: ("stand-in", "The Dirichlet-process posterior of the number of groups lies between 23 and 33.",
        TEXT + "dp-mixture with 1000 imagined counts of every word, alpha = 1, chains from 1 and 30 groups. Control: "
        "the posterior of 8 and 25 groups against that of one, on 200 to 12,000 abstracts of acl-anthology (PNAS: "
        "11,988)."),
    3: ("stand-in", "alpha = 50/K makes memberships more diffuse than fitting alpha.",
        TEXT + "lda with K = 20, `--alpha fixed:50/K` and `--alpha symmetric`."),
    4: ("stand-in", "The fitted alpha is below 1.", TEXT + "lda with `--alpha symmetric` at several K."),
    5: ("simulation", "Simulated with 15 topics, fitting alpha chooses K = 15, alpha = 50/K chooses 20.",
        "3,000 documents of 80 words from 15 topics over 50 words, alpha 0.05; `medley select --by cv` under both "
        "rules, three seeds. Length, alpha and topics are ours: the paper does not state them."),
    6: ("simulation", "There the fitted alpha is 0.052, within the 0.01 to 0.1 that the data support.",
        "alpha at K = 15 of the same corpora, against the 0.05 with which they were drawn."),
    7: ("stand-in", "The 20 topics can be read and line up with editorial categories.",
        "1,740 NIPS abstracts with session labels; lda with K = 20; mutual information of top topic and session "
        "against shuffled sessions."),
    8: ("stand-in", "300 topics fit much worse than 20 to 30.",
        TEXT + "Held-out score at K = 300 (quick: 100) and K = 20."),
    9: ("real data", "A Dirichlet-process mixture needs more groups than a mixed-membership model has profiles.",
        "The K of cross-validation against the posterior mode of the number of clusters, on NLTCS."),
    10: ("real data", "NLTCS: K = 9 has the smallest sum of Pearson residuals over the 24 frequent patterns.", NLTCS),
    11: ("real data", "NLTCS: DIC chooses K = 8 or 9.", NLTCS),
    12: ("real data", "NLTCS: variational BIC chooses about K = 8.", VARIATIONAL),
    13: ("real data", "NLTCS: cross-validation in five folds chooses K = 8 or 9.", VARIATIONAL + " And by exact EM."),
    14: ("real data", "NLTCS: the Dirichlet-process posterior of the number of groups lies in 11 to 15.",
         "dp-mixture, alpha = 1, Beta(10, 10) (`--smoothing 10`), chains from 10, 25, 40 and N clusters."),
    15: ("real data", "NLTCS: 24 patterns occur more than 100 times and hold 41 % of the sample; all-zero 3,853; "
                      "3,152 patterns.",
         "Counted."),
    16: ("real data", "At K = 9 the profiles read as two healthy, one seriously disabled, cognitive, semi-disabled, "
                      "mobility, heavy housework only and two semi-healthy ones.",
                          "Posterior means of gom-bayes at K = 9; a rule per description."),
    17: ("real data", "Sampled and variational fits give the same reading of the profiles.",
         "gom-bayes and gom at K = 9, profiles matched; differences of the probabilities."),
    18: ("real data", "Beyond K = 5 the fit does not improve markedly.", NLTCS +
        " Sum of squared residuals against K."),
    19: ("real data", "Chains from 10, 25, 40 and N groups agree on their number after about 25 sweeps.",
         "dp-mixture on NLTCS, kept sweeps after 25."),
    20: ("stand-in", "With eta below V (less than one imagined count a word) the infinite model falls into one group.",
         TEXT + "dp-mixture with 0.1 to 1000 imagined counts of every word."),
    21: ("real data", "Criteria of prediction and of description support a similar K.", NLTCS),
    22: ("real data", "K = 9 fits the all-zero, the all-one and the heavy-housework patterns better than other K.",
         "Expected counts of the three patterns under every K, from the fits of `medley select`."),
    23: ("real data", "All nine profiles can be interpreted, those of K = 4 and 5 cannot be ordered by severity.",
         "Is the order of the profiles by mean disability the order on every item?"),
}
