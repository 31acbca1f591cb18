// SPDX-License-Identifier: Apache-2.0
#include "data/formats/jsonl.hpp"

#include <simdjson.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/problems.hpp"
#include "core/text.hpp"
#include "data/formats/csv.hpp"
#include "data/formats/dictionary.hpp"
#include "data/formats/text_lines.hpp"

namespace medley::data {
namespace {

namespace json = simdjson::ondemand;

// What the parser may take per byte of a line: the padded copy, unescaped strings, positions.
constexpr std::size_t kParserBytes = 8;
// A longer line is no row of a table.
constexpr std::size_t kLongestLine = std::size_t{1} << 27;

// What is wrong with one line; caught where the line is read.
struct LineProblem {
  std::string what, remedy;
};

[[noreturn]] void refuse_json(simdjson::error_code error) {
  const bool no_value = error == simdjson::INCORRECT_TYPE;
  throw LineProblem{std::string("is not a JSON object on a line of its own: ") +
                        (no_value ? "a value is misspelt" : simdjson::error_message(error)),
                    "one object per line is expected; jq -c . writes that"};
}

template <typename Value>
Value got(simdjson::simdjson_result<Value> result) {
  Value value;
  if (const auto error = std::move(result).get(value)) refuse_json(error);
  return value;
}

std::string_view checked_text(std::string_view text) {
  if (text.find('\0') != std::string_view::npos)
    throw LineProblem{"holds a NUL character", "check that this is the right file"};
  return text;
}

class JsonlReader {
 public:
  JsonlReader(core::ByteSource& source, const JsonlOptions& options)
      : options_(options),
        lines_(source, options.memory_limit),
        memory_(options.memory_limit, source.name()) {}

  RawTable read() {
    std::string_view line;
    while (lines_.next(line)) {
      if (core::trimmed(line).empty()) continue;
      try {
        row(line);
      } catch (const LineProblem& problem) {
        problems_.add(lines_.where(), problem.what, problem.remedy);
        table_.line.push_back(lines_.number());  // its first cells may be there already
      }
    }
    problems_.throw_if_any();
    if (table_.line.empty()) refuse_empty(lines_.file());
    return finish();
  }

 private:
  struct Column {
    ColumnBuilder cells;
    std::size_t rows = 0;  // cells so far; the rest are missing
    bool lists = false;
  };

  void row(std::string_view line) {
    copy(line);
    json::document document = got(parser_.iterate(text_.data(), line.size(), text_.size()));
    if (got(document.type()) != json::json_type::object) {
      throw LineProblem{"is not a JSON object",
                        "one object per line is expected; jq -c '.[]' takes "
                        "a JSON array apart"};
    }
    for (auto field : got(document.get_object())) {
      json::field entry = got(std::move(field));
      const std::string key(checked_text(got(entry.unescaped_key())));
      cell(key, entry.value());
    }
    if (document.current_location().error() != simdjson::OUT_OF_BOUNDS)
      throw LineProblem{"has something behind the JSON object", "put each object on its own line"};
    memory_.add(sizeof(std::uint64_t));
    table_.line.push_back(lines_.number());
  }

  // The parser reads past the end of a line and wants to be allowed to.
  void copy(std::string_view line) {
    if (line.size() > kLongestLine)
      throw LineProblem{"is longer than 128 MB", "one object per line is expected"};
    const std::size_t needed = line.size() + simdjson::SIMDJSON_PADDING;
    if (needed > text_.size()) {
      memory_.add(needed - text_.size(), kParserBytes);
      text_.resize(needed);
    }
    line.copy(text_.data(), line.size());
  }

