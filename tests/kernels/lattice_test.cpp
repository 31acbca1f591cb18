// SPDX-License-Identifier: Apache-2.0
// The lattice steps against plain loops over the same edges, on every instruction set of this
// machine.
#include "kernels/lattice.hpp"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "core/rng.hpp"
#include "kernels/lanes.hpp"
#include "math/count_lattice.hpp"

namespace medley::kernels {
namespace {

class Steps : public testing::Test {
 public:
  static constexpr std::size_t kComponents = 3, kLayer = 4;
  math::CountLattice lattice{kComponents, kLayer + 1};
  std::vector<double> alpha = {0.3, 1.2, 0.05};
  std::vector<double> u, before, after;
  LatticeStep step{lattice.next(kLayer).data(), lattice.counts(kLayer).data(), lattice.size(kLayer),
                   kComponents, alpha.data()};

  void SetUp() override {
    core::Rng rng(5, 1);
    u = random(kComponents, rng);
    before = random(lattice.size(kLayer), rng);
    after = random(lattice.size(kLayer + 1), rng);
  }
  static std::vector<double> random(std::size_t count, core::Rng& rng) {
    std::vector<double> out(count * kLanes);
    for (double& v : out) v = rng.uniform();
    return out;
  }
  // Calls with (n, k, node of the next layer, alpha_k + n_k, lane).
  template <class F>
  void each_edge(F&& f) const {
    for (std::size_t n = 0; n < lattice.size(kLayer); ++n) {
      for (std::size_t k = 0; k < kComponents; ++k) {
        const double urn = alpha[k] + lattice.counts(kLayer)[n * kComponents + k];
        for (std::size_t lane = 0; lane < kLanes; ++lane)
          f(n, k, lattice.next(kLayer)[n * kComponents + k], urn, lane);
      }
    }
  }
  static void expect_equal(const std::vector<double>& got, const std::vector<double>& want) {
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], want[i], 1e-13 * want[i]);
  }
  template <class F>
  static void on_every_target(F&& f) {
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
      hwy::SetSupportedTargetsForTest(target);
      f();
    }
    hwy::SetSupportedTargetsForTest(0);
  }
};

TEST_F(Steps, Forward) {
  std::vector<double> want(after.size(), 0.0);
  each_edge([&](std::size_t n, std::size_t k, std::size_t to, double urn, std::size_t lane) {
    want[to * kLanes + lane] += u[k * kLanes + lane] * urn * before[n * kLanes + lane];
  });
  on_every_target([&] {
    std::vector<double> got(after.size(), 0.0);
    lattice_forward(step, u.data(), before.data(), got.data());
    expect_equal(got, want);
  });
}

}  // namespace
}  // namespace medley::kernels
