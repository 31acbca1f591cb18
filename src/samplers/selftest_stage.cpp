// SPDX-License-Identifier: Apache-2.0
#include "samplers/selftest_stage.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/select_rows.hpp"
#include "data/slot_index.hpp"
#include "families/registry.hpp"
#include "medley/error.hpp"
#include "samplers/dp_model.hpp"
#include "samplers/purposes.hpp"

namespace medley::samplers {
namespace {

constexpr std::size_t kColumns = 8;  // that are followed

// Between -1 and 1: priors of numbers have such tails that they have no mean.
double squashed(double x) {
  return x / (1 + std::abs(x));
}

std::vector<std::size_t> chosen_rows(std::size_t all, std::size_t wanted, std::uint64_t seed) {
  std::vector<std::size_t> rows(all);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  if (wanted >= all) return rows;
  core::Rng rng(seed, purpose(Purpose::selftest_rows, 0, 0));
  for (std::size_t i = 0; i < wanted; ++i) std::swap(rows[i], rows[i + rng.below(all - i)]);
  rows.resize(wanted);
  std::ranges::sort(rows);
  return rows;
}

std::size_t times(const Block& block, std::size_t cell) {
  return integer_of<std::size_t>(block.weight_of(cell));
}

}  // namespace

Stage::Stage(const Dataset& data, const std::vector<std::vector<double>>& priors, std::size_t rows,
             std::uint64_t seed) {
  shape_ = data::select_rows(data, chosen_rows(data.rows, rows, seed));
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    const Block& block = data.blocks[b];
    const families::FamilyEntry& entry = *families::find(block.family);
    conjugate_.push_back(
        entry.conjugate(block, priors.empty() ? std::vector<double>() : priors[b]));
    priors_.emplace_back(conjugate_[b]->prior().begin(), conjugate_[b]->prior().end());
    neutral_.push_back(neutral_column(block));
  }
  for (std::size_t row = 0; row < shape_.rows; ++row) {
    start_.push_back(start_.back());
    for (const Block& block : shape_.blocks) {
      for (auto c = block.row_start[row]; c < block.row_start[row + 1]; ++c)
        start_.back() += times(block, c);
    }
  }
  choose_columns(data);
}

// Some of those that have cells in the table, evenly spread. What a component says of a column is
// followed through one of its cells: how likely that is.
void Stage::choose_columns(const Dataset& data) {
  struct Met {
    std::size_t block, feature, cell;
  };
  std::vector<Met> met;
  for (std::size_t b = 0; b < shape_.blocks.size(); ++b) {
    const Block& block = shape_.blocks[b];
    std::vector<bool> seen(block.features.size(), false);
    for (std::size_t c = 0; c < block.cells(); ++c) {
      const std::size_t feature = data::feature_of(block, block.slot[c]);
      if (!seen[feature]) met.push_back({b, feature, c});
      seen[feature] = true;
    }
    probes_.blocks.push_back(block.shape());
  }
  const std::size_t count = std::min(kColumns, met.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto [b, feature, cell] = met[i * met.size() / count];
    const Block& block = shape_.blocks[b];
    Column column;
    column.block = b;
    column.feature = feature;
    column.probe = probes_.rows++;
    column.two_levels = block.encoding != Encoding::real &&
                        block.first_slot[feature + 1] - block.first_slot[feature] <= 2;
    data::append_cells(block, cell, cell + 1, probes_.blocks[b]);
    for (Block& probe : probes_.blocks) probe.row_start.push_back(probe.slot.size());
    if (block.encoding == Encoding::real) {
      const Block& all = data.blocks[b];
      Mean first, second;
      for (std::size_t c = 0; c < all.cells(); ++c) {
        if (all.slot[c] != feature) continue;
        first = {first.sum + all.value[c], first.count + 1};
        second = {second.sum + all.value[c] * all.value[c], second.count + 1};
      }
      column.centre = first.value();
      const double variance = second.value() - column.centre * column.centre;
      column.scale = variance > 0 ? std::sqrt(variance) : 1.0;
    }
    columns_.push_back(column);
  }
}

Tables Stage::draw_tables(std::size_t components, core::Rng& rng) const {
  Tables out;
  for (std::size_t b = 0; b < conjugate_.size(); ++b) {
    const auto family = families::find(shape_.blocks[b].family)->make(shape_.blocks[b], components);
    auto& table = out.emplace_back(family->parameters().begin(), family->parameters().end());
    const std::vector<double> nothing(conjugate_[b]->size(), 0.0);
    for (std::size_t k = 0; k < components; ++k) {
      std::vector<double> column = neutral_[b];
      conjugate_[b]->draw(nothing.data(), rng, column);
      for (std::size_t r = 0; r < column.size(); ++r) table[r * family->padded() + k] = column[r];
    }
  }
  return out;
}

Families Stage::families(std::size_t components, const Tables& tables) const {
  Families out;
  for (std::size_t b = 0; b < tables.size(); ++b) {
    const Block& block = shape_.blocks[b];
    auto& family = out.emplace_back(families::find(block.family)->make(block, components));
    family->set_parameters(tables[b]);
    family->prepare(true);
    family->prepare_draws();
  }
  return out;
}

