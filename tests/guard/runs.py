# SPDX-License-Identifier: Apache-2.0
"""What guard.py runs: fits as (name, words), then commands upon some of their models as (name of the model, words).

The grid of memberships, inferences and ways of writing rows is gone through whole: what is not offered is refused,
and the refusal is guarded as well. Presets, memberships and inferences are those that `medley models` lists.
"""
NUMBERS = ["--column=height=gaussian", "--column=income=lognormal", "--column=wait=exponential",
           "--column=visits=poisson", "--column=repairs=geometric"]
TEXTS = ["--column=says=text", "--column=cites=tags", "--column=media=set"]
PLAIN = ["--id=id", "--ignore=group,weight"]
LABEL = ["--id=id", "--ignore=weight", "--label=group"]
RATINGS = ["ratings.csv", "--format=triplets", "--column=value=categorical"]
NOTES = ["notes.txt", "--format=text", "--min-count=1"]
LEVELS = ["levels.csv", *PLAIN]
DOCUMENTS = ["words=docs.ldac", "refs=refs.ldac"]

# How rows can be written -> the words of `medley fit`.
ENCODINGS = {"levels": LEVELS, "numbers": ["numbers.csv", *PLAIN, *NUMBERS, "--column=rain=gamma"],
             "mixed": ["mixed.csv", *PLAIN, *NUMBERS, *TEXTS], "triplets": RATINGS, "words": ["docs.ldac"],
             "text": NOTES}
# What a preset is for, as `medley models` says it -> rows without and with a label.
PRESET_ROWS = {"tokens": (DOCUMENTS, [*DOCUMENTS, "t=groups.csv", "--label=group"]),
               "levels": (LEVELS, ["levels.csv", *LABEL]),
               "any": (ENCODINGS["mixed"], ["mixed.csv", *LABEL, *NUMBERS, *TEXTS])}

SIZE = ["--k=3"]
SHORT = ["--max-iterations=25", "--chains=2", "--sweeps=20", "--burn-in=10", "--draws=5"]

# Options that the grid does not go through.
OTHER_FITS = {
    "votes": ["votes.csv", "--ignore=party", *SIZE],
    "restarts": [*LEVELS, *SIZE, "--restarts=3", "--seed=7"],
    "init kmeans": [*ENCODINGS["numbers"], *SIZE, "--init=kmeans"],
    "init sample": ["docs.ldac", *SIZE, "--model=lda", "--init=sample"],
    "init noise": ["docs.ldac", *SIZE, "--init=noise", "--batch=20"],
    "init model": [*LEVELS, *SIZE, "--init=restarts.medley"],
    "gibbs numbers": ["numbers.csv", *PLAIN, *NUMBERS, "--ignore=rain", *SIZE, "--model=gom-bayes"],
    "alpha symmetric": ["docs.ldac", *SIZE, "--model=lda", "--alpha=symmetric"],
    "alpha fixed": [*LEVELS, *SIZE, "--inference=standard", "--alpha=fixed:50/K"],
    "smoothing fitted": [*NOTES, *SIZE, "--inference=collapsed", "--smoothing=fitted"],
    "shrink": [*RATINGS, *SIZE, "--inference=standard", "--shrink=5"],
    "vb levels": [*LEVELS, *SIZE, "--estimate=vb"],
    "vb words": ["docs.ldac", *SIZE, "--estimate=vb", "--smoothing=fitted"],
    "frequency weights": ["levels.csv", "--id=id", "--ignore=group", "--weight=weight", "--weights=frequency", *SIZE],
    "block weights": [*ENCODINGS["mixed"], *SIZE, "--block-weight=says=0.5"],
    "missing category": [*LEVELS, *SIZE, "--missing=category"],
    "json lines": ["mixed.jsonl", *PLAIN, *NUMBERS, *TEXTS, *SIZE],
    "batch words": ["docs.ldac", *SIZE, "--model=lda", "--batch=20", "--passes=3"],
    "batch collapsed": ["docs.ldac", *SIZE, "--inference=collapsed", "--batch=20"],
    "batch online-lda": ["docs.ldac", *SIZE, "--model=online-lda", "--batch=15"],
    "batch levels": [*LEVELS, *SIZE, "--batch=20"],
    "batch mixed": [*ENCODINGS["mixed"], *SIZE, "--batch=20"],
    "batch gamma": ["docs.ldac", *SIZE, "--model=bayesian-nmf", "--batch=20"],
    "batch correlated": ["docs.ldac", *SIZE, "--model=correlated-nmf", "--batch=20"],
    "batch stream": ["docs.stream", *SIZE, "--batch=20", "--passes=2"],
    "label": ["levels.csv", *LABEL, *SIZE],
    "label mixed": ["levels.csv", *LABEL, *SIZE, "--membership=mixed"],
    "label conditional": ["numbers.csv", *LABEL, *NUMBERS, "--ignore=rain", *SIZE, "--objective=conditional"],
    "label auto": ["levels.csv", *LABEL, "--k=auto"],
    "label paper": ["mixed.csv", *LABEL, *NUMBERS, *TEXTS, *SIZE, "--model=dmnb", "--eta-start=10"],
    "concentration": [*LEVELS, "--model=dp-mixture", "--concentration=gamma:2,4", "--starts=1,10"],
}

