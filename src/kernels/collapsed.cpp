// SPDX-License-Identifier: Apache-2.0
#include "kernels/collapsed.hpp"

#include <cmath>

#include "kernels/lanes.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/collapsed.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// must come after highway.h
#include <hwy/contrib/math/math-inl.h>

#include "kernels/half-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace medley::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = Tag<float>;
using Vector = hn::Vec<Floats>;

// Counts below this are rounding errors: the least alpha is ten times as large.
constexpr float kLeastCount = 1e-7F;
// A smaller normaliser cannot be divided by; the observation is then left unchanged.
constexpr float kLeastNorm = 1e-35F;

HWY_INLINE float at_most_one(float w) {
  return w < 1.0F ? w : 1.0F;
}

// Writes p_k of all components to room; returns their sum. Two sums at a time hide the latency.
template <class Product>
HWY_INLINE float products(std::size_t padded, float* HWY_RESTRICT room, Product&& product) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  Vector s0 = hn::Zero(d), s1 = hn::Zero(d);
  std::size_t k = 0;
  for (; k + 2 * lanes <= padded; k += 2 * lanes) {
    const Vector p0 = product(k), p1 = product(k + lanes);
    hn::StoreU(p0, d, room + k);
    hn::StoreU(p1, d, room + k + lanes);
    s0 = hn::Add(s0, p0);
    s1 = hn::Add(s1, p1);
  }
  for (; k < padded; k += lanes) {
    const Vector p = product(k);
    hn::StoreU(p, d, room + k);
    s0 = hn::Add(s0, p);
  }
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(s0, s1)));
}

// Replaces the products p_k by their powers of 7/8; returns their sum.
HWY_INLINE float warmed(std::size_t padded, float* HWY_RESTRICT room) {
  const Floats d;
  return products(padded, room, [&](std::size_t k) HWY_ATTR {
    const Vector half = hn::Sqrt(hn::LoadU(d, room + k)), quarter = hn::Sqrt(half);
    return hn::Mul(hn::Mul(half, quarter), hn::Sqrt(quarter));
  });
}

// Replaces the products p_k, whose inverse sum is given, by max(0, phi_k + step (p_k / sum -
// phi_k)); returns their sum.
template <class Kept>
HWY_INLINE float beyond(std::size_t padded, const Kept* HWY_RESTRICT phi, float step, float inverse,
                        float* HWY_RESTRICT room) {
  const Floats d;
  const Vector back = hn::Set(d, step - 1.0F), on = hn::Set(d, step * inverse);
  return products(padded, room, [&](std::size_t k) HWY_ATTR {
    const Vector less = hn::Mul(back, load_kept(phi + k));
    return hn::Max(hn::MulSub(on, hn::LoadU(d, room + k), less), hn::Zero(d));
  });
}

// sum_o w_o log norm_o; the norms are in the place of the products.
HWY_INLINE double sum_of_logs(const float* norm, const float* weight, std::size_t count) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  Vector sum = hn::Zero(d);
  std::size_t o = 0;
  for (; o + lanes <= count; o += lanes)
    sum = hn::MulAdd(hn::LoadU(d, weight + o), hn::Log(d, hn::LoadU(d, norm + o)), sum);
  double total = static_cast<double>(hn::GetLane(hn::SumOfLanes(d, sum)));
  for (; o < count; ++o) total += static_cast<double>(weight[o] * std::log(norm[o]));
  return total;
}

// How many observations ahead a slot's row is prefetched; it may lie anywhere in a large table.
constexpr std::size_t kAhead = 2;

