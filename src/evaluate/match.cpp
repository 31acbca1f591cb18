// SPDX-License-Identifier: Apache-2.0
#include "evaluate/match.hpp"

#include <algorithm>

#include "evaluate/clustering.hpp"
#include "math/assignment.hpp"
#include "medley/error.hpp"

namespace medley {

std::string to_string(Match match) {
  switch (match) {
    case Match::identity:
      return "identity";
    case Match::hungarian:
      return "hungarian";
    case Match::majority:
      break;
  }
  return "majority";
}

std::string to_string(MatchOn rows) {
  switch (rows) {
    case MatchOn::train:
      return "train";
    case MatchOn::test:
      return "test";
    case MatchOn::scored:
      break;
  }
  return "scored rows";
}

namespace evaluation {
namespace {

constexpr std::int32_t kNoClass = -1;

// Rows of each cluster and class: components x classes.
std::vector<double> table_of(const Grouping& rows) {
  std::vector<double> table(rows.components * rows.class_count, 0.0);
  for (std::size_t i = 0; i < rows.clusters.size(); ++i) {
    if (rows.classes[i] < 0) continue;
    ++table[rows.clusters[i] * rows.class_count + static_cast<std::size_t>(rows.classes[i])];
  }
  return table;
}

std::vector<std::int32_t> by_majority(const Grouping& rows) {
  const std::vector<double> table = table_of(rows);
  std::vector<std::int32_t> class_of(rows.components, kNoClass);
  for (std::size_t k = 0; k < rows.components; ++k) {
    const std::span<const double> counts(table.data() + k * rows.class_count, rows.class_count);
    const auto most = std::ranges::max_element(counts);
    if (most != counts.end() && *most > 0)
      class_of[k] = static_cast<std::int32_t>(most - counts.begin());
  }
  return class_of;
}

std::vector<std::int32_t> one_to_one(const Grouping& rows) {
  std::vector<double> cost = table_of(rows);
  for (double& count : cost) count = -count;
  std::vector<std::int32_t> class_of;
  for (const std::size_t matched : math::assign(cost, rows.components, rows.class_count)) {
    const bool none = matched == math::kUnassigned;
    class_of.push_back(none ? kNoClass : static_cast<std::int32_t>(matched));
  }
  return class_of;
}

std::vector<std::int32_t> by_number(const Grouping& rows) {
  if (rows.components < rows.class_count) {
    throw InputError({"`match=\"identity\"`",
                      "there are " + std::to_string(rows.components) + " components and " +
                          std::to_string(rows.class_count) + " classes",
                      "use `match=\"majority\"` or hungarian, or a larger K"});
  }
  std::vector<std::int32_t> class_of(rows.components, kNoClass);
  for (std::size_t k = 0; k < rows.class_count; ++k) class_of[k] = static_cast<std::int32_t>(k);
  return class_of;
}

}  // namespace

Grouping grouping(const Evaluation& scores, std::size_t components, const KeptColumn& column,
                  std::span<const std::size_t> rows) {
  Grouping out;
  out.components = components;
  out.class_count = column.levels.size();
  for (const RowScore& row : scores.row) out.clusters.push_back(row.top);
  for (const std::size_t row : rows) out.classes.push_back(column.code[row]);
  return out;
}

std::vector<std::int32_t> match_classes(const Grouping& rows, Match match) {
  switch (match) {
    case Match::identity:
      return by_number(rows);
    case Match::hungarian:
      return one_to_one(rows);
    case Match::majority:
      break;
  }
  return by_majority(rows);
}

TruthScores truth_scores(const std::string& column, const Grouping& rows,
                         std::span<const std::int32_t> class_of) {
  const Agreement a = agreement(rows.clusters, rows.classes);
  TruthScores out{column, a.rows, a.micro_precision, a.mutual_information, a.nmi};
  std::size_t right = 0;
  for (std::size_t i = 0; i < rows.clusters.size(); ++i) {
    if (rows.classes[i] >= 0 && class_of[rows.clusters[i]] == rows.classes[i]) ++right;
  }
  out.accuracy = a.rows > 0 ? static_cast<double>(right) / static_cast<double>(a.rows) : 0.0;
  return out;
}

const KeptColumn& truth_column(const Dataset& data, const std::string& name) {
  const KeptColumn* kept = data.kept_column(name);
  if (kept == nullptr)
    throw InputError(
        {"`truth`", "the data has no column \"" + name + "\"", "name a column of the file"});
  return *kept;
}

}  // namespace evaluation
}  // namespace medley
