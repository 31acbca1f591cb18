// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "arrow_layout.hpp"

namespace medley::python {
namespace {

class Texts : public ArrowColumn {
 public:
  Texts(TextLayout layout, std::string column) : layout_(layout), column_(std::move(column)) {}

  void add(const ArrowRows& rows, const std::uint8_t* absent) override {
    check_array(rows, 0, 0, column_);
    const std::size_t before = out_.code.size();
    out_.code.resize(before + static_cast<std::size_t>(rows.count), kAbsent);
    each_cell(layout_, rows, Observed(rows, absent), column_,
              [&](std::int64_t i, std::string_view text) {
                out_.code[before + static_cast<std::size_t>(i)] = codes_.code(text);
              });
  }
  MemoryColumn finish(std::string name) override {
    out_.distinct = std::move(codes_.texts());
    return {std::move(name), std::move(out_), {}, {}};
  }

 private:
  TextLayout layout_;
  std::string column_;
  TextCodes codes_;
  TextColumn out_;
};

/// Codes into a dictionary, which every chunk brings along and may differ from the one before.
class Dictionary : public ArrowColumn {
 public:
  Dictionary(char index, TextLayout values, bool fixed, std::string column)
      : index_(index), values_(values), fixed_(fixed), column_(std::move(column)) {}

  void add(const ArrowRows& rows, const std::uint8_t* absent) override {
    const ArrowArray* values = rows.array == nullptr ? nullptr : rows.array->dictionary;
    if (values == nullptr) broken(column_, "a dictionary is missing");
    check_array({values, 0, values->length}, 0, 0, column_);
    std::vector<std::uint32_t> code_of(static_cast<std::size_t>(values->length), kAbsent);
    const ArrowRows all{values, 0, values->length};
    each_cell(values_, all, Observed(all, nullptr), column_,
              [&](std::int64_t i, std::string_view text) {
                code_of[static_cast<std::size_t>(i)] = codes_.code(text);
              });
    const std::size_t before = out_.code.size();
    out_.code.resize(before + static_cast<std::size_t>(rows.count), kAbsent);
    each_number(index_, rows, Observed(rows, absent), column_, [&](std::int64_t i, auto code) {
      if constexpr (std::is_integral_v<decltype(code)>) {
        if (std::cmp_less(code, 0) || std::cmp_greater_equal(code, code_of.size()))
          broken(column_, "a code lies outside of the dictionary");
        out_.code[before + static_cast<std::size_t>(i)] = code_of[static_cast<std::size_t>(code)];
      }
    });
  }
  MemoryColumn finish(std::string name) override {
    out_.distinct = std::move(codes_.texts());
    out_.ordered = out_.fixed = fixed_;
    if (!fixed_) drop_unused();
    return {std::move(name), std::move(out_), {}, {}};
  }

 private:
  /// Where no order was given, the dictionary is a way to store texts: what no row has is no level.
  void drop_unused() {
    std::vector<std::uint32_t> to(out_.distinct.size(), kAbsent);
    for (const std::uint32_t code : out_.code) {
      if (code != kAbsent) to[code] = 0;
    }
    std::vector<std::string> used;
    for (std::size_t i = 0; i < to.size(); ++i) {
      if (to[i] == kAbsent) continue;
      to[i] = static_cast<std::uint32_t>(used.size());
      used.push_back(std::move(out_.distinct[i]));
    }
    if (used.size() == to.size()) {
      out_.distinct = std::move(used);
      return;
    }
    out_.distinct = std::move(used);
    for (std::uint32_t& code : out_.code) {
      if (code != kAbsent) code = to[code];
    }
  }

  char index_;
  TextLayout values_;
  bool fixed_;
  std::string column_;
  TextCodes codes_;
  TextColumn out_;
};

/// Lists of texts or numbers.
class Lists : public ArrowColumn {
 public:
  Lists(char offsets, std::int64_t width, std::unique_ptr<ArrowColumn> entries, std::string column)
      : offsets_(offsets), width_(width), entries_(std::move(entries)), column_(std::move(column)) {
    out_.start.push_back(0);
  }

  void add(const ArrowRows& rows, const std::uint8_t* absent) override {
    check_array(rows, offsets_ == 'w' ? 1 : 2, 1, column_);
    const ArrowArray* child = rows.array->children[0];
    const Observed observed(rows, absent);
    const std::int64_t first = rows.array->offset + rows.begin;
    for (std::int64_t i = 0; i < rows.count; ++i) {
      const auto [begin, end] = range(rows, first + i);
      const bool here = observed(i);
      out_.missing.push_back(here ? 0 : 1);
      if (begin < 0 || end < begin || child == nullptr || end > child->length)
        broken(column_, "offsets of lists lie outside of their entries");
      // entries of lists that follow each other are taken together
      if (here && end > begin) {
        if (open_ && to_ != begin) flush(child);
        if (!open_) from_ = begin;
        open_ = true;
        to_ = end;
        total_ += static_cast<std::uint64_t>(end - begin);
      }
      out_.start.push_back(total_);
    }
    flush(child);
  }

  MemoryColumn finish(std::string name) override {
    MemoryColumn entries = entries_->finish(name);
    TextColumn texts = std::holds_alternative<TextColumn>(entries.cells)
                           ? std::move(std::get<TextColumn>(entries.cells))
                           : as_texts(std::get<NumberColumn>(entries.cells));
    out_.distinct = std::move(texts.distinct);
    out_.code = std::move(texts.code);
    return {std::move(name), std::move(out_), {}, {}};
  }

 private:
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> range(const ArrowRows& rows,
                                                            std::int64_t at) const {
    if (offsets_ == 'w') return {at * width_, (at + 1) * width_};
    if (offsets_ == 'l') {
      const auto* offsets = buffer<std::int32_t>(rows, 1, column_);
      return {offsets[at], offsets[at + 1]};
    }
    const auto* offsets = buffer<std::int64_t>(rows, 1, column_);
    return {offsets[at], offsets[at + 1]};
  }
  void flush(const ArrowArray* child) {
    if (open_) entries_->add({child, from_, to_ - from_}, nullptr);
    open_ = false;
  }

  char offsets_;
  std::int64_t width_;
  std::unique_ptr<ArrowColumn> entries_;
  std::string column_;
  ListColumn out_;
  bool open_ = false;
  std::int64_t from_ = 0, to_ = 0;
  std::uint64_t total_ = 0;
};
}  // namespace

std::unique_ptr<ArrowColumn> text_column(const TextLayout& layout, const std::string& name) {
  return std::make_unique<Texts>(layout, name);
}
std::unique_ptr<ArrowColumn> dictionary_column(char index, const TextLayout& values, bool fixed,
                                               const std::string& name) {
  return std::make_unique<Dictionary>(index, values, fixed, name);
}
std::unique_ptr<ArrowColumn> list_column(char offsets, std::int64_t width,
                                         std::unique_ptr<ArrowColumn> entries,
                                         const std::string& name) {
  return std::make_unique<Lists>(offsets, width, std::move(entries), name);
}

}  // namespace medley::python
