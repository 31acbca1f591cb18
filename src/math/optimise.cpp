// SPDX-License-Identifier: Apache-2.0
#include "math/optimise.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

#include "math/descriptive.hpp"

namespace medley::math {
namespace {

using Vector = std::vector<double>;

constexpr double kDecrease = 1e-4;       // of the value, as a share of what the slope promises
constexpr double kFlatter = 0.9;         // what may be left of the slope
constexpr std::size_t kMostTrials = 30;  // of one line search
constexpr double kLeastPairCurvature = 1e-14;  // s'y / y'y of a pair that says something

double largest(const Vector& v) {
  double most = 0;
  for (const double x : v) most = std::max(most, std::abs(x));
  return most;
}

// The last pairs (s, y), and the direction they define.
class Memory {
 public:
  explicit Memory(std::size_t most) : most_(std::max<std::size_t>(most, 1)) {}

  [[nodiscard]] bool empty() const { return pairs_.empty(); }
  void clear() { pairs_.clear(); }

  // A pair without positive curvature would make H indefinite; it is left out.
  void add(Vector s, Vector y) {
    const double sy = dot(s, y), yy = dot(y, y);
    if (!(sy > kLeastPairCurvature * yy) || !std::isfinite(1 / sy) || !std::isfinite(yy)) return;
    pairs_.push_back({std::move(s), std::move(y), sy, sy / yy});
    if (pairs_.size() > most_) pairs_.pop_front();
  }

  // -H g by the two-loop recursion; H begins as the last pair's s'y / y'y.
  [[nodiscard]] Vector direction(const Vector& gradient) const {
    Vector d = gradient;
    Vector along(pairs_.size());
    for (std::size_t j = pairs_.size(); j-- > 0;) {
      along[j] = dot(pairs_[j].s, d) / pairs_[j].sy;
      for (std::size_t i = 0; i < d.size(); ++i) d[i] -= along[j] * pairs_[j].y[i];
    }
    for (double& v : d) v *= empty() ? -1.0 : -pairs_.back().scale;
    for (std::size_t j = 0; j < pairs_.size(); ++j) {
      const double back = -along[j] - dot(pairs_[j].y, d) / pairs_[j].sy;
      for (std::size_t i = 0; i < d.size(); ++i) d[i] += back * pairs_[j].s[i];
    }
    return d;
  }

 private:
  struct Pair {
    Vector s, y;
    double sy, scale;
  };
  std::size_t most_;
  std::deque<Pair> pairs_;
};

struct Point {
  Vector x, gradient;
  double value = 0;
};

// A point on the line x + t d: its value and derivative with respect to t.
struct Place {
  double t = 0, value = 0, slope = 0;
};

// The minimum of the cubic through value and slope of both ends, kept away from the ends; if the
// farther end is not finite, a step well back.
double between(const Place& near, const Place& far) {
  const double width = far.t - near.t;
  if (!std::isfinite(far.value)) return near.t + 0.2 * width;
  const double a = near.slope + far.slope - 3 * (far.value - near.value) / width;
  const double root = std::sqrt(std::max(a * a - near.slope * far.slope, 0.0));
  const double share = 1 - (far.slope + root - a) / (far.slope - near.slope + 2 * root);
  return near.t + width * (std::isfinite(share) ? std::clamp(share, 0.1, 0.9) : 0.5);
}

// Moves `at` along d to a point that satisfies the Wolfe conditions, or to the lowest point found
// that satisfies the first. Returns false, with `at` unchanged, if there is none. Close to a
// minimum rounding hides the decrease: a flatter slope at no higher value is enough.
bool search_line(const ValueAndGradient& function, const Vector& d, double t, Point& at) {
  const Place start = {0, at.value, dot(at.gradient, d)};
  Place near = start;  // satisfies the first condition, and the slope there is still steep
  Place far = {std::numeric_limits<double>::infinity(), 0, 0};  // does not satisfy the first
  Point trial = at, best = at;
  for (std::size_t i = 0; i < kMostTrials && t > near.t && t < far.t; ++i) {
    for (std::size_t j = 0; j < d.size(); ++j) trial.x[j] = at.x[j] + t * d[j];
    trial.value = function(trial.x, trial.gradient);
    Place here = {t, trial.value, dot(trial.gradient, d)};
    // One entry that is not finite makes the slope meaningless.
    if (!std::isfinite(here.value) || !std::isfinite(here.slope))
      here.value = std::numeric_limits<double>::infinity();
    const bool lower = here.value <= start.value + kDecrease * t * start.slope;
    const bool flatter = here.slope >= kFlatter * start.slope;
    const bool flat = std::abs(here.slope) <= -kFlatter * start.slope;
    if (flatter && (lower || (flat && here.value <= start.value))) {
      at = std::move(trial);
      return true;
    }
    (lower ? near : far) = here;
    t = std::isfinite(far.t) ? between(near, far) : 4 * t;
    if (lower && trial.value < best.value) std::swap(best, trial);
  }
  if (!(best.value < at.value)) return false;
  at = std::move(best);
  return true;
}

}  // namespace

LbfgsResult minimise(const ValueAndGradient& function, std::span<double> x,
                     const LbfgsOptions& options) {
  Point at = {Vector(x.begin(), x.end()), Vector(x.size()), 0};
  at.value = function(at.x, at.gradient);
  LbfgsResult result = {at.value, 0, false, LbfgsEnd::iterations};
  if (!std::isfinite(at.value) || !std::isfinite(dot(at.gradient, at.gradient))) {
    result.why = LbfgsEnd::not_finite;
    return result;
  }
  Memory memory(options.memory);
  const auto converged = [&] {
    return largest(at.gradient) <= options.gradient_tolerance * std::max(1.0, std::abs(at.value));
  };
  while (!(result.converged = converged()) && result.iterations < options.max_iterations) {
    Vector d = memory.direction(at.gradient);
    if (!(dot(d, at.gradient) < 0)) {
      memory.clear();
      d = memory.direction(at.gradient);
    }
    // Without a pair the scale is unknown: make a step of length 1 at most.
    const double first =
        memory.empty() ? std::min(1.0, 1 / std::sqrt(dot(at.gradient, at.gradient))) : 1.0;
    const Point before = at;
    if (!search_line(function, d, first, at)) {
      if (memory.empty()) {
        result.why = LbfgsEnd::no_lower_value;
        break;
      }
      memory.clear();
      continue;
    }
    ++result.iterations;
    Vector s(x.size()), y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      s[i] = at.x[i] - before.x[i];
      y[i] = at.gradient[i] - before.gradient[i];
    }
    memory.add(std::move(s), std::move(y));
  }
  if (result.converged) result.why = LbfgsEnd::small_gradient;
  result.value = at.value;
  std::copy(at.x.begin(), at.x.end(), x.begin());
  return result;
}

