// SPDX-License-Identifier: Apache-2.0
// The pass (kernels/pass.hpp) for one instruction set. Included once per instruction set by the
// kernels built on it; not a header for anybody else.
#if defined(MEDLEY_KERNELS_PASS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef MEDLEY_KERNELS_PASS_INL
#undef MEDLEY_KERNELS_PASS_INL
#else
#define MEDLEY_KERNELS_PASS_INL
#endif

#include <hwy/highway.h>

#include <cstddef>

#include "kernels/lanes.hpp"
#include "kernels/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace medley::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
HWY_INLINE T dot(const T* HWY_RESTRICT a, const T* HWY_RESTRICT b, std::size_t padded) {
  const Tag<T> d;
  auto sum = hn::Zero(d);
  for (std::size_t k = 0; k < padded; k += hn::Lanes(d)) {
    sum = hn::MulAdd(hn::LoadU(d, a + k), hn::LoadU(d, b + k), sum);
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

// 1 if there is none.
template <class T>
HWY_INLINE T smallest_of(const T* norm, std::size_t count) {
  const Tag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  T smallest = count == 0 ? T{1} : norm[0];
  std::size_t o = 0;
  if (count >= lanes) {
    auto least = hn::LoadU(d, norm);
    for (o = lanes; o + lanes <= count; o += lanes) least = hn::Min(least, hn::LoadU(d, norm + o));
    smallest = hn::GetLane(hn::MinOfLanes(d, least));
  }
  for (; o < count; ++o) smallest = norm[o] < smallest ? norm[o] : smallest;
  return smallest;
}

// Four dot products at once hide the latency of the adds.
template <class T>
HWY_INLINE T norms_of(const T* HWY_RESTRICT rows, std::size_t count, std::size_t padded,
                      const T* HWY_RESTRICT e, T* HWY_RESTRICT norm) {
  const Tag<T> d;
  std::size_t o = 0;
  for (; o + 4 <= count; o += 4) {
    const T* row = rows + o * padded;
    auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
    for (std::size_t k = 0; k < padded; k += hn::Lanes(d)) {
      const auto weight = hn::LoadU(d, e + k);
      s0 = hn::MulAdd(weight, hn::LoadU(d, row + k), s0);
      s1 = hn::MulAdd(weight, hn::LoadU(d, row + padded + k), s1);
      s2 = hn::MulAdd(weight, hn::LoadU(d, row + 2 * padded + k), s2);
      s3 = hn::MulAdd(weight, hn::LoadU(d, row + 3 * padded + k), s3);
    }
    norm[o] = hn::GetLane(hn::SumOfLanes(d, s0));
    norm[o + 1] = hn::GetLane(hn::SumOfLanes(d, s1));
    norm[o + 2] = hn::GetLane(hn::SumOfLanes(d, s2));
    norm[o + 3] = hn::GetLane(hn::SumOfLanes(d, s3));
  }
  for (; o < count; ++o) norm[o] = dot(rows + o * padded, e, padded);
  return smallest_of(norm, count);
}

// Cells of one block: as many sums as there are lanes, so that one division serves them all.
inline constexpr std::size_t kBlock = kLanes;

// The eight sums over the lanes of s[0..7], in order.
template <class V>
HWY_INLINE void sums_of_eight(const V* s, float* HWY_RESTRICT out) {
  const Tag<float> d;
#if HWY_TARGET != HWY_SCALAR
  if constexpr (hn::MaxLanes(d) == kLanes) {
    const hn::Repartition<double, Tag<float>> pairs;
    // Lanes within 128 bits: first a and b side by side, then those of four vectors.
    const auto two = [&](V a, V b) {
      return hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b));
    };
    const auto four = [&](V a, V b) {
      const auto x = hn::BitCast(pairs, a), y = hn::BitCast(pairs, b);
      return hn::Add(hn::BitCast(d, hn::InterleaveLower(pairs, x, y)),
                     hn::BitCast(d, hn::InterleaveUpper(pairs, x, y)));
    };
    const V low = four(two(s[0], s[1]), two(s[2], s[3]));
    const V high = four(two(s[4], s[5]), two(s[6], s[7]));
    hn::StoreU(hn::Add(hn::ConcatLowerLower(d, high, low), hn::ConcatUpperUpper(d, high, low)), d,
               out);
    return;
  }
#endif
  for (std::size_t i = 0; i < kBlock; ++i) out[i] = hn::GetLane(hn::SumOfLanes(d, s[i]));
}

