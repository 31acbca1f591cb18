// SPDX-License-Identifier: Apache-2.0
#include "ideal.hpp"

#include <cstring>

namespace medley::bench {
namespace {

constexpr std::size_t kLanes = 8;  // what K-vectors are padded to

template <class T>
struct Vector {
  using Eight [[gnu::vector_size(kLanes * sizeof(T))]] = T;
};
template <class T>
using Eight = typename Vector<T>::Eight;

template <class T>
Eight<T> load(const T* from) {
  Eight<T> v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

template <class T>
T sum(Eight<T> v) {
  const auto four = __builtin_shufflevector(v, v, 0, 1, 2, 3) +  //
                    __builtin_shufflevector(v, v, 4, 5, 6, 7);
  return (four[0] + four[2]) + (four[1] + four[3]);
}

// Four cells at a time: their dot products with e, then their part of out.
template <class T>
void pass(const T* rows, std::size_t cells, std::size_t padded, const T* e, T* out) {
  std::memset(out, 0, padded * sizeof(T));
  for (std::size_t o = 0; o < cells; o += 4) {
    Eight<T> n[4] = {};
    for (std::size_t k = 0; k < padded; k += kLanes) {
      const Eight<T> weight = load(e + k);
      for (std::size_t i = 0; i < 4; ++i) n[i] += weight * load(rows + i * padded + k);
    }
    const T by[4] = {1 / sum<T>(n[0]), 1 / sum<T>(n[1]), 1 / sum<T>(n[2]), 1 / sum<T>(n[3])};
    for (std::size_t k = 0; k < padded; k += kLanes) {
      Eight<T> g = load(out + k);
      for (std::size_t i = 0; i < 4; ++i) g += by[i] * load(rows + i * padded + k);
      std::memcpy(out + k, &g, sizeof g);
    }
    // As if the rows were others now: without this the dot products would be moved out of the loop.
    asm volatile("" : : "g"(rows) : "memory");
  }
}

}  // namespace

void ideal_pass(const float* rows, std::size_t cells, std::size_t padded, const float* e,
                float* out) {
  pass(rows, cells, padded, e, out);
}

void ideal_pass(const double* rows, std::size_t cells, std::size_t padded, const double* e,
                double* out) {
  pass(rows, cells, padded, e, out);
}

// Sums stay in registers, one for each of the four rows so that no addition waits for another.
void ideal_accumulate(const double* rows, std::size_t cells, std::size_t padded, double* out) {
  constexpr double kCoefficient[4] = {0.1, 0.2, 0.3, 0.4};
  for (std::size_t k = 0; k < padded; k += kLanes) {
    Eight<double> s[4] = {};
    for (std::size_t j = 0; j < cells; j += 4) {
      for (std::size_t i = 0; i < 4; ++i) s[i] += kCoefficient[i] * load(rows + i * padded + k);
      asm volatile("" : : "g"(rows) : "memory");
    }
    const Eight<double> total = load(out + k) + (s[0] + s[1]) + (s[2] + s[3]);
    std::memcpy(out + k, &total, sizeof total);
  }
}

}  // namespace medley::bench