// `visit(slot, own)` returns the products of an observation as a function of phi and a;
// `move(slot)` returns a function that updates the counts of the tables.
template <class Kept, class Visit, class Move>
HWY_INLINE CollapsedChange update_cells(const CollapsedCells& cells, Kept* HWY_RESTRICT phi,
                                        const CollapsedRow& row, const float* table,
                                        std::size_t padded, Visit&& visit, Move&& move) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  float* HWY_RESTRICT room = cells.room;
  float* HWY_RESTRICT norm = cells.room + padded;
  float* HWY_RESTRICT held = row.held;
  Vector moved = hn::Zero(d);
  for (std::size_t o = 0; o < cells.count; ++o, phi += padded) {
    if (o + kAhead < cells.count) prefetch(table + cells.slot[o + kAhead] * padded, padded);
    const float weight = cells.weight[o];
    const float own = at_most_one(weight);
    const Vector own_row = hn::Set(d, own), least = hn::Set(d, kLeastCount);
    const auto product = visit(cells.slot[o], weight);
    const float sum = products(padded, room, [&](std::size_t k) HWY_ATTR {
      const Vector f = load_kept(phi + k);
      const Vector a = hn::Max(hn::NegMulAdd(own_row, f, hn::LoadU(d, held + k)), least);
      return product(k, f, a);
    });
    const bool sound = sum > kLeastNorm;
    norm[o] =
        (sound ? sum : kLeastNorm) / (row.size - own > kLeastCount ? row.size - own : kLeastCount);
    if (!sound) continue;
    float dealt = cells.warm ? warmed(padded, room) : sum;
    if (cells.step > 1.0F) dealt = beyond(padded, phi, cells.step, 1.0F / dealt, room);
    const Vector inverse = hn::Set(d, 1.0F / dealt), w = hn::Set(d, weight);
    const auto shift = move(cells.slot[o], weight);
    for (std::size_t k = 0; k < padded; k += lanes) {
      const Vector before = load_kept(phi + k);
      const Vector change =
          hn::Sub(keep(hn::Mul(hn::LoadU(d, room + k), inverse), phi + k), before);
      hn::StoreU(hn::MulAdd(w, change, hn::LoadU(d, held + k)), d, held + k);
      moved = hn::MulAdd(w, hn::Abs(change), moved);
      shift(k, change);
    }
  }
  return {static_cast<double>(hn::GetLane(hn::SumOfLanes(d, moved))),
          sum_of_logs(norm, cells.weight, cells.count)};
}

template <class Kept>
HWY_INLINE CollapsedChange learn(const CollapsedCells& cells, Kept* phi, const CollapsedRow& row,
                                 const CollapsedTables& tables) {
  const Floats d;
  const std::size_t padded = tables.padded;
  return update_cells(
      cells, phi, row, tables.count, padded,
      [&](std::uint32_t slot, float weight) HWY_ATTR {
        const float* c = tables.count + slot * padded;
        const float* n = tables.total[tables.simplex[slot]];
        const Vector eta = hn::Set(d, tables.prior[slot]);
        const Vector own = hn::Set(d, at_most_one(weight * row.weight));
        return [=](std::size_t k, Vector f, Vector a) HWY_ATTR {
          const Vector zero = hn::Zero(d), least = hn::Set(d, kLeastCount);
          const Vector word = hn::Max(hn::NegMulAdd(own, f, hn::LoadU(d, c + k)), zero);
          const Vector all = hn::Max(hn::NegMulAdd(own, f, hn::LoadU(d, n + k)), least);
          return hn::Div(hn::Mul(a, hn::Add(word, eta)), all);
        };
      },
      [&](std::uint32_t slot, float weight) HWY_ATTR {
        float* c = tables.count + slot * padded;
        float* n = tables.total[tables.simplex[slot]];
        const Vector w = hn::Set(d, weight * row.weight);
        return [=](std::size_t k, Vector change) HWY_ATTR {
          hn::StoreU(hn::MulAdd(w, change, hn::LoadU(d, c + k)), d, c + k);
          hn::StoreU(hn::MulAdd(w, change, hn::LoadU(d, n + k)), d, n + k);
        };
      });
}

void update_learning(const CollapsedCells& cells, const CollapsedRow& row,
                     const CollapsedTables& tables, CollapsedChange& out) {
  out = cells.half_phi != nullptr ? learn(cells, cells.half_phi, row, tables)
                                  : learn(cells, cells.phi, row, tables);
}

void update_given(const CollapsedCells& cells, const CollapsedRow& row, const float* table,
                  std::size_t padded, CollapsedChange& out) {
  const Floats d;
  out = update_cells(
      cells, cells.phi, row, table, padded,
      [&](std::uint32_t slot, float) HWY_ATTR {
        const float* beta = table + slot * padded;
        return [=](std::size_t k, Vector, Vector a)
                   HWY_ATTR { return hn::Mul(a, hn::LoadU(d, beta + k)); };
      },
      [](std::uint32_t, float) { return [](std::size_t, Vector) HWY_ATTR {}; });
}

}  // namespace medley::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace medley::kernels {

HWY_EXPORT(update_learning);
HWY_EXPORT(update_given);

CollapsedChange update_collapsed(const CollapsedCells& cells, const CollapsedRow& row,
                                 const CollapsedTables& tables) {
  CollapsedChange out;
  HWY_DYNAMIC_DISPATCH(update_learning)(cells, row, tables, out);
  return out;
}

CollapsedChange update_collapsed(const CollapsedCells& cells, const CollapsedRow& row,
                                 const float* table, std::size_t padded) {
  CollapsedChange out;
  HWY_DYNAMIC_DISPATCH(update_given)(cells, row, table, padded, out);
  return out;
}

}  // namespace medley::kernels
#endif
