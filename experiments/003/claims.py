# SPDX-License-Identifier: Apache-2.0
"""The claims of paper 003 in our own words, and what is run for each. MM: mmnb or lda; DM: dmnb or dlda; Fast and
Std."""
SAME = ("`medley evaluate --folds 10 --label class` (quick: 3 folds on texts and Segmentation), K = classes, start "
        "from the classes; dmnb, fast-dmnb, dlda, fast-dlda with `--eta-start auto` (quick: 10); the unlabelled "
        "models told by the class that each component matches on the training rows. Nine UCI tables; Classic3, "
        "cmu-diff, cmu-sim and cmu-same (NASA ASRS is not public).")
MORE = ("`medley evaluate --folds 10 --label class --eta-start auto` (quick: 3 folds on texts and Segmentation, "
        "`--eta-start 10`) with growing K; NB, LR, SVM of scikit-learn and a von Mises-Fisher classifier of ours on "
        "the same folds. LR is of the paper's kind, on raw columns without a penalty; tuned LR is a control.")
CLAIMS = {
    1: ("real data", "Fast DM and MM are more accurate than standard ones, with a few exceptions.", SAME),
    2: ("real data", "Standard DM is not always better than standard MM; Fast DM usually beats Fast MM.", SAME),
    3: ("real data", "Fast inference gives nearly sole membership, standard inference mixed membership.",
        "Fits of the four LDA variants to cmu-sim, K = 3; entropy of every document's membership."),
    4: ("real data", "Fast DMNB is faster than standard DMNB, about five times on Segmentation.",
        "Processor seconds of `medley fit --threads 1`, K = classes, `--eta-start 10`: the whole fit with its start "
        "and first iteration, without reading the data."),
    5: ("real data", "Fast DLDA is about 20 to 150 times faster than standard DLDA.",
        "The same on the four texts."),
    6: ("real data", "Fast DLDA beats vMF, NB, LR and SVM on nearly all texts.", MORE),
    7: ("real data", "Fast DMNB beats NB and LR on most UCI sets; SVM beats it on six of nine.", MORE),
    8: ("real data", "Reducing the dimension helps: Fast DM beats LR on the columns themselves.", MORE),
    9: ("real data", "The accuracy of Fast DMNB rises with K = c, c + 5, c + 10 on most sets.", MORE),
    10: ("real data", "On texts a larger K tends to help, without a clear trend.", MORE),
    11: ("real data", "Learning jointly (DM) beats MM followed by LR.", MORE + " Two steps: `--two-step`."),
    12: ("real data", "MM followed by LR against LR on the columns has no clear winner.", MORE),
    13: ("stand-in", "With K > c Fast DLDA finds a topic that no label names.",
         "NASA ASRS is not public. cmu-diff with space and atheism under one label `other`: does a component of "
         "fast-dlda with K = c + 10 tell the two hidden groups apart?"),
    14: ("theory", "The objective of EM never falls and stays a lower bound.",
         "Traces of dmnb and fast-dmnb without smoothing; on a tiny table log p(x, y) by enumerating all component "
         "vectors."),
    15: ("real data", "The advantage of fast inference grows with size and dimension.",
         "Times faster of all sets, against cells and columns; and simulated tables of growing size."),
}
