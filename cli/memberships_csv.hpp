// SPDX-License-Identifier: Apache-2.0
// Memberships as CSV: id, component_1 ... component_K, and where each share lies.
#pragma once

#include <cstddef>

#include "csv.hpp"
#include "medley/data.hpp"
#include "medley/evaluate.hpp"
#include "medley/uncertainty.hpp"
#include "output.hpp"

namespace medley::cli {

/// Adds the headings component_1 ... component_K.
void add_component_names(CsvLine& line, std::size_t components);
/// Adds the shares of one row.
void add_shares(CsvLine& line, const Memberships& memberships, std::size_t row);
/// The headings component_1_low, component_1_high ... and a row of them; nothing without intervals.
void add_interval_names(CsvLine& line, const MembershipIntervals* intervals);
void add_intervals(CsvLine& line, const MembershipIntervals* intervals, std::size_t row);
/// The whole file; null: without intervals.
void write_memberships(const Dataset& data, const Memberships& memberships, Output& output,
                       const MembershipIntervals* intervals = nullptr);

}  // namespace medley::cli
