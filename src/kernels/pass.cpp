// SPDX-License-Identifier: Apache-2.0
#include "kernels/pass.hpp"

#include "kernels/lanes.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pass.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// must come after highway.h
#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace medley::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A vector type that divides the padding whatever the machine's width.
template <class T>
using Tag = hn::CappedTag<T, kLanes>;

template <class T>
HWY_INLINE T dot(const T* HWY_RESTRICT a, const T* HWY_RESTRICT b, std::size_t padded) {
  const Tag<T> d;
  auto sum = hn::Zero(d);
  for (std::size_t k = 0; k < padded; k += hn::Lanes(d)) {
    sum = hn::MulAdd(hn::LoadU(d, a + k), hn::LoadU(d, b + k), sum);
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

// Four dot products at once hide the latency of the adds.
template <class T>
HWY_INLINE T norms_of(const T* HWY_RESTRICT rows, std::size_t count, std::size_t padded,
                      const T* HWY_RESTRICT e, T* HWY_RESTRICT norm) {
  const Tag<T> d;
  T smallest = count == 0 ? T{1} : std::numeric_limits<T>::max();
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
  for (o = 0; o < count; ++o) smallest = norm[o] < smallest ? norm[o] : smallest;
  return smallest;
}

template <class T>
HWY_INLINE T pass_of(const T* HWY_RESTRICT rows, const T* HWY_RESTRICT weight, std::size_t count,
                     std::size_t padded, const T* HWY_RESTRICT e, T* HWY_RESTRICT norm,
                     T* HWY_RESTRICT out) {
  const Tag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const T smallest = norms_of(rows, count, padded, e, norm);
  // g in registers, four lane groups at a time
  std::size_t k = 0;
  for (; k + 4 * lanes <= padded; k += 4 * lanes) {
    auto g0 = hn::Zero(d), g1 = g0, g2 = g0, g3 = g0;
    for (std::size_t o = 0; o < count; ++o) {
      const auto ratio = hn::Set(d, weight[o] / norm[o]);
      const T* row = rows + o * padded + k;
      g0 = hn::MulAdd(ratio, hn::LoadU(d, row), g0);
      g1 = hn::MulAdd(ratio, hn::LoadU(d, row + lanes), g1);
      g2 = hn::MulAdd(ratio, hn::LoadU(d, row + 2 * lanes), g2);
      g3 = hn::MulAdd(ratio, hn::LoadU(d, row + 3 * lanes), g3);
    }
    hn::StoreU(hn::Mul(g0, hn::LoadU(d, e + k)), d, out + k);
    hn::StoreU(hn::Mul(g1, hn::LoadU(d, e + k + lanes)), d, out + k + lanes);
    hn::StoreU(hn::Mul(g2, hn::LoadU(d, e + k + 2 * lanes)), d, out + k + 2 * lanes);
    hn::StoreU(hn::Mul(g3, hn::LoadU(d, e + k + 3 * lanes)), d, out + k + 3 * lanes);
  }
  for (; k < padded; k += lanes) {
    auto g = hn::Zero(d);
    for (std::size_t o = 0; o < count; ++o) {
      g = hn::MulAdd(hn::Set(d, weight[o] / norm[o]), hn::LoadU(d, rows + o * padded + k), g);
    }
    hn::StoreU(hn::Mul(g, hn::LoadU(d, e + k)), d, out + k);
  }
  return smallest;
}

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

void accumulate_double(const double* vectors, std::size_t padded, const std::uint32_t* row,
                       const std::uint32_t* cell, const double* coefficient, std::size_t count,
                       double* out) {
  const Tag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  // Two lane groups at a time: one cache line of each vector.
  std::size_t k = 0;
  for (; k + 2 * lanes <= padded; k += 2 * lanes) {
    auto s0 = hn::LoadU(d, out + k);
    auto s1 = hn::LoadU(d, out + k + lanes);
    for (std::size_t j = 0; j < count; ++j) {
      const double* vector = vectors + static_cast<std::size_t>(row[j]) * padded + k;
      const auto c = hn::Set(d, coefficient[cell[j]]);
      s0 = hn::MulAdd(c, hn::LoadU(d, vector), s0);
      s1 = hn::MulAdd(c, hn::LoadU(d, vector + lanes), s1);
    }
    hn::StoreU(s0, d, out + k);
    hn::StoreU(s1, d, out + k + lanes);
  }
  for (; k < padded; k += lanes) {
    auto sum = hn::LoadU(d, out + k);
    for (std::size_t j = 0; j < count; ++j) {
      const double* vector = vectors + static_cast<std::size_t>(row[j]) * padded + k;
      sum = hn::MulAdd(hn::Set(d, coefficient[cell[j]]), hn::LoadU(d, vector), sum);
    }
    hn::StoreU(sum, d, out + k);
  }
}

}  // namespace medley::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace medley::kernels {

HWY_EXPORT(pass_float);
HWY_EXPORT(pass_double);
HWY_EXPORT(norms_double);
HWY_EXPORT(sum_log_double);
HWY_EXPORT(accumulate_double);

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

double sum_log(const double* norm, const double* weight, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(sum_log_double)(norm, weight, count);
}

void accumulate(const double* vectors, std::size_t padded, const std::uint32_t* row,
                const std::uint32_t* cell, const double* coefficient, std::size_t count,
                double* out) {
  HWY_DYNAMIC_DISPATCH(accumulate_double)(vectors, padded, row, cell, coefficient, count, out);
}

}  // namespace medley::kernels
#endif
