// SPDX-License-Identifier: Apache-2.0
// The lattice steps against plain loops over the same edges, on every instruction set of this
// machine.
#include "kernels/lattice.hpp"

#include <gtest/gtest.h>

#include "core/rng.hpp"
#include "kernels/lanes.hpp"
#include "math/count_lattice.hpp"
#include "support/on_every_target.hpp"

namespace medley::kernels {
namespace {

using test::on_every_target;

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

TEST_F(Steps, PushAddsEveryEdge) {
  const LatticeEdges edges{step.next, step.states, kComponents};
  std::vector<double> want = after;
  each_edge([&](std::size_t n, std::size_t k, std::size_t to, double, std::size_t lane) {
    want[to * kLanes + lane] += u[k * kLanes + lane] * before[n * kLanes + lane];
  });
  on_every_target([&] {
    std::vector<double> got = after;
    lattice_push(edges, u.data(), before.data(), got.data());
    expect_equal(got, want);
  });
}

TEST_F(Steps, PullIsTheTransposeOfPush) {
  const LatticeEdges edges{step.next, step.states, kComponents};
  std::vector<double> want(before.size(), 0.0);
  each_edge([&](std::size_t n, std::size_t k, std::size_t to, double, std::size_t lane) {
    want[n * kLanes + lane] += u[k * kLanes + lane] * after[to * kLanes + lane];
  });
  on_every_target([&] {
    std::vector<double> got(before.size(), 7.0);
    lattice_pull(edges, u.data(), after.data(), got.data());
    expect_equal(got, want);
  });
}

TEST_F(Steps, FlowSumsTheEdgesOfEachComponent) {
  const LatticeEdges edges{step.next, step.states, kComponents};
  std::vector<double> want(kComponents * kLanes, 1.0);
  each_edge([&](std::size_t n, std::size_t k, std::size_t to, double, std::size_t lane) {
    want[k * kLanes + lane] += before[n * kLanes + lane] * after[to * kLanes + lane];
  });
  on_every_target([&] {
    std::vector<double> got(kComponents * kLanes, 1.0);
    lattice_flow(edges, before.data(), after.data(), got.data());
    expect_equal(got, want);
  });
}

// Component counts that the kernels know as constants, and one that they do not.
TEST(Lattice, EveryNumberOfComponents) {
  for (std::size_t components = 1; components <= 12; ++components) {
    const math::CountLattice lattice(components, 3);
    const LatticeEdges edges{lattice.next(2).data(), lattice.size(2), components};
    core::Rng rng(3, components);
    const auto l = Steps::random(components, rng), before = Steps::random(edges.states, rng),
               after = Steps::random(lattice.size(3), rng);
    std::vector<double> pushed(after.size(), 0.0), pulled(before.size()),
        flow(components * kLanes, 0.0);
    lattice_push(edges, l.data(), before.data(), pushed.data());
    lattice_pull(edges, l.data(), after.data(), pulled.data());
    lattice_flow(edges, before.data(), after.data(), flow.data());
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      // <push before, after> = <before, pull after> = sum_k l_k flow_k
      double one = 0, two = 0, three = 0;
      for (std::size_t i = lane; i < after.size(); i += kLanes) one += pushed[i] * after[i];
      for (std::size_t i = lane; i < before.size(); i += kLanes) two += pulled[i] * before[i];
      for (std::size_t i = lane; i < flow.size(); i += kLanes) three += l[i] * flow[i];
      EXPECT_NEAR(one, two, 1e-13 * one);
      EXPECT_NEAR(one, three, 1e-13 * one);
    }
  }
}

TEST(Lattice, DotAndAddScaledAreThePlainLoops) {
  core::Rng rng(9, 1);
  for (const std::size_t count : {0U, 1U, 7U, 8U, 19U}) {
    std::vector<double> a(count), b(count), sum(count);
    double want = 0;
    for (std::size_t i = 0; i < count; ++i) {
      a[i] = rng.normal();
      b[i] = sum[i] = rng.normal();
      want += a[i] * b[i];
    }
    on_every_target([&] {
      EXPECT_NEAR(dot(a.data(), b.data(), count), want, 1e-13);
      std::vector<double> got = b;
      add_scaled(0.3, a.data(), count, got.data());
      for (std::size_t i = 0; i < count; ++i) EXPECT_NEAR(got[i], b[i] + 0.3 * a[i], 1e-15);
    });
  }
}

}  // namespace
}  // namespace medley::kernels
