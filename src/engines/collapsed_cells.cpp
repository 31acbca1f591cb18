// SPDX-License-Identifier: Apache-2.0
#include "engines/collapsed_cells.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <numeric>

namespace medley::engines {
namespace {

// Cuts items into groups of about equal weight; an item may begin a group only where `may` says so.
template <class May>
std::vector<std::uint32_t> cut(const std::vector<std::uint64_t>& weight, May&& may) {
  const auto all = std::accumulate(weight.begin(), weight.end(), std::uint64_t{0});
  const std::uint64_t groups = DiagonalCells::kGroups;
  std::vector<std::uint32_t> begin = {0};
  std::uint64_t so_far = 0;
  for (std::size_t i = 0; i < weight.size(); ++i) {
    while (begin.size() < groups && may(i) && so_far * groups >= all * begin.size() && i > 0)
      begin.push_back(static_cast<std::uint32_t>(i));
    so_far += weight[i];
  }
  begin.resize(groups + 1, static_cast<std::uint32_t>(weight.size()));
  return begin;
}

}  // namespace

DiagonalCells::DiagonalCells(const Dataset& data) {
  number_slots(data);
  std::vector<std::uint64_t> of_row(data.rows, 0), of_slot(slots(), 0);
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    const Block& block = data.blocks[b];
    for (std::size_t row = 0; row < data.rows; ++row)
      of_row[row] += block.row_start[row + 1] - block.row_start[row];
    for (const std::uint32_t s : block.slot) ++of_slot[first_slot[b] + s];
  }
  row_groups = cut(of_row, [](std::size_t) { return true; });
  slot_groups = cut(of_slot, [&](std::size_t s) {
    return shared[simplex[s]] != 0 || s == 0 || simplex[s] != simplex[s - 1];
  });
  first_run = {0};
  first_cell = {0};
  for (std::size_t p = 0; p < kGroups; ++p) {
    for (std::size_t v = 0; v < kGroups; ++v) {
      for (std::uint32_t row = row_groups[p]; row < row_groups[p + 1]; ++row) add_run(data, row, v);
      first_run.push_back(runs.size());
      first_cell.push_back(slot.size());
    }
  }
}

void DiagonalCells::number_slots(const Dataset& data) {
  first_slot = {0};
  for (const Block& block : data.blocks) {
    for (std::size_t f = 0; f + 1 < block.first_slot.size(); ++f) {
      simplex.resize(first_slot.back() + block.first_slot[f + 1],
                     static_cast<std::uint32_t>(shared.size()));
      shared.push_back(block.encoding == Encoding::tokens ? 1 : 0);
    }
    first_slot.push_back(static_cast<std::uint32_t>(simplex.size()));
  }
}

// A row's slots ascend within a block. Cells without weight are left out.
void DiagonalCells::add_run(const Dataset& data, std::uint32_t row, std::size_t slot_group) {
  const std::size_t before = slot.size();
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    const Block& block = data.blocks[b];
    const std::uint32_t begin = std::max(slot_groups[slot_group], first_slot[b]);
    const std::uint32_t end = std::min(slot_groups[slot_group + 1], first_slot[b + 1]);
    if (begin >= end) continue;
    const auto first = block.slot.begin() + static_cast<std::ptrdiff_t>(block.row_start[row]);
    const auto last = block.slot.begin() + static_cast<std::ptrdiff_t>(block.row_start[row + 1]);
    for (auto c = std::lower_bound(first, last, begin - first_slot[b]);
         c != last && *c < end - first_slot[b]; ++c) {
      const float w = block.weight_of(static_cast<std::size_t>(c - block.slot.begin()));
      if (!(w > 0)) continue;
      slot.push_back(first_slot[b] + *c);
      weight.push_back(w);
    }
  }
  if (slot.size() > before) runs.push_back({row, static_cast<std::uint32_t>(slot.size() - before)});
}

void PhiStore::resize(std::size_t cells, std::size_t padded, std::size_t half_from) {
  cells_ = cells;
  padded_ = padded;
  const bool half = cells * padded > half_from;
  float_.assign(half ? 0 : cells * padded, 0.0F);
  half_.assign(half ? cells * padded : 0, kernels::Half{0});
}

void PhiStore::clear() {
  *this = {};
}

void PhiStore::put(std::size_t cell, const float* phi) {
  if (half()) {
    kernels::to_half(phi, padded_, &half_[cell * padded_]);
  } else {
    std::copy_n(phi, padded_, &float_[cell * padded_]);
  }
}

void PhiStore::get(std::size_t cell, float* phi) const {
  if (half()) {
    kernels::from_half(&half_[cell * padded_], padded_, phi);
  } else {
    std::copy_n(&float_[cell * padded_], padded_, phi);
  }
}

void PhiStore::show(std::size_t cell, kernels::CollapsedCells& to) {
  if (half()) {
    to.half_phi = &half_[cell * padded_];
  } else {
    to.phi = &float_[cell * padded_];
  }
}

std::vector<float> PhiStore::all() const {
  std::vector<float> out(cells_ * padded_);
  if (half()) {
    kernels::from_half(half_.data(), out.size(), out.data());
  } else {
    std::ranges::copy(float_, out.begin());
  }
  return out;
}

std::size_t PhiStore::packed_size() const {
  static_assert(2 * sizeof(kernels::Half) == sizeof(float));
  return half() ? half_.size() / 2 : float_.size();  // padded_ is even
}

std::vector<float> PhiStore::packed() const {
  std::vector<float> out(packed_size());
  if (out.empty()) return out;
  const void* from = half() ? static_cast<const void*>(half_.data()) : float_.data();
  std::memcpy(out.data(), from, out.size() * sizeof(float));
  return out;
}

void PhiStore::restore_packed(const std::vector<float>& values) {
  assert(values.size() == packed_size());
  if (values.empty()) return;
  void* to = half() ? static_cast<void*>(half_.data()) : float_.data();
  std::memcpy(to, values.data(), values.size() * sizeof(float));
}

void PhiStore::restore(const std::vector<float>& values) {
  assert(values.size() == cells_ * padded_);
  if (half()) {
    kernels::to_half(values.data(), values.size(), half_.data());
  } else {
    std::ranges::copy(values, float_.begin());
  }
}

}  // namespace medley::engines
