// SPDX-License-Identifier: Apache-2.0
#include "memberships_csv.hpp"

#include <fmt/format.h>

namespace medley::cli {

void add_component_names(CsvLine& line, std::size_t components) {
  for (std::size_t k = 1; k <= components; ++k) line.add(fmt::format("component_{}", k));
}

void add_shares(CsvLine& line, const Memberships& memberships, std::size_t row) {
  for (std::size_t k = 0; k < memberships.components; ++k) line.add(memberships.row(row)[k]);
}

void add_interval_names(CsvLine& line, const MembershipIntervals* intervals) {
  if (intervals == nullptr) return;
  for (std::size_t k = 1; k <= intervals->components; ++k)
    line.add(fmt::format("component_{}_low", k)).add(fmt::format("component_{}_high", k));
}

void add_intervals(CsvLine& line, const MembershipIntervals* intervals, std::size_t row) {
  if (intervals == nullptr) return;
  const std::size_t begin = row * intervals->components;
  for (std::size_t at = begin; at < begin + intervals->components; ++at)
    line.add(intervals->low[at]).add(intervals->high[at]);
}

void write_memberships(const Dataset& data, const Memberships& memberships, Output& output,
                       const MembershipIntervals* intervals) {
  CsvLine line;
  line.add("id");
  add_component_names(line, memberships.components);
  add_interval_names(line, intervals);
  output.write(line.take());
  for (std::size_t i = 0; i < data.rows; ++i) {
    line.add(data.id_of(i));
    add_shares(line, memberships, i);
    add_intervals(line, intervals, i);
    output.write(line.take());
  }
}

}  // namespace medley::cli
