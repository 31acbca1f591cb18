// SPDX-License-Identifier: Apache-2.0
// Draws of a row's membership against its posterior by enumeration.
#include "predict/membership_draws.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/hand_model.hpp"

namespace medley::predict {
namespace {

// Three answers that hardly tell the two components apart, then one that does; alpha is small, so
// the last one decides for all. Whoever draws from left to right without looking back is off.
TEST(MembershipDraws, LookBackAtEarlierAnswers) {
  const std::vector<double> alpha = {0.1, 0.1}, yes0 = {0.6, 0.6, 0.6, 0.03};
  const std::vector<double> yes1 = {0.4, 0.4, 0.4, 0.97};
  const Dataset data =
      test::dataset({test::level_block("bernoulli", {{1, 1, 1, 1}}, {2, 2, 2, 2})});
  const auto parts = test::hand_parts("mixed", alpha, data);
  std::vector<std::vector<double>> table;
  for (std::size_t f = 0; f < 4; ++f) {
    table.push_back({1 - yes0[f], 1 - yes1[f]});
    table.push_back({yes0[f], yes1[f]});
  }
  test::set_table(*parts->blocks[0].family, table);

  // All 16 ways to give the answers components: p(z | x) ~ prod l B(alpha + n).
  double total = 0, mean = 0, square = 0;
  for (unsigned z = 0; z < 16; ++z) {
    double p = 1, n = 0;
    for (std::size_t f = 0; f < 4; ++f) {
      const bool second = (z >> f & 1U) != 0;
      p *= second ? yes1[f] : yes0[f];
      n += second ? 0 : 1;
    }
    const double a = alpha[0] + n, b = alpha[1] + 4 - n;
    p *= std::tgamma(a) * std::tgamma(b);
    total += p;
    mean += p * a / (a + b);
    square += p * a * (a + 1) / ((a + b) * (a + b + 1));
  }
  mean /= total;
  square /= total;

  const model::ModelOnData model(Model(parts), data);
  const MembershipDraws draws(model, data);
  constexpr int kDraws = 20'000;
  double drawn = 0, drawn_square = 0;
  std::vector<double> theta(2);
  for (int i = 0; i < kDraws; ++i) {
    core::Rng rng(1, 2, static_cast<std::uint64_t>(i));
    draws.draw(0, {}, rng, theta);
    drawn += theta[0] / kDraws;
    drawn_square += theta[0] * theta[0] / kDraws;
  }
  const double error = std::sqrt((square - mean * mean) / kDraws);
  EXPECT_NEAR(drawn, mean, 5 * error);
  EXPECT_NEAR(drawn_square, square, 5 * error);
}

}  // namespace
}  // namespace medley::predict