  void cell(const std::string& key, json::value value) {
    if (key.empty()) throw LineProblem{"has a key without a name", "give every value a name"};
    Column& column = column_of(key);
    const std::size_t row = table_.line.size();
    if (column.rows > row) {
      throw LineProblem{"has the key " + core::quoted(key) + " twice", "every key may occur once"};
    }
    const json::json_type type = got(value.type());
    if (type == json::json_type::object) refuse_nested(key, "an object");
    const bool list = type == json::json_type::array;
    text_of_cell_.clear();
    if (list) {
      add_list(key, got(value.get_array()));
    } else {
      (void)add_scalar(value, type);
    }
    column.lists = column.lists || list;
    fill(column, row);
    memory_.add(sizeof(std::uint32_t));
    column.cells.add(text_of_cell_, options_.is_missing, memory_);
    ++column.rows;
  }

  // Appends the text of a value; false for null.
  bool add_scalar(json::value& value, json::json_type type) {
    if (type == json::json_type::string) {
      text_of_cell_ += checked_text(got(value.get_string()));
    } else if (type == json::json_type::number) {
      const std::string_view token = value.raw_json_token();
      (void)got(value.get_double());
      text_of_cell_ += token.substr(0, token.find_first_not_of("+-.0123456789eE"));
    } else if (type == json::json_type::boolean) {
      text_of_cell_ += got(value.get_bool()) ? "true" : "false";
    } else {
      if (!got(value.is_null())) refuse_json(simdjson::N_ATOM_ERROR);
      return false;
    }
    return true;
  }

  void add_list(const std::string& key, json::array list) {
    bool any = false;
    for (auto element : list) {
      json::value value = got(element);
      const json::json_type type = got(value.type());
      if (type == json::json_type::object || type == json::json_type::array)
        refuse_nested(key, "a list of lists or objects");
      if (any) text_of_cell_ += kListSeparator;
      const std::size_t from = text_of_cell_.size();
      any = add_scalar(value, type) || any;
      if (text_of_cell_.find(kListSeparator, from) != std::string::npos) {
        throw LineProblem{"key " + core::quoted(key) + ": an entry of the list holds U+001F",
                          "remove this control character"};
      }
    }
    if (text_of_cell_.empty()) text_of_cell_ += kListSeparator;
  }

  [[noreturn]] static void refuse_nested(const std::string& key, const std::string& what) {
    throw LineProblem{"key " + core::quoted(key) + " holds " + what + ", a table has none",
                      "flatten it: one key per value, lists of texts or numbers only"};
  }

  Column& column_of(const std::string& key) {
    std::uint32_t code = names_.find(key);
    if (code == kMissingCode) {
      if (columns_.size() >= CsvRecords::kMaxColumns)
        throw InputError({lines_.file(), "has more than 1048576 different keys",
                          "check that this is the right file"});
      memory_.add(Dictionary::cost(key) + sizeof(Column) + sizeof(RawColumn));
      code = names_.add(key);
      columns_.emplace_back();
    }
    return columns_[code];
  }

  // Rows without the key are missing.
  void fill(Column& column, std::size_t rows) {
    memory_.add(rows - column.rows, sizeof(std::uint32_t));
    for (; column.rows < rows; ++column.rows) column.cells.add({}, options_.is_missing, memory_);
  }

  RawTable finish() {
    std::vector<std::string> names = names_.take();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      fill(columns_[i], table_.line.size());
      table_.columns.push_back({std::move(names[i]), columns_[i].cells.take_distinct(),
                                columns_[i].cells.take_codes(),
                                columns_[i].lists ? CellText::tags : CellText::value});
    }
    if (table_.columns.empty())
      throw InputError(
          {lines_.file(), "holds empty objects only", "check that this is the right file"});
    return std::move(table_);
  }

  const JsonlOptions& options_;
  TextLines lines_;
  core::MemoryGuard memory_;
  core::Problems problems_;
  json::parser parser_;
  std::string text_;          // the line and the padding behind it
  std::string text_of_cell_;  // reused
  Dictionary names_;
  std::vector<Column> columns_;
  RawTable table_;
};

}  // namespace

RawTable read_jsonl(core::ByteSource& source, const JsonlOptions& options) {
  return JsonlReader(source, options).read();
}

}  // namespace medley::data
