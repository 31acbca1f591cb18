// SPDX-License-Identifier: Apache-2.0
// Memberships as CSV: id, component_1 ... component_K.
#pragma once

#include <cstddef>

#include "csv.hpp"
#include "medley/dataset.hpp"
#include "medley/evaluate.hpp"
#include "output.hpp"

namespace medley::cli {

/// Adds the headings component_1 ... component_K.
void add_component_names(CsvLine& line, std::size_t components);
/// Adds the shares of one row.
void add_shares(CsvLine& line, const Memberships& memberships, std::size_t row);
/// The whole file.
void write_memberships(const Dataset& data, const Memberships& memberships, Output& output);

}  // namespace medley::cli
