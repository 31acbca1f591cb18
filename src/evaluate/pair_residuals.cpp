// SPDX-License-Identifier: Apache-2.0
#include "evaluate/pair_residuals.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "core/task.hpp"
#include "math/false_discovery.hpp"
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

}  // namespace medley::evaluation
