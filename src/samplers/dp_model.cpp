// SPDX-License-Identifier: Apache-2.0
#include "samplers/dp_model.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/problems.hpp"
#include "data/distinct_cells.hpp"
#include "families/registry.hpp"
#include "math/special.hpp"

namespace medley::samplers {
namespace {

void check(const Dataset& data, const DpOptions& options) {
  core::Problems problems;
  for (const Block& block : data.blocks) {
    if (families::find(block.family)->conjugate == nullptr)
      problems.add(block.name, block.family + " has no conjugate prior, which sampling needs",
                   "choose another family for it");
  }
  if (std::ranges::any_of(data.row_weight, [](double weight) { return weight != 1; }))
    problems.add("weights", "rows that count more or less than once cannot be sampled",
                 "leave the weights out");
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
  if (data.rows == 0) problems.add("data", "there are no rows");
  problems.throw_if_any();
}

}  // namespace

DpModel::DpModel(const Dataset& data, DpOptions options)
    : data_(data), options_(std::move(options)) {
  check(data_, options_);
  for (std::size_t b = 0; b < data_.blocks.size(); ++b) {
    const Block& block = data_.blocks[b];
    const std::vector<double> given =
        options_.priors.empty() ? std::vector<double>() : options_.priors[b];
    priors_.push_back(families::find(block.family)->conjugate(block, given));
    empty_statistics_.emplace_back(priors_[b]->size(), 0.0);
    empty_table_.emplace_back(priors_[b]->table_size(), 0.0);
    priors_[b]->tabulate(empty_statistics_[b].data(), empty_table_[b].data(), 1);
  }
  for (std::size_t row = 0; row < rows(); ++row) {
    alone_.push_back(log_alone(data_, row));
    base_ += log_base(data_, row);
  }
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
  Clusters clusters(data_, priors_);
  clusters.rebuild(same, count);
  return log_joint(clusters, concentration);
}

}  // namespace medley::samplers
