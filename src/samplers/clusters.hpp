// SPDX-License-Identifier: Apache-2.0
// The clusters of a mixture whose parameters are integrated out: for every cluster its size and, of
// each block, the statistics of its rows and the table its predictives are read from. A row's log
// weights are
//
//   log n_k + sum over blocks of log p(row's cells | statistics of cluster k)
//
// Clusters stand side by side at positions 0 .. count-1, so that a row is scored under all of them
// at once. When one is closed the last takes its position; what rows are labelled with is an id,
// which stays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "families/conjugate.hpp"
#include "medley/data.hpp"

namespace medley::samplers {

using Labels = std::vector<std::uint32_t>;  ///< per row, the id of its cluster
/// The prior of every block.
using Priors = std::vector<std::unique_ptr<families::Conjugate>>;

/// Renumbers the labels in order of first appearance; returns how many are distinct.
std::size_t canonical(Labels& labels);

class Clusters {
 public:
  Clusters(const Dataset& data, const Priors& priors);

  [[nodiscard]] std::size_t count() const { return size_.size(); }
  /// Rows in the cluster at a position.
  [[nodiscard]] double size(std::size_t k) const { return size_[k]; }
  [[nodiscard]] std::uint32_t id(std::size_t k) const { return id_[k]; }
  [[nodiscard]] std::size_t position(std::uint32_t label) const { return position_[label]; }

  /// Begins anew with the clusters that the labels 0 .. count-1 tell, at those positions.
  void rebuild(std::span<const std::uint32_t> labels, std::size_t count);
  /// Begins anew with that many clusters without rows.
  void clear(std::size_t count);
  /// A new cluster without rows, at the last position, which is returned.
  std::size_t open();
  /// Takes a cluster away whose rows, if it had any, are elsewhere.
  void close(std::size_t k);
  /// A row, or as many equal rows as `times` says.
  void add(std::size_t row, std::size_t k, double times = 1);
  void remove(std::size_t row, std::size_t k, double times = 1);
  /// Adds to the statistics alone: the cluster's table is up to date after tabulate(k).
  void gather(std::size_t row, std::size_t k, double times = 1);
  void tabulate(std::size_t k);
  /// Cluster k becomes what cluster `from` of others is; or both that are given, together.
  void copy(std::size_t k, const Clusters& others, std::size_t from);
  void copy_both(std::size_t k, const Clusters& others, std::size_t first, std::size_t second);

  /// The log weights of a row of `data` (that of the constructor, or one of the same columns), for
  /// every cluster, without the base measure. All must hold a row.
  void log_weights(const Dataset& data, std::size_t row, double* out) const;
  /// Of the cells of a cluster, or of two together; without the base measure.
  [[nodiscard]] double log_marginal(std::size_t k) const;
  [[nodiscard]] double log_marginal_both(std::size_t j, std::size_t k) const;

 private:
  struct Part {                      // of one block
    std::vector<double> statistics;  // capacity x size
    std::vector<double> table;       // table size x capacity
  };

  void grow();
  void set_size(std::size_t k, double size);

  const Dataset& data_;
  const Priors& priors_;
  std::size_t capacity_ = 0;
  std::vector<Part> parts_;  // per block
  std::vector<double> size_, log_size_;
  std::vector<std::uint32_t> id_;        // per position
  std::vector<std::uint32_t> free_;      // ids that nobody has
  std::vector<std::uint32_t> position_;  // per id
};

// Draws of partitions in a few numbers: how often rows share a cluster, and one partition that
// stands for all. Labels are 0 .. K-1 in every draw; their names mean nothing across draws.
//
// Least squares (Dahl 2006), which is also the least expected loss of Binder among the draws: the
// draw d that minimises sum over pairs (1[i ~ j in d] - p_ij)^2, p the co-clustering. That is the
// mean over draws e of the number of pairs that d and e disagree about, which is found from the
// contingency table of d and e without the n x n matrix p.

/// Pairs of rows that share a cluster in one and not in the other.
[[nodiscard]] double disagreement(const Labels& one, const Labels& other);
/// The draw that the others agree with most; the first one of equals.
[[nodiscard]] std::size_t least_squares(std::span<const Labels> draws);
/// The share of draws in which two rows are in one cluster: n x n, by rows.
[[nodiscard]] std::vector<double> co_clustering(std::span<const Labels> draws);

}  // namespace medley::samplers
