// SPDX-License-Identifier: Apache-2.0
#include "evaluate/residuals.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "core/task.hpp"
#include "math/descriptive.hpp"
#include "math/special.hpp"

namespace medley::evaluation {
namespace {

constexpr double kLeastExpected = 5;  // rows in a cell of its own; fewer are no chi-square
constexpr double kFalseLevelPairs = 0.05;

struct TableCell {
  double expected = 0, observed = 0;
  std::size_t a = 0, b = 0;  // levels
};

struct LevelResidual {
  std::size_t a = 0, b = 0;  // columns
  double rows = 0, residual = 0, p = 1;
  TableCell furthest;
};

double off(const TableCell& cell) {
  return (cell.observed - cell.expected) * (cell.observed - cell.expected) / cell.expected;
}

// Takes cells together until each expects a row. Sorts by what is expected.
std::vector<TableCell> pooled(std::vector<TableCell> cells) {
  std::ranges::sort(cells, [](const TableCell& x, const TableCell& y) {
    if (x.expected != y.expected) return x.expected < y.expected;
    return std::pair(x.a, x.b) < std::pair(y.a, y.b);
  });
  std::size_t small = 0;
  TableCell together;
  while (small < cells.size() && (cells[small].expected < kLeastExpected ||
                                  (small > 0 && together.expected < kLeastExpected))) {
    together.expected += cells[small].expected;
    together.observed += cells[small].observed;
    ++small;
  }
  if (small < 2) return cells;  // one small cell is alone only where there is no other
  cells.erase(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(small) - 1);
  cells.front().expected = together.expected;
  cells.front().observed = together.observed;
  return cells;
}

// One feature with its probabilities, and mixed by the second moments of the membership.
class LevelTables {
 public:
  LevelTables(const model::Parts& parts, const FeatureColumn& column,
              const memberships::PriorMoments& moments)
      : components_(parts.components()) {
    const model::ModelBlock& block = parts.blocks[column.block];
    const std::size_t first = block.shape.first_slot[column.feature];
    for (std::size_t r = 0; r < column.about->levels.size(); ++r) {
      for (std::size_t k = 0; k < components_; ++k)
        probability_.push_back(block.probability(first + r, k));
      for (std::size_t l = 0; l < components_; ++l) {
        double sum = 0;
        for (std::size_t k = 0; k < components_; ++k)
          sum += moments.product[l * components_ + k] * probability_[r * components_ + k];
        mixed_.push_back(sum);
      }
    }
  }
  // P(level r here and level s there).
  [[nodiscard]] double together(std::size_t r, const LevelTables& other, std::size_t s) const {
    double sum = 0;
    for (std::size_t k = 0; k < components_; ++k)
      sum += mixed_[r * components_ + k] * other.probability_[s * components_ + k];
    return sum;
  }
  [[nodiscard]] std::size_t levels() const { return mixed_.size() / components_; }

 private:
  std::size_t components_;
  std::vector<double> probability_, mixed_;  // levels x K
};

class PairLooker {
 public:
  PairLooker(const FeatureColumns& columns, const std::vector<LevelTables>& tables,
             std::span<const double> row_weight)
      : columns_(columns), tables_(tables), row_weight_(row_weight) {}

  // All pairs of column `a` (of those listed) with later ones.
  [[nodiscard]] std::vector<LevelResidual> pairs_of(const std::vector<std::size_t>& listed,
                                                    std::size_t at) const {
    std::vector<LevelResidual> out;
    for (std::size_t later = at + 1; later < listed.size(); ++later) {
      core::stop_if_asked();
      LevelResidual found = look(listed[at], listed[later], tables_[at], tables_[later]);
      if (found.residual >= 0) out.push_back(found);
    }
    return out;
  }

 private:
  // A residual of -1: there is nothing to compare.
  [[nodiscard]] LevelResidual look(std::size_t a, std::size_t b, const LevelTables& of_a,
                                   const LevelTables& of_b) const {
    std::vector<TableCell> cells(of_a.levels() * of_b.levels());
    const FeatureColumn &x = columns_.column[a], &y = columns_.column[b];
    LevelResidual out{a, b, 0, -1, 1, {}};
    for_common_rows(x, y, [&](std::size_t i, std::size_t j) {
      const double w = row_weight_.empty() ? 1.0 : row_weight_[x.row[i]];
      cells[x.level[i] * of_b.levels() + y.level[j]].observed += w;
      out.rows += w;
    });
    for (std::size_t c = 0; c < cells.size(); ++c) {
      cells[c].a = c / of_b.levels();
      cells[c].b = c % of_b.levels();
      cells[c].expected = out.rows * of_a.together(cells[c].a, of_b, cells[c].b);
    }
    const std::vector<TableCell> kept = pooled(cells);
    if (out.rows <= 0 || kept.size() < 2 || kept.front().expected <= 0) return out;
    double sum = 0;
    for (const TableCell& cell : kept) sum += off(cell);
    const std::size_t free = kept.size() - 1;
    const std::size_t association = (of_a.levels() - 1) * (of_b.levels() - 1);
    out.residual = sum / static_cast<double>(std::min(association, free));
    out.p = math::gamma_above(static_cast<double>(free) / 2, sum / 2);
    std::erase_if(cells, [](const TableCell& cell) { return cell.expected < kLeastExpected; });
    if (cells.empty()) cells = kept;
    out.furthest = *std::ranges::max_element(cells, {}, off);
    return out;
  }

