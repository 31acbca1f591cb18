// SPDX-License-Identifier: Apache-2.0
// An EM iteration of fast inference and of single membership against plain loops: over long rows,
// which are all but certain of their component, and over short ones, which are not.
#include <gtest/gtest.h>

#include <cmath>

#include "engines/starts.hpp"
#include "math/logs.hpp"
#include "math/special.hpp"
#include "support/em.hpp"
#include "support/toy.hpp"

namespace medley::engines {
namespace {

constexpr std::size_t kComponents = 40;
constexpr double kSmoothing = 0.01;

struct Pooled {
  const memberships::MembershipEntry* membership;
  const model::Inference* mode;
};

class PooledRows : public testing::TestWithParam<Pooled> {
 public:
  [[nodiscard]] static Dataset long_rows() {
    return test::dataset({test::large_token_block(200, 6)});
  }
  [[nodiscard]] static Dataset short_rows() {
    return test::dataset({test::random_block(families::categorical_family, 150, 4, 0.3)});
  }

  [[nodiscard]] static std::unique_ptr<VariationalEm> started(
      const Dataset& data, const EmData& prepared,
      VariationalEm::Steps steps = VariationalEm::Steps::plain) {
    EmModel m = make_model(prepared, *GetParam().membership, *GetParam().mode, kComponents);
    m.smoothing = kSmoothing;
    m.alpha = AlphaMode::fixed;
    auto em = std::make_unique<VariationalEm>(prepared, std::move(m), steps);
    em->start_from(random_rows(data, kComponents, {1, 0}));
    return em;
  }
};

// One iteration of one sweep from the documented start.
struct Plain {
  double bound = 0;
  std::vector<std::vector<double>> table;  // slots x K
  std::size_t active = 0;                  // responsibilities of at least 1e-20
};

std::vector<double> sole_log_likelihoods(const EmModel& model, const Block& block,
                                         std::size_t row) {
  const families::Family& family = *model.families[0];
  std::vector<double> total(kComponents, 0.0);
  for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
    for (std::size_t k = 0; k < kComponents; ++k)
      total[k] += static_cast<double>(block.weight_of(c)) *
                  std::log(family.parameters()[block.slot[c] * family.padded() + k]);
  }
  return total;
}

// Single membership: r ~ pi exp(total).
double infer_single(const EmModel& model, std::vector<double>& total) {
  const auto pi = model.membership->parameters();
  for (std::size_t k = 0; k < kComponents; ++k) total[k] += std::log(pi[k]);
  return math::softmax(total);
}

// Mixed membership: phi ~ exp(digamma(gamma) + total / m), gamma = alpha + m phi, and phi again.
double infer_mixed(const EmModel& model, double m, std::vector<double>& total) {
  const auto alpha = model.membership->parameters();
  std::vector<double> gamma(kComponents), phi(kComponents);
  for (std::size_t k = 0; k < kComponents; ++k) gamma[k] = alpha[k] + m / kComponents;
  for (std::size_t k = 0; k < kComponents; ++k) phi[k] = math::digamma(gamma[k]) + total[k] / m;
  math::softmax(phi);
  double gamma_0 = 0, alpha_0 = 0, rest = 0;
  for (std::size_t k = 0; k < kComponents; ++k) {
    gamma_0 += gamma[k] = alpha[k] + m * phi[k];
    alpha_0 += alpha[k];
  }
  for (std::size_t k = 0; k < kComponents; ++k) {
    const double expected_log = math::digamma(gamma[k]) - math::digamma(gamma_0);
    rest += math::log_gamma(gamma[k]) - math::log_gamma(alpha[k]) -
            (gamma[k] - alpha[k]) * expected_log;
    total[k] = expected_log + total[k] / m;
  }
  return m * math::softmax(total) + rest - math::log_gamma(gamma_0) + math::log_gamma(alpha_0);
}

// The smoothed shares of the features' slots.
void normalise(const Block& block, std::vector<std::vector<double>>& table) {
  for (std::size_t f = 0; f + 1 < block.first_slot.size(); ++f) {
    for (std::size_t k = 0; k < kComponents; ++k) {
      double sum = 0;
      for (std::size_t s = block.first_slot[f]; s < block.first_slot[f + 1]; ++s)
        sum += table[s][k] += kSmoothing;
      for (std::size_t s = block.first_slot[f]; s < block.first_slot[f + 1]; ++s)
        table[s][k] /= sum;
    }
  }
}

Plain plain_iteration(const EmModel& model, const Dataset& data) {
  const Block& block = data.blocks[0];
  Plain out;
  out.table.assign(block.slots(), std::vector<double>(kComponents, 0.0));
  for (std::size_t row = 0; row < data.rows; ++row) {
    if (data.observed(row) <= 0) continue;
    auto r = sole_log_likelihoods(model, block, row);
    out.bound += &model.membership->entry() == &memberships::single_membership
                     ? infer_single(model, r)
                     : infer_mixed(model, data.observed(row), r);
    for (const double share : r) out.active += share >= 1e-20 ? 1 : 0;
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
      for (std::size_t k = 0; k < kComponents; ++k)
        out.table[block.slot[c]][k] += static_cast<double>(block.weight_of(c)) * r[k];
    }
  }
  normalise(block, out.table);
  return out;
}

void expect_plain_iteration(const Dataset& data, VariationalEm& em) {
  const Plain expected = plain_iteration(em.model(), data);
  em.iterate({0.0, 1});
  EXPECT_NEAR(em.bound(), expected.bound, 1e-11 * std::abs(expected.bound));
  const families::Family& family = *em.model().families[0];
  for (std::size_t s = 0; s < expected.table.size(); ++s) {
    for (std::size_t k = 0; k < kComponents; ++k)
      ASSERT_NEAR(family.parameters()[s * family.padded() + k], expected.table[s][k],
                  1e-9 * expected.table[s][k])
          << "slot " << s << " component " << k;
  }
}

TEST_P(PooledRows, OfManyCellsGiveWhatPlainLoopsGive) {
  const Dataset data = long_rows();
  const EmData prepared = prepare(data, 1);
  const auto em = started(data, prepared);
  if (GetParam().membership->sole) {
    EXPECT_LT(4 * plain_iteration(em->model(), data).active, data.rows * kComponents);
  }
  expect_plain_iteration(data, *em);
}

TEST_P(PooledRows, OfFewCellsGiveWhatPlainLoopsGive) {
  const Dataset data = short_rows();
  const EmData prepared = prepare(data, 1);
  const auto em = started(data, prepared);
  EXPECT_GT(4 * plain_iteration(em->model(), data).active, data.rows * kComponents);
  expect_plain_iteration(data, *em);
}

TEST_P(PooledRows, ThreadsChangeNoBit) {
  for (const Dataset& data : {long_rows(), short_rows()}) {
    std::vector<std::vector<double>> results;
    for (const std::size_t threads : {1U, 2U, 7U}) {
      const EmData prepared = prepare(data, threads);
      const auto em = started(data, prepared, VariationalEm::Steps::extrapolated);
      for (int iteration = 0; iteration < 6; ++iteration) em->iterate();
      const auto table = em->model().families[0]->parameters();
      results.emplace_back(table.begin(), table.end());
      results.back().push_back(em->iterate());
    }
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Modes, PooledRows,
    testing::Values(Pooled{&memberships::mixed_membership, model::find_inference("fast")},
                    Pooled{&memberships::single_membership, model::find_inference("standard")}),
    [](const auto& cell) { return std::string(cell.param.membership->name); });

}  // namespace
}  // namespace medley::engines
