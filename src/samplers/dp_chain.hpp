// SPDX-License-Identifier: Apache-2.0
// One Markov chain over the partitions of a Dirichlet-process mixture (Neal 2000, "Markov chain
// sampling methods for Dirichlet process mixture models", algorithm 3). A sweep takes every row out
// of its cluster and draws where it belongs given all others,
//
//   p(cluster k) ~ n_k p(row | rows of k),    p(a new one) ~ a p(row)
//
// then makes a few split-merge moves, then draws the concentration if it has a prior. A cluster
// that loses its last row is gone: K is the number of distinct labels. Rows of one pattern and
// cluster have the same weights for as long as no row has moved.
//
// Single rows never leave a partition that is merely the best one near the start. So the first
// sweeps search for a better one (samplers/dp_search.hpp); they are no draws.
//
// A sweep's random numbers depend on (seed, chain, sweep, row) alone and its clusters are built
// from the labels, so that labels, concentration and number of the sweep are all there is to save.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/safetensors.hpp"
#include "samplers/clusters.hpp"
#include "samplers/dp_model.hpp"
#include "samplers/dp_search.hpp"
#include "samplers/split_merge.hpp"

namespace medley::samplers {

class DpChain {
 public:
  /// Begins with every row in one cluster. `number` tells chains of one seed apart. The model must
  /// outlive the chain.
  DpChain(const DpModel& model, std::size_t number);

  /// Begins with that many clusters: 1, as many as there are rows (each alone), or in between (rows
  /// dealt at random).
  void start(std::size_t clusters);
  /// Begins with given labels, any numbers.
  void start(Labels labels, double concentration);
  /// Interrupted, the chain stays where it was.
  void sweep();

  /// In order of first appearance: two rows share a cluster if and only if they share a label.
  [[nodiscard]] const Labels& labels() const { return labels_; }
  [[nodiscard]] std::size_t clusters() const { return count_; }
  [[nodiscard]] double concentration() const { return concentration_; }
  /// log p(labels, data) as they are.
  [[nodiscard]] double log_joint() const { return log_joint_; }
  [[nodiscard]] std::size_t sweeps() const { return sweep_; }
  /// Whether the last sweep was part of the search, and what it left is no draw.
  [[nodiscard]] bool searching() const { return sweep_ <= model_.options().search_rounds; }
  /// Share of the split-merge moves since the beginning (or since restore) that were accepted.
  [[nodiscard]] double accepted() const;

  void save(core::TensorFile& file, const std::string& prefix) const;
  /// InputError if it is not a state of this model.
  void restore(const core::TensorFile& file, const std::string& prefix);

 private:
  // The weights of rows of one pattern in one cluster, where a row may go.
  struct Weights {
    std::size_t moment = 0, from = 0;  // when they held, and for which position
    std::vector<double> weight;        // clusters + 1
    double total = 0;
  };

  void rows();
  void step(std::size_t row);
  void weigh(std::size_t row, Weights& out) const;
  [[nodiscard]] std::size_t draw(std::size_t row, const Weights& weights) const;
  void put(std::size_t row, std::size_t k);
  void search();
  void try_sweep();
  void settle();

  const DpModel& model_;
  std::size_t number_;
  Labels labels_;
  std::size_t count_ = 1;
  double concentration_, log_joint_ = 0;
  std::size_t sweep_ = 0;  // done
  std::size_t tried_ = 0, taken_ = 0;
  Clusters clusters_;
  SplitMerge split_merge_;
  DpSearch search_;
  std::vector<Weights> known_;  // one per position, modulo their number
  std::size_t moment_ = 0;      // counts what makes weights obsolete
};

}  // namespace medley::samplers