namespace {

// Relative to the largest diagonal entry: nearly parallel differences add no information.
constexpr double kRidge = 1e-10;

// Solves A c = b for a small positive definite A by Gauss-Jordan elimination with pivots.
std::vector<double> solve(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t count = b.size();
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t pivot = i;
    for (std::size_t r = i + 1; r < count; ++r) {
      if (std::abs(a[r][i]) > std::abs(a[pivot][i])) pivot = r;
    }
    std::swap(a[i], a[pivot]);
    std::swap(b[i], b[pivot]);
    for (std::size_t r = 0; r < count; ++r) {
      if (r == i || a[i][i] == 0) continue;
      const double factor = a[r][i] / a[i][i];
      for (std::size_t c = i; c < count; ++c) a[r][c] -= factor * a[i][c];
      b[r] -= factor * b[i];
    }
  }
  for (std::size_t i = 0; i < count; ++i) b[i] = a[i][i] == 0 ? 0.0 : b[i] / a[i][i];
  return b;
}

}  // namespace

void Anderson::add(std::vector<double> x, std::vector<double> g) {
  pairs_.push_back({std::move(x), std::move(g)});
  if (pairs_.size() > order_ + 1) pairs_.pop_front();
}

std::vector<double> Anderson::next() const {
  const std::size_t count = pairs_.size() - 1, size = pairs_.back().x.size();
  const auto residual = [&](std::size_t j, std::size_t i) {
    return pairs_[j].g[i] - pairs_[j].x[i];
  };
  std::vector<double> f(size);
  for (std::size_t i = 0; i < size; ++i) f[i] = residual(count, i);
  std::vector<std::vector<double>> change(count, std::vector<double>(size));
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t i = 0; i < size; ++i) change[j][i] = residual(j + 1, i) - residual(j, i);
  }
  std::vector<std::vector<double>> gram(count, std::vector<double>(count));
  std::vector<double> right(count);
  double largest = 0;
  for (std::size_t j = 0; j < count; ++j) {
    right[j] = dot(change[j], f);
    for (std::size_t k = 0; k <= j; ++k) gram[j][k] = gram[k][j] = dot(change[j], change[k]);
    largest = std::max(largest, gram[j][j]);
  }
  for (std::size_t j = 0; j < count; ++j) gram[j][j] += kRidge * largest;
  const std::vector<double> c = solve(std::move(gram), std::move(right));
  std::vector<double> next = pairs_.back().g;
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t i = 0; i < size; ++i) next[i] -= c[j] * (pairs_[j + 1].g[i] - pairs_[j].g[i]);
  }
  return next;
}

}  // namespace medley::math
