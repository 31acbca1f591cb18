// SPDX-License-Identifier: Apache-2.0
// Correlated membership (correlated non-negative matrix factorisation): components and rows have
// locations in a space of q dimensions, and components in similar directions occur together. With
// the scales s_k of component_scales.hpp
//
//   a row holds a Poisson number of observations of component k, with mean
//   lambda_k = s_k exp(alpha + l_k . u)          l_k ~ N(0, sigma2 I),   u ~ N(0, I)
//
// l, u and alpha are point estimates. alpha is always optimal: the means then sum to the size m of
// the row. The remaining objective of a row is
//
//   f(u) = sum_o w_o log sum_k exp(E log s_k + l_k . u) l_ok - m log sum_k E s_k exp(l_k . u) -
//   |u|^2/2 grad = sum_k (n_k - lambda_k) l_k - u        n_k = sum_o w_o phi_ok
//
// maximised by L-BFGS. A component's location maximises sum_rows (n_k l_k . u - lambda_k) - |l_k|^2
// / (2 sigma2) by Newton's method.
//
// With point estimates of both, nothing fixes their scale: the longer the fit, the longer the l and
// the shorter the u. l_i . l_j, which should be the covariance of the logarithms of rows' weights,
// then shrinks to the diagonal (correlations planted as 0.41: 0.23 after 5 iterations, 0.07 after
// 40, whatever sigma2). The topics are good nevertheless, so the fit continues in this way. At its
// end settle() integrates u out with the tables held fixed: it takes u as normal about its maximum
// with the precision P = I + m Cov(l) that the sizes of the components give (Laplace), and sets the
// locations to the mean over rows of L (u u^T + P^-1) L^T (locations.hpp), repeatedly: EM.
//
// Moving all locations by the same vector changes no share, so their mean is kept at 0. The bound
// leaves out terms that depend only on the data (as in gamma.cpp) and the normalisers of the normal
// densities.
//
// State: u (q), alpha, n (K). Empty row: u = 0, nothing held. Parameters of a component: shape and
// rate of q(s_k), then l_k.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/parallel.hpp"
#include "kernels/pass.hpp"
#include "math/logs.hpp"
#include "math/optimise.hpp"
#include "math/symmetric.hpp"
#include "medley/error.hpp"
#include "memberships/component_scales.hpp"
#include "memberships/locations.hpp"
#include "memberships/registry.hpp"

namespace medley::memberships {
namespace {

// alpha of a row without observations.
constexpr double kNothing = -690;
// |l . u| is limited to this.
constexpr double kSteep = 30;
// Added to a row's counts before taking logarithms, to avoid log(0). The smaller it is, the further
// apart the locations begin. AP, 100 topics, 3 passes, nats per held-out word: -8.083 with 0.5,
// -8.054 with 0.1, -8.036 with 0.02, -8.025 with 0.005.
constexpr double kLittle = 0.005;
// In a step on part of the rows, a component's location moves at most this far, in units of sigma.
constexpr double kLongestStep = 1;

// Observations: a row that holds fewer of a component is informative about it only through the
// rest.
constexpr double kHardlyHeld = 1e-3;
// Rows whose moments are summed together, and the largest number of sums of q x q numbers.
constexpr std::size_t kRowsAtOnce = 64;
// With more rows, only this many, divided by q^3, have their precision inverted, but not too few.
constexpr double kInverses = 4e8;
constexpr std::size_t kFewestInverses = 400;

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// What a row adds to the records: [weight, alpha, u (q), n (K)].
struct RecordLayout {
  std::size_t dimension, components;
  [[nodiscard]] std::size_t size() const { return 2 + dimension + components; }
  [[nodiscard]] std::size_t location() const { return 2; }
  [[nodiscard]] std::size_t held(std::size_t k) const { return 2 + dimension + k; }
};

class Correlated final : public Membership, private Located {
 public:
  Correlated(std::size_t components, const RateOptions& rates)
      : Membership(correlated_membership, components,
                   {components * (2 + rates.dimension.value()),
                    rates.dimension.value() + 1 + components, 2 * components}),
        dimension_(rates.dimension.value()),
        sigma2_(rates.sigma2.value()),
        scales_(components, rates.c0.value()) {
    std::ranges::fill(parameters_, 0.0);
    write_scales();
  }

