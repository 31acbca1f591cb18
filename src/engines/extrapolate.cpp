// SPDX-License-Identifier: Apache-2.0
#include "engines/extrapolate.hpp"

#include <algorithm>
#include <cmath>

#include "math/dirichlet.hpp"
#include "math/logs.hpp"

namespace medley::engines {
namespace {

// Of a class that is being emptied; its logarithm must stay finite.
constexpr double kLeastShare = 1e-12;

bool is_alpha(const EmModel& model) {
  return model.membership->entry().dirichlet;
}

bool is_shares(const EmModel& model) {
  return model.membership->entry().sole;
}

}  // namespace

std::optional<std::vector<double>> Momentum::next(std::vector<double> x) {
  if (before_.size() != x.size()) {
    before_ = std::move(x);
    steps_ = 0;
    return std::nullopt;
  }
  const double beta = static_cast<double>(steps_) / static_cast<double>(steps_ + 3);
  ++steps_;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double step = x[i] - before_[i];  // not a number where a probability of 0 stays 0
    before_[i] = std::isfinite(step) ? x[i] + beta * step : x[i];
  }
  std::swap(x, before_);
  if (beta == 0) return std::nullopt;
  return x;
}

void Momentum::clear() {
  before_.clear();
  steps_ = 0;
}

void Momentum::save(core::TensorFile& file, const std::string& prefix) const {
  file.put(prefix + "before", before_);
  file.put(prefix + "steps", std::vector<std::int64_t>{static_cast<std::int64_t>(steps_)});
}

void Momentum::restore(const core::TensorFile& file, const std::string& prefix) {
  before_ = file.doubles(prefix + "before");
  steps_ =
      static_cast<std::size_t>(std::max<std::int64_t>(0, file.integers(prefix + "steps", 1)[0]));
}

bool has_free_parameters(const EmModel& model) {
  if (model.head || model.smoothing.posterior || !model.each.empty()) return false;
  if (!is_alpha(model) && !is_shares(model)) return false;
  return std::ranges::all_of(model.families, [](const auto& f) { return f->free() != nullptr; });
}

std::vector<double> free_parameters(const EmModel& model, std::vector<double> room) {
  const auto prior = model.membership->parameters();
  std::size_t size = prior.size();
  for (const auto& family : model.families) size += family->components() * free_size(*family);
  room.resize(size);
  std::span<double> rest(room);
  for (const auto& family : model.families) {
    const std::size_t own = family->components() * free_size(*family);
    family->free()->free_parameters(rest.first(own));
    rest = rest.subspan(own);
  }
  for (std::size_t k = 0; k < prior.size(); ++k) rest[k] = std::log(prior[k]);
  return room;
}

void set_free_parameters(std::span<const double> values, EmModel& model) {
  for (auto& family : model.families) {
    const std::size_t own = family->components() * free_size(*family);
    family->free()->set_free_parameters(values.first(own));
    values = values.subspan(own);
  }
  if (model.alpha == AlphaMode::fixed && is_alpha(model)) return;
  std::vector<double> prior(values.begin(), values.end());
  if (is_alpha(model)) {
    for (double& a : prior) a = std::clamp(std::exp(a), math::kAlphaFloor, math::kAlphaCap);
  } else {
    math::softmax(prior);
    for (double& share : prior) share = std::max(share, kLeastShare);
  }
  model.membership->set_parameters(prior);
}

}  // namespace medley::engines