Dataset Stage::draw_cells(const Families& families, Components& components, core::Rng& rng) const {
  Dataset out;
  out.rows = shape_.rows;
  for (const Block& block : shape_.blocks) out.blocks.push_back(block.shape());
  std::size_t o = 0;
  std::vector<std::pair<std::uint32_t, std::uint16_t>> drawn;  // of a row's block: slot, component
  for (std::size_t row = 0; row < shape_.rows; ++row) {
    for (std::size_t b = 0; b < shape_.blocks.size(); ++b) {
      const Block& shape = shape_.blocks[b];
      Block& block = out.blocks[b];
      const bool real = shape.encoding == Encoding::real;
      drawn.clear();
      for (auto c = shape.row_start[row]; c < shape.row_start[row + 1]; ++c) {
        const std::size_t feature = data::feature_of(shape, shape.slot[c]);
        for (std::size_t copy = times(shape, c); copy > 0; --copy, ++o) {
          const families::Draw cell = families[b]->draw(feature, components[o], rng);
          if (real) {
            block.slot.push_back(shape.slot[c]);
            block.value.push_back(cell.value);
          } else {
            drawn.emplace_back(cell.slot, components[o]);
          }
        }
      }
      std::ranges::sort(drawn);
      for (std::size_t i = 0; i < drawn.size(); ++i) {
        components[o - drawn.size() + i] = drawn[i].second;
        if (!shape.weight.empty() && i > 0 && drawn[i].first == drawn[i - 1].first) {
          block.weight.back() += 1;
          continue;
        }
        block.slot.push_back(drawn[i].first);
        if (!shape.weight.empty()) block.weight.push_back(1);
      }
      block.row_start.push_back(block.slot.size());
    }
  }
  return out;
}

// A cell as a number between -1 and 1.
double Stage::score(const Column& column, const Block& block, std::size_t cell) const {
  if (block.encoding == Encoding::real)
    return squashed((block.value[cell] - column.centre) / column.scale);
  const std::uint32_t first = block.first_slot[column.feature];
  const std::uint32_t levels = block.first_slot[column.feature + 1] - first;
  return levels > 1 ? static_cast<double>(block.slot[cell] - first) / (levels - 1.0) : 0.0;
}

std::vector<Followed> Stage::followed() const {
  std::vector<Followed> out;
  const auto name = [&](const Column& column) {
    return shape_.blocks[column.block].features[column.feature].name;
  };
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    out.push_back({"mean of " + name(columns_[i]), true});
    if (!columns_[i].two_levels) out.push_back({"square of " + name(columns_[i]), true});
    if (i > 0) out.push_back({name(columns_[i - 1]) + " times " + name(columns_[i]), true});
  }
  out.push_back({"squared means of columns", true});
  for (const Column& column : columns_) {
    out.push_back({"a likelihood of " + name(column), false});
    out.push_back({"its square, " + name(column), false});
  }
  out.push_back({"log-likelihood", false});
  return out;
}

// Per column its mean and square, and the mean over rows of its product with the column before.
void Stage::add_cell_values(const Dataset& cells, std::vector<double>& out) const {
  std::vector<double> before;  // per row, NaN where missing
  Mean squared_means;
  for (const Column& column : columns_) {
    const Block& block = cells.blocks[column.block];
    std::vector<double> now(cells.rows, std::nan(""));
    Mean mean, square, product;
    for (std::size_t row = 0; row < cells.rows; ++row) {
      Mean of_row;
      for (auto c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
        if (data::feature_of(block, block.slot[c]) != column.feature) continue;
        const double value = score(column, block, c), weight = static_cast<double>(times(block, c));
        of_row = {of_row.sum + weight * value, of_row.count + weight};
        square = {square.sum + weight * value * value, square.count + weight};
      }
      mean = {mean.sum + of_row.sum, mean.count + of_row.count};
      if (of_row.count > 0) now[row] = of_row.value();
      if (!before.empty() && !std::isnan(now[row] + before[row]))
        product = {product.sum + now[row] * before[row], product.count + 1};
    }
    out.push_back(mean.value());
    if (!column.two_levels) out.push_back(square.value());
    if (!before.empty()) out.push_back(product.value());
    squared_means = {squared_means.sum + mean.value() * mean.value(), squared_means.count + 1};
    before = std::move(now);
  }
  out.push_back(squared_means.value());
}

// The mean over components of l / (1 + l), l the likelihood of the column's probe, and of its
// square: bounded, as densities are not.
void Stage::add_table_values(const Families& families, std::span<const double> weight,
                             std::vector<double>& out) const {
  for (const Column& column : columns_) {
    const families::Family& family = *families[column.block];
    std::vector<double> log_row(family.padded());
    family.log_rows(probes_.blocks[column.block], column.probe, log_row.data());
    double mean = 0, square = 0;
    for (std::size_t k = 0; k < weight.size(); ++k) {
      const double value = 1 / (1 + std::exp(-log_row[k]));
      mean += weight[k] * value;
      square += weight[k] * value * value;
    }
    out.push_back(mean);
    out.push_back(square);
  }
}

double Stage::log_likelihood(const Dataset& cells, const Families& families,
                             const Components& components) const {
  double sum = 0;
  std::size_t o = 0;
  std::vector<double> log_rows;
  for (std::size_t row = 0; row < cells.rows; ++row) {
    for (std::size_t b = 0; b < cells.blocks.size(); ++b) {
      const Block& block = cells.blocks[b];
      const std::size_t first = block.row_start[row], last = block.row_start[row + 1];
      const std::size_t width = families[b]->padded();
      log_rows.resize((last - first) * width);
      families[b]->log_rows(block, row, log_rows.data());
      for (std::size_t c = first; c < last; ++c) {
        for (std::size_t copy = times(block, c); copy > 0; --copy)
          sum += log_rows[(c - first) * width + components[o++]];
      }
    }
  }
  return sum;
}

std::vector<double> Stage::values(const Dataset& cells, const Families& families,
                                  std::span<const double> weight,
                                  const Components& components) const {
  std::vector<double> out;
  add_cell_values(cells, out);
  add_table_values(families, weight, out);
  out.push_back(log_likelihood(cells, families, components));
  return out;
}

}  // namespace medley::samplers
