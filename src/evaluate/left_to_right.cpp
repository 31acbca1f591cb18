// SPDX-License-Identifier: Apache-2.0
#include "evaluate/left_to_right.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/task.hpp"
#include "kernels/lanes.hpp"
#include "kernels/urn_draws.hpp"
#include "math/dirichlet.hpp"
#include "math/logs.hpp"
#include "math/special.hpp"
#include "medley/error.hpp"

namespace medley::evaluation {
namespace {

// Every token of the row as the place of its likelihood row, in random order.
std::vector<std::size_t> shuffled_tokens(const RowObservations& row, core::Rng& rng) {
  std::vector<std::size_t> tokens;
  for (std::size_t o = 0; o < row.count(); ++o)
    tokens.insert(tokens.end(), integer_of<std::size_t>(row.weight[o]), o);
  for (std::size_t i = tokens.size(); i > 1; --i) std::swap(tokens[i - 1], tokens[rng.below(i)]);
  return tokens;
}

// What is the same for all clouds of a row: the stages of the guide, from the whole of it to none.
struct Stage {
  std::vector<double> prior;  // alpha + what is left of the guide
  double sum = 0;
};

Stage stage(std::span<const double> alpha, std::span<const double> guide, double share) {
  Stage out{{alpha.begin(), alpha.end()}, 0};
  for (std::size_t k = 0; k < guide.size(); ++k) out.prior[k] += share * guide[k];
  out.sum = std::accumulate(out.prior.begin(), out.prior.end(), 0.0);
  return out;
}

// Particles that compete with each other: guesses at the components of the tokens so far. They
// stand side by side in lanes; those that fill the last lanes are drawn like the others and count
// for nothing.
class Cloud {
 public:
  Cloud(const RowObservations& row, std::span<const double> alpha, std::span<const double> guide,
        std::size_t size, core::Rng& rng)
      : row_(row),
        rng_(rng),
        alpha_(alpha),
        guide_(guide),
        size_(size),
        width_((size + kernels::kLanes - 1) / kernels::kLanes * kernels::kLanes),
        weight_(size, 1.0),
        count_(alpha.size() * width_, 0),
        urn_(alpha.size() * width_),
        uniform_(width_, 0.5),
        total_(width_),
        drawn_(width_),
        room_(alpha.size() * kernels::kLanes) {}

  // The estimate of log p(x).
  double run(const std::vector<std::size_t>& tokens) {
    const auto length = static_cast<double>(tokens.size());
    component_.assign(tokens.size() * width_, 0);
    now_ = stage(alpha_, guide_, 1);
    fill_urns();
    double log_p = math::log_beta(now_.prior) - math::log_beta(alpha_);
    std::size_t refreshed = 0;
    for (std::size_t t = 0; t < tokens.size(); ++t) {
      core::stop_if_asked();
      if (t > 0 && t >= refreshed + std::max<std::size_t>(1, refreshed / kGrowth)) {
        log_p += lower_guide(1 - static_cast<double>(t) / length, t);
        sweep(tokens, t);
        refreshed = t;
      }
      draw(tokens[t]);
      for (std::size_t r = 0; r < size_; ++r)
        weight_[r] *= total_[r] / (now_.sum + static_cast<double>(t));
      put(t);
      log_p += level(t + 1);
    }
    return log_p + lower_guide(0, tokens.size());
  }

 private:
  // A sweep each time the row has grown by one part in so many.
  static constexpr std::size_t kGrowth = 4;

  void fill_urns() {
    for (std::size_t k = 0; k < alpha_.size(); ++k) {
      for (std::size_t r = 0; r < width_; ++r)
        urn_[k * width_ + r] = now_.prior[k] + count_[k * width_ + r];
    }
  }

  // Leaves that share of the guide: a particle's weight grows by B(new urn) / B(old urn). Of a
  // component that has n of the `seen` tokens that is, but for what all particles share,
  //
  //   Gamma(new + n) Gamma(old) / (Gamma(new) Gamma(old + n)) = prod_{i < n} (new + i) / (old + i)
  //
  // Returns the log of the mean weight.
  double lower_guide(double share, std::size_t seen) {
    const Stage next = stage(alpha_, guide_, share);
    const auto length = static_cast<double>(seen);
    double common = math::log_beta(next.prior) - math::log_beta(now_.prior);
    common += math::log_gamma(next.sum) - math::log_gamma(next.sum + length);
    common -= math::log_gamma(now_.sum) - math::log_gamma(now_.sum + length);
    std::vector<double> gain(size_, 0.0), rise;
    for (std::size_t k = 0; k < alpha_.size(); ++k) {
      const double* own = &count_[k * width_];
      const double most = *std::max_element(own, own + size_);
      if (most == 0) continue;
      rise.assign(1, 0.0);
      for (double i = 0; i < most; ++i)
        rise.push_back(rise.back() + std::log((next.prior[k] + i) / (now_.prior[k] + i)));
      for (std::size_t r = 0; r < size_; ++r) gain[r] += rise[integer_of<std::size_t>(own[r])];
    }
    now_ = next;
    fill_urns();
    const double top = *std::ranges::max_element(gain);
    for (std::size_t r = 0; r < size_; ++r) weight_[r] *= std::exp(gain[r] - top);
    return common + top + level(seen);
  }

