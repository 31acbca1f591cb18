# SPDX-License-Identifier: Apache-2.0
"""The claims of all papers in our own words: CLAIMS[id] = (kind, statement, what was run)."""
import importlib

PAPERS = {
    "000": "Shan and Banerjee, mixed-membership naive Bayes models (technical report, 2009)",
    "001": "Paisley, Blei and Jordan, Bayesian nonnegative matrix factorization with stochastic variational inference "
           "(book chapter, 2014)",
    "002": "Airoldi, Fienberg, Joutard and Love, discovering latent patterns with hierarchical Bayesian "
           "mixed-membership models (2006)",
    "003": "Shan, Banerjee and Oza, discriminative mixed-membership models (2009)",
    "004": "Banerjee and Shan, latent Dirichlet conditional naive Bayes models (2007)",
}
CLAIMS = {f"C{paper}-{number:02d}": claim for paper in PAPERS
          for number, claim in importlib.import_module(f"{paper}.claims").CLAIMS.items()}
