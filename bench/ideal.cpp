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

// Eight cells at a time: dot products, then axpys while the rows are in the first cache.
void ideal_document(const float* rows, std::size_t cells, std::size_t padded, const float* e,
                    float* out) {
  constexpr std::size_t kCells = 8;
  std::memset(out, 0, padded * sizeof(float));
  for (std::size_t o = 0; o < cells; o += kCells, rows += kCells * padded) {
    const std::size_t some = cells - o < kCells ? cells - o : kCells;
    if (some < kCells) {
      for (std::size_t i = 0; i < some; ++i) {
        Eight<float> n = {};
        for (std::size_t k = 0; k < padded; k += kLanes)
          n += load(e + k) * load(rows + i * padded + k);
        const float by = 1 / sum<float>(n);
        for (std::size_t k = 0; k < padded; ++k) out[k] += by * rows[i * padded + k];
      }
      return;
    }
    Eight<float> n[kCells] = {};
    for (std::size_t k = 0; k < padded; k += kLanes) {
      const Eight<float> weight = load(e + k);
      for (std::size_t i = 0; i < kCells; ++i) n[i] += weight * load(rows + i * padded + k);
    }
    float by[kCells];
    for (std::size_t i = 0; i < kCells; ++i) by[i] = 1 / sum<float>(n[i]);
    for (std::size_t k = 0; k < padded; k += kLanes) {
      Eight<float> g = load(out + k);
      for (std::size_t i = 0; i < kCells; ++i) g += by[i] * load(rows + i * padded + k);
      std::memcpy(out + k, &g, sizeof g);
    }
  }
}

void two_pass_document(const float* rows, std::size_t cells, std::size_t padded, const float* e,
                       float* ratio, float* out) {
  for (std::size_t o = 0; o < cells; ++o) {
    Eight<float> n = {};
    for (std::size_t k = 0; k < padded; k += kLanes) n += load(e + k) * load(rows + o * padded + k);
    ratio[o] = 1 / sum<float>(n);
  }
  constexpr std::size_t kGroups = 4;
  for (std::size_t k = 0; k < padded; k += kGroups * kLanes) {
    const std::size_t groups = (padded - k) / kLanes < kGroups ? (padded - k) / kLanes : kGroups;
    Eight<float> g[kGroups] = {};
    for (std::size_t o = 0; o < cells; ++o) {
      for (std::size_t i = 0; i < groups; ++i)
        g[i] += ratio[o] * load(rows + o * padded + k + i * kLanes);
    }
    for (std::size_t i = 0; i < groups; ++i) std::memcpy(out + k + i * kLanes, &g[i], sizeof g[i]);
  }
}

void peak_multiply_adds(std::size_t count, float* out) {
  constexpr std::size_t kChains = 10;  // enough to hide the latency of each
  Eight<float> s[kChains] = {};
  const Eight<float> a = load(out), b = a;  // not known when this is compiled
  for (std::size_t done = 0; done < count; done += kChains * kLanes) {
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kChains; ++i) s[i] = s[i] * a + b;
  }
  for (std::size_t i = 1; i < kChains; ++i) s[0] += s[i];
  std::memcpy(out, &s[0], sizeof s[0]);
}

void peak_reads(const float* from, std::size_t size, std::size_t count, float* out) {
  Eight<float> s[4] = {};
  std::size_t at = 0;
  for (std::size_t done = 0; done < count; done += 4 * kLanes) {
    for (std::size_t i = 0; i < 4; ++i) s[i] += load(from + at + i * kLanes);
    asm volatile("" : : "g"(from) : "memory");
    at = at + 4 * kLanes < size ? at + 4 * kLanes : 0;
  }
  const Eight<float> total = (s[0] + s[1]) + (s[2] + s[3]);
  std::memcpy(out, &total, sizeof total);
}

namespace {

template <std::size_t kGroups>
void product_of(const double* table, const std::uint32_t* slot, const float* weight,
                std::size_t cells, std::size_t padded, std::size_t k, double* out) {
  Eight<double> s[kGroups] = {};
  for (std::size_t o = 0; o < cells; ++o) {
    const double* row = table + slot[o] * padded + k;
    const double w = static_cast<double>(weight[o]);
#pragma GCC unroll 8
    for (std::size_t g = 0; g < kGroups; ++g) s[g] += w * load(row + g * kLanes);
  }
  std::memcpy(out + k, s, sizeof s);
}

}  // namespace

void ideal_product(const double* table, const std::uint32_t* slot, const float* weight,
                   std::size_t cells, std::size_t padded, double* out) {
  std::size_t k = 0;
  for (; k + 4 * kLanes <= padded; k += 4 * kLanes)
    product_of<4>(table, slot, weight, cells, padded, k, out);
  for (; k < padded; k += kLanes) product_of<1>(table, slot, weight, cells, padded, k, out);
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
