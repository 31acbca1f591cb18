// SPDX-License-Identifier: Apache-2.0
#include "asked_cells.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <unordered_map>

#include "medley/error.hpp"
#include "medley/io.hpp"
#include "signals.hpp"
#include "suggest.hpp"

namespace medley::cli {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr std::size_t kSeveral = kNone - 1;

/// What is wrong with a list; the first 20 are kept.
class Complaints {
 public:
  void add(std::string where, std::string what, std::string remedy) {
    if (++total_ <= InputError::kListed)
      problems_.push_back({std::move(where), std::move(what), std::move(remedy)});
  }
  void throw_if_any() const {
    if (total_ > 0) throw InputError(problems_, total_);
  }
  [[nodiscard]] const std::vector<Problem>& first() const { return problems_; }

 private:
  std::vector<Problem> problems_;
  std::size_t total_ = 0;
};

class RowIndex {
 public:
  explicit RowIndex(const Dataset& data) : data_(data) {
    for (std::size_t row = 0; row < data.rows; ++row) {
      const auto [found, fresh] = row_.try_emplace(data.id_of(row), row);
      if (!fresh) found->second = kSeveral;
    }
  }

  /// Complains and returns kNone if there is no one such row.
  std::size_t find(const std::string& id, const std::string& where, Complaints& complaints) const {
    const auto found = row_.find(id);
    if (found == row_.end()) {
      complaints.add(where, fmt::format("there is no row \"{}\" in the data", id),
                     fmt::format("rows go by their id, or without --id by their number from 1; the "
                                 "nearest: {}",
                                 nearest_ids(id)));
      return kNone;
    }
    if (found->second != kSeveral) return found->second;
    complaints.add(where, fmt::format("several rows have the id \"{}\"", id), "make ids unique");
    return kNone;
  }

 private:
  [[nodiscard]] std::string nearest_ids(const std::string& id) const {
    std::vector<std::string> ids;
    ids.reserve(data_.rows);
    for (std::size_t row = 0; row < data_.rows; ++row) ids.push_back(data_.id_of(row));
    return fmt::format("{}", fmt::join(nearest(id, ids, 3), ", "));
  }

  const Dataset& data_;
  std::unordered_map<std::string, std::size_t> row_;
};

class FeatureIndex {
 public:
  explicit FeatureIndex(const Dataset& data) {
    for (std::size_t b = 0; b < data.blocks.size(); ++b) {
      const Block& block = data.blocks[b];
      if (block.encoding == Encoding::tokens) continue;
      for (std::size_t f = 0; f < block.features.size(); ++f) {
        names_.push_back(block.features[f].name);
        const auto [found, fresh] = place_.try_emplace(names_.back(), CellPlace{0, b, f});
        if (!fresh) found->second.block = kSeveral;
      }
    }
  }

  /// Complains and returns false if there is no one such column.
  bool find(const std::string& name, const std::string& where, Complaints& complaints,
            CellPlace& place) const {
    const auto found = place_.find(name);
    if (found == place_.end()) {
      const std::string hint = did_you_mean(name, names_);
      complaints.add(
          where, fmt::format("\"{}\" is no column or item that the model predicts", name),
          hint.empty() ? "words, ids and ignored columns have no cells to predict" : hint);
      return false;
    }
    if (found->second.block == kSeveral) {
      complaints.add(where, fmt::format("several sources have a column \"{}\"", name),
                     "rename one of them and fit again");
      return false;
    }
    place = found->second;
    return true;
  }

 private:
  std::unordered_map<std::string, CellPlace> place_;
  std::vector<std::string> names_;
};

std::size_t column_called(const TextTable& table, std::initializer_list<std::string_view> names) {
  for (std::size_t i = 0; i < table.header.size(); ++i) {
    if (std::find(names.begin(), names.end(), table.header[i]) != names.end()) return i;
  }
  return kNone;
}

}  // namespace

std::vector<std::size_t> rows_of(const Dataset& data, const std::vector<std::string>& ids,
                                 const std::string& where) {
  const RowIndex index(data);
  Complaints complaints;
  std::vector<std::size_t> rows;
  rows.reserve(ids.size());
  for (const std::string& id : ids) rows.push_back(index.find(id, where, complaints));
  complaints.throw_if_any();
  return rows;
}

AskedCells asked_cells(const Dataset& data, const std::string& path) {
  const TextTable table = read_text_table({"", path}, {}, stop_hooks());
  const std::size_t id = column_called(table, {"id", "row", "user"});
  const std::size_t column = column_called(table, {"column", "item"});
  if (id == kNone || column == kNone) {
    throw InputError({path, "has no column id (or row, user) and no column called column (or item)",
                      "give a CSV with the header id,column or user,item"});
  }
  const RowIndex rows(data);
  const FeatureIndex features(data);
  Complaints complaints;
  AskedCells asked;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const std::string where = fmt::format("{}: pair {}", path, i + 1);
    CellPlace place;
    const bool known = features.find(table.rows[i][column], where, complaints, place);
    place.row = rows.find(table.rows[i][id], where, complaints);
    if (known && place.row != kNone) {
      asked.places.push_back(place);
    } else {
      asked.unknown.push_back({asked.places.size(), table.rows[i][id], table.rows[i][column]});
    }
  }
  if (asked.places.empty()) complaints.throw_if_any();
  if (asked.unknown.empty()) return asked;
  const Problem& first = complaints.first().front();
  asked.note = fmt::format("{} of {} pairs cannot be answered (NA); the first: {}: {}{}",
                           asked.unknown.size(), table.rows.size(), first.where, first.what,
                           first.remedy.empty() ? "" : " (" + first.remedy + ")");
  return asked;
}

}  // namespace medley::cli
