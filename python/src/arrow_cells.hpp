// SPDX-License-Identifier: Apache-2.0
// Columns of Arrow arrays, chunk after chunk.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "arrow_abi.hpp"
#include "medley/io.hpp"
#include "text_codes.hpp"

namespace medley::python {

/// Rows [begin, begin + count) of an array, counted from its offset.
struct ArrowRows {
  const ArrowArray* array = nullptr;
  std::int64_t begin = 0, count = 0;
};

/// Takes the cells of one column.
class ArrowColumn {
 public:
  virtual ~ArrowColumn() = default;
  /// `absent`: per row not 0 where the whole row is missing (a struct that is null), or null.
  virtual void add(const ArrowRows& rows, const std::uint8_t* absent) = 0;
  [[nodiscard]] virtual MemoryColumn finish(std::string name) = 0;
};

/// For the type of the schema. Throws InputError, naming the column, for types that are not taken.
std::unique_ptr<ArrowColumn> arrow_column(const ArrowSchema& schema, const std::string& name);

struct TextLayout;  // arrow_layout.hpp
std::unique_ptr<ArrowColumn> number_column(char format, const std::string& name);
std::unique_ptr<ArrowColumn> decimal_column(int scale, const std::string& name);
std::unique_ptr<ArrowColumn> text_column(const TextLayout& layout, const std::string& name);
/// `fixed`: the levels are those of the dictionary, in its order.
std::unique_ptr<ArrowColumn> dictionary_column(char index, const TextLayout& values, bool fixed,
                                               const std::string& name);
/// `offsets`: l (32 bits), L (64 bits) or w (none: `width` entries each).
std::unique_ptr<ArrowColumn> list_column(char offsets, std::int64_t width,
                                         std::unique_ptr<ArrowColumn> entries,
                                         const std::string& name);

/// Throws InputError unless the array has the rows, `buffers` buffers (at least) and `children`
/// children.
void check_array(const ArrowRows& rows, std::int64_t buffers, std::int64_t children,
                 const std::string& column);

}  // namespace medley::python