  [[nodiscard]] const Located* located() const override { return this; }

  void start(double m, std::span<double> state) const override {
    std::ranges::fill(state, 0.0);
    settle(m, state);
    shares(state, state.subspan(dimension_ + 1));
    for (double& n : state.subspan(dimension_ + 1)) n *= m;
  }

  void start(double m, std::span<const double> shares, std::span<double> state) const override {
    start(m, state);
    for (std::size_t k = 0; k < components(); ++k) state[dimension_ + 1 + k] = m * shares[k];
  }

  bool iterate(const Cells<float>& cells, const Limits& limits,
               std::span<double> state) const override {
    return climb(cells, limits, state, false);
  }

  bool iterate(const Cells<double>& cells, const Limits& limits,
               std::span<double> state) const override {
    return climb(cells, limits, state, false);
  }

  void iterate_log(const Cells<double>& cells, const Limits& limits,
                   std::span<double> state) const override {
    climb(cells, limits, state, true);
  }

  double log_weights(std::span<const double> state, std::span<double> out) const override {
    const auto u = state.first(dimension_);
    double rest = -dot(u, u) / 2;
    for (std::size_t k = 0; k < components(); ++k) {
      const double height = state[dimension_] + slope(k, u);
      out[k] = scales_.mean_log()[k] + height;
      rest -= scales_.mean()[k] * std::exp(height);
    }
    return rest;
  }

  void held(std::span<const double> state, std::span<double> out) const override {
    const auto n = state.subspan(dimension_ + 1);
    const double total = std::accumulate(n.begin(), n.end(), 0.0);
    if (!(total > 0)) {
      shares(state, out);
      return;
    }
    for (std::size_t k = 0; k < components(); ++k) out[k] = n[k] / total;
  }

  // The row's part of the expected observations, lambda_k.
  void shares(std::span<const double> state, std::span<double> out) const override {
    shares_at(state.first(dimension_), out);
  }

  // u about its estimate, with the precision I + m Cov(l) that the sizes of the components give.
  void draw(std::span<const double> state, core::Rng& rng, std::span<double> out) const override {
    std::vector<double> share(components()), shift(dimension_);
    shares(state, share);
    const auto n = state.subspan(dimension_ + 1);
    const double m = std::accumulate(n.begin(), n.end(), 0.0);
    for (double& z : shift) z = rng.normal();
    math::draw_with_precision(precision(share, m), shift);
    for (std::size_t j = 0; j < dimension_; ++j) shift[j] += state[j];
    shares_at(shift, out);
  }

  void draw(core::Rng& rng, std::span<double> out) const override {
    std::vector<double> u(dimension_);
    for (double& z : u) z = rng.normal();
    shares_at(u, out);
  }

  void collect(std::span<const double> state, std::span<const double>, double weight,
               PriorStatistics& into) const override {
    into.rows += weight;
    const auto u = state.first(dimension_);
    for (std::size_t k = 0; k < components(); ++k) {
      into.sum[k] += weight * state[dimension_ + 1 + k];
      into.sum[components() + k] += weight * std::exp(state[dimension_] + slope(k, u));
    }
    into.records.push_back(weight);
    into.records.push_back(state[dimension_]);
    into.records.insert(into.records.end(), u.begin(), u.end());
    into.records.insert(into.records.end(), state.begin() + index(dimension_ + 1), state.end());
  }

  void maximise(const PriorStatistics& from, AlphaMode) override {
    const std::span<const double> sum(from.sum);
    scales_.update(sum.first(components()), sum.subspan(components()));
    write_scales();
    core::parallel_for(components(), from.threads,
                       [&](std::size_t k, std::size_t) { move_location(k, from); });
    centre();
  }

  double settle(const PriorStatistics& from) override {
    const std::vector<double> moment = second_moment(from), before = all_locations();
    const std::span<const double> sum(from.sum);
    scales_.update(sum.first(components()), sum.subspan(components()));
    write_scales();
    if (moment.empty()) return 0;
    set_locations(rescaled(before, moment, from.rows * sigma2_));
    centre();
    const std::vector<double> after = all_locations();
    double moved = 0;
    for (std::size_t i = 0; i < after.size(); ++i)
      moved += (after[i] - before[i]) * (after[i] - before[i]);
    const double length = dot(after, after);
    return length > 0 ? std::sqrt(moved / length) : 0.0;
  }

