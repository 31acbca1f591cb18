// SPDX-License-Identifier: Apache-2.0
#include "medley/options.hpp"

#include <algorithm>
#include <vector>

#include "data/wording.hpp"
#include "medley/error.hpp"
#include "model/option_table.hpp"
#include "model/read_option_table.hpp"

namespace medley {
namespace {

template <class Table>
std::vector<OptionField> fields_of(const Table& table) {
  std::vector<OptionField> out;
  for (const auto& option : table) out.push_back(option.field);
  return out;
}

template <class Table>
const auto& option_called(const Table& table, std::string_view name) {
  const auto found =
      std::ranges::find_if(table, [&](const auto& option) { return option.field.name == name; });
  if (found != table.end()) return *found;
  std::vector<std::string> names;
  for (const auto& option : table) names.push_back(option.field.name);
  const std::string near = data::closest(name, names);
  throw InputError({'`' + std::string(name) + '`', "there is no such option",
                    near.empty() ? "" : "did you mean `" + near + "`?"});
}

template <class Table, class Options>
void set_in(const Table& table, Options& options, std::string_view name, std::string_view value) {
  const auto& option = option_called(table, name);
  const std::string wrong = option.set(options, value);
  if (wrong.empty()) return;
  const std::string fallback = option.field.default_text;
  throw InputError(
      {'`' + std::string(name) + '`', wrong, fallback.empty() ? "" : "default " + fallback});
}

}  // namespace

std::span<const OptionField> fit_option_fields() {
  static const std::vector<OptionField> fields = fields_of(model::fit_option_table());
  return fields;
}

std::span<const OptionField> read_option_fields() {
  static const std::vector<OptionField> fields = fields_of(model::read_option_table());
  return fields;
}

void set_option(FitOptions& options, std::string_view name, std::string_view value) {
  set_in(model::fit_option_table(), options, name, value);
}

void set_option(ReadOptions& options, std::string_view name, std::string_view value) {
  set_in(model::read_option_table(), options, name, value);
}

std::string get_option(const FitOptions& options, std::string_view name) {
  return option_called(model::fit_option_table(), name).get(options);
}

std::string get_option(const ReadOptions& options, std::string_view name) {
  return option_called(model::read_option_table(), name).get(options);
}

}  // namespace medley
