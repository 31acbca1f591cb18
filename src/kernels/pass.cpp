// SPDX-License-Identifier: Apache-2.0
#include "kernels/pass.hpp"

#include <cmath>

#include "kernels/lanes.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pass.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// must come after highway.h
#include <hwy/contrib/math/math-inl.h>

#include "kernels/pass-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace medley::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

float pass_float(const float* rows, const float* weight, std::size_t count, std::size_t padded,
                 const float* e, float* norm, float* out) {
  return pass_of(rows, weight, count, padded, e, norm, out);
}

double pass_double(const double* rows, const double* weight, std::size_t count, std::size_t padded,
                   const double* e, double* norm, double* out) {
  return pass_of(rows, weight, count, padded, e, norm, out);
}

double norms_double(const double* rows, std::size_t count, std::size_t padded, const double* e,
                    double* norm) {
  return norms_of(rows, count, padded, e, norm);
}

double norms_narrow(const float* rows, std::size_t count, std::size_t padded, const double* e,
                    double* norm) {
  return norms_of(rows, count, padded, e, norm);
}

double sum_log_double(const double* norm, const double* weight, std::size_t count) {
  const Tag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  auto sum = hn::Zero(d);
  std::size_t o = 0;
  for (; o + lanes <= count; o += lanes) {
    sum = hn::MulAdd(hn::LoadU(d, weight + o), hn::Log(d, hn::LoadU(d, norm + o)), sum);
  }
  double total = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; o < count; ++o) total += weight[o] * std::log(norm[o]);
  return total;
}

// Columns of the vectors from `k` on, `kGroups` lane groups of them in registers.
template <std::size_t kGroups, class V>
HWY_INLINE void accumulate_groups(const V* vectors, std::size_t padded, const std::uint32_t* row,
                                  const std::uint32_t* cell, const double* coefficient,
                                  std::size_t count, std::size_t k, double* out) {
  constexpr std::size_t kAhead = 8;  // cells whose vectors are asked for early
  const Tag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<Tag<double>> s[kGroups];
  for (std::size_t g = 0; g < kGroups; ++g) s[g] = hn::LoadU(d, out + k + g * lanes);
  for (std::size_t j = 0; j < count; ++j) {
    if (j + kAhead < count) {
      __builtin_prefetch(&coefficient[cell[j + kAhead]]);
      prefetch(vectors + std::size_t{row[j + kAhead]} * padded + k, kGroups * lanes);
    }
    const V* vector = vectors + std::size_t{row[j]} * padded + k;
    const auto c = hn::Set(d, coefficient[cell[j]]);
    for (std::size_t g = 0; g < kGroups; ++g)
      s[g] = hn::MulAdd(c, load_double(vector + g * lanes), s[g]);
  }
  for (std::size_t g = 0; g < kGroups; ++g) hn::StoreU(s[g], d, out + k + g * lanes);
}

template <class V>
HWY_INLINE void accumulate_of(const V* vectors, std::size_t padded, const std::uint32_t* row,
                              const std::uint32_t* cell, const double* coefficient,
                              std::size_t count, double* out) {
  const std::size_t lanes = hn::Lanes(Tag<double>());
  std::size_t k = 0;
  for (; k + 8 * lanes <= padded; k += 8 * lanes)
    accumulate_groups<8>(vectors, padded, row, cell, coefficient, count, k, out);
  for (; k + 4 * lanes <= padded; k += 4 * lanes)
    accumulate_groups<4>(vectors, padded, row, cell, coefficient, count, k, out);
  for (; k + 2 * lanes <= padded; k += 2 * lanes)
    accumulate_groups<2>(vectors, padded, row, cell, coefficient, count, k, out);
  for (; k < padded; k += lanes)
    accumulate_groups<1>(vectors, padded, row, cell, coefficient, count, k, out);
}

void accumulate_double(const double* vectors, std::size_t padded, const std::uint32_t* row,
                       const std::uint32_t* cell, const double* coefficient, std::size_t count,
                       double* out) {
  accumulate_of(vectors, padded, row, cell, coefficient, count, out);
}

void accumulate_narrow(const float* vectors, std::size_t padded, const std::uint32_t* row,
                       const std::uint32_t* cell, const double* coefficient, std::size_t count,
                       double* out) {
  accumulate_of(vectors, padded, row, cell, coefficient, count, out);
}

}  // namespace medley::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace medley::kernels {

HWY_EXPORT(pass_float);
HWY_EXPORT(pass_double);
HWY_EXPORT(norms_double);
HWY_EXPORT(norms_narrow);
HWY_EXPORT(sum_log_double);
HWY_EXPORT(accumulate_double);
HWY_EXPORT(accumulate_narrow);

float pass(const float* rows, const float* weight, std::size_t count, std::size_t padded,
           const float* e, float* norm, float* out) {
  return HWY_DYNAMIC_DISPATCH(pass_float)(rows, weight, count, padded, e, norm, out);
}

double pass(const double* rows, const double* weight, std::size_t count, std::size_t padded,
            const double* e, double* norm, double* out) {
  return HWY_DYNAMIC_DISPATCH(pass_double)(rows, weight, count, padded, e, norm, out);
}

double norms(const double* rows, std::size_t count, std::size_t padded, const double* e,
             double* norm) {
  return HWY_DYNAMIC_DISPATCH(norms_double)(rows, count, padded, e, norm);
}

double norms(const float* rows, std::size_t count, std::size_t padded, const double* e,
             double* norm) {
  return HWY_DYNAMIC_DISPATCH(norms_narrow)(rows, count, padded, e, norm);
}

double sum_log(const double* norm, const double* weight, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(sum_log_double)(norm, weight, count);
}

void accumulate(const double* vectors, std::size_t padded, const std::uint32_t* row,
                const std::uint32_t* cell, const double* coefficient, std::size_t count,
                double* out) {
  HWY_DYNAMIC_DISPATCH(accumulate_double)(vectors, padded, row, cell, coefficient, count, out);
}

void accumulate(const float* vectors, std::size_t padded, const std::uint32_t* row,
                const std::uint32_t* cell, const double* coefficient, std::size_t count,
                double* out) {
  HWY_DYNAMIC_DISPATCH(accumulate_narrow)(vectors, padded, row, cell, coefficient, count, out);
}

}  // namespace medley::kernels
#endif
