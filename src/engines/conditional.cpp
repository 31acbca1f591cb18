// SPDX-License-Identifier: Apache-2.0
#include "engines/conditional.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/parallel.hpp"
#include "core/task.hpp"
#include "data/select_rows.hpp"
#include "kernels/lanes.hpp"
#include "math/logs.hpp"
#include "math/optimise.hpp"
#include "medley/error.hpp"

namespace medley::engines {
namespace {

// Rows are dealt out in at most this many chunks, each with sums of its own, of at least so many.
constexpr std::size_t kRowChunks = 256;
constexpr std::size_t kLeastChunk = 64;

void refuse_families_without_gradient(const EmData& data, const EmModel& model) {
  std::vector<Problem> problems;
  for (std::size_t b = 0; b < model.families.size(); ++b) {
    const families::Family& family = *model.families[b];
    if (family.free() != nullptr || data.data->blocks[b].slots() == 0) continue;
    problems.push_back({"block \"" + data.data->blocks[b].name + "\"",
                        std::string("family ") + family.entry().name +
                            " cannot be fine-tuned to a label: it offers no free parameters",
                        "fit without the conditional objective, or take another family"});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

std::vector<std::size_t> rows_to_learn_from(const Dataset& data,
                                            std::span<const std::int32_t> label) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::stop_if_asked();
    if (label[row] >= 0 && data.weight_of(row) > 0 && data.observed(row) > 0) rows.push_back(row);
  }
  return rows;
}

// The parameters to go back to, to the bit.
struct Snapshot {
  Snapshot(const EmModel& model, const heads::Softmax& head)
      : eta(head.eta().begin(), head.eta().end()) {
    for (const auto& family : model.families)
      tables.emplace_back(family->parameters().begin(), family->parameters().end());
  }
  void restore(EmModel& model, heads::Softmax& head) const {
    for (std::size_t b = 0; b < tables.size(); ++b) model.families[b]->set_parameters(tables[b]);
    head.set_eta(eta);
  }
  std::vector<std::vector<double>> tables;
  std::vector<double> eta;
};

ConditionalResult climb(const EmData& data, std::span<const std::int32_t> label, EmModel& model,
                        heads::Softmax& head, const ConditionalOptions& options) {
  const Snapshot of_em(model, head);
  ConditionalObjective objective(data, label, model, head, options.pull);
  std::vector<double> x = objective.start(), gradient(x.size());
  ConditionalResult result;
  objective(x, gradient);
  result.before = result.after = objective.log_probability() / objective.weight();
  const math::LbfgsResult ended = math::minimise(
      [&](std::span<const double> at, std::span<double> out) { return objective(at, out); }, x,
      {options.max_iterations, options.tolerance});
  result.iterations = ended.iterations;
  result.converged = ended.converged;
  if (ended.iterations == 0) {
    of_em.restore(model, head);  // free parameters and back would round
    return result;
  }
  objective(x, gradient);  // the last trial need not have been the best
  result.after = objective.log_probability() / objective.weight();
  return result;
}

}  // namespace

ConditionalObjective::ConditionalObjective(const EmData& data, std::span<const std::int32_t> label,
                                           EmModel& model, heads::Softmax& head, double pull)
    : data_(data),
      label_(label),
      model_(model),
      head_(head),
      pull_(pull),
      components_(model.membership->components()),
      padded_(kernels::padded(components_)),
      prior_(data.data->rows * components_),
      vectors_(data.data->rows * padded_, 0.0),
      statistics_(data.data->blocks.size()) {
  const Dataset& rows = *data_.data;
  for (std::size_t row = 0; row < rows.rows; ++row) {
    core::stop_if_asked();
    weight_ += rows.weight_of(row);
    model_.membership->one_component_log_prior(rows.observed(row),
                                               {&prior_[row * components_], components_});
  }
  for (std::size_t b = 0; b < rows.blocks.size(); ++b) {
    const Block& block = rows.blocks[b];
    auto& weight = coefficient_.emplace_back(block.cells());
    for (std::size_t row = 0; row < rows.rows; ++row) {
      core::stop_if_asked();
      for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c)
        weight[c] = rows.weight_of(row) * static_cast<double>(block.weight_of(c));
    }
    std::vector<double> free(components_ * free_size(*model_.families[b]));
    if (!free.empty()) model_.families[b]->free()->free_parameters(free);
    start_.insert(start_.end(), free.begin(), free.end());
  }
  start_.insert(start_.end(), head_.eta().begin(), head_.eta().end());
  weight_ = core::sum_of(*data_.across, weight_);
}

void ConditionalObjective::set(std::span<const double> at) {
  for (const auto& family : model_.families) {
    const std::size_t size = components_ * free_size(*family);
    if (size > 0) family->free()->set_free_parameters(at.first(size));
    family->prepare(true);
    at = at.subspan(size);
  }
  head_.set_eta(at);
}

