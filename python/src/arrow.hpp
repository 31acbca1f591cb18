// SPDX-License-Identifier: Apache-2.0
// Tables from the Arrow C stream interface, which pandas, polars, pyarrow, DuckDB and others export
// (__arrow_c_stream__).
//
// Taken: whole numbers, floats and decimals (numbers), booleans (texts false, true), utf8, large
// utf8 and string views, dictionaries of these under every index type (their order is kept where
// they are ordered), dates and timestamps (texts, as ISO 8601 writes them), lists of any of these.
// Refused in words: times, durations, intervals, binary, structs, maps, unions, run-end encoding.
// The interface carries no sizes of buffers: what it does carry (lengths, offsets, codes, numbers
// of buffers and children) is checked before anything is read.
#pragma once

#include <functional>
#include <string>

#include "arrow_abi.hpp"
#include "medley/io.hpp"

namespace medley::python {

/// All rows of a stream, which is released. A stream that is no table is a single column. `look` is
/// called every few hundred thousand cells; what it throws ends the reading.
MemoryTable table_of(ArrowArrayStream& stream, const std::string& single_column,
                     const std::function<void()>& look);

}  // namespace medley::python
