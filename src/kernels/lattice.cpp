// SPDX-License-Identifier: Apache-2.0
#include "kernels/lattice.hpp"

#include <type_traits>

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

// Calls body with the number of components as a compile-time constant if it is small, so that sums
// over components stay in registers. 0 stands for any number.
template <class Body>
HWY_INLINE void with_components(std::size_t components, Body&& body) {
  switch (components) {
    case 2:
      return body(std::integral_constant<std::size_t, 2>());
    case 3:
      return body(std::integral_constant<std::size_t, 3>());
    case 4:
      return body(std::integral_constant<std::size_t, 4>());
    case 5:
      return body(std::integral_constant<std::size_t, 5>());
    case 6:
      return body(std::integral_constant<std::size_t, 6>());
    case 7:
      return body(std::integral_constant<std::size_t, 7>());
    case 8:
      return body(std::integral_constant<std::size_t, 8>());
    case 9:
      return body(std::integral_constant<std::size_t, 9>());
    case 10:
      return body(std::integral_constant<std::size_t, 10>());
    default:
      return body(std::integral_constant<std::size_t, 0>());
  }
}

template <std::size_t kCount>
void push_lanes(const LatticeEdges& edges, const double* HWY_RESTRICT l,
                const double* HWY_RESTRICT before, double* HWY_RESTRICT after) {
  const Tag d;
  const std::size_t count = kCount > 0 ? kCount : edges.components;
  for (std::size_t n = 0; n < edges.states; ++n) {
    const std::uint32_t* next = edges.next + n * count;
    const auto here = hn::LoadU(d, before + n * kLanes);
    for (std::size_t k = 0; k < count; ++k) {
      double* to = after + std::size_t{next[k]} * kLanes;
      hn::StoreU(hn::MulAdd(hn::LoadU(d, l + k * kLanes), here, hn::LoadU(d, to)), d, to);
    }
  }
}

template <std::size_t kCount>
void pull_lanes(const LatticeEdges& edges, const double* HWY_RESTRICT l,
                const double* HWY_RESTRICT after, double* HWY_RESTRICT before) {
  const Tag d;
  const std::size_t count = kCount > 0 ? kCount : edges.components;
  for (std::size_t n = 0; n < edges.states; ++n) {
    const std::uint32_t* next = edges.next + n * count;
    auto sum = hn::Zero(d);
    for (std::size_t k = 0; k < count; ++k) {
      sum = hn::MulAdd(hn::LoadU(d, l + k * kLanes),
                       hn::LoadU(d, after + std::size_t{next[k]} * kLanes), sum);
    }
    hn::StoreU(sum, d, before + n * kLanes);
  }
}

template <std::size_t kCount>
void flow_lanes(const LatticeEdges& edges, const double* HWY_RESTRICT before,
                const double* HWY_RESTRICT after, double* HWY_RESTRICT flow) {
  const Tag d;
  if constexpr (kCount > 0) {
    hn::Vec<Tag> sum[kCount];
    for (std::size_t k = 0; k < kCount; ++k) sum[k] = hn::LoadU(d, flow + k * kLanes);
    for (std::size_t n = 0; n < edges.states; ++n) {
      const std::uint32_t* next = edges.next + n * kCount;
      const auto here = hn::LoadU(d, before + n * kLanes);
      for (std::size_t k = 0; k < kCount; ++k)
        sum[k] = hn::MulAdd(here, hn::LoadU(d, after + std::size_t{next[k]} * kLanes), sum[k]);
    }
    for (std::size_t k = 0; k < kCount; ++k) hn::StoreU(sum[k], d, flow + k * kLanes);
  } else {
    for (std::size_t n = 0; n < edges.states; ++n) {
      const std::uint32_t* next = edges.next + n * edges.components;
      const auto here = hn::LoadU(d, before + n * kLanes);
      for (std::size_t k = 0; k < edges.components; ++k) {
        const auto there = hn::LoadU(d, after + std::size_t{next[k]} * kLanes);
        double* sum = flow + k * kLanes;
        hn::StoreU(hn::MulAdd(here, there, hn::LoadU(d, sum)), d, sum);
      }
    }
  }
}

// Narrow vectors process the lanes in several rounds.
void push(const LatticeEdges& edges, const double* l, const double* before, double* after) {
  with_components(edges.components, [&](auto count) {
    for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(Tag()))
      push_lanes<count>(edges, l + lane, before + lane, after + lane);
  });
}

void pull(const LatticeEdges& edges, const double* l, const double* after, double* before) {
  with_components(edges.components, [&](auto count) {
    for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(Tag()))
      pull_lanes<count>(edges, l + lane, after + lane, before + lane);
  });
}

void flow(const LatticeEdges& edges, const double* before, const double* after, double* out) {
  with_components(edges.components, [&](auto count) {
    for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(Tag()))
      flow_lanes<count>(edges, before + lane, after + lane, out + lane);
  });
}

// kLanes partial sums, independent of the width of a vector.
double dot_lanes(const double* HWY_RESTRICT a, const double* HWY_RESTRICT b, std::size_t count) {
  const Tag d;
  const std::size_t whole = count / kLanes * kLanes;
  HWY_ALIGN double part[kLanes] = {};
  for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    auto sum = hn::Zero(d);
    for (std::size_t i = lane; i < whole; i += kLanes)
      sum = hn::MulAdd(hn::LoadU(d, a + i), hn::LoadU(d, b + i), sum);
    hn::StoreU(sum, d, part + lane);
  }
  double total = 0;
  for (const double p : part) total += p;
  for (std::size_t i = whole; i < count; ++i) total += a[i] * b[i];
  return total;
}

void add_scaled_lanes(double factor, const double* HWY_RESTRICT a, std::size_t count,
                      double* HWY_RESTRICT b) {
  const Tag d;
  const auto f = hn::Set(d, factor);
  const std::size_t whole = count / hn::Lanes(d) * hn::Lanes(d);
  for (std::size_t i = 0; i < whole; i += hn::Lanes(d))
    hn::StoreU(hn::MulAdd(f, hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, b + i);
  for (std::size_t i = whole; i < count; ++i) b[i] += factor * a[i];
}

}  // namespace medley::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace medley::kernels {

HWY_EXPORT(forward);
HWY_EXPORT(push);
HWY_EXPORT(pull);
HWY_EXPORT(flow);
HWY_EXPORT(dot_lanes);
HWY_EXPORT(add_scaled_lanes);

void lattice_push(const LatticeEdges& edges, const double* l, const double* before, double* after) {
  HWY_DYNAMIC_DISPATCH(push)(edges, l, before, after);
}

void lattice_pull(const LatticeEdges& edges, const double* l, const double* after, double* before) {
  HWY_DYNAMIC_DISPATCH(pull)(edges, l, after, before);
}

void lattice_flow(const LatticeEdges& edges, const double* before, const double* after,
                  double* out) {
  HWY_DYNAMIC_DISPATCH(flow)(edges, before, after, out);
}

double dot(const double* a, const double* b, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(dot_lanes)(a, b, count);
}

void add_scaled(double factor, const double* a, std::size_t count, double* b) {
  HWY_DYNAMIC_DISPATCH(add_scaled_lanes)(factor, a, count, b);
}

void lattice_forward(const LatticeStep& step, const double* u, const double* before,
                     double* after) {
  HWY_DYNAMIC_DISPATCH(forward)(step, u, before, after);
}

}  // namespace medley::kernels
#endif
