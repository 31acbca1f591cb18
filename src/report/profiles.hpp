// SPDX-License-Identifier: Apache-2.0
// What every readable format shows: the profiles of a model with their distinctive answers and
// words, as strings that are safe to print.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "medley/inspect.hpp"
#include "model/model.hpp"

namespace medley::report {

/// An answer as a line: "smokes = yes", 0.93 here, 0.12 in the population.
struct AnswerLine {
  std::string answer;
  double probability = 0, population = 0, lift = 0;
};

/// A ranking of words: "lift", then the words.
struct WordLine {
  std::string ranking;
  std::vector<std::string> words;
};

/// One block of a profile: answers or words, whichever its encoding has.
struct BlockView {
  std::string name;
  std::vector<AnswerLine> answers;
  std::string rest;  ///< in words: what is not listed; may be empty
  std::vector<WordLine> words;
};

struct ProfileView {
  std::string title;  ///< Profile 2 "Frail"
  std::string size;   ///< "31 % of memberships"
  std::vector<BlockView> blocks;
};

[[nodiscard]] std::vector<ProfileView> profile_views(const Model& model, std::size_t top);
/// One line on the model: preset, number of profiles, rows, whether the fit converged.
[[nodiscard]] std::string headline(const Model& model);
/// One line per kind of list shown, explaining its columns.
[[nodiscard]] std::vector<std::string> legend(const Model& model);

}  // namespace medley::report
