// SPDX-License-Identifier: Apache-2.0
// Random damage to data sets and sources in memory: what a wrong index, a wrong size or a wrong
// number in somebody's program would do.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/rng.hpp"
#include "medley/io.hpp"

namespace medley::test {

class Mutator {
 public:
  explicit Mutator(core::Rng& rng) : rng_(rng) {}

  /// One change somewhere in the data set.
  void change(Dataset& data) {
    switch (rng_.below(10)) {
      case 0:
        return number(data.rows);
      case 1:
        return list(data.ids);
      case 2:
        return list(data.row_weight);
      case 3:
        return number(data.weight_unit);
      case 4:
        if (!data.kept.empty()) kept(data.kept[rng_.below(data.kept.size())]);
        return;
      case 5:
        return schema(data.schema);
      case 6:
        if (rng_.below(4) == 0) return list_of(data.blocks);
        [[fallthrough]];
      default:
        if (!data.blocks.empty()) block(data.blocks[rng_.below(data.blocks.size())]);
    }
  }

  void change(std::vector<MemorySource>& sources) {
    if (sources.empty() || rng_.below(40) == 0) return list_of(sources);
    MemorySource& source = sources[rng_.below(sources.size())];
    if (rng_.below(20) == 0) return text(source.name);
    std::visit([&](auto& content) { change(content); }, source.content);
  }

  void change(ReadOptions& options) {
    std::string* names[] = {&options.id, &options.label, &options.weight};
    const std::string column = std::string(1, static_cast<char>('a' + rng_.below(8)));
    switch (rng_.below(6)) {
      case 0:
        return text(*names[rng_.below(3)]);
      case 1:
        *names[rng_.below(3)] = column;
        return;
      case 2: {
        const char* families[] = {"categorical", "gaussian",  "poisson", "text", "tags",
                                  "set",         "bernoulli", "tokens",  "",     "year"};
        options.family[column] = families[rng_.below(10)];
        return;
      }
      case 3:
        options.missing_as_category = !options.missing_as_category;
        return;
      case 4:
        return list(options.row_ids);
      default:
        return list(options.na);
    }
  }

 private:
  void change(MemoryTable& table) {
    if (rng_.below(12) == 0) return number(table.rows);
    if (table.columns.empty() || rng_.below(12) == 0) return list_of(table.columns);
    MemoryColumn& column = table.columns[rng_.below(table.columns.size())];
    if (rng_.below(10) == 0) return text(column.name);
    if (rng_.below(20) == 0) return text(column.title);
    std::visit([&](auto& cells) { change(cells); }, column.cells);
  }
  void change(MemoryCounts& counts) {
    switch (rng_.below(4)) {
      case 0:
        return list(counts.row_start);
      case 1:
        return list(counts.word);
      case 2:
        return list(counts.count);
      default:
        return list(counts.vocabulary);
    }
  }
  void change(MemoryTriplets& triplets) {
    const std::uint64_t which = rng_.below(3);
    if (which == 0) return change(triplets.row);
    if (which == 1) return change(triplets.item);
    std::visit([&](auto& cells) { change(cells); }, triplets.value);
  }
  void change(TextColumn& column) {
    switch (rng_.below(5)) {
      case 0:
        return list(column.distinct);
      case 1:
        column.ordered = !column.ordered;
        return;
      case 2:
        column.fixed = !column.fixed;
        return;
      default:
        return list(column.code);
    }
  }
  void change(NumberColumn& column) { list(column.value); }
  void change(ListColumn& column) {
    switch (rng_.below(4)) {
      case 0:
        return list(column.distinct);
      case 1:
        return list(column.start);
      case 2:
        return list(column.missing);
      default:
        return list(column.code);
    }
  }

