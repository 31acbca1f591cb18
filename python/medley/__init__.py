# SPDX-License-Identifier: Apache-2.0
"""Medley: mixed-membership models for tables, text, ratings and counts.

    import medley
    model = medley.fit(df, k=3, ignore=["party"])     # pandas, polars, Arrow, numpy, scipy, lists of texts
    model                                             # in a notebook: the profiles, with bars
    model.transform(df)                               # each row's shares, as a table of the same kind

Same data, options and seed give the same bits, at any number of threads, as the command line does.
"""
import atexit as _atexit

from . import _core
from ._data import Dataset, Schema, dataset, read, schema, triplets
from ._errors import ConvergenceWarning, DataWarning, InputError, Problem, RunError
from ._fit import Selection, Stream, compare, cross_validate, fit, load, models, options, select, simulate, stream
from ._intake import Triplets
from ._model import Model
from ._report import Report
from ._results import Bootstrap, Comparison, CrossValidation, Diagnosis, Evaluation, Holdout, Quality

__version__: str = _core.version()
_atexit.register(_core.end_left_work)

__all__ = [
    "Bootstrap", "Comparison", "ConvergenceWarning", "CrossValidation", "DataWarning", "Dataset", "Diagnosis",
    "Evaluation", "Holdout", "InputError", "Model", "Problem", "Quality", "Report", "RunError", "Schema", "Selection",
    "Stream", "Triplets", "__version__", "compare", "cross_validate", "dataset", "fit", "load", "models", "options",
    "read", "schema", "select", "simulate", "stream", "triplets",
]
