# SPDX-License-Identifier: Apache-2.0
"""Comparators that medley does not have: scikit-learn's on the folds of medley, and a von Mises-Fisher classifier of
ours.

Nothing of medley's own results depends on them. The folds are those of `medley evaluate --folds`, seed 1.
"""
import csv

from . import sets, topics

def matrix(work, name):
    """The rows of a set as numbers (texts: sparse counts) and their classes."""
    import numpy
    from scipy.sparse import csr_matrix
    if name in sets.TEXTS:
        documents = topics.documents(work.source(name, "docs.ldac"))
        place = [i for i, d in enumerate(documents) for _ in d]
        x = csr_matrix(([float(c) for d in documents for c in d.values()], (place, [w for d in documents for w in d])),
                       shape=(len(documents), len(topics.lines_of(work.source(name, "vocab.txt")))))
        return x, numpy.array(topics.lines_of(work.source(name, "labels.txt")))
    with open(sets.data(work, name), encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    columns = sets.columns(work, name)
    x = numpy.array([[float(line[c]) if line[c] not in ("",
        "?", "NA") else numpy.nan for c in columns] for line in lines])
    return x, numpy.array([line["class"] for line in lines])


class MisesFisher:
    """One mean direction per class and one common concentration: the class with the nearest direction.

    p(x | c) is proportional to exp(kappa mu_c'x) for unit vectors x (texts: tf-idf), so with a common kappa and equal
    shares the likeliest class is that of the largest mu_c'x.
    """

    def fit(self, x, y):
        import numpy
        from sklearn.feature_extraction.text import TfidfTransformer
        from sklearn.preprocessing import normalize
        self.weights = TfidfTransformer().fit(x)
        unit = self.weights.transform(x)
        self.classes = numpy.unique(y)
        self.mean = normalize(numpy.vstack([numpy.asarray(unit[y == c].mean(axis=0)) for c in self.classes]))
        return self

    def predict(self, x):
        return self.classes[(self.weights.transform(x) @ self.mean.T).argmax(axis=1)]


def kinds(name, quick):
    from sklearn.feature_extraction.text import TfidfTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV
    from sklearn.naive_bayes import GaussianNB, MultinomialNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC, LinearSVC
    if name in sets.TEXTS:
        return {"vMF": MisesFisher, "NB": MultinomialNB,
                "LR, tuned": lambda: make_pipeline(TfidfTransformer(), LogisticRegression(C=10, max_iter=500)),
                "SVM": lambda: make_pipeline(TfidfTransformer(), LinearSVC())}
    grid = {"svc__C": [1, 100] if quick else [10.0**e for e in range(-2, 5)],
            "svc__gamma": ["scale", 0.01] if quick else [10.0**e for e in range(-4, 2)]}
    table = lambda last: make_pipeline(SimpleImputer(), StandardScaler(), last)
    return {"NB": lambda: table(GaussianNB(var_smoothing=1e-6)),
            "LR, tuned": lambda: table(LogisticRegression(max_iter=1000)), "SVM": lambda: GridSearchCV(table(SVC()), grid, cv=3)}


def plain_regression(name):
    """Logistic regression as it may have been run in 2009: on the counts or columns as they are, without a penalty,
    stopped after some steps. What paper 003 prints is lower still, and its settings are not stated; "tuned" is what
    one would do today."""
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    last = LogisticRegression(C=1e10, max_iter=20 if name in sets.TEXTS else 100)
    return last if name in sets.TEXTS else make_pipeline(SimpleImputer(), last)


def accuracies(work, name, folds):
    """{comparator: accuracy by fold}, kept in the work folder; the folds are those of our models."""

    def make():
        import warnings
        import numpy
        from labels import folds_of
        warnings.filterwarnings("ignore")  # of fits that did not converge
        x, y = matrix(work, name)
        fold = numpy.array(folds_of(len(y), folds=folds))
        out = {}
        for kind, new in {**kinds(name, work.quick), "LR": lambda: plain_regression(name)}.items():
            print(f"  {kind} on {name}", flush=True)
            out[kind] = [float(numpy.mean(new().fit(x[fold != f], y[fold != f]).predict(x[fold == f]) == y[fold == f]))
                         for f in range(folds)]
        return out

    return work.kept(["peers", name, work.quick, folds], make)
