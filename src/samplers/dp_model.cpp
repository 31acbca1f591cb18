// SPDX-License-Identifier: Apache-2.0
#include "samplers/dp_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/problems.hpp"
#include "data/distinct.hpp"
#include "data/select_rows.hpp"
#include "data/slot_index.hpp"
#include "families/registry.hpp"
#include "math/special.hpp"
#include "model/parameters.hpp"

namespace medley::samplers {
namespace {

// A row that counts w times has w labels.
void check_weights(const Dataset& data, core::Problems& problems) {
  constexpr double kMost = std::numeric_limits<std::uint32_t>::max();
  double sum = 0;
  bool whole = true;
  for (const double weight : data.row_weight) {
    whole = whole && weight >= 0 && weight == std::floor(weight);
    sum += weight;
  }
  if (!whole) {
    problems.add("weights", "rows that count a fraction cannot be sampled",
                 "give whole numbers (how often each row was seen), or leave the weights out");
  } else if (!(sum < kMost)) {
    problems.add("weights", "together they are more than 4 billion rows",
                 "divide them by a number, or leave them out");
  } else if (data.rows == 0 || (!data.row_weight.empty() && sum == 0)) {
    problems.add("data", "there are no rows");
  }
}

void check_dp(const Dataset& data, const DpOptions& options) {
  core::Problems problems;
  for (const Block& block : data.blocks) {
    if (families::find(block.family)->conjugate == nullptr)
      problems.add(block.name, block.family + " has no conjugate prior, which sampling needs",
                   "choose another family for it");
  }
  check_weights(data, problems);
  if (!data::whole_weights(data))
    problems.add("block weights", "cells that count a fraction cannot be sampled",
                 "leave the block weights out");
  if (!options.priors.empty() && options.priors.size() != data.blocks.size())
    problems.add("priors", "there are " + std::to_string(options.priors.size()) + " for " +
                               std::to_string(data.blocks.size()) + " blocks");
  const auto positive = [&](double value, const char* what) {
    if (!(value > 0 && std::isfinite(value)))
      problems.add(what, "is not above 0", "give a number above 0");
  };
  positive(options.concentration, "concentration");
  if (options.concentration_prior) {
    positive(options.concentration_prior->shape, "shape of the concentration's prior");
    positive(options.concentration_prior->rate, "rate of the concentration's prior");
  }
  problems.throw_if_any();
}

}  // namespace

DpModel::DpModel(const Dataset& data, DpOptions options)
    : data_(data), options_(std::move(options)) {
  check_dp(data_, options_);
  repeat();
  fold();
  for (std::size_t b = 0; b < data_.blocks.size(); ++b) {
    const Block& block = this->data().blocks[b];
    const std::vector<double> given =
        options_.priors.empty() ? std::vector<double>() : options_.priors[b];
    priors_.push_back(families::find(block.family)->conjugate(block, given));
    empty_statistics_.emplace_back(priors_[b]->size(), 0.0);
    empty_table_.emplace_back(priors_[b]->table_size(), 0.0);
    priors_[b]->tabulate(empty_statistics_[b].data(), empty_table_[b].data(), 1);
    neutral_.push_back(neutral_column(block));
  }
  for (std::size_t row = 0; row < rows(); ++row) {
    alone_.push_back(log_alone(this->data(), row));
    base_ += log_base(this->data(), row);
  }
}

void DpModel::repeat() {
  if (std::ranges::all_of(data_.row_weight, [](double weight) { return weight == 1; })) return;
  Dataset& out = repeated_.emplace();
  for (const Block& block : data_.blocks) out.blocks.push_back(block.shape());
  for (std::uint32_t row = 0; row < data_.rows; ++row) {
    for (double time = 0; time < data_.row_weight[row]; ++time) {
      for (std::size_t b = 0; b < data_.blocks.size(); ++b) {
        const Block& block = data_.blocks[b];
        data::append_cells(block, block.row_start[row], block.row_start[row + 1], out.blocks[b]);
        out.blocks[b].row_start.push_back(out.blocks[b].slot.size());
      }
      origin_.push_back(row);
    }
  }
  out.rows = origin_.size();
}

// Rows by pattern, ascending within one.
void DpModel::fold() {
  folded_ = data::distinct_rows(data());
  std::vector<std::uint32_t> next(patterns().rows + 1, 0);
  for (const std::uint32_t pattern : folded_.pattern) ++next[pattern + 1];
  for (std::size_t p = 1; p < next.size(); ++p) next[p] += next[p - 1];
  order_.resize(rows());
  for (std::uint32_t row = 0; row < rows(); ++row) order_[next[folded_.pattern[row]]++] = row;
}

double DpModel::log_alone(const Dataset& data, std::size_t row) const {
  double sum = 0;
  for (std::size_t b = 0; b < priors_.size(); ++b)
    priors_[b]->add_log_predictives(
        data.blocks[b], row, {empty_statistics_[b].data(), empty_table_[b].data(), 1, 1}, &sum);
  return sum;
}

double DpModel::log_base(const Dataset& data, std::size_t row) const {
  double sum = 0;
  for (std::size_t b = 0; b < priors_.size(); ++b) sum += priors_[b]->log_base(data.blocks[b], row);
  return sum;
}

double DpModel::log_joint(const Clusters& clusters, double concentration) const {
  const double n = static_cast<double>(rows());
  double sum = base_ + math::log_gamma(concentration) - math::log_gamma(concentration + n);
  for (std::size_t k = 0; k < clusters.count(); ++k)
    sum += std::log(concentration) + math::log_gamma(clusters.size(k)) + clusters.log_marginal(k);
  return sum;
}

double DpModel::log_joint(const Labels& labels, double concentration) const {
  Labels same = labels;
  const std::size_t count = canonical(same);
  Clusters clusters(data(), priors_);
  clusters.rebuild(same, count);
  return log_joint(clusters, concentration);
}

std::vector<double> neutral_column(const Block& block) {
  const auto family = families::find(block.family)->make(block, 1);
  family->observe(block, data::transpose(block), {});
  return model::unpadded(family->parameters(), 1);
}

}  // namespace medley::samplers
