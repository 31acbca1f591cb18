// SPDX-License-Identifier: Apache-2.0
#include "evaluate/match.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "math/assignment.hpp"
#include "medley/error.hpp"

namespace medley::evaluation {
namespace {

template <class Counts>
double count_entropy(const Counts& counts, double total) {
  double h = 0;
  for (const auto& [key, count] : counts) h -= count / total * std::log(count / total);
  return h;
}

}  // namespace

Agreement agreement(std::span<const std::size_t> clusters, std::span<const std::int32_t> classes) {
  std::map<std::size_t, double> in_cluster, largest;
  std::map<std::int32_t, double> in_class;
  std::map<std::pair<std::size_t, std::int32_t>, double> in_both;
  double n = 0;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    if (classes[i] < 0) continue;
    ++n;
    ++in_cluster[clusters[i]];
    ++in_class[classes[i]];
    ++in_both[{clusters[i], classes[i]}];
  }
  Agreement result;
  result.rows = integer_of<std::size_t>(n);
  if (n == 0) return result;
  for (const auto& [pair, count] : in_both) {
    largest[pair.first] = std::max(largest[pair.first], count);
    result.mutual_information +=
        count / n * std::log(count * n / (in_cluster[pair.first] * in_class[pair.second]));
  }
  for (const auto& [cluster, count] : largest) result.micro_precision += count / n;
  const double mean_entropy = 0.5 * (count_entropy(in_cluster, n) + count_entropy(in_class, n));
  result.mutual_information = std::max(0.0, result.mutual_information);
  result.nmi = mean_entropy > 0 ? result.mutual_information / mean_entropy : 1.0;
  return result;
}

}  // namespace medley::evaluation

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