// Responsibilities of rows [begin, end). What all components have in common is taken off first: of
// a cell far from every component nothing else would be left.
ConditionalObjective::Part ConditionalObjective::rows(std::size_t begin, std::size_t end) {
  const Dataset& data = *data_.data;
  Part part = {0, std::vector<double>(head_.classes() * components_, 0.0)};
  std::vector<double> total(padded_), of_x(components_), of_both(components_);
  for (std::size_t row = begin; row < end; ++row) {
    core::stop_if_asked();
    std::ranges::fill(total, 0.0);
    for (std::size_t b = 0; b < data.blocks.size(); ++b)
      model_.families[b]->add_log_rows(data.blocks[b], row, total.data());
    for (std::size_t k = 0; k < components_; ++k)
      of_x[k] = total[k] + prior_[row * components_ + k];
    const double top = *std::ranges::max_element(of_x);
    const std::size_t first = static_cast<std::size_t>(label_[row]) * components_;
    for (std::size_t k = 0; k < components_; ++k) {
      of_x[k] -= top;
      of_both[k] = of_x[k] + head_.log_probability()[first + k];
    }
    const double weight = data.weight_of(row);
    part.log_probability += weight * (math::softmax(of_both) - math::softmax(of_x));
    for (std::size_t k = 0; k < components_; ++k) {
      vectors_[row * padded_ + k] = of_both[k] - of_x[k];
      part.joint[first + k] += weight * of_both[k];
    }
  }
  return part;
}

void ConditionalObjective::gradient_of_families(std::span<double> out) {
  for (std::size_t b = 0; b < model_.families.size(); ++b) {
    families::Family& family = *model_.families[b];
    const std::size_t size = components_ * free_size(family);
    if (size == 0) continue;
    std::vector<double>& sums = statistics_[b];
    sums.resize(family.statistics_size());
    collect_statistics(data_.data->blocks[b], data_.columns[b],
                       {vectors_.data(), coefficient_[b].data(), false}, data_.threads, family,
                       sums);
    data_.across->sum(sums);
    family.free()->free_gradient(sums, out.first(size));
    out = out.subspan(size);
  }
}

void ConditionalObjective::gradient_of_head(std::span<const double> joint,
                                            std::span<double> out) const {
  for (std::size_t k = 0; k < components_; ++k) {
    double sum = 0;
    for (std::size_t h = 0; h < head_.classes(); ++h) sum += joint[h * components_ + k];
    for (std::size_t h = 0; h < head_.classes(); ++h) {
      const std::size_t at = h * components_ + k;
      out[at] = joint[at] - sum * std::exp(head_.log_probability()[at]);
    }
  }
}

double ConditionalObjective::operator()(std::span<const double> at, std::span<double> gradient) {
  set(at);
  const std::size_t count = data_.data->rows;
  const std::size_t chunk = std::max(kLeastChunk, (data_.all_rows + kRowChunks - 1) / kRowChunks);
  std::vector<Part> parts((count + chunk - 1) / chunk);
  core::parallel_for(parts.size(), data_.threads, [&](std::size_t i, std::size_t) {
    parts[i] = rows(i * chunk, std::min(count, (i + 1) * chunk));
  });
  log_probability_ = 0;
  std::vector<double> joint(head_.classes() * components_, 0.0);
  for (const Part& part : parts) {
    log_probability_ += part.log_probability;
    for (std::size_t j = 0; j < joint.size(); ++j) joint[j] += part.joint[j];
  }
  log_probability_ = core::sum_of(*data_.across, log_probability_);
  data_.across->sum(joint);
  const std::size_t of_families = at.size() - joint.size();
  gradient_of_families(gradient.first(of_families));
  gradient_of_head(joint, gradient.subspan(of_families));
  double distance = 0;
  for (std::size_t j = 0; j < at.size(); ++j) {
    const double off = at[j] - start_[j];
    distance += off * off;
    gradient[j] = pull_ * off - gradient[j];
  }
  return 0.5 * pull_ * distance - log_probability_;
}

ConditionalResult fine_tune(const EmData& data, std::span<const std::int32_t> label, EmModel& model,
                            heads::Softmax& head, const ConditionalOptions& options) {
  refuse_families_without_gradient(data, model);
  const std::vector<std::size_t> rows = rows_to_learn_from(*data.data, label);
  const std::size_t all = core::share_of(*data.across, rows.size()).all;
  if (all == 0) return {0, 0, 0, true};
  if (all == data.all_rows) return climb(data, label, model, head, options);
  std::vector<std::int32_t> of_rows;
  for (const std::size_t row : rows) of_rows.push_back(label[row]);
  const Dataset some = data::select_rows(*data.data, rows);
  return climb(prepare(some, data.threads, *data.across), of_rows, model, head, options);
}

}  // namespace medley::engines
