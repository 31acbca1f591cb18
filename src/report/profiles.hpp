// SPDX-License-Identifier: Apache-2.0
// What every format for people shows: the profiles of a model with their distinctive answers and
// words, as strings that are safe to print.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "medley/report.hpp"
#include "model/model.hpp"

namespace medley::report {

/// A trait as a line: "smokes = yes", 93 % here, 12 % in the population, 7.8 times as often; or
/// "age", 71.2 ± 6.0 here, 54.3 ± 9.0 in the population, +1.9 sd.
struct TraitLine {
  std::string trait, here, population, difference;
  double share = 0;  ///< for a bar: the probability, or the share of the population below the mean
  std::string column = {}, title = {};  ///< the name of its column, and its title; may be empty
};

/// A ranking of words: "lift", then the words.
struct WordLine {
  std::string ranking;
  std::vector<std::string> words;
};

/// One part of a profile: the traits of a source's columns, or the words of a block.
struct BlockView {
  std::string name;
  std::string heading = "answer";   ///< heading of the first column of the traits
  std::string difference = "lift";  ///< heading of the last column
  std::vector<TraitLine> traits;
  std::string rest;  ///< a sentence about what is not listed; may be empty
  std::vector<WordLine> words;
  /// With several blocks of words: nats by which the block distinguishes the profile from the
  /// population.
  double evidence = 0;
};

struct ProfileView {
  std::string title;  ///< Profile 2 "Frail"
  std::string size;   ///< "31 % of memberships", with a label also the likeliest classes
  std::vector<BlockView> blocks;
};

/// The titles of the columns shown, as "q1: How much do you agree ...", in the order of appearance;
/// columns without a title are left out.
[[nodiscard]] std::vector<std::string> column_titles(const std::vector<ProfileView>& profiles);

[[nodiscard]] std::vector<ProfileView> profile_views(const Model& model, std::size_t top);
/// One line about the model: preset, number of profiles, rows, whether the fit converged.
[[nodiscard]] std::string headline(const Model& model);
/// One line per kind of list shown, explaining its columns.
[[nodiscard]] std::vector<std::string> legend(const Model& model);

}  // namespace medley::report