  [[nodiscard]] bool recall(double rows, PriorStatistics& out) const override {
    out = {rows, scales_.recall()};
    return true;
  }

  [[nodiscard]] double log_prior() const override {
    double sum = scales_.log_prior();
    for (std::size_t k = 0; k < components(); ++k)
      sum -= dot(location_of(k), location_of(k)) / (2 * sigma2_);
    return sum;
  }

  void copy_prior_from(const Membership& from) override {
    if (&from.entry() == &gamma_membership) {  // scales of the same kind
      for (std::size_t k = 0; k < components(); ++k)
        scales_.set(k, from.parameters()[2 * k], from.parameters()[2 * k + 1]);
    } else {
      scales_.set_shares(from.prior_moments().mean);
    }
    write_scales();
  }

  // Locations such that l_i . l_j is the covariance over rows of the logarithms of their counts.
  // (Locations drawn at random would keep their own correlations.)
  void begin_with(std::span<const double> counts) override {
    const std::size_t rows = counts.size() / components();
    if (rows < 2) return;
    const std::vector<double> weight(rows, 1.0 / static_cast<double>(rows));
    const std::vector<double> logs = math::centred_logs(counts, weight, kLittle);
    std::vector<double> covariance =
        math::weighted_squares(logs, components(), components(), weight);
    const std::vector<double> axes = math::leading_axes(covariance, components(), dimension_);
    set_locations(axes);
    centre();
  }

  // Labels are not supported: for a row at the mean location.
  void one_component_log_prior(double m, std::span<double> out) const override {
    shares_at(std::vector<double>(dimension_, 0.0), out);
    for (double& weight : out) weight = (m > 0 ? m : 1.0) * std::log(weight);
  }

  // There is no closed form: estimated from a fixed set of draws.
  [[nodiscard]] PriorMoments prior_moments() const override {
    constexpr std::size_t kDraws = 4096;
    constexpr std::uint64_t kSeed = 0x10c;
    const std::size_t count = components();
    PriorMoments out{std::vector<double>(count, 0.0), std::vector<double>(count * count, 0.0)};
    std::vector<double> share(count);
    for (std::size_t i = 0; i < kDraws; ++i) {
      core::Rng rng(kSeed, i);
      draw(rng, share);
      for (std::size_t k = 0; k < count; ++k) {
        out.mean[k] += share[k] / kDraws;
        for (std::size_t l = 0; l < count; ++l)
          out.product[k * count + l] += share[k] * share[l] / kDraws;
      }
    }
    return out;
  }

  void set_parameters(std::span<const double> values) override {
    Membership::set_parameters(values);
    for (std::size_t k = 0; k < components(); ++k)
      scales_.set(k, parameters_[k * width()], parameters_[k * width() + 1]);
  }

  [[nodiscard]] std::vector<double> shown() const override {
    return {scales_.mean().begin(), scales_.mean().end()};
  }

  [[nodiscard]] std::string invalid_reason() const override {
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      const bool scale = i % width() < 2;
      if (!std::isfinite(parameters_[i]) || (scale && !(parameters_[i] > 0)))
        return scale ? "scale must be above 0" : "a location is not a number";
    }
    return "";
  }

  [[nodiscard]] std::vector<double> location(std::span<const double> state) const override {
    return {state.begin(), state.begin() + index(dimension_)};
  }

  [[nodiscard]] std::vector<double> component_location(std::size_t k) const override {
    const auto l = location_of(k);
    return {l.begin(), l.end()};
  }

 private:
  static std::ptrdiff_t index(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }
  [[nodiscard]] std::size_t width() const { return 2 + dimension_; }
  [[nodiscard]] RecordLayout layout() const { return {dimension_, components()}; }

