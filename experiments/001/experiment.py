# SPDX-License-Identifier: Apache-2.0
"""Paper 001, Bayesian and correlated NMF with stochastic inference: streams of abstracts, planted correlations,
theory."""
import importlib

SLIPS = [
    "Figure 11.4 says K = 100, the text and table 11.3 K = 150.",
    "The step size (1 + t)^-0.5 lies outside the interval (0.5, 1] that the chapter asks for: its squares do not sum. "
    "The program refuses kappa = 0.5; 0.7 is used here.",
    "Equation 11.18 scales the local log joint by D/|C| but not the local entropies; C001-09 shows that the sum is "
    "then biased.",
    "A retrieval example is announced in two sections and absent; the two Hoffman et al. (2010) references are "
    "swapped.",
]


SIZES = [
    ("documents of acl-anthology, held out", "80,000 and 1,000", "106,000 and 2,000"),
    ("documents of the controls and of batch inference", "20,000", "20,000"),
    ("seeds", "1", "1"),
    ("models of the batch sizes", "online-lda", "all three"),
    ("topics of the coherence", "100", "150"),
]


def run(work, paper):
    for size in SIZES:
        paper.size(*size)
    for part in ("streams", "planted", "theory"):
        paper.part(importlib.import_module(f"001.{part}").run, work, paper)
    for slip in SLIPS:
        paper.slip(slip)
