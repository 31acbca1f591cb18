// SPDX-License-Identifier: Apache-2.0
#include "data/formats/statistical_table.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/memory_guard.hpp"
#include "core/text.hpp"
#include "data/formats/column_builder.hpp"
#include "data/formats/statistical_frames.hpp"
#include "data/wording.hpp"
#include "medley/error.hpp"

namespace medley::data {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::size_t kMostVariables = std::size_t{1} << 20;
constexpr const char* kIncomplete = "the file is cut off or damaged; get a fresh copy";

/// With every byte that is not part of UTF-8 replaced.
std::string well_formed(std::string_view text) {
  std::string out;
  for (std::size_t bad = core::find_invalid_utf8(text); bad != std::string_view::npos;
       bad = core::find_invalid_utf8(text)) {
    out += text.substr(0, bad);
    out += kReplacement;
    text.remove_prefix(bad + 1);
  }
  return out += text;
}

/// Numbers and texts out of a stream whose pieces end anywhere.
class FrameReader {
 public:
  explicit FrameReader(core::ByteSource& source) : source_(source) {}
  [[nodiscard]] const std::string& name() const { return source_.name(); }

  [[noreturn]] void refuse() const {
    throw InputError({name(), "could not be read: the reader's answer makes no sense",
                      "the file is damaged or made to do harm; get a fresh copy"});
  }

  char byte() {
    if (piece_.empty()) piece_ = source_.next();
    if (piece_.empty()) refuse();  // the last frame was none of those that end the stream
    const char first = piece_.front();
    piece_.remove_prefix(1);
    return first;
  }

  std::uint64_t number() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 63; shift += 7) {
      const auto byte = static_cast<std::uint8_t>(this->byte());
      number |= std::uint64_t{byte & 0x7FU} << shift;
      if ((byte & 0x80U) == 0) return number;
    }
    refuse();
  }

  /// Well-formed and trimmed; valid until the next call.
  std::string_view text() { return text(number()); }
  std::string_view text(std::uint64_t bytes) {
    if (bytes > kLongestText) refuse();
    if (piece_.size() >= bytes && bytes > 0) {  // the usual case: nothing is copied
      const std::string_view whole = piece_.substr(0, bytes);
      piece_.remove_prefix(bytes);
      return cleaned(whole);
    }
    joined_.clear();
    while (joined_.size() < bytes) {
      joined_.push_back(byte());
      const std::size_t more = std::min<std::size_t>(piece_.size(), bytes - joined_.size());
      joined_ += piece_.substr(0, more);
      piece_.remove_prefix(more);
    }
    return cleaned(joined_);
  }

 private:
  std::string_view cleaned(std::string_view text) {
    if (core::find_invalid_utf8(text) != std::string_view::npos) {
      made_ = well_formed(text);
      text = made_;
    }
    return core::trimmed(text);
  }

  core::ByteSource& source_;
  std::string_view piece_;
  std::string joined_, made_;
};

using LabelList = std::vector<std::pair<std::string, std::string>>;

struct Variable {
  std::string name, title, labels;
  ColumnBuilder cells;
  Dictionary missing_codes;
};

class TableBuilder {
 public:
  TableBuilder(core::ByteSource& stream, const IsMissing& is_missing, std::size_t memory_limit)
      : frames_(stream), is_missing_(is_missing), memory_(memory_limit, stream.name()) {}

  StatisticalTable run() {
    while (!done_) take(static_cast<Frame>(frames_.byte()));
    if (result_.failed) return std::move(result_);
    check_rows();
    for (Variable& variable : variables_) finish(variable);
    for (std::uint64_t row = 1; row <= result_.rows; ++row) result_.table.line.push_back(row);
    return std::move(result_);
  }

