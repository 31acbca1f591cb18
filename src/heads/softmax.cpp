// SPDX-License-Identifier: Apache-2.0
#include "heads/softmax.hpp"

#include <algorithm>
#include <cmath>

#include "math/logs.hpp"

namespace medley::heads {

namespace {

// exp(eta) must stay a number; a start may ask for eta = 100.
constexpr double kLargestEta = 300;

}  // namespace

Softmax::Softmax(std::size_t components, std::size_t classes, Bound bound, double weight,
                 double smoothing)
    : components_(components),
      classes_(classes),
      bound_(bound),
      weight_(weight),
      smoothing_(smoothing),
      eta_(classes * components, 0.0),
      log_probability_(eta_.size()),
      epsilon_(components) {
  derive();
}

void Softmax::set_eta(std::span<const double> values) {
  for (std::size_t h = 0; h < classes_; ++h) {
    for (std::size_t k = 0; k < components_; ++k) {
      const double last = values[(classes_ - 1) * components_ + k];
      eta_[h * components_ + k] =
          std::clamp(values[h * components_ + k] - last, -kLargestEta, kLargestEta);
    }
  }
  derive();
}

void Softmax::derive() {
  std::vector<double> column(classes_);
  for (std::size_t k = 0; k < components_; ++k) {
    for (std::size_t h = 0; h < classes_; ++h) column[h] = eta_[h * components_ + k];
    const double norm = math::log_sum_exp(column);
    epsilon_[k] = 0;
    for (std::size_t h = 0; h < classes_; ++h) {
      log_probability_[h * components_ + k] = column[h] - norm;
      if (h + 1 < classes_) epsilon_[k] += std::exp(column[h]);
    }
  }
}

double Softmax::xi(std::span<const double> phibar) const {
  double sum = 1;
  for (std::size_t k = 0; k < components_; ++k) sum += phibar[k] * epsilon_[k];
  return sum;
}

double Softmax::offset(std::size_t label, double m, double xi, std::span<double> out) const {
  const double scale = weight_ / m;
  for (std::size_t k = 0; k < components_; ++k) {
    const std::size_t at = label * components_ + k;
    out[k] = scale * (bound_ == Bound::lse ? log_probability_[at] : eta_[at] - epsilon_[k] / xi);
  }
  return bound_ == Bound::lse ? 0.0 : weight_ * (1 - 1 / xi - std::log(xi));
}

Statistics Softmax::empty_statistics() const {
  return {std::vector<double>(classes_ * components_, 0.0), std::vector<double>(components_, 0.0)};
}

void Softmax::collect(std::size_t label, std::span<const double> phibar, double xi,
                      double row_weight, Statistics& into) const {
  for (std::size_t k = 0; k < components_; ++k) {
    into.joint[label * components_ + k] += row_weight * phibar[k];
    into.divided[k] += row_weight * phibar[k] / xi;
  }
}

// lse     P(h|k) = (weight joint_hk + s) / (weight sum_h joint_hk + C s)
// paper   exp(eta_hk) = (weight joint_hk + s) / (weight divided_k + s),  h < C
// A component that no labelled row uses keeps its eta where nothing is smoothed.
void Softmax::maximise(const Statistics& from) {
  for (std::size_t k = 0; k < components_; ++k) {
    double total = 0;
    for (std::size_t h = 0; h < classes_; ++h) total += from.joint[h * components_ + k];
    if (weight_ * total + smoothing_ <= 0) continue;
    const auto count = [&](std::size_t h) {
      return weight_ * from.joint[h * components_ + k] + smoothing_;
    };
    const double against =
        bound_ == Bound::lse ? count(classes_ - 1) : weight_ * from.divided[k] + smoothing_;
    for (std::size_t h = 0; h + 1 < classes_; ++h) {
      const double eta = std::log(count(h)) - std::log(against);
      eta_[h * components_ + k] = std::clamp(eta, -kLargestEta, kLargestEta);
    }
  }
  derive();
}

void Softmax::set_shares(const Statistics& from) {
  const Bound own = bound_;
  bound_ = Bound::lse;
  maximise(from);
  bound_ = own;
}

double Softmax::log_prior() const {
  if (smoothing_ == 0) return 0;
  double sum = 0;
  for (std::size_t h = 0; h < classes_; ++h) {
    for (std::size_t k = 0; k < components_; ++k) {
      const std::size_t at = h * components_ + k;
      if (bound_ == Bound::lse) sum += log_probability_[at];
      if (bound_ == Bound::paper && h + 1 < classes_) sum += eta_[at] - std::exp(eta_[at]);
    }
  }
  return smoothing_ * sum;
}

void Softmax::log_classes(std::span<const double> zbar, std::span<double> out) const {
  for (std::size_t h = 0; h < classes_; ++h) {
    out[h] = 0;
    for (std::size_t k = 0; k < components_; ++k) out[h] += eta_[h * components_ + k] * zbar[k];
  }
  const double norm = math::log_sum_exp(out.first(classes_));
  for (std::size_t h = 0; h < classes_; ++h) out[h] -= norm;
}

void Softmax::permute(std::span<const std::size_t> order) {
  const std::vector<double> old = eta_;
  for (std::size_t h = 0; h < classes_; ++h) {
    for (std::size_t k = 0; k < components_; ++k)
      eta_[h * components_ + k] = old[h * components_ + order[k]];
  }
  derive();
}

}  // namespace medley::heads