# Fitted with two threads as well: the bits must be those of one.
THREADED = ["mixed standard words", "mixed fast mixed", "mixed exact levels", "mixed monte-carlo levels",
            "mixed collapsed words", "mixed gibbs levels", "infinite gibbs levels", "single standard numbers",
            "correlated standard words", "batch words", "label conditional"]

# Fitted once more, stopped by a signal on the way and resumed: the bits must be those of the whole.
INTERRUPTED = ["long.csv", *PLAIN, "--k=6", "--init=random", "--tolerance=1e-14", "--max-iterations=400", "--threads=1"]


def catalogue(listing):
    """`medley models` -> heading's first word -> lines of cells, the name first."""
    found = {}
    for part in listing.strip().split("\n\n"):
        heading, *lines = part.splitlines()
        found[heading.split()[0]] = [line.split() for line in lines]
    return found


def size_of(membership):
    """An infinite membership finds its size by itself."""
    return [] if membership == "infinite" else SIZE


def fits(listing):
    """name -> words of `medley fit`, without the output."""
    known = catalogue(listing)
    found = dict(OTHER_FITS)
    for membership, *_ in known["Memberships"]:
        for inference, *_ in known["Inference"]:
            for encoding, words in ENCODINGS.items():
                found[f"{membership} {inference} {encoding}"] = [
                    *words, *size_of(membership), f"--membership={membership}", f"--inference={inference}"]
    for preset, membership, _, _, rows, *_ in known["Presets"][1:]:
        for what, words in zip(("preset", "preset with label"), PRESET_ROWS[rows], strict=True):
            found[f"{what} {preset}"] = [*words, *size_of(membership), f"--model={preset}"]
    return {name: ["fit", *words, *SHORT] for name, words in found.items()}


def rows_of(words):
    """The words of a fit that say what is read, without those that the model knows."""
    return [word for word in words if not word.startswith("--") or word.startswith("--format")]


TABLE = [["transform", "--append"], ["transform"], ["evaluate", "--json"], ["evaluate", "--per-row"], ["impute"],
         ["impute", "--distribution"], ["impute", "--draws=2", "-o", "filled.csv"], ["report"]]
WORDS = [["transform"], ["evaluate", "--json"], ["evaluate", "--estimator=completion"],
         ["evaluate", "--quality", "--json"], ["similar", "--row=3", "--json"], ["correlations", "--matrix"],
         ["report"]]
ALONE = [["inspect"], ["inspect", "--format=csv"], ["inspect", "--format=md"], ["inspect", "--format=latex"],
         ["export"], ["report", "--no-rows"]]
LABELLED = [["predict"], ["predict", "--explain=2", "--json"], ["evaluate", "--json"], ["report"]]

# Model -> the commands that are given its rows.
UPON_ROWS = {
    "mixed exact levels": [*TABLE, ["transform", "--intervals=0.9"], ["evaluate", "--holdout-cells=0.2", "--json"],
                           ["evaluate", "--absolute-fit", "--replicates=5", "--json"],
                           ["groups", "--by=group", "--json"], ["bootstrap", "--replicates=3", "--by=group", "--json"]],
    "mixed standard mixed": TABLE, "single standard numbers": TABLE, "mixed fast mixed": TABLE,
    "mixed standard triplets": [["transform"], ["evaluate", "--json"], ["recommend", "--all", "--top=2"], ["report"]],
    "mixed collapsed words": [*WORDS, ["evaluate", "--estimator=left-to-right", "--samples=5", "--json"]],
    "mixed standard text": WORDS, "gamma standard words": WORDS, "correlated standard words": WORDS,
    "mixed gibbs levels": [*TABLE, ["diagnose", "--json"]], "infinite gibbs levels": [*TABLE, ["diagnose", "--json"]],
    "label": LABELLED, "label mixed": LABELLED, "label conditional": LABELLED, "batch words": WORDS, "votes": TABLE,
}

# Commands that need no model, or make one of their own.
UPON_DATA = {
    "schema": ["schema", "mixed.csv"],
    "suggest": ["schema", "numbers.csv", "--suggest", "--column=wait=gaussian"],
    "folds": ["evaluate", *LEVELS, "--truth=group", "--k=2", "--folds=3", "--json", "--quiet"],
    "folds with label": ["evaluate", "levels.csv", *LABEL, "--k=2", "--folds=3", "--json", "--quiet"],
    "select": ["select", *LEVELS, "--k=1..3", "--folds=2", "--restarts=1", "-o", "choice", "--json", "--quiet"],
    "update": ["update", "batch words.medley", "docs.ldac", "--quiet", "--json", "-o", "updated.medley"],
    "simulate": ["simulate", "mmnb", "--k=2", "--columns=categorical:3x4,gaussian:2,poisson:2", "-n", "50", "-o",
                 "drawn.csv", "--model-out", "drawn.medley", "--truth", "truth.csv"],
    "selftest": ["selftest", "geweke", *LEVELS, "--model=gom-bayes", "--k=2", "--rows=3", "--replicates=20", "--json",
                 "--quiet"],
}
