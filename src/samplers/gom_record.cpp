// SPDX-License-Identifier: Apache-2.0
#include "samplers/gom_record.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/problems.hpp"
#include "families/family.hpp"
#include "kernels/lanes.hpp"
#include "math/assignment.hpp"

namespace medley::samplers {
namespace {

constexpr double kMostExponent = 600;

// Adds the columns of a rows x K matrix in another order.
void add_columns(std::span<const double> from, std::span<const std::size_t> order,
                 std::span<double> to) {
  const std::size_t components = order.size();
  for (std::size_t at = 0; at < from.size(); at += components) {
    for (std::size_t k = 0; k < components; ++k) to[at + k] += from[at + order[k]];
  }
}

std::vector<double> flat_parts(const std::vector<std::vector<double>>& parts) {
  std::vector<double> all;
  for (const std::vector<double>& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

GomRecord::GomRecord(const GomModel& model, std::vector<std::size_t> traced)
    : model_(model),
      traced_(std::move(traced)),
      cells_(traced_.size()),
      probability_sum_(model.cell_code().size(), 0.0),
      likelihood_sum_(model.distinct().data.rows * model.components(), 0.0),
      share_sum_(model.data().rows * model.components(), 0.0) {}

void GomRecord::add(const GomChain& chain, double log_likelihood,
                    std::span<const double> probability) {
  const std::vector<double>& log_scale = chain.likelihoods().log_scale;
  if (log_likelihood_.empty()) unit_ = log_scale;
  log_likelihood_.push_back(log_likelihood);
  alpha0_.push_back(chain.alpha0());
  for (std::size_t i = 0; i < traced_.size(); ++i)
    cells_[i].push_back(probability[traced_[i]] *
                        std::exp(log_scale[model_.cell_code()[traced_[i]]]));
  std::vector<double> scale;
  for (std::size_t d = 0; d < unit_.size(); ++d)
    scale.push_back(std::exp(std::clamp(log_scale[d] - unit_[d], -kMostExponent, kMostExponent)));
  const auto code = model_.cell_code();
  for (std::size_t c = 0; c < probability_sum_.size(); ++c)
    probability_sum_[c] += probability[c] * scale[code[c]];
}

double GomRecord::log_probability_sum(std::size_t cell) const {
  return std::log(probability_sum_[cell]) + (unit_.empty() ? 0.0 : unit_[model_.cell_code()[cell]]);
}

void GomRecord::keep(const GomChain& chain) {
  const std::vector<double>& now = chain.likelihoods().likelihood;
  if (draws_.empty()) reference_ = now;
  const std::vector<std::size_t> order =
      align_draw(now, reference_, model_.distinct_count(), model_.components());
  GomDraw draw{0, {}, chain.tables()};
  for (const std::size_t k : order) draw.alpha.push_back(chain.alpha()[k]);
  for (std::vector<double>& table : draw.tables)
    families::permute_columns(table, kernels::padded(order.size()), order);
  draws_.push_back(std::move(draw));
  add_columns(now, order, likelihood_sum_);
  add_shares(chain, order);
}

// People of one row share its place; a row that counts 0 times has the average of the prior.
void GomRecord::add_shares(const GomChain& chain, std::span<const std::size_t> order) {
  const std::size_t components = order.size();
  std::vector<double> share(components);
  const auto add = [&](std::size_t row, double weight) {
    for (std::size_t k = 0; k < components; ++k)
      share_sum_[row * components + k] += weight * share[order[k]];
  };
  for (std::size_t person = 0; person < model_.people(); ++person) {
    const std::size_t row = model_.row_of(person);
    chain.expect_membership(person, share);
    add(row, 1 / model_.data().weight_of(row));
  }
  for (std::size_t row = 0; row < model_.data().rows; ++row) {
    if (model_.data().weight_of(row) > 0) continue;
    for (std::size_t k = 0; k < components; ++k) share[k] = chain.alpha()[k] / chain.alpha0();
    add(row, 1);
  }
}

void GomRecord::save(core::TensorFile& file, const std::string& prefix) const {
  file.put(prefix + "log_likelihood", log_likelihood_);
  file.put(prefix + "alpha0s", alpha0_);
  file.put(prefix + "cells", flat_parts(cells_));
  file.put(prefix + "unit", unit_);
  file.put(prefix + "probability", probability_sum_);
  file.put(prefix + "reference", reference_);
  file.put(prefix + "likelihood", likelihood_sum_);
  file.put(prefix + "share", share_sum_);
  std::vector<std::vector<double>> alpha;
  std::vector<std::vector<double>> tables;
  for (const GomDraw& draw : draws_) {
    alpha.push_back(draw.alpha);
    tables.push_back(flat_parts(draw.tables));
  }
  file.put(prefix + "draws.alpha", flat_parts(alpha));
  file.put(prefix + "draws.tables", flat_parts(tables));
}

void GomRecord::restore(const core::TensorFile& file, const std::string& prefix) {
  GomRecord read(model_, traced_);
  read.log_likelihood_ = file.doubles(prefix + "log_likelihood");
  const std::size_t sweeps = read.log_likelihood_.size();
  read.alpha0_ = file.doubles(prefix + "alpha0s", sweeps);
  const std::vector<double>& cells = file.doubles(prefix + "cells", sweeps * traced_.size());
  for (std::size_t i = 0; i < traced_.size(); ++i)
    read.cells_[i].assign(cells.begin() + static_cast<std::ptrdiff_t>(i * sweeps),
                          cells.begin() + static_cast<std::ptrdiff_t>((i + 1) * sweeps));
  read.unit_ = file.doubles(prefix + "unit", sweeps == 0 ? 0 : model_.distinct().data.rows);
  read.probability_sum_ = file.doubles(prefix + "probability", probability_sum_.size());
  const std::vector<double>& alpha = file.doubles(prefix + "draws.alpha");
  const std::size_t kept = alpha.size() / model_.components();
  read.reference_ = file.doubles(prefix + "reference", kept == 0 ? 0 : likelihood_sum_.size());
  read.likelihood_sum_ = file.doubles(prefix + "likelihood", likelihood_sum_.size());
  read.share_sum_ = file.doubles(prefix + "share", share_sum_.size());
  std::vector<std::size_t> sizes;
  std::size_t each = 0;
  for (const auto& family : model_.make_families())
    each += sizes.emplace_back(family->parameters().size());
  auto table = file.doubles(prefix + "draws.tables", kept * each).begin();
  for (std::size_t d = 0; d < kept; ++d) {
    GomDraw& draw = read.draws_.emplace_back();
    const auto first = alpha.begin() + static_cast<std::ptrdiff_t>(d * model_.components());
    draw.alpha.assign(first, first + static_cast<std::ptrdiff_t>(model_.components()));
    for (const std::size_t size : sizes) {
      const auto end = table + static_cast<std::ptrdiff_t>(size);
      draw.tables.emplace_back(table, end);
      table = end;
    }
  }
  log_likelihood_ = std::move(read.log_likelihood_);
  alpha0_ = std::move(read.alpha0_);
  cells_ = std::move(read.cells_);
  unit_ = std::move(read.unit_);
  probability_sum_ = std::move(read.probability_sum_);
  draws_ = std::move(read.draws_);
  reference_ = std::move(read.reference_);
  likelihood_sum_ = std::move(read.likelihood_sum_);
  share_sum_ = std::move(read.share_sum_);
}

std::vector<std::size_t> align_draw(std::span<const double> draw, std::span<const double> reference,
                                    std::span<const double> weight, std::size_t components) {
  std::vector<double> cost(components * components, 0.0);  // reference x draw
  for (std::size_t r = 0; r < weight.size(); ++r) {
    const double* mine = &draw[r * components];
    for (std::size_t k = 0; k < components; ++k) {
      const double wanted = reference[r * components + k];
      double* of = &cost[k * components];
      for (std::size_t j = 0; j < components; ++j)
        of[j] += weight[r] * (mine[j] - wanted) * (mine[j] - wanted);
    }
  }
  return math::assign(cost, components, components);
}

Dic conditional_dic(std::span<const double> log_likelihood, double plug_in) {
  const double sum = std::accumulate(log_likelihood.begin(), log_likelihood.end(), 0.0);
  return {-2 * sum / static_cast<double>(log_likelihood.size()), -2 * plug_in};
}

}  // namespace medley::samplers
