// SPDX-License-Identifier: Apache-2.0
// Which cells of a column of numbers its family cannot take, and what to say of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/catalogue.hpp"
#include "data/cells.hpp"
#include "data/facts.hpp"
#include "data/missing.hpp"
#include "medley/error.hpp"

namespace medley::data {

class NumberCheck {
 public:
  /// Keeps references to cells, column and catalogue. `fixed`: the family comes from a schema that
  /// was given, so
  /// --column is no way out.
  NumberCheck(const CodedCells& cells, const ColumnSpec& column, MissingStrings missing,
              const FamilyCatalogue& catalogue, bool fixed);

  /// Whether a text is missing, or a number that the family takes.
  [[nodiscard]] bool takes(const std::string& text) const;
  /// Makes bad those of the cells (one per distinct text) that hold a number the family refuses.
  void mark_refused(std::vector<Cell>& cells) const;
  /// `where`: `-1 is below 0; poisson takes whole numbers from 0 (use --column visits=gaussian, or
  /// --na -1)`; only for a text that is not taken.
  [[nodiscard]] Problem problem(const std::string& where, const std::string& text);

 private:
  [[nodiscard]] std::string refusal(double number) const;
  /// A family that takes the whole column; empty if there is none.
  [[nodiscard]] std::string other_family() const;

  const std::vector<std::string>& distinct_;
  const std::vector<std::uint32_t>& code_;
  const ColumnSpec& column_;
  MissingStrings missing_;
  const FamilyCatalogue& catalogue_;
  bool fixed_;
  std::optional<std::string> other_;  // computed when first needed
};

}  // namespace medley::data