 private:
  void take(Frame frame) {
    switch (frame) {
      case Frame::variable:
        return take_variable();
      case Frame::label:
        return take_label();
      case Frame::rows:
        promised_ = frames_.number();
        return;
      case Frame::weight:
        result_.weight = text_kept();
        return;
      case Frame::row:
        return take_row();
      case Frame::alive:
        return;
      case Frame::failed:
        result_.failed = frames_.number();
        done_ = true;
        return;
      case Frame::end:
        if (frames_.number() != result_.rows) frames_.refuse();
        done_ = true;
        return;
    }
    frames_.refuse();
  }

  std::string text_kept() {
    const std::string_view text = frames_.text();
    memory_.add(Dictionary::cost(text));
    return std::string(text);
  }

  void add_missing_code(Variable& variable, std::string_view code) {
    if (code.empty() || variable.missing_codes.find(code) != kMissingCode) return;
    memory_.add(Dictionary::cost(code));
    variable.missing_codes.add(code);
  }

  void take_variable() {
    if (result_.rows > 0 || variables_.size() == kMostVariables) frames_.refuse();
    memory_.add(sizeof(Variable) + sizeof(RawColumn));
    Variable variable;
    variable.name = text_kept();
    if (variable.name.empty()) variable.name = "column_" + std::to_string(variables_.size() + 1);
    variable.title = text_kept();
    variable.labels = text_kept();
    for (std::uint64_t left = frames_.number(); left > 0; --left)
      add_missing_code(variable, frames_.text());
    variables_.push_back(std::move(variable));
  }

  void take_label() {
    const std::string set(frames_.text());
    auto labels = labels_.find(set);
    if (labels == labels_.end()) {
      memory_.add(Dictionary::cost(set));
      labels = labels_.emplace(set, LabelList()).first;
    }
    std::string code = text_kept();
    std::string label = text_kept();
    if (!code.empty()) labels->second.emplace_back(std::move(code), std::move(label));
  }

  void take_row() {
    if (variables_.empty()) frames_.refuse();
    memory_.add(variables_.size() * sizeof(std::uint32_t) + sizeof(std::uint64_t));
    for (Variable& variable : variables_) {
      const std::uint64_t head = frames_.number();
      const std::string_view cell = head == 0 ? std::string_view() : frames_.text((head - 1) / 2);
      variable.cells.add(cell, is_missing_, memory_);
      if (head != 0 && (head - 1) % 2 == 1) add_missing_code(variable, cell);
    }
    ++result_.rows;
  }

  void check_rows() const {
    if (promised_ && *promised_ != result_.rows) {
      throw InputError({frames_.name(),
                        "says it has " + counted(*promised_, "row") + ", but there are " +
                            std::to_string(result_.rows),
                        kIncomplete});
    }
    if (variables_.empty())
      throw InputError({frames_.name(), "holds no variables", "check that the file is complete"});
    if (result_.rows == 0)
      throw InputError(
          {frames_.name(), "holds variables and no rows", "check that the file is complete"});
  }

  void finish(Variable& variable) {
    RawColumn column;
    column.name = std::move(variable.name);
    column.title = std::move(variable.title);
    column.distinct = variable.cells.take_distinct();
    column.code = variable.cells.take_codes();
    column.missing_codes = variable.missing_codes.take();
    const auto labels = labels_.find(variable.labels);
    if (!variable.labels.empty() && labels != labels_.end()) {
      // A hostile file shares one long list among many variables.
      for (const auto& [code, label] : labels->second)
        memory_.add(Dictionary::cost(code) + Dictionary::cost(label));
      column.value_labels = labels->second;
    }
    result_.table.columns.push_back(std::move(column));
  }

  FrameReader frames_;
  const IsMissing& is_missing_;
  core::MemoryGuard memory_;
  std::vector<Variable> variables_;
  std::unordered_map<std::string, LabelList> labels_;
  std::optional<std::uint64_t> promised_;
  bool done_ = false;
  StatisticalTable result_;
};

}  // namespace

StatisticalTable read_statistical_frames(core::ByteSource& stream, const IsMissing& is_missing,
                                         std::size_t memory_limit) {
  return TableBuilder(stream, is_missing, memory_limit).run();
}

}  // namespace medley::data
