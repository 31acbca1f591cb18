// SPDX-License-Identifier: Apache-2.0
// The pass (kernels/pass.hpp) for one instruction set. Included once per instruction set by the
// kernels built on it; do not include it elsewhere.
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

// The smallest norm; 1 if there is none.
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

// Four dot products at once, to hide the latency of the additions.
template <class R>
HWY_INLINE double norms_of(const R* HWY_RESTRICT rows, std::size_t count, std::size_t padded,
                           const double* HWY_RESTRICT e, double* HWY_RESTRICT norm) {
  const Tag<double> d;
  constexpr std::size_t kAtOnce = 4;
  std::size_t o = 0;
  for (; o < count; o += kAtOnce) {
    const std::size_t some = count - o < kAtOnce ? count - o : kAtOnce;
    hn::Vec<Tag<double>> s[kAtOnce] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    const R* row = rows + o * padded;
    // If fewer than four remain, the first one is read again in place of the missing ones.
    const std::size_t step[kAtOnce] = {0, some > 1 ? padded : 0, some > 2 ? 2 * padded : 0,
                                       some > 3 ? 3 * padded : 0};
    for (std::size_t k = 0; k < padded; k += hn::Lanes(d)) {
      const auto weight = hn::LoadU(d, e + k);
      for (std::size_t i = 0; i < kAtOnce; ++i)
        s[i] = hn::MulAdd(weight, load_double(row + step[i] + k), s[i]);
    }
    for (std::size_t i = 0; i < some; ++i) norm[o + i] = hn::GetLane(hn::SumOfLanes(d, s[i]));
  }
  return smallest_of(norm, count);
}

// Cells of one block: one sum per lane, so that one division serves them all.
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

// norm_o += base_o for the cells of a block.
template <class T>
HWY_INLINE void add_to(const T* HWY_RESTRICT base, T* HWY_RESTRICT norm) {
  const Tag<T> d;
  for (std::size_t i = 0; i < kBlock; i += hn::Lanes(d))
    hn::StoreU(hn::Add(hn::LoadU(d, base + i), hn::LoadU(d, norm + i)), d, norm + i);
}

// ratio_o = w_o / n_o for the cells of a block.
template <class T>
HWY_INLINE void ratios_of(const T* HWY_RESTRICT weight, const T* HWY_RESTRICT norm,
                          T* HWY_RESTRICT ratio) {
  const Tag<T> d;
  for (std::size_t i = 0; i < kBlock; i += hn::Lanes(d))
    hn::StoreU(hn::Div(hn::LoadU(d, weight + i), hn::LoadU(d, norm + i)), d, ratio + i);
}

// Processes eight cells at a time: their rows come into the first cache for the dot products and
// are still there for the axpys. The row of cell i begins at rows + at[i]; out collects g.
template <class T>
HWY_INLINE void block_of(const T* HWY_RESTRICT rows, const std::size_t* at,
                         const T* HWY_RESTRICT weight, const T* base, std::size_t padded,
                         const T* HWY_RESTRICT e, T* HWY_RESTRICT norm, T* HWY_RESTRICT out) {
  const Tag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<Tag<T>> s[kBlock];
  for (hn::Vec<Tag<T>>& sum : s) sum = hn::Zero(d);
  for (std::size_t k = 0; k < padded; k += lanes) {
    const auto v = hn::LoadU(d, e + k);
    for (std::size_t i = 0; i < kBlock; ++i)
      s[i] = hn::MulAdd(v, hn::LoadU(d, rows + at[i] + k), s[i]);
  }
  sums_of_eight(s, norm);
  if (base != nullptr) add_to(base, norm);
  HWY_ALIGN T ratio[kBlock];
  ratios_of(weight, norm, ratio);
  for (std::size_t i = 0; i < kBlock; ++i) s[i] = hn::Set(d, ratio[i]);
  for (std::size_t k = 0; k < padded; k += lanes) {
    auto even = hn::LoadU(d, out + k);
    auto odd = hn::Mul(s[1], hn::LoadU(d, rows + at[1] + k));
    even = hn::MulAdd(s[0], hn::LoadU(d, rows + at[0] + k), even);
    for (std::size_t i = 2; i < kBlock; i += 2) {
      even = hn::MulAdd(s[i], hn::LoadU(d, rows + at[i] + k), even);
      odd = hn::MulAdd(s[i + 1], hn::LoadU(d, rows + at[i + 1] + k), odd);
    }
    hn::StoreU(hn::Add(even, odd), d, out + k);
  }
}

// The last cells, fewer than eight: the last one replaces the missing ones with weight 0. One by
// one each cell would wait for its own dot product and division.
template <class T>
HWY_INLINE void last_block_of(const T* HWY_RESTRICT rows, const T* HWY_RESTRICT weight,
                              const T* base, std::size_t count, std::size_t padded,
                              const T* HWY_RESTRICT e, T* HWY_RESTRICT norm, T* HWY_RESTRICT out) {
  HWY_ALIGN T some_weight[kBlock] = {};
  HWY_ALIGN T some_base[kBlock] = {};
  HWY_ALIGN T some_norm[kBlock];
  std::size_t at[kBlock];
  for (std::size_t i = 0; i < kBlock; ++i) at[i] = (i < count ? i : count - 1) * padded;
  for (std::size_t i = 0; i < count; ++i) some_weight[i] = weight[i];
  for (std::size_t i = 0; base != nullptr && i < count; ++i) some_base[i] = base[i];
  block_of(rows, at, some_weight, some_base, padded, e, some_norm, out);
  for (std::size_t i = 0; i < count; ++i) norm[i] = some_norm[i];
}

// n_o begins with base_o, if given: the contribution of components that are not among these.
template <class T>
HWY_INLINE T pass_of(const T* HWY_RESTRICT rows, const T* HWY_RESTRICT weight, std::size_t count,
                     std::size_t padded, const T* HWY_RESTRICT e, T* HWY_RESTRICT norm,
                     T* HWY_RESTRICT out, const T* base = nullptr) {
  const Tag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t k = 0; k < padded; k += lanes) hn::StoreU(hn::Zero(d), d, out + k);
  const std::size_t at[kBlock] = {0,          padded,     2 * padded, 3 * padded,
                                  4 * padded, 5 * padded, 6 * padded, 7 * padded};
  const auto base_at = [&](std::size_t o) { return base == nullptr ? nullptr : base + o; };
  std::size_t o = 0;
  for (; o + kBlock <= count; o += kBlock)
    block_of(rows + o * padded, at, weight + o, base_at(o), padded, e, norm + o, out);
  if (o < count) {
    last_block_of(rows + o * padded, weight + o, base_at(o), count - o, padded, e, norm + o, out);
  }
  for (std::size_t k = 0; k < padded; k += lanes)
    hn::StoreU(hn::Mul(hn::LoadU(d, out + k), hn::LoadU(d, e + k)), d, out + k);
  return smallest_of(norm, count);
}

}  // namespace medley::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
