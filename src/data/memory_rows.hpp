// SPDX-License-Identifier: Apache-2.0
// A data set in memory as a source of rows, beside stream files.
#pragma once

#include "medley/io.hpp"

namespace medley::data {

class MemoryRows final : public RowSource {
 public:
  /// The data set must outlive this.
  explicit MemoryRows(const Dataset& data);
  [[nodiscard]] std::size_t rows() const override { return data_.rows; }
  [[nodiscard]] const Dataset& shape() const override { return shape_; }
  [[nodiscard]] Dataset batch(std::span<const RowRange> ranges) const override;
  using RowSource::batch;
  [[nodiscard]] std::string fingerprint() const override;

 private:
  const Dataset& data_;
  Dataset shape_;
};

}  // namespace medley::data
