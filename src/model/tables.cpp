// SPDX-License-Identifier: Apache-2.0
#include "model/tables.hpp"

namespace medley::model {

std::vector<double> unpadded(const families::Family& family, std::span<const double> padded) {
  std::vector<double> out;
  for (std::size_t at = 0; at < padded.size(); at += family.padded()) {
    const auto row = padded.subspan(at, family.components());
    out.insert(out.end(), row.begin(), row.end());
  }
  return out;
}

std::vector<double> padded(const families::Family& family, std::span<const double> values) {
  std::vector<double> out(values.size() / family.components() * family.padded(), 0.0);
  for (std::size_t row = 0; row < out.size() / family.padded(); ++row) {
    for (std::size_t k = 0; k < family.components(); ++k)
      out[row * family.padded() + k] = values[row * family.components() + k];
  }
  return out;
}

}  // namespace medley::model
