// SPDX-License-Identifier: Apache-2.0
#include "data/formats/triplets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/problems.hpp"
#include "core/text.hpp"
#include "data/formats/csv.hpp"
#include "data/formats/dictionary.hpp"
#include "data/formats/numbers.hpp"

namespace medley::data {
namespace {

/// Positions of row, item and value in the header.
using Places = std::array<std::size_t, 3>;

Places find_places(const std::vector<std::string>& header) {
  const auto place = [&](std::string_view name) {
    return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
  };
  const std::size_t row = std::min(place("user"), place("row"));
  const Places named = {row, place("item"), place("value")};
  const bool all =
      std::all_of(named.begin(), named.end(), [&](std::size_t at) { return at < header.size(); });
  return all ? named : Places{0, 1, 2};
}

void check_header(const CsvRecords& records, const Places& places) {
  const std::vector<std::string>& header = records.header();
  const std::string where = records.lines().where(records.line());
  if (header.size() < 3) {
    throw InputError({where,
                      fmt::format("{} column{}, triplets have three: row, item, value",
                                  header.size(), header.size() == 1 ? "" : "s"),
                      "check the delimiter and the header"});
  }
  if (std::all_of(places.begin(), places.end(),
                  [&](std::size_t at) { return parse_number(header[at]).has_value(); })) {
    throw InputError({where, "the first line holds numbers, a header is expected",
                      "put a line such as user,item,value on top"});
  }
}

void warn_of_extras(const std::vector<std::string>& header, const Places& places,
                    const std::string& file, std::vector<std::string>& warnings) {
  std::string extras;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (std::find(places.begin(), places.end(), i) != places.end()) continue;
    extras += (extras.empty() ? "" : ", ") + core::quoted(header[i]);
  }
  if (!extras.empty()) warnings.push_back(file + ": columns left out of the triplets: " + extras);
}

}  // namespace

RawTriplets read_triplets(core::ByteSource& source, const TripletOptions& options) {
  core::Problems problems;
  CsvRecords records(source, options.delimiter, problems, options.memory_limit);
  const Places places = find_places(records.header());
  check_header(records, places);
  if (options.warnings != nullptr)
    warn_of_extras(records.header(), places, source.name(), *options.warnings);

  core::MemoryGuard memory(options.memory_limit, source.name());
  ColumnBuilder rows, items, values;
  RawTriplets triplets;
  triplets.delimiter = records.delimiter();
  while (records.next()) {
    const std::string_view row = records.cells()[places[0]];
    const std::string_view item = records.cells()[places[1]];
    if (row.empty() || item.empty()) {
      const std::string& column = records.header()[places[row.empty() ? 0 : 1]];
      problems.add(records.lines().where(records.line()) + ": column " + core::quoted(column),
                   "is empty, every triplet needs its row and its item",
                   "fill it or drop the line");
      continue;
    }
    if (triplets.line.size() == kMissingCode)
      throw InputError({source.name(), "has more than 4 billion triplets", "read a part of it"});
    memory.add(3 * sizeof(std::uint32_t));
    rows.add(row, {}, memory);
    items.add(item, {}, memory);
    values.add(records.cells()[places[2]], options.is_missing, memory);
    triplets.line.push_back(records.line());
  }
  problems.throw_if_any();
  if (triplets.line.empty())
    throw InputError(
        {source.name(), "has a header and no rows", "check that the file is complete"});
  triplets.rows = rows.take_distinct();
  triplets.items = items.take_distinct();
  triplets.values = values.take_distinct();
  triplets.row = rows.take_codes();
  triplets.item = items.take_codes();
  triplets.value = values.take_codes();
  return triplets;
}

}  // namespace medley::data
