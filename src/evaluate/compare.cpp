// SPDX-License-Identifier: Apache-2.0
// Two models side by side: their components, and the memberships they give to the same rows.
#include "medley/evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/problems.hpp"
#include "core/task.hpp"
#include "evaluate/alignment.hpp"
#include "math/assignment.hpp"
#include "model/model.hpp"

namespace medley {
namespace evaluation {
namespace {

class Comparer {
 public:
  Comparer(const Model& a, const Model& b)
      : a_(a.parts()), b_(b.parts()), common_(common_features(a_, b_)) {}

  Comparison run(std::size_t top) {
    const Alignment alignment = align(common_.both, a_.components(), b_.components());
    std::vector<bool> taken(alignment.columns, false);
    for (std::size_t k = 0; k < alignment.rows; ++k) {
      const std::size_t partner = alignment.partner[k];
      if (partner == math::kUnassigned) {
        out_.only_a.push_back(k);
        continue;
      }
      taken[partner] = true;
      out_.pairs.push_back(
          {k, partner, alignment.at(k, partner), largest_differences(k, partner, top)});
      out_.distance += out_.pairs.back().distance;
    }
    for (std::size_t l = 0; l < alignment.columns; ++l) {
      if (!taken[l]) out_.only_b.push_back(l);
    }
    out_.distance /= static_cast<double>(out_.pairs.size());
    out_.features = common_.both.size();
    out_.left_out = std::move(common_.left_out);
    return std::move(out_);
  }

 private:
  std::vector<ComparedFeature> largest_differences(std::size_t k, std::size_t l,
                                                   std::size_t top) const {
    std::vector<ComparedFeature> all;
    for (const CommonFeature& feature : common_.both) describe(feature, k, l, top, all);
    std::ranges::sort(all, [](const ComparedFeature& x, const ComparedFeature& y) {
      if (x.distance != y.distance) return x.distance > y.distance;
      const double off_x = std::abs(x.a - x.b), off_y = std::abs(y.a - y.b);
      return off_x != off_y ? off_x > off_y : x.feature + x.level < y.feature + y.level;
    });
    all.resize(std::min(all.size(), top));
    return all;
  }

  // A feature by its most different level; a vocabulary by its `top` most different words.
  static void describe(const CommonFeature& f, std::size_t k, std::size_t l, std::size_t top,
                       std::vector<ComparedFeature>& into) {
    const std::string& name = f.a->shape.features[f.feature_a].name;
    const double off = distance(f, k, l);
    if (f.a->shape.encoding == Encoding::real) {
      const families::Moments p = comparable_moments(*f.a, f.feature_a, k),
                              q = comparable_moments(*f.b, f.feature_b, l);
      into.push_back({name, "", p.mean, q.mean, std::sqrt(p.variance), std::sqrt(q.variance), off});
      return;
    }
    std::vector<SlotPair> slots = f.slots;
    const auto difference = [&](const SlotPair& s) {
      return std::abs(probability(*f.a, s.a, k) - probability(*f.b, s.b, l));
    };
    const std::size_t shown = f.a->shape.encoding == Encoding::tokens ? top : 1;
    const auto end = slots.begin() + static_cast<std::ptrdiff_t>(std::min(shown, slots.size()));
    std::partial_sort(slots.begin(), end, slots.end(), [&](const SlotPair& x, const SlotPair& y) {
      return difference(x) > difference(y);
    });
    for (auto s = slots.begin(); s != end; ++s) {
      const Feature& a = f.a->shape.features[f.feature_a];
      const Feature& b = f.b->shape.features[f.feature_b];
      const std::string& level = s->a != kNoSlot
                                     ? a.levels[s->a - f.a->shape.first_slot[f.feature_a]]
                                     : b.levels[s->b - f.b->shape.first_slot[f.feature_b]];
      into.push_back(
          {name, level, probability(*f.a, s->a, k), probability(*f.b, s->b, l), 0, 0, off});
    }
  }

  const model::Parts& a_;
  const model::Parts& b_;
  CommonFeatures common_;
  Comparison out_;
};

}  // namespace
}  // namespace evaluation

Comparison compare(const Model& a, const Model& b, std::size_t top) {
  return evaluation::Comparer(a, b).run(top);
}

namespace {

std::size_t largest(const Memberships& memberships, std::size_t row) {
  const double* share = memberships.row(row);
  return static_cast<std::size_t>(std::max_element(share, share + memberships.components) - share);
}

double mean(const Memberships& memberships, std::size_t component) {
  double sum = 0;
  for (std::size_t row = 0; row < memberships.rows(); ++row) sum += memberships.row(row)[component];
  return sum / static_cast<double>(memberships.rows());
}

double share_correlation(const Memberships& a, std::size_t k, const Memberships& b, std::size_t l) {
  const double mean_a = mean(a, k), mean_b = mean(b, l);
  double both = 0, squares_a = 0, squares_b = 0;
  for (std::size_t row = 0; row < a.rows(); ++row) {
    core::stop_if_asked();
    const double x = a.row(row)[k] - mean_a, y = b.row(row)[l] - mean_b;
    both += x * y;
    squares_a += x * x;
    squares_b += y * y;
  }
  return squares_a > 0 && squares_b > 0 ? both / std::sqrt(squares_a * squares_b) : 0.0;
}

}  // namespace

MembershipAgreement membership_agreement(const Comparison& comparison, const Memberships& a,
                                         const Memberships& b) {
  if (a.rows() != b.rows() || a.rows() == 0) {
    throw InputError(
        {"memberships",
         "are of " + std::to_string(a.rows()) + " and " + std::to_string(b.rows()) + " rows",
         "both models must be applied to the same rows"});
  }
  MembershipAgreement out;
  out.rows = a.rows();
  for (std::size_t row = 0; row < out.rows; ++row) {
    core::stop_if_asked();
    const std::size_t top_a = largest(a, row), top_b = largest(b, row);
    for (const ComparedPair& pair : comparison.pairs) {
      out.overlap += std::min(a.row(row)[pair.a], b.row(row)[pair.b]);
      out.same_top += pair.a == top_a && pair.b == top_b ? 1 : 0;
    }
  }
  out.overlap /= static_cast<double>(out.rows);
  out.same_top /= static_cast<double>(out.rows);
  for (const ComparedPair& pair : comparison.pairs)
    out.correlation.push_back(share_correlation(a, pair.a, b, pair.b));
  return out;
}

}  // namespace medley
