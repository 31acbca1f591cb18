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

void write_memberships(const Dataset& data, const Memberships& memberships, Output& output) {
  CsvLine line;
  line.add("id");
  add_component_names(line, memberships.components);
  output.write(line.take());
  for (std::size_t i = 0; i < data.rows; ++i) {
    line.add(data.id_of(i));
    add_shares(line, memberships, i);
    output.write(line.take());
  }
}

}  // namespace medley::cli
