// SPDX-License-Identifier: Apache-2.0
#include "model/option_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include "data/message_text.hpp"
#include "medley/error.hpp"
#include "medley/options.hpp"
#include "model/read_option_table.hpp"

namespace medley::model {
namespace {

std::string in_quotes(std::string_view text) {
  return '"' + std::string(text) + '"';
}

template <class Number>
std::optional<Number> all_of_it(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> finite_number(std::string_view text) {
  const std::optional<double> value = all_of_it<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::string is_not(std::string_view text, const std::string& wanted) {
  return in_quotes(text) + " is not " + wanted;
}

Range numbers(const std::string& wanted, std::function<bool(double)> fits) {
  return {"number", wanted, [wanted, fits = std::move(fits)](std::string_view text, Value& value) {
            const std::optional<double> number = finite_number(text);
            if (!number || !fits(*number)) return is_not(text, wanted);
            value = *number;
            return std::string();
          }};
}

bool is_alpha(std::string_view text) {
  if (text == "fitted" || text == "symmetric") return true;
  constexpr std::string_view kFixed = "fixed:";
  if (!text.starts_with(kFixed)) return false;
  text.remove_prefix(kFixed.size());
  if (text.ends_with("/K")) text.remove_suffix(2);
  return finite_number(text).value_or(0) > 0;
}

}  // namespace

std::string number_text(double value) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return error == std::errc() ? std::string(text, end) : std::string();
}

Range whole_from(std::uint64_t least) {
  const std::string wanted = "a whole number of at least " + std::to_string(least);
  return {"whole number", wanted, [least, wanted](std::string_view text, Value& value) {
            const auto number = all_of_it<std::uint64_t>(text);
            if (!number || *number < least) return is_not(text, wanted);
            value = *number;
            return std::string();
          }};
}

Range from_zero() {
  return numbers("a number of at least 0", [](double value) { return value >= 0; });
}

Range above_zero() {
  return numbers("a number above 0", [](double value) { return value > 0; });
}

Range above_to(double low, double high) {
  return numbers("a number above " + number_text(low) + " and at most " + number_text(high),
                 [low, high](double value) { return value > low && value <= high; });
}

Range from_to(double low, double high) {
  return numbers("a number from " + number_text(low) + " to " + number_text(high),
                 [low, high](double value) { return value >= low && value <= high; });
}

Range words_of(std::vector<std::string> words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
  return {"text", "one of " + all,
          [all, words = std::move(words)](std::string_view text, Value& value) {
            value = std::string(text);
            if (std::ranges::find(words, text) != words.end()) return std::string();
            const std::string near = data::closest(text, words);
            return in_quotes(text) + " is none of " + all +
                   (near.empty() ? "" : " (did you mean " + in_quotes(near) + "?)");
          }};
}

Range any_text() {
  return {"text", "", [](std::string_view text, Value& value) {
            value = std::string(text);
            return std::string();
          }};
}

Range yes_or_no() {
  return {"yes/no", "true or false", [](std::string_view text, Value& value) {
            value = text == "true";
            return text == "true" || text == "false" ? std::string()
                                                     : is_not(text, "true or false");
          }};
}

Range whole_numbers() {
  const std::string wanted = "whole numbers of at least 1 with commas between them";
  return {"whole numbers", wanted, [wanted](std::string_view text, Value& value) {
            std::vector<std::size_t> list;
            for (std::string_view rest = text;;) {
              const std::size_t comma = rest.find(',');
              const auto number = all_of_it<std::size_t>(rest.substr(0, comma));
              if (!number || *number == 0) return is_not(text, wanted);
              list.push_back(*number);
              if (comma == std::string_view::npos) break;
              rest.remove_prefix(comma + 1);
            }
            value = std::move(list);
            return std::string();
          }};
}

Range alpha_words() {
  const std::string wanted =
      "fitted, symmetric, fixed:VALUE (VALUE a number above 0, such as 0.1 or 50/K)";
  return {"text", wanted, [wanted](std::string_view text, Value& value) {
            value = std::string(text);
            return is_alpha(text) ? std::string() : in_quotes(text) + " is none of " + wanted;
          }};
}

bool read_two(std::string_view text, double& first, double& second) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return false;
  const auto a = finite_number(text.substr(0, comma)), b = finite_number(text.substr(comma + 1));
  if (!a || !b || !(*a > 0) || !(*b > 0)) return false;
  first = *a;
  second = *b;
  return true;
}

std::string text_of(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::uint64_t>(&value)) return std::to_string(*whole);
  if (const auto* number = std::get_if<double>(&value)) return number_text(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  std::string out;
  if (const auto* list = std::get_if<std::vector<std::size_t>>(&value)) {
    for (const std::size_t n : *list) out += (out.empty() ? "" : ",") + std::to_string(n);
  }
  return out;
}

}  // namespace medley::model

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
