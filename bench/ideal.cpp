// SPDX-License-Identifier: Apache-2.0
#include "ideal.hpp"

namespace medley::bench {
namespace {

template <class T>
struct Four {
  T a, b, c, d;
};

template <class T>
Four<T> dots(const T* __restrict rows, std::size_t padded, const T* __restrict e) {
  Four<T> n{};
  for (std::size_t k = 0; k < padded; ++k) {
    n.a += e[k] * rows[k];
    n.b += e[k] * rows[padded + k];
    n.c += e[k] * rows[2 * padded + k];
    n.d += e[k] * rows[3 * padded + k];
  }
  return n;
}

template <class T>
void axpys(const Four<T>& by, const T* __restrict rows, std::size_t padded, T* __restrict out) {
  for (std::size_t k = 0; k < padded; ++k) {
    out[k] += by.a * rows[k] + by.b * rows[padded + k] + by.c * rows[2 * padded + k] +
              by.d * rows[3 * padded + k];
  }
}

template <class T>
void pass(const T* rows, std::size_t cells, std::size_t padded, const T* e, T* out) {
  for (std::size_t k = 0; k < padded; ++k) out[k] = 0;
  for (std::size_t o = 0; o < cells; o += 4) {
    const Four<T> n = dots(rows, padded, e);
    axpys({1 / n.a, 1 / n.b, 1 / n.c, 1 / n.d}, rows, padded, out);
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

void ideal_accumulate(const double* rows, std::size_t cells, std::size_t padded, double* out) {
  for (std::size_t j = 0; j < cells; j += 4) {
    axpys({0.1, 0.2, 0.3, 0.4}, rows, padded, out);
    asm volatile("" : : "g"(rows) : "memory");
  }
}

}  // namespace medley::bench