template <class V>
HWY_INLINE void sums_of_eight(const V* s, double* HWY_RESTRICT out) {
  const Tag<double> d;
  for (std::size_t i = 0; i < kBlock; ++i) out[i] = hn::GetLane(hn::SumOfLanes(d, s[i]));
}

// ratio_o = w_o / n_o for the cells of a block.
template <class T>
HWY_INLINE void ratios_of(const T* HWY_RESTRICT weight, const T* HWY_RESTRICT norm,
                          T* HWY_RESTRICT ratio) {
  const Tag<T> d;
  for (std::size_t i = 0; i < kBlock; i += hn::Lanes(d))
    hn::StoreU(hn::Div(hn::LoadU(d, weight + i), hn::LoadU(d, norm + i)), d, ratio + i);
}

// Eight cells at a time: their rows come into the first cache for the dot products and are still
// there for the axpys. out collects g.
template <class T>
HWY_INLINE void block_of(const T* HWY_RESTRICT rows, const T* HWY_RESTRICT weight,
                         std::size_t padded, const T* HWY_RESTRICT e, T* HWY_RESTRICT norm,
                         T* HWY_RESTRICT out) {
  const Tag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<Tag<T>> s[kBlock];
  for (std::size_t i = 0; i < kBlock; ++i) s[i] = hn::Zero(d);
  for (std::size_t k = 0; k < padded; k += lanes) {
    const auto v = hn::LoadU(d, e + k);
    for (std::size_t i = 0; i < kBlock; ++i)
      s[i] = hn::MulAdd(v, hn::LoadU(d, rows + i * padded + k), s[i]);
  }
  sums_of_eight(s, norm);
  HWY_ALIGN T ratio[kBlock];
  ratios_of(weight, norm, ratio);
  for (std::size_t i = 0; i < kBlock; ++i) s[i] = hn::Set(d, ratio[i]);
  for (std::size_t k = 0; k < padded; k += lanes) {
    auto even = hn::LoadU(d, out + k);
    auto odd = hn::Mul(s[1], hn::LoadU(d, rows + padded + k));
    even = hn::MulAdd(s[0], hn::LoadU(d, rows + k), even);
    for (std::size_t i = 2; i < kBlock; i += 2) {
      even = hn::MulAdd(s[i], hn::LoadU(d, rows + i * padded + k), even);
      odd = hn::MulAdd(s[i + 1], hn::LoadU(d, rows + (i + 1) * padded + k), odd);
    }
    hn::StoreU(hn::Add(even, odd), d, out + k);
  }
}

template <class T>
HWY_INLINE T pass_of(const T* HWY_RESTRICT rows, const T* HWY_RESTRICT weight, std::size_t count,
                     std::size_t padded, const T* HWY_RESTRICT e, T* HWY_RESTRICT norm,
                     T* HWY_RESTRICT out) {
  const Tag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t k = 0; k < padded; ++k) out[k] = T{0};
  std::size_t o = 0;
  for (; o + kBlock <= count; o += kBlock)
    block_of(rows + o * padded, weight + o, padded, e, norm + o, out);
  for (; o < count; ++o) {
    norm[o] = dot(rows + o * padded, e, padded);
    const auto ratio = hn::Set(d, weight[o] / norm[o]);
    for (std::size_t k = 0; k < padded; k += lanes) {
      const auto g = hn::LoadU(d, out + k);
      hn::StoreU(hn::MulAdd(ratio, hn::LoadU(d, rows + o * padded + k), g), d, out + k);
    }
  }
  for (std::size_t k = 0; k < padded; k += lanes)
    hn::StoreU(hn::Mul(hn::LoadU(d, out + k), hn::LoadU(d, e + k)), d, out + k);
  return smallest_of(norm, count);
}

}  // namespace medley::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