  void block(Block& block) {
    switch (rng_.below(11)) {
      case 0:
        return text(block.name);
      case 1: {
        const char* families[] = {"bernoulli", "categorical", "gaussian", "lognormal",  "gamma",
                                  "poisson",   "tokens",      "none",     "exponential"};
        block.family = families[rng_.below(9)];
        return;
      }
      case 2:
        block.encoding = static_cast<Encoding>(rng_.below(4));
        return;
      case 3:
        if (block.features.empty() || rng_.below(4) == 0) return list_of(block.features);
        return feature(block.features[rng_.below(block.features.size())]);
      case 4:
        return list(block.first_slot);
      case 5:
        return list(block.row_start);
      case 6:
        return list(block.weight);
      case 7:
        return list(block.value);
      case 8:
        return number(block.missing);
      default:
        return list(block.slot);
    }
  }
  void feature(Feature& feature) {
    switch (rng_.below(5)) {
      case 0:
        return text(feature.name);
      case 1:
        return list(feature.labels);
      case 2:
        return number(feature.shift);
      case 3:
        return text(feature.title);
      default:
        return list(feature.levels);
    }
  }
  void kept(KeptColumn& column) {
    switch (rng_.below(4)) {
      case 0:
        return text(column.name);
      case 1:
        return list(column.levels);
      case 2:
        return list(column.labels);
      default:
        return list(column.code);
    }
  }
  void schema(Schema& schema) {
    if (schema.sources.empty() || rng_.below(8) == 0) return list_of(schema.sources);
    if (rng_.below(8) == 0) {
      number(schema.block_weight["answers"]);
      return;
    }
    SourceSpec& source = schema.sources[rng_.below(schema.sources.size())];
    switch (rng_.below(6)) {
      case 0:
        source.kind = static_cast<SourceKind>(rng_.below(5));
        return;
      case 1:
        return list(source.items);
      case 2:
        return list_of(source.item_levels);
      default:
        if (source.columns.empty() || rng_.below(4) == 0) return list_of(source.columns);
        return column(source.columns[rng_.below(source.columns.size())]);
    }
  }
  void column(ColumnSpec& column) {
    switch (rng_.below(10)) {
      case 0:
        column.role = static_cast<Role>(rng_.below(6));
        return;
      case 1:
        column.encoding = static_cast<Encoding>(rng_.below(4));
        return;
      case 2:
        column.cells = static_cast<CellText>(rng_.below(5));
        return;
      case 3:
        return text(column.family);
      case 4:
        return list(column.levels);
      case 5:
        return list(column.labels);
      case 6:
        return number(column.shift);
      case 7:
        return text(column.split);
      case 8:
        return list(column.tied);
      default:
        return text(column.name);
    }
  }

  // One element of a list, or its length.
  template <class T>
  void list(std::vector<T>& values) {
    const std::uint64_t what = rng_.below(8);
    if (what == 0) return values.clear();
    if (what == 1 && !values.empty()) return values.pop_back();
    if (what == 2) {
      values.resize(values.size() + 1 + rng_.below(3));
      return;
    }
    if (values.empty()) return;
    T& one = values[rng_.below(values.size())];
    if (what == 3) {
      one = values[rng_.below(values.size())];
    } else if constexpr (std::is_same_v<T, std::string>) {
      text(one);
    } else {
      number(one);
    }
  }

  // One element removed, doubled, or swapped with another.
  template <class T>
  void list_of(std::vector<T>& things) {
    const std::uint64_t what = rng_.below(4);
    if (things.empty() || what == 0) {
      things.emplace_back();
      return;
    }
    const std::size_t i = rng_.below(things.size()), j = rng_.below(things.size());
    if (what == 1) {
      things.erase(things.begin() + static_cast<std::ptrdiff_t>(i));
    } else if (what == 2) {
      things.push_back(T(things[i]));
    } else {
      std::swap(things[i], things[j]);
    }
  }

  void text(std::string& value) {
    static const std::string kTexts[] = {"",
                                         " ",
                                         "NA",
                                         "\xff",
                                         std::string("a\0b", 3),
                                         "a\nb",
                                         std::string(1000, 'x'),
                                         "1e400",
                                         "low",
                                         "\x1F",
                                         "é",
                                         "(missing)",
                                         "words",
                                         "5",
                                         "2020-01-01",
                                         "inf"};
    value = kTexts[rng_.below(std::size(kTexts))];
  }

  template <class T>
  void number(T& value) {
    if constexpr (std::is_floating_point_v<T>) {
      const T kNumbers[] = {0,
                            -1,
                            T(0.5),
                            std::numeric_limits<T>::quiet_NaN(),
                            std::numeric_limits<T>::infinity(),
                            -std::numeric_limits<T>::infinity(),
                            std::numeric_limits<T>::max(),
                            std::numeric_limits<T>::lowest(),
                            std::numeric_limits<T>::min(),
                            std::numeric_limits<T>::denorm_min(),
                            T(1e9),
                            T(1e15),
                            T(1e16),
                            T(-0.0)};
      value = kNumbers[rng_.below(std::size(kNumbers))];
    } else {
      const T kNumbers[] = {0,
                            1,
                            static_cast<T>(-1),
                            std::numeric_limits<T>::max(),
                            std::numeric_limits<T>::min(),
                            static_cast<T>(std::numeric_limits<T>::max() / 2),
                            static_cast<T>(value + 1),
                            static_cast<T>(value - 1),
                            static_cast<T>(rng_.below(50))};
      value = kNumbers[rng_.below(std::size(kNumbers))];
    }
  }

  core::Rng& rng_;
};

}  // namespace medley::test
