// SPDX-License-Identifier: Apache-2.0
#include "kernels/urn_draws.hpp"

#include "kernels/lanes.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/urn_draws.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace medley::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void draw_from_urns_double(const UrnDraws& draws, double* HWY_RESTRICT total,
                           std::uint32_t* HWY_RESTRICT component) {
  const hn::CappedTag<double, kLanes> d;
  const std::size_t lanes = hn::Lanes(d), count = draws.components;
  const auto one = hn::Set(d, 1.0);
  HWY_ALIGN double drawn[kLanes];
  for (std::size_t r = 0; r < draws.particles; r += lanes) {
    auto sum = hn::Zero(d);
    const double* urn = draws.urn + r;
    for (std::size_t k = 0; k < count; ++k, urn += draws.particles) {
      sum = hn::MulAdd(hn::Set(d, draws.likelihood[k]), hn::LoadU(d, urn), sum);
      hn::StoreU(sum, d, draws.room + k * kLanes);
    }
    hn::StoreU(sum, d, total + r);
    const auto at = hn::Mul(hn::LoadU(d, draws.uniform + r), sum);
    auto before = hn::Zero(d);  // how many components the draw lies beyond
    for (std::size_t k = 0; k + 1 < count; ++k) {
      const auto passed = hn::Le(hn::LoadU(d, draws.room + k * kLanes), at);
      before = hn::Add(before, hn::IfThenElseZero(passed, one));
    }
    hn::StoreU(before, d, drawn);
    for (std::size_t lane = 0; lane < lanes; ++lane)
      component[r + lane] = static_cast<std::uint32_t>(drawn[lane]);
  }
}

}  // namespace medley::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace medley::kernels {

HWY_EXPORT(draw_from_urns_double);

void draw_from_urns(const UrnDraws& draws, double* total, std::uint32_t* component) {
  HWY_DYNAMIC_DISPATCH(draw_from_urns_double)(draws, total, component);
}

}  // namespace medley::kernels
#endif
