// SPDX-License-Identifier: Apache-2.0
#include "engines/kept_phi.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace medley::engines {

void KeptPhi::resize(std::size_t cells, std::size_t padded, std::size_t half_from) {
  cells_ = cells;
  padded_ = padded;
  const bool half = cells * padded > half_from;
  float_.assign(half ? 0 : cells * padded, 0.0F);
  half_.assign(half ? cells * padded : 0, kernels::Half{0});
}

void KeptPhi::clear() {
  *this = {};
}

void KeptPhi::put(std::size_t cell, const float* phi) {
  if (half()) {
    kernels::to_half(phi, padded_, &half_[cell * padded_]);
  } else {
    std::copy_n(phi, padded_, &float_[cell * padded_]);
  }
}

void KeptPhi::get(std::size_t cell, float* phi) const {
  if (half()) {
    kernels::from_half(&half_[cell * padded_], padded_, phi);
  } else {
    std::copy_n(&float_[cell * padded_], padded_, phi);
  }
}

void KeptPhi::show(std::size_t cell, kernels::CollapsedCells& to) {
  if (half()) {
    to.half_phi = &half_[cell * padded_];
  } else {
    to.phi = &float_[cell * padded_];
  }
}

std::vector<float> KeptPhi::all() const {
  std::vector<float> out(cells_ * padded_);
  if (half()) {
    kernels::from_half(half_.data(), out.size(), out.data());
  } else {
    std::ranges::copy(float_, out.begin());
  }
  return out;
}

std::size_t KeptPhi::packed_size() const {
  static_assert(2 * sizeof(kernels::Half) == sizeof(float));
  return half() ? half_.size() / 2 : float_.size();  // padded_ is even
}

std::vector<float> KeptPhi::packed() const {
  std::vector<float> out(packed_size());
  if (out.empty()) return out;
  const void* from = half() ? static_cast<const void*>(half_.data()) : float_.data();
  std::memcpy(out.data(), from, out.size() * sizeof(float));
  return out;
}

void KeptPhi::restore_packed(const std::vector<float>& values) {
  assert(values.size() == packed_size());
  if (values.empty()) return;
  void* to = half() ? static_cast<void*>(half_.data()) : float_.data();
  std::memcpy(to, values.data(), values.size() * sizeof(float));
}

void KeptPhi::restore(const std::vector<float>& values) {
  assert(values.size() == cells_ * padded_);
  if (half()) {
    kernels::to_half(values.data(), values.size(), half_.data());
  } else {
    std::ranges::copy(values, float_.begin());
  }
}

}  // namespace medley::engines