  [[nodiscard]] std::span<const double> location_of(std::size_t k) const {
    return std::span(parameters_).subspan(k * width() + 2, dimension_);
  }
  [[nodiscard]] std::span<double> location_of(std::size_t k) {
    return std::span(parameters_).subspan(k * width() + 2, dimension_);
  }
  [[nodiscard]] std::vector<double> all_locations() const {
    std::vector<double> out;
    for (std::size_t k = 0; k < components(); ++k)
      out.insert(out.end(), location_of(k).begin(), location_of(k).end());
    return out;
  }
  void set_locations(std::span<const double> all) {
    for (std::size_t k = 0; k < components(); ++k)
      std::ranges::copy(all.subspan(k * dimension_, dimension_), location_of(k).begin());
  }
  // l_k . u
  [[nodiscard]] double slope(std::size_t k, std::span<const double> u) const {
    return std::clamp(dot(location_of(k), u), -kSteep, kSteep);
  }

  void write_scales() {
    for (std::size_t k = 0; k < components(); ++k) {
      parameters_[k * width()] = scales_.shape(k);
      parameters_[k * width() + 1] = scales_.rate(k);
    }
  }

  void shares_at(std::span<const double> u, std::span<double> out) const {
    for (std::size_t k = 0; k < components(); ++k)
      out[k] = std::log(scales_.mean()[k]) + slope(k, u);
    math::softmax(out);
  }

  // alpha such that the expected observations sum to m.
  void settle(double m, std::span<double> state) const {
    std::vector<double> logs(components());
    for (std::size_t k = 0; k < components(); ++k)
      logs[k] = std::log(scales_.mean()[k]) + slope(k, state.first(dimension_));
    state[dimension_] = m > 0 ? std::log(m) - math::log_sum_exp(logs) : kNothing;
  }

  // I + m Cov(l) under the given shares.
  [[nodiscard]] std::vector<double> precision(std::span<const double> share, double m) const {
    std::vector<double> mean(dimension_, 0.0), centred(components() * dimension_), weight;
    for (std::size_t k = 0; k < components(); ++k) {
      for (std::size_t j = 0; j < dimension_; ++j) mean[j] += share[k] * location_of(k)[j];
    }
    for (std::size_t k = 0; k < components(); ++k) {
      weight.push_back(m * share[k]);
      for (std::size_t j = 0; j < dimension_; ++j)
        centred[k * dimension_ + j] = location_of(k)[j] - mean[j];
    }
    std::vector<double> out = math::weighted_squares(centred, dimension_, dimension_, weight);
    for (std::size_t j = 0; j < dimension_; ++j) out[j * dimension_ + j] += 1;
    return out;
  }

  // Weights e (padded K, scaled by the largest) and the expected counts of a row; returns
  // sum_o w_o log n_o, or NaN where a normaliser underflows. `logs`: rows are log-likelihoods.
  template <class T>
  static double expect(const Cells<T>& cells, std::span<const double> log_weights, bool logs,
                       std::vector<double>& counts) {
    const std::size_t components = log_weights.size();
    counts.assign(components, 0.0);
    if (logs) return expect_logs(cells, log_weights, counts);
    const double top = *std::ranges::max_element(log_weights);
    T* const e = cells.scratch;
    T* const held = e + cells.padded;
    for (std::size_t k = 0; k < cells.padded; ++k)
      e[k] = k < components ? static_cast<T>(std::exp(log_weights[k] - top)) : T{0};
    const T least =
        kernels::pass(cells.rows, cells.weight, cells.count, cells.padded, e, cells.norm, held);
    if (!(least > static_cast<T>(kLeastNorm))) return std::numeric_limits<double>::quiet_NaN();
    double sum = cells.total * top;
    for (std::size_t o = 0; o < cells.count; ++o)
      sum += static_cast<double>(cells.weight[o]) * std::log(static_cast<double>(cells.norm[o]));
    for (std::size_t k = 0; k < components; ++k) counts[k] = static_cast<double>(held[k]);
    return sum;
  }

  template <class T>
  static double expect_logs(const Cells<T>& cells, std::span<const double> log_weights,
                            std::vector<double>& counts) {
    std::vector<double> phi(log_weights.size());
    double sum = 0;
    for (std::size_t o = 0; o < cells.count; ++o) {
      const auto weight = static_cast<double>(cells.weight[o]);
      for (std::size_t k = 0; k < phi.size(); ++k)
        phi[k] = log_weights[k] + static_cast<double>(cells.rows[o * cells.padded + k]);
      sum += weight * math::softmax(phi);
      for (std::size_t k = 0; k < phi.size(); ++k) counts[k] += weight * phi[k];
    }
    return sum;
  }