  const FeatureColumns& columns_;
  const std::vector<LevelTables>& tables_;
  std::span<const double> row_weight_;
};

// Least likely by chance first; what is beyond the smallest double goes by the residual.
bool larger_level_residual(const LevelResidual& x, const LevelResidual& y) {
  if (x.p != y.p) return x.p < y.p;
  if (x.residual != y.residual) return x.residual > y.residual;
  return std::pair(x.a, x.b) < std::pair(y.a, y.b);
}

LevelPair to_level_pair(const LevelResidual& found, const FeatureColumns& columns, double level) {
  const Feature& a = *columns.column[found.a].about;
  const Feature& b = *columns.column[found.b].about;
  LevelPair out;
  out.a = a.name;
  out.b = b.name;
  out.rows = found.rows;
  out.residual = found.residual;
  out.beyond_chance = found.p <= level;
  out.level_a = a.levels[found.furthest.a];
  out.level_b = b.levels[found.furthest.b];
  out.observed = found.furthest.observed;
  out.expected = found.furthest.expected;
  return out;
}

}  // namespace

void level_pairs(const model::Parts& parts, const FeatureColumns& columns,
                 std::span<const double> row_weight, std::size_t top, std::size_t threads,
                 PairFit& into) {
  const memberships::PriorMoments moments = parts.membership->prior_moments();
  std::vector<std::size_t> listed;
  std::vector<LevelTables> tables;
  for (std::size_t i = 0; i < columns.column.size(); ++i) {
    if (columns.column[i].is_number()) continue;
    listed.push_back(i);
    tables.emplace_back(parts, columns.column[i], moments);
  }
  const PairLooker looker(columns, tables, row_weight);
  std::vector<std::vector<LevelResidual>> worst(listed.size());
  std::vector<std::vector<double>> p(listed.size());
  core::parallel_for(listed.size(), core::thread_count(threads), [&](std::size_t at, std::size_t) {
    worst[at] = looker.pairs_of(listed, at);
    for (const LevelResidual& found : worst[at]) p[at].push_back(found.p);
    std::ranges::sort(worst[at], larger_level_residual);
    worst[at].resize(std::min(worst[at].size(), top));
  });
  std::vector<LevelResidual> all;
  std::vector<double> all_p;
  for (std::size_t at = 0; at < listed.size(); ++at) {
    all.insert(all.end(), worst[at].begin(), worst[at].end());
    all_p.insert(all_p.end(), p[at].begin(), p[at].end());
  }
  const double level = math::false_discovery_level(all_p, kFalseLevelPairs);
  into.level_pairs = all_p.size();
  into.level_pairs_beyond =
      static_cast<std::size_t>(std::ranges::count_if(all_p, [&](double v) { return v <= level; }));
  std::ranges::sort(all, larger_level_residual);
  all.resize(std::min(all.size(), top));
  for (const LevelResidual& found : all)
    into.levels.push_back(to_level_pair(found, columns, level));
}

namespace {

constexpr std::size_t kLeastRows = 30, kLeastAnswers = 10;
constexpr double kFalseNumberPairs = 0.05;

// A number, or one answer, under the model.
struct Implied {
  std::vector<double> mean;  // K, less the mean of all
  double variance = 0;
};

Implied implied(const std::vector<families::Moments>& of, const std::vector<double>& share) {
  Implied out;
  double mean = 0;
  for (std::size_t k = 0; k < of.size(); ++k) mean += share[k] * of[k].mean;
  for (std::size_t k = 0; k < of.size(); ++k) {
    out.mean.push_back(of[k].mean - mean);
    out.variance += share[k] * (of[k].variance + out.mean[k] * out.mean[k]);
  }
  return out;
}

// One entry for a number; one per level.
std::vector<Implied> implied(const model::Parts& parts, const FeatureColumn& column,
                             const std::vector<double>& share) {
  const model::ModelBlock& block = parts.blocks[column.block];
  std::vector<Implied> out;
  std::vector<families::Moments> of(parts.components());
  if (column.is_number()) {
    for (std::size_t k = 0; k < of.size(); ++k)
      of[k] = block.family->numbers()->moments(column.feature, k);
    out.push_back(implied(of, share));
  }
  for (std::size_t r = 0; r < column.about->levels.size(); ++r) {
    for (std::size_t k = 0; k < of.size(); ++k) {
      const double p = block.probability(block.shape.first_slot[column.feature] + r, k);
      of[k] = {p, p * (1 - p)};
    }
    out.push_back(implied(of, share));
  }
  return out;
}

// What two features say in the rows that have both.
struct CommonCells {
  std::vector<double> x, y, weight;
  std::vector<std::uint32_t> level;  // instead of y
};

struct Correlation {
  double r = 0, error = 0;
  bool exists = false;
};

Correlation cell_correlation(const CommonCells& cells) {
  double total = 0, mean_x = 0, mean_y = 0;
  for (std::size_t i = 0; i < cells.x.size(); ++i) {
    total += cells.weight[i];
    mean_x += cells.weight[i] * cells.x[i];
    mean_y += cells.weight[i] * cells.y[i];
  }
  if (!(total > 0)) return {};
  mean_x /= total;
  mean_y /= total;
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < cells.x.size(); ++i) {
    const double u = cells.x[i] - mean_x, v = cells.y[i] - mean_y;
    xx += cells.weight[i] * u * u;
    yy += cells.weight[i] * v * v;
    xy += cells.weight[i] * u * v;
  }
  // a constant has some variance left by rounding
  if (!(xx > 1e-20 * total * mean_x * mean_x) || !(yy > 1e-20 * total * mean_y * mean_y)) return {};
  Correlation out{std::clamp(xy / std::sqrt(xx) / std::sqrt(yy), -1.0, 1.0), 0, true};
  for (std::size_t i = 0; i < cells.x.size(); ++i) {
    const double u = (cells.x[i] - mean_x) / std::sqrt(xx / total);
    const double v = (cells.y[i] - mean_y) / std::sqrt(yy / total);
    const double influence = cells.weight[i] * (u * v - out.r * (u * u + v * v) / 2);
    out.error += influence * influence;
  }
  out.error = std::sqrt(out.error) / total;
  return out;
}

struct NumberResidual {
  std::size_t a = 0, b = 0, level = 0;
  double rows = 0, observed = 0, expected = 0, error = 0;
  double off = 0;  // standard normal deviations
  [[nodiscard]] double p() const { return std::erfc(off / std::sqrt(2.0)); }
};

// On Fisher's scale, where a correlation is nearly normal, by Student's t for few rows.
// Correlations of 1 are brought to a finite place on that scale.
double deviations(double observed, double expected, double error, std::size_t rows) {
  constexpr double kMost = 1 - 1e-12;
  const double r = std::clamp(observed, -kMost, kMost), rho = std::clamp(expected, -kMost, kMost);
  const double error_there = std::max(error / (1 - r * r), 1e-12);
  const double free = static_cast<double>(rows) - 3;
  return math::normal_deviate(
      std::abs(std::atanh(r) - std::atanh(rho)) / error_there * std::sqrt(free / (free + 3)), free);
}

bool larger_number_residual(const NumberResidual& x, const NumberResidual& y) {
  if (x.off != y.off) return x.off > y.off;
  return std::tuple(x.a, x.b, x.level) < std::tuple(y.a, y.b, y.level);
}

class NumberLooker {
 public:
  NumberLooker(const model::Parts& parts, const FeatureColumns& columns,
               std::span<const double> row_weight)
      : columns_(columns.column), row_weight_(row_weight) {
    const memberships::PriorMoments moments = parts.membership->prior_moments();
    const std::size_t count = parts.components();
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t l = 0; l < count; ++l)
        covariance_.push_back(moments.product[k * count + l] - moments.mean[k] * moments.mean[l]);
    }
    for (const FeatureColumn& column : columns_)
      implied_.push_back(implied(parts, column, moments.mean));
  }

  // Number `a` with every answer, and with later numbers. Of each answer's levels all are returned.
  [[nodiscard]] std::vector<NumberResidual> pairs_of(std::size_t a) const {
    std::vector<NumberResidual> out;
    for (std::size_t b = 0; b < columns_.size(); ++b) {
      core::stop_if_asked();
      if (columns_[b].is_number() && b <= a) continue;
      CommonCells cells = common(columns_[a], columns_[b]);
      if (cells.x.size() < kLeastRows) continue;
      if (columns_[b].is_number()) {
        add(a, b, 0, cells, cells.x.size(), out);
        continue;
      }
      const std::size_t levels = implied_[b].size();
      for (std::size_t r = levels == 2 ? 1 : 0; r < levels; ++r) {
        const auto given = static_cast<std::size_t>(std::ranges::count(cells.level, r));
        if (given < kLeastAnswers || cells.x.size() - given < kLeastAnswers) continue;
        cells.y.clear();
        for (const std::uint32_t level : cells.level) cells.y.push_back(level == r ? 1.0 : 0.0);
        add(a, b, r, cells, 2 * std::min(given, cells.x.size() - given), out);
      }
    }
    return out;
  }

 private:
  [[nodiscard]] CommonCells common(const FeatureColumn& a, const FeatureColumn& b) const {
    CommonCells out;
    for_common_rows(a, b, [&](std::size_t i, std::size_t j) {
      out.x.push_back(a.value[i]);
      if (b.is_number()) {
        out.y.push_back(b.value[j]);
      } else {
        out.level.push_back(b.level[j]);
      }
      out.weight.push_back(row_weight_.empty() ? 1.0 : row_weight_[a.row[i]]);
    });
    return out;
  }

  // `informative`: rows that the correlation rests on; for a rare answer not many.
  void add(std::size_t a, std::size_t b, std::size_t level, const CommonCells& cells,
           std::size_t informative, std::vector<NumberResidual>& into) const {
    const Implied &x = implied_[a][0], &y = implied_[b][level];
    double covariance = 0, rows = 0;
    for (std::size_t k = 0; k < x.mean.size(); ++k) {
      for (std::size_t l = 0; l < y.mean.size(); ++l)
        covariance += covariance_[k * y.mean.size() + l] * x.mean[k] * y.mean[l];
    }
    const double expected = covariance / std::sqrt(x.variance) / std::sqrt(y.variance);
    const Correlation observed = cell_correlation(cells);
    if (!observed.exists || !std::isfinite(expected) || !std::isfinite(observed.error)) return;
    for (const double w : cells.weight) rows += w;
    into.push_back({a, b, level, rows, observed.r, expected, observed.error,
                    deviations(observed.r, expected, observed.error, informative)});
  }

  const std::vector<FeatureColumn>& columns_;
  std::span<const double> row_weight_;
  std::vector<double> covariance_;             // K x K, of theta
  std::vector<std::vector<Implied>> implied_;  // per column
};