  // A new component for every token so far, one after the other.
  void sweep(const std::vector<std::size_t>& tokens, std::size_t seen) {
    for (std::size_t t = 0; t < seen; ++t) {
      core::stop_if_asked();
      std::uint32_t* own = &component_[t * width_];
      for (std::size_t r = 0; r < size_; ++r) move(own[r], r, -1);
      draw(tokens[t]);
      put(t);
    }
  }

  // Components in proportion to l_k times the urns; total_ are the sums of these.
  void draw(std::size_t observation) {
    for (std::size_t r = 0; r < size_; ++r)
      uniform_[r] = (static_cast<double>(rng_.bits()) + 0.5) * 0x1.0p-32;
    kernels::draw_from_urns(
        {row_.row(observation), urn_.data(), alpha_.size(), width_, uniform_.data(), room_.data()},
        total_.data(), drawn_.data());
  }

  // What was drawn becomes the components of token t.
  void put(std::size_t t) {
    std::copy(drawn_.begin(), drawn_.end(), &component_[t * width_]);
    for (std::size_t r = 0; r < size_; ++r) move(drawn_[r], r, 1);
  }

  void move(std::uint32_t k, std::size_t r, double by) {
    count_[k * width_ + r] += by;
    urn_[k * width_ + r] = now_.prior[k] + count_[k * width_ + r];
  }

  // Brings the mean weight to 1 and returns its log; particles of little weight make room for
  // copies of heavier ones once too few matter.
  double level(std::size_t seen) {
    const auto count = static_cast<double>(size_);
    const double sum = std::accumulate(weight_.begin(), weight_.end(), 0.0);
    double squares = 0;
    for (double& w : weight_) {
      w *= count / sum;
      squares += w * w;
    }
    if (count * count / squares < 0.5 * count) resample(seen);
    return std::log(sum / count);
  }

  // Systematic: particle r gets weight_r copies on average, rounded up or down.
  void resample(std::size_t seen) {
    std::vector<std::size_t> chosen;
    double next = rng_.uniform(), sum = 0;
    for (std::size_t r = 0; r < size_; ++r) {
      sum += weight_[r];
      for (; next < sum && chosen.size() < size_; ++next) chosen.push_back(r);
    }
    chosen.resize(size_, size_ - 1);
    const auto copy = [&](auto& rows, std::size_t count) {
      auto kept = std::vector(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(width_));
      for (std::size_t i = 0; i < count; ++i) {
        auto* row = &rows[i * width_];
        std::copy_n(row, width_, kept.begin());
        for (std::size_t r = 0; r < size_; ++r) row[r] = kept[chosen[r]];
      }
    };
    copy(component_, seen);
    copy(count_, alpha_.size());
    fill_urns();
    std::ranges::fill(weight_, 1.0);
  }

  const RowObservations& row_;
  core::Rng& rng_;
  std::span<const double> alpha_, guide_;
  std::size_t size_, width_;  // particles, and the lanes they take
  Stage now_;
  std::vector<double> weight_;            // of particles; mean 1
  std::vector<double> count_, urn_;       // K x width: n_k, alpha_k + guide + n_k
  std::vector<std::uint32_t> component_;  // tokens x width
  std::vector<double> uniform_, total_;   // of the last draw
  std::vector<std::uint32_t> drawn_;
  std::vector<double> room_;
};

// What the row adds to alpha in its variational posterior, brought down to kGuide observations.
std::vector<double> guide_of(std::span<const double> alpha, std::span<const double> gamma) {
  constexpr double kGuide = 0.3;
  std::vector<double> guide(alpha.size());
  for (std::size_t k = 0; k < guide.size(); ++k) guide[k] = std::max(0.0, gamma[k] - alpha[k]);
  const double sum = std::accumulate(guide.begin(), guide.end(), 0.0);
  for (double& g : guide) g *= sum > kGuide ? kGuide / sum : 1;
  return guide;
}

}  // namespace

RowEstimate left_to_right(const RowObservations& row, std::span<const double> alpha,
                          std::span<const double> gamma, std::size_t particles, core::Rng rng) {
  const std::vector<std::size_t> tokens = shuffled_tokens(row, rng);
  const std::vector<double> guide = guide_of(alpha, gamma);
  std::vector<double> log_p(kClouds);
  const std::size_t size = std::max<std::size_t>(2, particles / kClouds);
  for (double& estimate : log_p) estimate = Cloud(row, alpha, guide, size, rng).run(tokens);
  const math::LogMean mean = math::log_mean(log_p);
  const auto all = static_cast<double>(size * kClouds);
  const double variance = mean.standard_error * mean.standard_error;
  return {mean.value + row.log_scale, mean.standard_error, all / (1 + all * variance)};
}

}  // namespace medley::evaluation
