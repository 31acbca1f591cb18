// SPDX-License-Identifier: Apache-2.0
// Rows from a source written by the caller: every batch is checked before it is used.
#pragma once

#include <span>
#include <string>

#include "medley/io.hpp"

namespace medley::model {

class CheckedRows final : public RowSource {
 public:
  /// Throws InputError if the shape is not valid, or its schema does not describe the blocks.
  explicit CheckedRows(const RowSource& rows);

  [[nodiscard]] std::size_t rows() const override { return rows_.rows(); }
  [[nodiscard]] const Dataset& shape() const override { return rows_.shape(); }
  /// Throws InputError if the rows are not valid, are not the requested ones, or have another
  /// shape.
  [[nodiscard]] Dataset batch(std::span<const RowRange> ranges) const override;
  [[nodiscard]] std::string fingerprint() const override { return rows_.fingerprint(); }

 private:
  const RowSource& rows_;
};

}  // namespace medley::model
