// SPDX-License-Identifier: Apache-2.0
#include "engines/collapsed_rows.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/parallel.hpp"
#include "core/task.hpp"
#include "kernels/collapsed_sums.hpp"
#include "kernels/lanes.hpp"
#include "kernels/special_vectors.hpp"
#include "math/special.hpp"

namespace medley::engines {
namespace {

// Rows per chunk: constant, so that sums have the same order at any thread count.
constexpr std::size_t kCollapsedRowChunk = 16;

// One row at a time; the working memory serves all rows of a worker.
class RowUpdates {
 public:
  RowUpdates(const Dataset& data, const EmModel& model, const memberships::Limits& limits)
      : data_(data),
        model_(model),
        limits_(limits),
        components_(model.membership->components()),
        padded_(kernels::padded(components_)),
        held_(padded_) {}

  // Leaves out what is not observed; returns the row's size.
  double solve(std::size_t row) {
    gather(row);
    const auto alpha = model_.membership->parameters();
    const double alpha_0 = std::accumulate(alpha.begin(), alpha.end(), 0.0);
    const auto share = static_cast<float>(1.0 / static_cast<double>(components_));
    for (std::size_t k = 0; k < components_; ++k)
      held_[k] = static_cast<float>(alpha[k] + size_ / static_cast<double>(components_));
    phi_.assign(slot_.size() * padded_, 0.0F);
    for (std::size_t o = 0; o < slot_.size(); ++o)
      std::fill_n(&phi_[o * padded_], components_, share);
    scratch_.resize(slot_.size() + padded_);
    for (std::size_t sweep = 0; sweep < limits_.max_sweeps && size_ > 0; ++sweep) {
      const kernels::CollapsedChange change = kernels::update_collapsed(
          {slot_.data(), weight_.data(), phi_.data(), scratch_.data(), slot_.size()},
          {held_.data(), static_cast<float>(size_ + alpha_0), 1.0F}, table_.data(), padded_);
      log_sum_ = change.log_sum;
      if (change.moved < limits_.tolerance * size_) break;
    }
    present_.assign(padded_, 1.0F);
    count_.assign(padded_, 0.0F);
    kernels::sum_row({slot_.data(), weight_.data(), phi_.data(), scratch_.data(), slot_.size()},
                     padded_, count_.data(), present_.data());
    for (std::size_t k = 0; k < components_; ++k) {
      held_[k] -= static_cast<float>(alpha[k]);
      present_[k] = 1.0F - present_[k];
    }
    return size_;
  }

  // Of the row solved last:
  [[nodiscard]] double log_sum() const { return size_ > 0 ? log_sum_ : 0.0; }
  [[nodiscard]] const float* counts() const { return held_.data(); }
  [[nodiscard]] const float* present() const { return present_.data(); }
  // Responsibilities times weights, into cells x padded K of a block.
  void write(std::size_t block, std::size_t row, double row_weight, double* full) const {
    const std::vector<std::uint64_t>& start = data_.blocks[block].row_start;
    std::size_t o = first_[block];
    for (std::uint64_t c = start[row]; c < start[row + 1]; ++c, ++o) {
      const double weight = row_weight * static_cast<double>(weight_[o]);
      for (std::size_t k = 0; k < padded_; ++k)
        full[c * padded_ + k] = weight * static_cast<double>(phi_[o * padded_ + k]);
    }
  }

 private:
  // The tables' rows of the row's cells, one after the other.
  void gather(std::size_t row) {
    slot_.clear();
    weight_.clear();
    table_.clear();
    first_.clear();
    size_ = 0;
    for (std::size_t b = 0; b < data_.blocks.size(); ++b) {
      const Block& block = data_.blocks[b];
      const auto parameters = model_.families[b]->parameters();
      first_.push_back(slot_.size());
      for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
        slot_.push_back(static_cast<std::uint32_t>(slot_.size()));
        weight_.push_back(block.weight_of(c));
        size_ += static_cast<double>(weight_.back());
        for (std::size_t k = 0; k < padded_; ++k)
          table_.push_back(static_cast<float>(parameters[block.slot[c] * padded_ + k]));
      }
    }
  }

