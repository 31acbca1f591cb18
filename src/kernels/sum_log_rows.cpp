// SPDX-License-Identifier: Apache-2.0
#include "kernels/sum_log_rows.hpp"

#include "kernels/lanes.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/sum_log_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// must come after highway.h
#include "kernels/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace medley::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Components from `k` on, `kGroups` vectors of them in registers.
template <std::size_t kGroups>
HWY_INLINE void add_groups(const double* HWY_RESTRICT table, std::size_t padded,
                           const SlotCells& cells, std::size_t k, double* HWY_RESTRICT total) {
  constexpr std::size_t kAhead = 8;  // cells whose table rows are asked for early
  const Tag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  hn::Vec<Tag<double>> s[kGroups];
  for (std::size_t g = 0; g < kGroups; ++g) s[g] = hn::LoadU(d, total + k + g * lanes);
  for (std::size_t o = 0; o < cells.count; ++o) {
    if (o + kAhead < cells.count)
      prefetch(table + std::size_t{cells.slot[o + kAhead]} * padded + k, kGroups * lanes);
    const double* row = table + std::size_t{cells.slot[o]} * padded + k;
    const auto w = hn::Set(d, cells.weight == nullptr ? 1.0 : static_cast<double>(cells.weight[o]));
    for (std::size_t g = 0; g < kGroups; ++g)
      s[g] = hn::MulAdd(w, hn::LoadU(d, row + g * lanes), s[g]);
  }
  for (std::size_t g = 0; g < kGroups; ++g) hn::StoreU(s[g], d, total + k + g * lanes);
}

void add_rows_double(const double* table, std::size_t padded, const SlotCells& cells,
                     double* total) {
  const std::size_t lanes = hn::Lanes(Tag<double>());
  std::size_t k = 0;
  for (; k + 8 * lanes <= padded; k += 8 * lanes) add_groups<8>(table, padded, cells, k, total);
  for (; k + 4 * lanes <= padded; k += 4 * lanes) add_groups<4>(table, padded, cells, k, total);
  for (; k + 2 * lanes <= padded; k += 2 * lanes) add_groups<2>(table, padded, cells, k, total);
  for (; k < padded; k += lanes) add_groups<1>(table, padded, cells, k, total);
}

}  // namespace medley::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace medley::kernels {

HWY_EXPORT(add_rows_double);

void add_rows(const double* table, std::size_t padded, const SlotCells& cells, double* total) {
  HWY_DYNAMIC_DISPATCH(add_rows_double)(table, padded, cells, total);
}

}  // namespace medley::kernels
#endif