  // Maximises f(u). Returns false if a normaliser underflowed.
  template <class T>
  bool climb(const Cells<T>& cells, const Limits& limits, std::span<double> state,
             bool logs) const {
    const double m = cells.total;
    const std::span<double> u = state.first(dimension_);
    std::vector<double> log_weights(components()), means(components()), counts;
    bool sound = true;
    const auto minus_f = [&](std::span<const double> at, std::span<double> gradient) {
      for (std::size_t k = 0; k < components(); ++k) {
        const double t = slope(k, at);
        log_weights[k] = scales_.mean_log()[k] + t;
        means[k] = std::log(scales_.mean()[k]) + t;
      }
      const double explained = expect(cells, log_weights, logs, counts);
      sound = sound && std::isfinite(explained);
      const double exposed = m * math::softmax(means);
      std::ranges::copy(at, gradient.begin());
      for (std::size_t k = 0; k < components(); ++k) {
        const double excess = counts[k] - m * means[k];
        for (std::size_t j = 0; j < dimension_; ++j) gradient[j] -= excess * location_of(k)[j];
      }
      return exposed - explained + dot(at, at) / 2;
    };
    math::minimise(minus_f, u, {limits.max_sweeps, limits.tolerance, 5});
    if (!sound) return false;
    std::vector<double> unused(dimension_);
    minus_f(u, unused);  // the counts at the end
    settle(m, state);
    std::ranges::copy(counts, state.begin() + index(dimension_ + 1));
    return sound;
  }

  // The mean of u u^T + P^-1 over the rows of the records; empty if there are none. P^-1 differs
  // little between rows; in many dimensions it is computed from some of them.
  [[nodiscard]] std::vector<double> second_moment(const PriorStatistics& from) const {
    const RecordLayout at = layout();
    const std::size_t rows = from.records.size() / at.size();
    const auto q = static_cast<double>(dimension_);
    const auto most =
        std::max(kFewestInverses, nearest_integer_of<std::size_t>(kInverses / (q * q * q)));
    const std::size_t step = rows / most + 1;
    const std::size_t each = step * std::max(kRowsAtOnce, rows / kRowsAtOnce);
    std::vector<std::vector<double>> part((rows + each - 1) / each);
    core::parallel_for(part.size(), from.threads, [&](std::size_t i, std::size_t /*worker*/) {
      part[i].assign(dimension_ * dimension_, 0.0);
      for (std::size_t row = i * each; row < std::min(rows, (i + 1) * each); row += step)
        add_inverse(std::span(from.records).subspan(row * at.size(), at.size()), part[i]);
    });
    std::vector<double> weight(rows);
    double all = 0, inverted = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      all += weight[row] = from.records[row * at.size()];
      if (row % step == 0) inverted += weight[row];
    }
    if (!(inverted > 0)) return {};
    const auto first = std::span(from.records).subspan(at.location());
    std::vector<double> out = math::weighted_squares(first, at.size(), dimension_, weight);
    for (double& square : out) square /= all;
    for (const std::vector<double>& sum : part) {
      for (std::size_t i = 0; i < out.size(); ++i) out[i] += sum[i] / inverted;
    }
    return out;
  }

  // P^-1 of a row, times its weight.
  void add_inverse(std::span<const double> record, std::span<double> into) const {
    const auto u = record.subspan(layout().location(), dimension_);
    const auto n = record.subspan(layout().held(0), components());
    const double m = std::accumulate(n.begin(), n.end(), 0.0);
    std::vector<double> share(components()), mean(dimension_, 0.0), held;
    shares_at(u, share);
    for (std::size_t k = 0; k < components(); ++k) {
      for (std::size_t j = 0; j < dimension_; ++j) mean[j] += share[k] * location_of(k)[j];
    }
    for (std::size_t k = 0; k < components(); ++k) {
      if (m * share[k] < kHardlyHeld) continue;
      for (std::size_t j = 0; j < dimension_; ++j)
        held.push_back(std::sqrt(m * share[k]) * (location_of(k)[j] - mean[j]));
    }
    math::add_inverse(held, dimension_, record[0], into);
  }

