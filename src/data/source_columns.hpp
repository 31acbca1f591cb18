// SPDX-License-Identifier: Apache-2.0
// All columns of all sources under one roof: those of tables, the value of a triplet source, the
// words of a token source and the label that svmlight lines start with. Options name columns; this
// finds them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "data/raw.hpp"
#include "medley/data.hpp"
#include "medley/error.hpp"

namespace medley::data {

/// Name of the value column of a triplet source.
inline constexpr const char* kValueColumn = "value";

/// A column of some source; lives no longer than the sources it points into.
struct ColumnRef {
  std::size_t source = 0;
  std::string name;
  const RawColumn* text = nullptr;         ///< null for triplet values and words
  std::shared_ptr<const RawColumn> built;  ///< owner of `text` if the source has no such column
};

/// Whether the model describes the column.
[[nodiscard]] bool is_feature(const ColumnSpec& column);
[[nodiscard]] bool has_features(const SourceSpec& source);

[[nodiscard]] SourceKind kind_of(const RawSource& source);
[[nodiscard]] std::size_t rows_of(const RawSource& source);
/// `file:line` of a row (`file` where the format has no lines), with the column if one is given.
[[nodiscard]] std::string place(const RawSource& source, std::size_t row,
                                const std::string& column = "");

[[nodiscard]] std::string place_of_triplet(const RawSource& source, std::size_t triplet);

/// Every column, in order of the sources and their columns.
[[nodiscard]] std::vector<ColumnRef> all_columns(const std::vector<RawSource>& sources);

/// The columns an option means by a name: `age`, or `survey.age` where several sources have one.
[[nodiscard]] std::vector<const ColumnRef*> columns_named(const std::vector<ColumnRef>& columns,
                                                          const std::vector<RawSource>& sources,
                                                          const std::string& name);

/// The problem of an option that names a column which is not there.
[[nodiscard]] Problem unknown_column(const std::string& option, const std::string& name,
                                     const std::vector<ColumnRef>& columns);

}  // namespace medley::data
