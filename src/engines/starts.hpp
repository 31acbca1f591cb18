// SPDX-License-Identifier: Apache-2.0
// Where EM begins. Every start is a matrix of row memberships (rows x padded K); the tables follow
// by one M-step, so starts work for every family. Uniform memberships are never used: equal
// components are a fixed point of EM and stay equal for ever. Rows of several processes get what
// they would get in one: random numbers belong to the number that a row has among all.
#pragma once

#include <cstdint>
#include <vector>

#include "engines/engine.hpp"
#include "medley/model.hpp"

namespace medley::engines {

/// Keys of the random streams, so that no two uses of a seed share numbers.
enum class Purpose : std::uint64_t {
  random = 1,
  sample = 2,
  kmeans = 3,
  labels = 4,
  minibatches = 5,
  sampled_rows = 6,
  deal = 7,
  noise = 8
};

struct StartSeed {
  std::uint64_t seed = 1;
  std::size_t restart = 0;
};

/// A few random rows in each component, and faint noise everywhere.
[[nodiscard]] std::vector<double> random_rows(const Share& rows, std::size_t components,
                                              StartSeed seed);

/// Every row's membership drawn from Dirichlet(1, ..., 1).
[[nodiscard]] std::vector<double> sampled_memberships(const Share& rows, std::size_t components,
                                                      StartSeed seed);

/// Gives every family of words statistics without looking at a row: about one count of every word
/// in every component, Gamma(100, rate 100), as Hoffman, Blei and Bach (2010) begin. Sets the
/// tables and returns the statistics.
[[nodiscard]] Statistics start_from_noise(StartSeed seed, EmModel& model);

/// Like k-means: rows far from each other (on the model's own scale) as seeds, then a few rounds of
/// assigning every row to its likeliest component. `em` supplies families; its tables are
/// overwritten. Where a label is learnt (and there are as many components as classes): within each
/// class, the components dealt out by its rows. Then `swaps` times: the component whose rows lose
/// least by going elsewhere is given up and begun anew with a row that is badly explained, which
/// stands if the rows are then explained better (Lattanzi and Sohler 2019).
[[nodiscard]] std::vector<double> kmeans(Engine& em, StartSeed seed, std::size_t swaps = 0);

/// One component per class, or several per class in proportion to its rows when K exceeds the
/// number of classes. Throws InputError if there is no label or fewer components than classes.
[[nodiscard]] std::vector<double> from_labels(const Share& rows, std::size_t components,
                                              StartSeed seed);

/// What share of the rows with a known label each class has; none is zero.
[[nodiscard]] std::vector<double> class_shares(const EmData& data, std::size_t classes);

// Starting from another model, across memberships: the columns, levels and words must
// be the same; alpha and class shares are turned into each other.

/// Sets tables and prior of `model` from another; `shapes` are the data's blocks. Throws InputError
/// if the number of components differs or it lacks a block.
void start_from_model(const Model& from, const std::vector<Block>& shapes, EmModel& model);

}  // namespace medley::engines
