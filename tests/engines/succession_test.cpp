// SPDX-License-Identifier: Apache-2.0
// One membership after another: tables stay, and the next one begins where rows told it to.
#include "engines/warm_start_membership.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "memberships/registry.hpp"
#include "support/em.hpp"
#include "support/files.hpp"

namespace medley::engines {
namespace {

// Documents that hold components 1 and 2, or 3 and 4: words 1 to 6 are of 1, 2 and so on.
Dataset pairs() {
  std::string text;
  core::Rng rng(8, 8);
  for (std::size_t row = 0; row < 200; ++row) {
    std::string line;
    for (std::size_t v = 0; v < 8; ++v) {
      const bool here = (row % 2 == 0) == (v < 4);
      const auto count = static_cast<int>(here ? 2 + 8 * rng.uniform() : 2 * rng.uniform());
      line += " " + std::to_string(v) + ":" + std::to_string(count + 1);
    }
    text += "8" + line + "\n";
  }
  return test::read_file("pairs.ldac", text);
}

TEST(Succession, TablesStayAndLocationsTellWhatGoesTogether) {
  const Dataset data = pairs();
  const EmData prepared = prepare(data, 1);
  const RateOptions rates{.a0 = 0.25, .b0 = 0.25, .c0 = 1, .dimension = 3, .sigma2 = 1.0 / 3};
  const auto& first = memberships::gamma_membership;
  const auto& second = memberships::correlated_membership;
  EmModel model = make_model(prepared, first, model::usual_inference(first), 4, rates);
  // Component k has words 2k and 2k + 1.
  families::Family& family = *model.families[0];
  std::vector<double> table(family.parameters().size(), 0.0);
  for (std::size_t v = 0; v < 8; ++v) {
    for (std::size_t k = 0; k < 4; ++k) table[v * family.padded() + k] = v / 2 == k ? 0.47 : 0.01;
  }
  family.set_parameters(table);
  std::unique_ptr<memberships::Membership> before = std::move(model.membership);
  model.membership = second.make(4, rates);
  warm_start_membership(prepared, std::move(before), model::usual_inference(second), model);
  EXPECT_TRUE(std::ranges::equal(model.families[0]->parameters(), table));
  EXPECT_EQ(&model.membership->entry(), &second);
  EXPECT_EQ(model.inference, &model::usual_inference(second));
  const auto along = [&](std::size_t i, std::size_t j) {
    const auto a = model.membership->located()->component_location(i);
    const auto b = model.membership->located()->component_location(j);
    double sum = 0;
    for (std::size_t d = 0; d < a.size(); ++d) sum += a[d] * b[d];
    return sum;
  };
  EXPECT_GT(along(0, 1), 0);
  EXPECT_GT(along(2, 3), 0);
  for (const std::size_t i : {0U, 1U}) {
    for (const std::size_t j : {2U, 3U}) EXPECT_LT(along(i, j), 0);
  }
}

}  // namespace
}  // namespace medley::engines
