// SPDX-License-Identifier: Apache-2.0
// Left to right against all assignments added up: p(x) on average for every family and any guide;
// close to it with few particles where the first observations mislead; and honest about its error.
#include "evaluate/left_to_right.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "math/special.hpp"
#include "support/all_assignments.hpp"
#include "support/em.hpp"
#include "support/toy.hpp"

namespace medley::evaluation {
namespace {

using Likelihoods = std::vector<std::vector<double>>;

// l[o][k], each observed once.
RowObservations observed(const Likelihoods& l) {
  RowObservations row;
  row.components = row.padded = l[0].size();
  for (const auto& of_cell : l) row.rows.insert(row.rows.end(), of_cell.begin(), of_cell.end());
  row.weight.assign(l.size(), 1);
  row.total = static_cast<double>(l.size());
  return row;
}

// The mean of p^ / p over runs of 20 particles, in standard errors from 1.
double deviation(const RowObservations& row, const std::vector<double>& alpha,
                 const std::vector<double>& gamma, double log_p) {
  constexpr int kRuns = 400;
  double sum = 0, squares = 0;
  for (int run = 0; run < kRuns; ++run) {
    const double ratio = std::exp(
        left_to_right(row, alpha, gamma, 20, core::Rng(1, 5, static_cast<std::uint64_t>(run)))
            .log_likelihood -
        log_p);
    sum += ratio;
    squares += ratio * ratio;
  }
  const double mean = sum / kRuns;
  return (mean - 1) / std::sqrt((squares / kRuns - mean * mean) / kRuns);
}

class LeftToRight : public testing::TestWithParam<const families::FamilyEntry*> {};

// Rows with missing cells and of repeated words; the guide points either way, or far too far.
TEST_P(LeftToRight, IsUnbiasedWhateverTheGuide) {
  const Dataset data = test::dataset({test::random_block(*GetParam(), 6, 4, 0.3)});
  engines::EmModel model =
      engines::make_model(engines::prepare(data, 1), memberships::mixed_membership,
                          model::usual_inference(memberships::mixed_membership), 2);
  test::randomise(model, data, 3);
  model.families[0]->prepare(true);
  const std::vector<const families::Family*> families = {model.families[0].get()};
  const std::vector<double> alpha = {0.1, 0.3};
  int rows = 0;
  for (std::size_t i = 0; i < data.rows; ++i) {
    Likelihoods l;
    const auto plain = test::plain_rows(model, data, i);
    const auto weight = test::plain_weights(data, i);
    for (std::size_t o = 0; o < plain.size(); ++o)
      l.insert(l.end(), static_cast<std::size_t>(weight[o]), plain[o]);
    if (l.size() < 2 || l.size() > 12) continue;
    const double log_p = test::all_assignments(l, alpha).log_p;
    RowObservations row;
    row.gather(families, data, i);
    for (const std::vector<double>& gamma : Likelihoods{{0.1, 0.3}, {3.1, 0.3}, {0.1, 40.3}})
      EXPECT_LT(std::abs(deviation(row, alpha, gamma, log_p)), 5) << i << " " << gamma[1];
    ++rows;
  }
  EXPECT_GT(rows, 2);
}

INSTANTIATE_TEST_SUITE_P(Families, LeftToRight,
                         testing::ValuesIn(families::registry().begin(),
                                           families::registry().end()),
                         [](const auto& each) { return std::string(each.param->name); });

// Rows of ratings, each of one profile: any rating tells little, and some point to other profiles.
// As alpha falls to zero the likelihood becomes that of single membership,
//
//   p(x) = (1 / K) sum_k prod_o l_ok.
constexpr double kTiny = 1e-8;
constexpr std::size_t kProfiles = 20;

Likelihoods ratings(core::Rng& rng) {
  const std::size_t components = kProfiles;
  Likelihoods l(40, std::vector<double>(components));
  const std::size_t own = rng.below(components);
  for (auto& of_cell : l) {
    for (double& p : of_cell) p = rng.uniform() < 0.3 ? 0.7 : 0.08;
    of_cell[own] = rng.uniform() < 0.75 ? 0.7 : 0.08;
  }
  return l;
}

double log_p_of_single(const Likelihoods& l) {
  double p = 0;
  for (std::size_t k = 0; k < kProfiles; ++k) {
    double of_profile = 1.0 / kProfiles;
    for (const auto& of_cell : l) of_profile *= of_cell[k];
    p += of_profile;
  }
  return std::log(p);
}

// gamma = alpha + sum_o r_o, r_ok prop. to l_ok exp(digamma(gamma_k)): repeated until it settles.
std::vector<double> variational(const Likelihoods& l, const std::vector<double>& alpha) {
  const auto components = static_cast<double>(alpha.size());
  std::vector<double> gamma = alpha;
  for (double& g : gamma) g += static_cast<double>(l.size()) / components;
  for (int pass = 0; pass < 200; ++pass) {
    std::vector<double> next = alpha;
    for (const auto& of_cell : l) {
      std::vector<double> r(of_cell);
      for (std::size_t k = 0; k < r.size(); ++k) r[k] *= std::exp(math::digamma(gamma[k]));
      const double sum = std::accumulate(r.begin(), r.end(), 0.0);
      for (std::size_t k = 0; k < r.size(); ++k) next[k] += r[k] / sum;
    }
    gamma = next;
  }
  return gamma;
}

TEST(LeftToRightRatings, FewParticlesAreEnough) {
  const std::vector<double> alpha(kProfiles, kTiny);
  core::Rng rng(2, 6);
  constexpr int kRows = 60;
  double lost = 0;
  for (int i = 0; i < kRows; ++i) {
    const Likelihoods l = ratings(rng);
    const double exact = log_p_of_single(l);
    lost += exact - left_to_right(observed(l), alpha, variational(l, alpha), 20,
                                  core::Rng(1, 7, static_cast<std::uint64_t>(i)))
                        .log_likelihood;
  }
  EXPECT_LT(lost / kRows, 1);  // nats per row; 7 without a guide
}

// Without a guide some clouds miss the row's own profile. Many particles in each cloud do not make
// up for clouds that disagree.
TEST(LeftToRightRatings, EstimatesThatAreFarOffHaveFewEffectiveDraws) {
  const std::vector<double> alpha(kProfiles, kTiny);
  core::Rng rng(3, 6);
  int off = 0, unseen = 0;
  for (std::uint64_t i = 0; i < 60; ++i) {
    const Likelihoods l = ratings(rng);
    const double exact = log_p_of_single(l);
    const RowEstimate e = left_to_right(observed(l), alpha, alpha, 100, core::Rng(1, 8, i));
    if (std::abs(e.log_likelihood - exact) < 0.5) continue;
    ++off;
    unseen += e.effective_samples >= 10 ? 1 : 0;
  }
  EXPECT_GT(off, 2);
  EXPECT_LE(10 * unseen, off);
}

TEST(LeftToRightRatings, CloudsThatAgreeAreWorthAllTheirParticles) {
  const std::vector<double> alpha(2, 5.0);
  const Likelihoods same(10, {0.3, 0.3});
  const RowEstimate e = left_to_right(observed(same), alpha, alpha, 200, core::Rng(1, 9, 1));
  EXPECT_NEAR(e.log_likelihood, 10 * std::log(0.3), 1e-12);
  EXPECT_NEAR(e.effective_samples, 200, 1e-6);
}

}  // namespace
}  // namespace medley::evaluation
