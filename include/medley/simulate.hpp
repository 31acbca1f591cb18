// SPDX-License-Identifier: Apache-2.0
// Data drawn from a model: rows with known memberships, for checking that a fit recovers the truth,
// planning how many rows a study needs, and benchmarks of any size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "medley/data.hpp"
#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "medley/model.hpp"

namespace medley {

/// How many rows to draw, and which cells to leave out.
struct SimulateOptions {
  std::size_t rows = 0;
  double missing = 0;   ///< share of cells of levels and real blocks left out, at random
  double tokens = 100;  ///< mean number of tokens of a row (Poisson) in each block of words
  std::uint64_t seed = 1;
  /// Number of rows to skip: row `first` + i of the data that the seed determines becomes row i, so
  /// that data of any size can be drawn in pieces.
  std::size_t first = 0;
  std::size_t threads = 0;  ///< 0: all cores that the process may use; does not change the rows
};

/// Drawn rows with their truth.
struct Simulated {
  Dataset data;            ///< with the schema of the model
  Memberships membership;  ///< the memberships that the rows were drawn from
};

/// Draws rows from a model: a membership from its prior, then every cell.
[[nodiscard]] Simulated simulate(const Model& model, const SimulateOptions& options,
                                 const Hooks& hooks = {});

/// Some columns of one family: 5 gaussian, or 12 categorical with 4 levels each, or a vocabulary.
struct PlantedColumns {
  std::string family;
  std::size_t count = 1;   ///< columns; for words, vocabularies: must be 1
  std::size_t levels = 0;  ///< levels per column or words of the vocabulary; 0: 4 or 1000
};

/// A model to plant.
struct PlantOptions {
  std::string model = "mmnb";  ///< preset: its membership and inference
  std::size_t components = 3;
  std::vector<PlantedColumns> columns;
  bool triplets = false;  ///< a rating log instead of a table: columns of one family, all alike
  double alpha = 0.3;     ///< of every component; under single membership all have equal size
  /// Correlated membership: correlation of components 1 and 2, 3 and 4, ... in the logarithm of a
  /// row's amounts, and the standard deviation of that logarithm.
  double correlation = 0.5;
  double spread = 1.5;
  /// How far apart the components are: 0 equal, 1 overlapping, 3 clear. Levels and words: their
  /// probabilities are the softmax of normals with this standard deviation. Numbers: standard
  /// normals around centres with this standard deviation; for positive numbers the exponential of
  /// half of that, for counts five times as much, rounded; the family is then fitted to them.
  double separation = 1.5;
  std::uint64_t seed = 1;
};

/// A model with parameters drawn at random, to simulate from.
[[nodiscard]] Model plant(const PlantOptions& options);

}  // namespace medley