  // One component's location: damped Newton on all rows, or one step weighted by rho on part of
  // them.
  void move_location(std::size_t k, const PriorStatistics& from) {
    const std::size_t steps = from.rho < 1 ? 1 : 5;
    for (std::size_t i = 0; i < steps; ++i) {
      std::vector<double> step, curvature;
      const double height = slopes(k, location_of(k), from, &step, &curvature);
      if (!math::solve_positive(curvature, step)) return;
      if (from.rho < 1) {
        const double length = std::sqrt(dot(step, step) / sigma2_);
        const double share = std::min(from.rho, kLongestStep / std::max(length, 1e-300));
        for (std::size_t j = 0; j < dimension_; ++j) location_of(k)[j] += share * step[j];
        return;
      }
      if (!take_step(k, from, height, step)) return;
    }
  }

  // Halves the step until the objective is higher; returns false if it never is.
  bool take_step(std::size_t k, const PriorStatistics& from, double height,
                 std::span<const double> step) {
    const std::vector<double> before(location_of(k).begin(), location_of(k).end());
    for (double t = 1; t > 1e-6; t /= 2) {
      for (std::size_t j = 0; j < dimension_; ++j) location_of(k)[j] = before[j] + t * step[j];
      if (slopes(k, location_of(k), from, nullptr, nullptr) > height) return true;
    }
    std::ranges::copy(before, location_of(k).begin());
    return false;
  }

  // sum_rows w (n_k l.u - lambda_k) scale - |l|^2 / (2 sigma2), its gradient and minus its Hessian.
  double slopes(std::size_t k, std::span<const double> l, const PriorStatistics& from,
                std::vector<double>* gradient, std::vector<double>* curvature) const {
    const RecordLayout at = layout();
    const std::size_t rows = from.records.size() / at.size();
    std::vector<double> weight(rows);
    double height = -dot(l, l) / (2 * sigma2_);
    if (gradient != nullptr) {
      gradient->assign(l.begin(), l.end());
      for (double& g : *gradient) g /= -sigma2_;
    }
    for (std::size_t row = 0; row < rows; ++row) {
      const std::span<const double> record(&from.records[row * at.size()], at.size());
      const auto u = record.subspan(at.location(), dimension_);
      const double w = record[0] * from.scale;
      const double along = std::clamp(dot(l, u), -kSteep, kSteep);
      const double lambda = scales_.mean()[k] * std::exp(record[1] + along);
      const double n = record[at.held(k)];
      height += w * (n * along - lambda);
      weight[row] = w * lambda;
      if (gradient == nullptr) continue;
      for (std::size_t j = 0; j < dimension_; ++j) (*gradient)[j] += w * (n - lambda) * u[j];
    }
    if (curvature != nullptr) {
      const auto first = std::span(from.records).subspan(rows > 0 ? at.location() : 0);
      *curvature = math::weighted_squares(first, at.size(), dimension_, weight);
      for (std::size_t j = 0; j < dimension_; ++j) (*curvature)[j * dimension_ + j] += 1 / sigma2_;
    }
    return height;
  }

  void centre() {
    for (std::size_t j = 0; j < dimension_; ++j) {
      double mean = 0;
      for (std::size_t k = 0; k < components(); ++k) mean += location_of(k)[j];
      mean /= static_cast<double>(components());
      for (std::size_t k = 0; k < components(); ++k) location_of(k)[j] -= mean;
    }
  }

  std::size_t dimension_;
  double sigma2_;
  ComponentScales scales_;
};

}  // namespace

const MembershipEntry correlated_membership = {
    .name = "correlated",
    .summary = "as gamma, with components that tend to occur together (correlated NMF)",
    .parameter = "scale",
    .create = [](std::size_t k, const RateOptions& rates) -> std::unique_ptr<Membership> {
      return std::make_unique<Correlated>(k, rates);
    },
    .counts = true,
    .precursor = &gamma_membership,
    .located = true};

}  // namespace medley::memberships
