// SPDX-License-Identifier: Apache-2.0
#include "kernels/lattice.hpp"

#include "kernels/lanes.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/lattice.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace medley::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, kLanes>;

// alpha_k + n_k, in every lane.
HWY_INLINE hn::Vec<Tag> urn(const LatticeStep& step, std::size_t n, std::size_t k) {
  return hn::Set(Tag(), step.alpha[k] + static_cast<double>(step.counts[n * step.components + k]));
}

void forward(const LatticeStep& step, const double* HWY_RESTRICT u,
             const double* HWY_RESTRICT before, double* HWY_RESTRICT after) {
  const Tag d;
  for (std::size_t n = 0; n < step.states; ++n) {
    const std::uint32_t* next = step.next + n * step.components;
    for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
      const auto here = hn::LoadU(d, before + n * kLanes + lane);
      for (std::size_t k = 0; k < step.components; ++k) {
        const auto w = hn::Mul(urn(step, n, k), hn::LoadU(d, u + k * kLanes + lane));
        double* to = after + std::size_t{next[k]} * kLanes + lane;
        hn::StoreU(hn::MulAdd(w, here, hn::LoadU(d, to)), d, to);
      }
    }
  }
}

}  // namespace medley::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace medley::kernels {

HWY_EXPORT(forward);

void lattice_forward(const LatticeStep& step, const double* u, const double* before,
                     double* after) {
  HWY_DYNAMIC_DISPATCH(forward)(step, u, before, after);
}

}  // namespace medley::kernels
#endif
