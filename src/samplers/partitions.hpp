// SPDX-License-Identifier: Apache-2.0
// Draws of partitions in a few numbers: how often rows share a cluster, and one partition that
// stands for all. Labels are 0 .. K-1 in every draw; their names mean nothing across draws.
//
// Least squares (Dahl 2006), which is also the least expected loss of Binder among the draws: the
// draw d that minimises sum over pairs (1[i ~ j in d] - p_ij)^2, p the co-clustering. That is the
// mean over draws e of the number of pairs that d and e disagree about, which is found from the
// contingency table of d and e without the n x n matrix p.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "samplers/clusters.hpp"

namespace medley::samplers {

/// Pairs of rows that share a cluster in one and not in the other.
[[nodiscard]] double disagreement(const Labels& one, const Labels& other);
/// The draw that the others agree with most; the first one of equals.
[[nodiscard]] std::size_t least_squares(std::span<const Labels> draws);
/// The share of draws in which two rows are in one cluster: n x n, by rows.
[[nodiscard]] std::vector<double> co_clustering(std::span<const Labels> draws);

}  // namespace medley::samplers
