// SPDX-License-Identifier: Apache-2.0
#include "samplers/gom_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/problems.hpp"
#include "data/slot_index.hpp"
#include "families/registry.hpp"
#include "medley/error.hpp"

namespace medley::samplers {
namespace {

constexpr double kMostObservations = 4e9;
constexpr std::size_t kMostComponents = std::numeric_limits<std::uint16_t>::max();

void check_data(const Dataset& data, core::Problems& problems) {
  for (const Block& block : data.blocks) {
    if (families::find(block.family)->conjugate == nullptr)
      problems.add(block.name, block.family + " has no conjugate prior, which sampling needs",
                   "choose another family for it");
  }
  const bool rows = data.row_weight.empty()
                        ? data.rows > 0
                        : std::ranges::any_of(data.row_weight, [](double w) { return w > 0; });
  if (!rows || data.blocks.empty()) problems.add("data", "there are no rows");
  if (!data::whole_weights(data))
    problems.add("block weights", "cells that count a fraction cannot be sampled",
                 "leave the block weights out");
  if (std::ranges::any_of(data.row_weight,
                          [](double w) { return !(w >= 0 && w == std::floor(w)); })) {
    problems.add("weights", "rows that count a fraction cannot be sampled",
                 "give whole numbers, or leave the weights out");
    return;
  }
  double observations = 0;
  for (std::size_t row = 0; row < data.rows; ++row)
    observations += data.weight_of(row) * (1 + data.observed(row));
  if (observations > kMostObservations)
    problems.add("weights", "rows and their weights make too many observations to be sampled",
                 "leave the weights out");
}

void check_options(const Dataset& data, const GomOptions& options, core::Problems& problems) {
  if (options.components == 0 || options.components > kMostComponents)
    problems.add("k", "is " + std::to_string(options.components), "give 1 to 65535");
  if (!options.priors.empty() && options.priors.size() != data.blocks.size())
    problems.add("priors", "there are " + std::to_string(options.priors.size()) + " for " +
                               std::to_string(data.blocks.size()) + " blocks");
  const auto positive = [&](double value, const char* what) {
    if (!(value > 0 && std::isfinite(value)))
      problems.add(what, "is not above 0", "give a number above 0");
  };
  positive(options.alpha_prior.shape, "shape of alpha's prior");
  positive(options.alpha_prior.rate, "rate of alpha's prior");
  if (!options.alpha.empty() && options.alpha.size() != options.components)
    problems.add("alpha", "has " + std::to_string(options.alpha.size()) + " numbers for " +
                              std::to_string(options.components) + " components");
  for (const double a : options.alpha) positive(a, "alpha");
}

}  // namespace

GomModel::GomModel(const Dataset& data, GomOptions options)
    : data_(data), options_(std::move(options)) {
  core::Problems problems;
  check_data(data_, problems);
  check_options(data_, options_, problems);
  problems.throw_if_any();
  for (std::size_t b = 0; b < data_.blocks.size(); ++b) {
    const Block& block = data_.blocks[b];
    const families::FamilyEntry& entry = *families::find(block.family);
    priors_.push_back(entry.conjugate(
        block, options_.priors.empty() ? std::vector<double>() : options_.priors[b]));
    const auto family = entry.make(block, components());
    family->observe(block, data::transpose(block), data_.row_weight);
    neutral_.emplace_back(family->parameters().begin(), family->parameters().end());
  }
  lay_out();
}

void GomModel::lay_out() {
  distinct_ = data::distinct_cells(data_);
  for (std::size_t row = 0; row < data_.rows; ++row) {
    for (double copy = 0; copy < data_.weight_of(row); ++copy) {
      for (std::size_t b = 0; b < data_.blocks.size(); ++b) {
        const Block& block = data_.blocks[b];
        for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
          const float weight = block.weight_of(c);
          if (weight == 0) continue;
          code_.insert(code_.end(), integer_of<std::size_t>(weight), distinct_.code[b][c]);
          cell_code_.push_back(distinct_.code[b][c]);
          cell_weight_.push_back(weight);
        }
      }
      row_.push_back(row);
      depth_ = std::max<std::size_t>(depth_, code_.size() - start_.back());
      start_.push_back(code_.size());
      cell_start_.push_back(cell_code_.size());
    }
  }
  distinct_count_.assign(distinct_.data.rows, 0.0);
  for (const std::uint32_t code : code_) ++distinct_count_[code];
}

Families GomModel::make_families() const {
  Families families;
  for (std::size_t b = 0; b < data_.blocks.size(); ++b) {
    const Block& block = data_.blocks[b];
    families.push_back(families::find(block.family)->make(block, components()));
    families.back()->set_parameters(neutral_[b]);
  }
  return families;
}

std::string GomModel::cell_name(std::size_t cell) const {
  const auto person = static_cast<std::size_t>(
      std::upper_bound(cell_start_.begin(), cell_start_.end(), cell) - cell_start_.begin() - 1);
  const std::uint32_t code = cell_code_[cell];
  std::string what;
  for (const Block& block : distinct_.data.blocks) {
    if (block.row_start[code] == block.row_start[code + 1]) continue;
    const std::uint32_t slot = block.slot[block.row_start[code]];
    const std::size_t feature = data::feature_of(block, slot);
    const bool word = block.encoding == Encoding::tokens;
    what = word ? block.features[feature].levels[slot - block.first_slot[feature]]
                : block.features[feature].name;
  }
  return "cell " + what + " of row " + std::to_string(row_[person] + 1);
}

}  // namespace medley::samplers
