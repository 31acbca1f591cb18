// SPDX-License-Identifier: Apache-2.0
// Choosing the family of a column by how well it predicts values it has not seen.
//
// Each family that takes every value of a column is fitted to the column alone, with one and with
// three components (latent classes), on four fifths of the cells, and scored on the last fifth;
// five times. Numbers are recorded in steps (1, or 0.1 for one decimal), and every score is the log
// of the probability of the step around a cell: a family of real numbers gets the mass of (x - step
// / 2, x + step / 2], so that counts, levels and real numbers are on one scale and a value that
// many rows share is worth no more than its share. Numbers written with exponents have no step:
// their scores are log densities, and families of levels are left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "medley/hooks.hpp"
#include "medley/read.hpp"

namespace medley {

struct RankedFamily {
  std::string family;          ///< as --column takes it: "poisson:shift=1"
  std::size_t components = 1;  ///< the better of 1 and 3
  double score = 0;            ///< held-out nats per cell
  double standard_error = 0;   ///< of the score
  double behind = 0;           ///< the best one's score minus this one's
  double behind_error = 0;     ///< standard error of that difference, cell by cell
};

struct ColumnRanking {
  std::string source, column;
  std::size_t cells = 0;               ///< that were used: a sample of long columns
  double step = 0;                     ///< in which the numbers were recorded; 0: none, densities
  std::string inferred;                ///< what the column is taken for, as --column takes it
  std::vector<RankedFamily> families;  ///< best first

  /// The family of that name (as --column takes it), or null.
  [[nodiscard]] const RankedFamily* find(const std::string& family) const;
  /// Whether the best one is better than the inferred one by more than two standard errors.
  [[nodiscard]] bool disagrees() const;
};

struct SuggestOptions {
  std::size_t folds = 5;
  std::size_t most_cells = 20'000;  ///< of a column; a longer one is sampled
  std::uint64_t seed = 1;
  std::size_t threads = 0;
};

/// Every column of the tables that holds numbers with at least three different values. Throws
/// InputError if the sources hold no table.
[[nodiscard]] std::vector<ColumnRanking> suggest_families(const std::vector<Source>& sources,
                                                          const ReadOptions& reading,
                                                          const SuggestOptions& options,
                                                          const Hooks& hooks = {});

/// The rankings for people, with the options to paste where the data disagree with what was
/// inferred.
[[nodiscard]] std::string describe(const std::vector<ColumnRanking>& rankings);

}  // namespace medley