NumberPair to_number_pair(const NumberResidual& found, const FeatureColumns& columns, bool beyond) {
  const Feature& b = *columns.column[found.b].about;
  return {columns.column[found.a].about->name,
          b.name,
          b.levels.empty() ? "" : b.levels[found.level],
          found.rows,
          found.observed,
          found.expected,
          found.error,
          beyond};
}

// Of the levels of a pair of features the worst stands for the pair.
void keep_one_per_pair(std::vector<NumberResidual>& found) {
  std::ranges::sort(found, [](const NumberResidual& x, const NumberResidual& y) {
    if (std::pair(x.a, x.b) != std::pair(y.a, y.b))
      return std::pair(x.a, x.b) < std::pair(y.a, y.b);
    return larger_number_residual(x, y);
  });
  const auto rest = std::ranges::unique(
      found,
      [](const NumberResidual& x, const NumberResidual& y) { return x.a == y.a && x.b == y.b; });
  found.erase(rest.begin(), rest.end());
}

}  // namespace

void number_pairs(const model::Parts& parts, const FeatureColumns& columns,
                  std::span<const double> row_weight, std::size_t top, std::size_t threads,
                  PairFit& into) {
  const NumberLooker looker(parts, columns, row_weight);
  std::vector<std::vector<NumberResidual>> found(columns.column.size());
  core::parallel_for(found.size(), core::thread_count(threads), [&](std::size_t a, std::size_t) {
    if (columns.column[a].is_number()) found[a] = looker.pairs_of(a);
  });
  std::vector<NumberResidual> all;
  for (const auto& of_one : found) all.insert(all.end(), of_one.begin(), of_one.end());
  std::vector<double> p;
  for (const NumberResidual& pair : all) p.push_back(pair.p());
  const double level = math::false_discovery_level(std::move(p), kFalseNumberPairs);
  const auto beyond = [&](const NumberResidual& pair) { return pair.p() <= level; };
  keep_one_per_pair(all);
  into.number_pairs = all.size();
  into.number_pairs_beyond = static_cast<std::size_t>(std::ranges::count_if(all, beyond));
  std::ranges::sort(all, larger_number_residual);
  all.resize(std::min(all.size(), top));
  for (const NumberResidual& pair : all)
    into.numbers.push_back(to_number_pair(pair, columns, beyond(pair)));
}

}  // namespace medley::evaluation
