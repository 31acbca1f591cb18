// SPDX-License-Identifier: Apache-2.0
#include "evaluate/left_to_right.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/task.hpp"
#include "math/dirichlet.hpp"
#include "math/logs.hpp"
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

// One guess at the components of the tokens so far.
struct Particle {
  std::vector<double> urn;               // alpha_k + guide + n_k
  std::vector<std::uint32_t> component;  // of each token so far
};

// Particles that compete with each other.
class Cloud {
 public:
  Cloud(const RowObservations& row, std::span<const double> alpha, std::span<const double> guide,
        std::size_t size, core::Rng& rng)
      : row_(row),
        rng_(rng),
        alpha_(alpha),
        guide_(guide),
        prior_(guided(1)),
        prior_sum_(std::accumulate(prior_.begin(), prior_.end(), 0.0)),
        particles_(size, {prior_, {}}),
        weight_(size, 1.0),
        odds_(alpha.size()) {}

  // The estimate of log p(x).
  double run(const std::vector<std::size_t>& tokens) {
    const auto length = static_cast<double>(tokens.size());
    double log_p = math::log_beta(prior_) - math::log_beta(alpha_);
    std::size_t refreshed = 0;
    for (std::size_t t = 0; t < tokens.size(); ++t) {
      core::stop_if_asked();
      if (t > 0 && t >= refreshed + std::max<std::size_t>(1, refreshed / kGrowth)) {
        log_p += lower_guide(1 - static_cast<double>(t) / length);
        for (Particle& particle : particles_) sweep(particle, tokens);
        refreshed = t;
      }
      for (std::size_t r = 0; r < particles_.size(); ++r) {
        const std::uint32_t k = draw(particles_[r], tokens[t]);
        weight_[r] *= total_ / (prior_sum_ + static_cast<double>(t));
        particles_[r].component.push_back(k);
        ++particles_[r].urn[k];
      }
      log_p += level();
    }
    return log_p + lower_guide(0);
  }

 private:
  // A sweep each time the row has grown by one part in so many.
  static constexpr std::size_t kGrowth = 4;

  [[nodiscard]] std::vector<double> guided(double share) const {
    std::vector<double> prior(alpha_.begin(), alpha_.end());
    for (std::size_t k = 0; k < prior.size(); ++k) prior[k] += share * guide_[k];
    return prior;
  }

  // Leaves that share of the guide: a particle's weight grows by B(new urn) / B(old urn). Returns
  // the log of the mean weight.
  double lower_guide(double share) {
    prior_ = guided(share);
    prior_sum_ = std::accumulate(prior_.begin(), prior_.end(), 0.0);
    std::vector<double> gain;
    for (Particle& particle : particles_) {
      gain.push_back(-math::log_beta(particle.urn));
      particle.urn = prior_;
      for (const std::uint32_t k : particle.component) ++particle.urn[k];
      gain.back() += math::log_beta(particle.urn);
    }
    const double top = *std::ranges::max_element(gain);
    for (std::size_t r = 0; r < gain.size(); ++r) weight_[r] *= std::exp(gain[r] - top);
    return top + level();
  }

  // A new component for every token so far, one after the other.
  void sweep(Particle& particle, const std::vector<std::size_t>& tokens) {
    core::stop_if_asked();
    for (std::size_t t = 0; t < particle.component.size(); ++t) {
      --particle.urn[particle.component[t]];
      particle.component[t] = draw(particle, tokens[t]);
      ++particle.urn[particle.component[t]];
    }
  }

  // A component in proportion to l_k times the urn; total_ is the sum of these.
  std::uint32_t draw(const Particle& particle, std::size_t observation) {
    const double* l = row_.row(observation);
    total_ = 0;
    for (std::size_t k = 0; k < odds_.size(); ++k) odds_[k] = total_ += l[k] * particle.urn[k];
    const double at = rng_.uniform() * total_;
    std::uint32_t k = 0;
    while (k + 1 < odds_.size() && odds_[k] <= at) ++k;
    return k;
  }

  // Brings the mean weight to 1 and returns its log; particles of little weight make room for
  // copies of heavier ones once too few matter.
  double level() {
    const auto count = static_cast<double>(weight_.size());
    const double sum = std::accumulate(weight_.begin(), weight_.end(), 0.0);
    double squares = 0;
    for (double& w : weight_) {
      w *= count / sum;
      squares += w * w;
    }
    if (count * count / squares < 0.5 * count) resample();
    return std::log(sum / count);
  }

  // Systematic: particle r gets weight_r copies on average, rounded up or down.
  void resample() {
    std::vector<Particle> chosen;
    double next = rng_.uniform(), sum = 0;
    for (std::size_t r = 0; r < particles_.size(); ++r) {
      sum += weight_[r];
      for (; next < sum && chosen.size() < particles_.size(); ++next)
        chosen.push_back(particles_[r]);
    }
    while (chosen.size() < particles_.size()) chosen.push_back(particles_.back());
    particles_ = std::move(chosen);
    std::fill(weight_.begin(), weight_.end(), 1.0);
  }

  const RowObservations& row_;
  core::Rng& rng_;
  std::span<const double> alpha_, guide_;
  std::vector<double> prior_;  // alpha + what is left of the guide
  double prior_sum_;
  std::vector<Particle> particles_;
  std::vector<double> weight_;  // mean 1
  std::vector<double> odds_;
  double total_ = 0;
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