  const Dataset& data_;
  const EmModel& model_;
  memberships::Limits limits_;
  std::size_t components_, padded_;
  double size_ = 0, log_sum_ = 0;
  std::vector<std::uint32_t> slot_;  // 0, 1, 2 ...: a cell has a row of the table to itself
  std::vector<std::size_t> first_;   // blocks: where each one's cells begin
  std::vector<float> weight_, table_, phi_, held_, count_, present_, scratch_;
};

}  // namespace

void collapsed_rows(const EmData& em_data, const memberships::Limits& limits, EmModel& model,
                    Statistics& into) {
  const Dataset& data = *em_data.data;
  const std::size_t padded = kernels::padded(model.membership->components());
  std::vector<std::vector<double>> full;
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    model.families[b]->prepare_for(em_data.columns[b], false);
    full.emplace_back(data.blocks[b].cells() * padded);
  }
  const std::size_t chunks = (data.rows + kCollapsedRowChunk - 1) / kCollapsedRowChunk;
  std::vector<memberships::PriorStatistics> priors(chunks);
  std::vector<double> logs(chunks, 0.0), sizes(chunks, 0.0);
  std::vector<std::unique_ptr<RowUpdates>> workers(em_data.threads);
  core::parallel_for(chunks, em_data.threads, [&](std::size_t chunk, std::size_t worker) {
    if (!workers[worker]) workers[worker] = std::make_unique<RowUpdates>(data, model, limits);
    RowUpdates& rows = *workers[worker];
    priors[chunk] = model.membership->empty_statistics();
    AlphaSums sums(model.membership->parameters());
    const std::size_t end = std::min(data.rows, (chunk + 1) * kCollapsedRowChunk);
    for (std::size_t row = chunk * kCollapsedRowChunk; row < end; ++row) {
      core::stop_if_asked();
      const double size = rows.solve(row), weight = data.weight_of(row);
      logs[chunk] += weight * rows.log_sum();
      sizes[chunk] += weight * size;
      for (std::size_t b = 0; b < full.size(); ++b) rows.write(b, row, weight, full[b].data());
      if (size > 0) sums.add(rows.counts(), rows.present(), size, weight, priors[chunk]);
    }
  });
  memberships::PriorStatistics prior = model.membership->empty_statistics();
  prior.per_alpha = 0.0;
  for (const memberships::PriorStatistics& part : priors) add_alpha_sums(part, prior);
  std::vector<families::Responsibilities> from(full.size());
  for (std::size_t b = 0; b < full.size(); ++b) from[b].full = full[b].data();
  into.set_prior(prior);
  into.bound() = std::accumulate(logs.begin(), logs.end(), 0.0);
  into.observations() = std::accumulate(sizes.begin(), sizes.end(), 0.0);
  em_data.across->sum(into.totals());
  collect_tables(data.blocks, em_data.columns, from, em_data, model, into);
}

AlphaSums::AlphaSums(std::span<const double> alpha)
    : alpha_(alpha.begin(), alpha.end()),
      x_(alpha.size()),
      psi_x_(alpha.size()),
      weight_(alpha.size()) {
  for (const double a : alpha_) {
    alpha_0_ += a;
    psi_.push_back(math::digamma(a));
  }
  psi_0_ = math::digamma(alpha_0_);
}

void AlphaSums::add(const float* counts, const float* present, double size, double weight,
                    memberships::PriorStatistics& into) {
  constexpr double kRare = 1e-9;  // as good as none
  for (std::size_t k = 0; k < x_.size(); ++k) {
    weight_[k] = std::max(static_cast<double>(present[k]), kRare);
    x_[k] = std::max(0.0, static_cast<double>(counts[k])) / weight_[k] + alpha_[k];
  }
  kernels::digamma_log_gamma(x_.data(), x_.size(), psi_x_.data());
  for (std::size_t k = 0; k < x_.size(); ++k)
    into.sum[k] += weight * alpha_[k] * weight_[k] * (psi_x_[k] - psi_[k]);
  into.per_alpha =
      into.per_alpha.value_or(0.0) + weight * (math::digamma(size + alpha_0_) - psi_0_);
  into.rows += weight;
}

void add_alpha_sums(const memberships::PriorStatistics& part, memberships::PriorStatistics& into) {
  into.rows += part.rows;
  for (std::size_t k = 0; k < into.sum.size(); ++k) into.sum[k] += part.sum[k];
  if (part.per_alpha) into.per_alpha = into.per_alpha.value_or(0.0) + *part.per_alpha;
}

}  // namespace medley::engines
