// SPDX-License-Identifier: Apache-2.0
// The exact posterior of a small grade-of-membership model: the joint of every assignment of
// components to observations, tables and memberships integrated out in closed form,
//
//   p(z, x | alpha) = prod_i B(alpha + n_i) / B(alpha) x prod_k marginal of the observations in k
//
// K^observations terms.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "math/logs.hpp"
#include "samplers/gom_model.hpp"
#include "support/plain_marginal.hpp"
#include "support/toy.hpp"

namespace medley::samplers {

/// A problem that can be solved exactly.
class GomTruth {
 public:
  GomTruth(std::vector<Block> blocks, std::size_t components)
      : data(test::dataset(std::move(blocks))), components_(components) {
    for (const Block& block : data.blocks) {
      priors_.push_back(test::some_prior(block));
      alone_.push_back(block.shape());
    }
    for (std::size_t i = 0; i < data.rows; ++i) {
      for (std::size_t b = 0; b < data.blocks.size(); ++b) {
        const Block& block = data.blocks[b];
        for (auto c = block.row_start[i]; c < block.row_start[i + 1]; ++c) {
          for (float copy = 0; copy < block.weight_of(c); ++copy) add(i, b, c);
        }
      }
    }
  }

  [[nodiscard]] GomOptions options() const {
    GomOptions out;
    out.components = components_;
    for (const test::GivenPrior& prior : priors_) out.priors.push_back(prior.option);
    return out;
  }
  [[nodiscard]] std::size_t observations() const { return person_.size(); }

  /// Where an assignment is in a list of all.
  [[nodiscard]] std::size_t index(const std::vector<std::uint16_t>& z) const {
    std::size_t at = 0;
    for (const std::uint16_t k : z) at = at * components_ + k;
    return at;
  }

  /// log p(x | z) of every assignment.
  [[nodiscard]] std::vector<double> log_marginals() const {
    std::vector<double> out;
    for_all([&](const std::vector<std::uint16_t>& z) {
      double sum = 0;
      for (std::size_t k = 0; k < components_; ++k) {
        std::vector<std::size_t> members;
        for (std::size_t o = 0; o < z.size(); ++o) {
          if (z[o] == k) members.push_back(o);
        }
        for (std::size_t b = 0; b < alone_.size(); ++b)
          sum += test::plain_marginal(alone_[b], members, priors_[b].plain);
      }
      out.push_back(sum);
    });
    return out;
  }

  /// log p(z | alpha) of every assignment.
  [[nodiscard]] std::vector<double> log_priors(const std::vector<double>& alpha) const {
    double alpha0 = 0;
    for (const double a : alpha) alpha0 += a;
    std::vector<double> out;
    for_all([&](const std::vector<std::uint16_t>& z) {
      double sum = 0;
      for (std::size_t i = 0; i < data.rows; ++i) {
        std::vector<double> n(components_, 0.0);
        double m = 0;
        for (std::size_t o = 0; o < z.size(); ++o) {
          if (person_[o] != i) continue;
          ++n[z[o]];
          ++m;
        }
        sum += std::lgamma(alpha0) - std::lgamma(alpha0 + m);
        for (std::size_t k = 0; k < components_; ++k)
          sum += std::lgamma(alpha[k] + n[k]) - std::lgamma(alpha[k]);
      }
      out.push_back(sum);
    });
    return out;
  }

  /// p(z | x, alpha) of every assignment.
  [[nodiscard]] std::vector<double> posterior(const std::vector<double>& alpha) const {
    std::vector<double> p = log_marginals();
    const std::vector<double> prior = log_priors(alpha);
    for (std::size_t i = 0; i < p.size(); ++i) p[i] += prior[i];
    math::softmax(p);
    return p;
  }

  Dataset data;

 private:
  void add(std::size_t person, std::size_t block, std::size_t cell) {
    person_.push_back(person);
    const Block& from = data.blocks[block];
    Block& to = alone_[block];
    to.slot.push_back(from.slot[cell]);
    if (!from.value.empty()) to.value.push_back(from.value[cell]);
    for (Block& any : alone_) any.row_start.push_back(any.slot.size());
  }

  template <class Visit>
  void for_all(Visit&& visit) const {
    std::size_t count = 1;
    for (std::size_t o = 0; o < observations(); ++o) count *= components_;
    std::vector<std::uint16_t> z(observations());
    for (std::size_t at = 0; at < count; ++at) {
      std::size_t rest = at;
      for (std::size_t o = observations(); o-- > 0; rest /= components_)
        z[o] = static_cast<std::uint16_t>(rest % components_);
      visit(z);
    }
  }

  std::size_t components_;
  std::vector<test::GivenPrior> priors_;
  std::vector<Block> alone_;         // every observation a row of its own
  std::vector<std::size_t> person_;  // of an observation
};

}  // namespace medley::samplers
