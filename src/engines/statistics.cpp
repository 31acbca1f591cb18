// SPDX-License-Identifier: Apache-2.0
#include "engines/statistics.hpp"

#include <algorithm>
#include <cassert>

#include "engines/engine.hpp"
#include "kernels/lanes.hpp"

namespace medley::engines {
namespace {

// Where the prior's numbers begin, and the sums among them.
constexpr std::size_t kPrior = 2, kPerAlpha = 3, kSums = 4;

struct Sizes {
  explicit Sizes(const EmModel& model) : prior(model.membership->statistics_size()) {
    if (!model.head) return;
    const heads::Statistics head = model.head->empty_statistics();
    joint = head.joint.size();
    divided = head.divided.size();
  }
  std::size_t prior, joint = 0, divided = 0;
};

void put(std::span<const double> from, std::span<double> to) {
  assert(from.size() == to.size());
  std::ranges::copy(from, to.begin());
}

}  // namespace

Statistics::Statistics(const EmModel& model) {
  const Sizes sizes(model);
  prior_size_ = sizes.prior;
  joint_size_ = sizes.joint;
  divided_size_ = sizes.divided;
  std::size_t end = kernels::padded(kSums + prior_size_ + joint_size_ + divided_size_);
  for (const auto& family : model.families) {
    first_.push_back(end);
    size_.push_back(family->statistics_size());
    end += kernels::padded(size_.back());
  }
  first_.push_back(end);
  numbers_.assign(end, 0.0);
}

bool Statistics::fits(const EmModel& model) const {
  const Sizes sizes(model);
  return prior_size_ == sizes.prior && joint_size_ == sizes.joint &&
         divided_size_ == sizes.divided && blocks() == model.families.size() &&
         std::ranges::equal(size_, model.families, {}, {},
                            [](const auto& family) { return family->statistics_size(); });
}

memberships::PriorStatistics Statistics::prior() const {
  memberships::PriorStatistics out;
  out.rows = numbers_[kPrior];
  if (per_alpha_) out.per_alpha = numbers_[kPerAlpha];
  const auto sums = flat().subspan(kSums, prior_size_);
  out.sum.assign(sums.begin(), sums.end());
  out.records = records_;
  out.scale = records_scale_;
  return out;
}

void Statistics::set_prior(const memberships::PriorStatistics& prior) {
  numbers_[kPrior] = prior.rows;
  per_alpha_ = prior.per_alpha.has_value();
  numbers_[kPerAlpha] = prior.per_alpha.value_or(0.0);
  put(prior.sum, flat().subspan(kSums, prior_size_));
  records_ = prior.records;
  records_scale_ = prior.scale;
}

heads::Statistics Statistics::head() const {
  const auto joint = flat().subspan(kSums + prior_size_, joint_size_);
  const auto divided = flat().subspan(kSums + prior_size_ + joint_size_, divided_size_);
  return {{joint.begin(), joint.end()}, {divided.begin(), divided.end()}};
}

void Statistics::set_head(const heads::Statistics& head) {
  put(head.joint, flat().subspan(kSums + prior_size_, joint_size_));
  put(head.divided, flat().subspan(kSums + prior_size_ + joint_size_, divided_size_));
}

std::span<double> Statistics::table(std::size_t block) {
  return flat().subspan(first_[block], size_[block]);
}

std::span<const double> Statistics::table(std::size_t block) const {
  return flat().subspan(first_[block], size_[block]);
}

void Statistics::add(const Statistics& other) {
  assert(other.numbers_.size() == numbers_.size());
  for (std::size_t i = 0; i < numbers_.size(); ++i) numbers_[i] += other.numbers_[i];
  per_alpha_ = per_alpha_ || other.per_alpha_;
  records_.insert(records_.end(), other.records_.begin(), other.records_.end());
}

void Statistics::scale(double factor) {
  for (double& number : numbers_) number *= factor;
  records_scale_ *= factor;
}

void Statistics::clear() {
  std::ranges::fill(numbers_, 0.0);
  per_alpha_ = false;
  records_.clear();
  records_scale_ = 1;
}

}  // namespace medley::engines
