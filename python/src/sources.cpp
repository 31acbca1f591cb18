// SPDX-License-Identifier: Apache-2.0
#include "sources.hpp"

#include <cmath>
#include <limits>

#include "arrow.hpp"
#include "bind.hpp"
#include "long_call.hpp"
#include "medley/error.hpp"
#include "text_codes.hpp"

namespace medley::python {
namespace {

using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>;
using Integers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::device::cpu>;

template <class Array>
auto copied(const Array& array) {
  std::vector<std::remove_const_t<typename Array::Scalar>> out(array.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = array(i);
  return out;
}

void check_rows(MemoryTable& table, const std::string& name, std::size_t rows) {
  if (table.columns.empty()) table.rows = rows;
  if (table.rows != rows)
    throw InputError(
        {"column \"" + name + "\"",
         "has " + std::to_string(rows) + " rows, the others have " + std::to_string(table.rows),
         "give columns of one length"});
}

void look_for_signals() {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

/// For loops that hold the interpreter: Ctrl-C is looked for every so many cells.
class Looking {
 public:
  void operator()() {
    if (++cells_ % kEvery == 0) look_for_signals();
  }

 private:
  static constexpr std::size_t kEvery = std::size_t{1} << 17;
  std::size_t cells_ = 0;
};

/// A text, or None.
std::uint32_t code_of(nb::handle cell, TextCodes& codes) {
  if (cell.is_none()) return kAbsent;
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(cell.ptr(), &size);
  if (text == nullptr) {
    PyErr_Clear();
    throw InputError(
        {"data", "holds a text that is no valid Unicode, or no text at all",
         "a lone surrogate cannot be stored: text.encode(errors=\"replace\").decode()"});
  }
  return codes.code({text, static_cast<std::size_t>(size)});
}

void add_texts(MemoryTable& table, const std::string& name, const nb::sequence& cells) {
  TextCodes codes;
  TextColumn column;
  Looking look;
  for (const nb::handle cell : cells) {
    column.code.push_back(code_of(cell, codes));
    look();
  }
  column.distinct = std::move(codes.texts());
  check_rows(table, name, column.code.size());
  table.columns.push_back({name, std::move(column), {}, {}});
}

void add_codes(MemoryTable& table, const std::string& name, const Integers& codes,
               std::vector<std::string> levels, bool fixed) {
  TextColumn column;
  column.code.reserve(codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const std::int64_t code = codes(i);
    if (code >= static_cast<std::int64_t>(levels.size()))
      throw InputError({"column \"" + name + "\"", "has codes beyond its categories", ""});
    column.code.push_back(code < 0 ? kAbsent : static_cast<std::uint32_t>(code));
  }
  column.distinct = std::move(levels);
  column.ordered = column.fixed = fixed;
  check_rows(table, name, column.code.size());
  table.columns.push_back({name, std::move(column), {}, {}});
}

void add_lists(MemoryTable& table, const std::string& name, const nb::sequence& cells) {
  TextCodes codes;
  ListColumn column;
  column.start.push_back(0);
  Looking look;
  for (const nb::handle cell : cells) {
    look();
    column.missing.push_back(cell.is_none() ? 1 : 0);
    if (!cell.is_none()) {
      for (const nb::handle entry : nb::iter(cell)) column.code.push_back(code_of(entry, codes));
    }
    column.start.push_back(column.code.size());
  }
  column.distinct = std::move(codes.texts());
  check_rows(table, name, column.missing.size());
  table.columns.push_back({name, std::move(column), {}, {}});
}

void add_numbers(MemoryTable& table, const std::string& name, const Doubles& numbers) {
  check_rows(table, name, numbers.size());
  table.columns.push_back({name, NumberColumn{copied(numbers)}, {}, {}});
}

/// Every column of a matrix, called by the names.
void add_matrix(MemoryTable& table, const std::vector<std::string>& names,
                const nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>& cells) {
  if (names.size() != cells.shape(1))
    throw InputError({"names",
                      "are " + std::to_string(names.size()) + ", the array has " +
                          std::to_string(cells.shape(1)) + " columns",
                      "give a name for each column"});
  const std::size_t rows = cells.shape(0);
  for (std::size_t c = 0; c < names.size(); ++c) {
    std::vector<double> column(rows);
    for (std::size_t i = 0; i < rows; ++i) column[i] = cells(i, c);
    check_rows(table, names[c], rows);
    table.columns.push_back({names[c], NumberColumn{std::move(column)}, {}, {}});
  }
}

MemoryTable from_arrow(const nb::capsule& capsule, const std::string& single_column) {
  auto* stream =
      static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (stream == nullptr) throw nb::python_error();
  // Not in a thread of its own: the stream may want the interpreter, and belongs to the capsule.
  nb::gil_scoped_release release;
  return table_of(*stream, single_column, [] {
    const nb::gil_scoped_acquire acquire;
    look_for_signals();
  });
}

// ---- sources ----

void add_counts(Sources& sources, const std::string& name, const Integers& row_start,
                const Integers& word, const Doubles& count, std::vector<std::string> vocabulary,
                std::size_t words) {
  const auto wrong = [](const std::string& what) {
    throw InputError({"the sparse matrix", what, "make it anew: scipy.sparse.csr_array(...)"});
  };
  if (row_start.size() == 0) wrong("has no row offsets");
  if (word.size() != count.size()) wrong("has indices and data of different lengths");
  if (!vocabulary.empty() && vocabulary.size() != words)
    throw InputError({"vocabulary",
                      "has " + std::to_string(vocabulary.size()) + " words, the matrix " +
                          std::to_string(words) + " columns",
                      "give a word for each column"});
  MemoryCounts counts;
  std::int64_t last = 0;
  for (std::size_t i = 0; i < row_start.size(); ++i) {
    const std::int64_t at = row_start(i);
    if (at < last || at > static_cast<std::int64_t>(word.size()) || (i == 0 && at != 0))
      wrong("has row offsets that fall or lead out of its data");
    last = at;
    counts.row_start.push_back(static_cast<std::uint64_t>(at));
  }
  const auto used = static_cast<std::size_t>(last);
  for (std::size_t i = 0; i < used; ++i) {
    const std::int64_t at = word(i);
    if (at < 0 || at >= static_cast<std::int64_t>(words)) wrong("has an index beyond its columns");
    counts.word.push_back(static_cast<std::uint32_t>(at));
    const double n = count(i);
    if (!std::isfinite(n) || n < 0 || n > static_cast<double>(std::numeric_limits<float>::max()))
      throw InputError({"the sparse matrix", "has a count of " + shortest(n),
                        "counts are numbers from 0 on; missing ones are left out"});
    counts.count.push_back(static_cast<float>(n));
  }
  if (vocabulary.empty()) {
    for (std::size_t w = 0; w < words; ++w)
      vocabulary.push_back(shortest(static_cast<std::uint64_t>(w)));
  }
  counts.vocabulary = std::move(vocabulary);
  sources.all.push_back({name, std::move(counts)});
}

/// The column, taken out of the table.
MemoryColumn& column_of(MemoryTable& table, const std::string& name, const char* argument) {
  for (MemoryColumn& column : table.columns) {
    if (column.name == name) return column;
  }
  std::string names;
  for (const MemoryColumn& column : table.columns)
    names += (names.empty() ? "" : ", ") + column.name;
  throw InputError({argument, "there is no column \"" + name + "\"", "the columns are " + names});
}

TextColumn texts_of(MemoryTable& table, const std::string& name, const char* argument) {
  auto& cells = column_of(table, name, argument).cells;
  if (auto* texts = std::get_if<TextColumn>(&cells)) return *texts;
  if (auto* numbers = std::get_if<NumberColumn>(&cells)) return as_texts(*numbers);
  throw InputError(
      {argument, "the column \"" + name + "\" holds lists", "name one of single cells"});
}

void add_triplets(Sources& sources, const std::string& name, MemoryTable& table,
                  const std::string& row, const std::string& item, const std::string& value) {
  MemoryTriplets log;
  log.row = texts_of(table, row, "row");
  log.item = texts_of(table, item, "item");
  if (value.empty()) {
    log.value = NumberColumn{std::vector<double>(table.rows, 1.0)};
  } else if (auto* numbers = std::get_if<NumberColumn>(&column_of(table, value, "value").cells)) {
    log.value = *numbers;
  } else {
    log.value = texts_of(table, value, "value");
  }
  sources.all.push_back({name, std::move(log)});
}

}  // namespace

void bind_sources(nb::module_& module) {
  nb::class_<MemoryTable>(module, "Table")
      .def(nb::init<>())
      .def_static("from_arrow", &from_arrow, nb::arg("stream"), nb::arg("single_column"))
      .def("add_texts", &add_texts, nb::arg("name"), nb::arg("cells"))
      .def("add_codes", &add_codes, nb::arg("name"), nb::arg("codes"), nb::arg("levels"),
           nb::arg("fixed"))
      .def("add_lists", &add_lists, nb::arg("name"), nb::arg("cells"))
      .def("add_numbers", &add_numbers, nb::arg("name"), nb::arg("numbers"))
      .def("add_matrix", &add_matrix, nb::arg("names"), nb::arg("cells"))
      .def("set_rows", [](MemoryTable& table, std::size_t rows) { table.rows = rows; })
      .def_ro("rows", &MemoryTable::rows)
      .def_prop_ro("names",
                   [](const MemoryTable& table) {
                     std::vector<std::string> names;
                     for (const MemoryColumn& column : table.columns) names.push_back(column.name);
                     return names;
                   })
      .def("kind",  // for tests and for choosing how to read
           [](const MemoryTable& table, std::size_t column) {
             constexpr const char* kKinds[] = {"texts", "numbers", "lists"};
             return std::string(kKinds[table.columns.at(column).cells.index()]);
           })
      .def("cells",  // for tests: what was understood
           [](const MemoryTable& table, std::size_t column) -> nb::object {
             nb::list out;
             const auto& cells = table.columns.at(column).cells;
             const auto text = [](const auto& from, std::uint32_t code) -> nb::object {
               if (code == kAbsent) return nb::none();
               return nb::str(from.distinct.at(code).c_str(), from.distinct.at(code).size());
             };
             if (const auto* texts = std::get_if<TextColumn>(&cells)) {
               for (const std::uint32_t code : texts->code) out.append(text(*texts, code));
             } else if (const auto* numbers = std::get_if<NumberColumn>(&cells)) {
               for (const double x : numbers->value)
                 out.append(std::isnan(x) ? nb::object(nb::none()) : nb::object(nb::float_(x)));
             } else {
               const auto& lists = std::get<ListColumn>(cells);
               for (std::size_t i = 0; i + 1 < lists.start.size(); ++i) {
                 if (!lists.missing.empty() && lists.missing[i] != 0) {
                   out.append(nb::none());
                   continue;
                 }
                 nb::list entries;
                 for (std::uint64_t e = lists.start[i]; e < lists.start[i + 1]; ++e)
                   entries.append(text(lists, lists.code.at(e)));
                 out.append(entries);
               }
             }
             return out;
           })
      .def("levels", [](const MemoryTable& table, std::size_t column) {
        const auto* texts = std::get_if<TextColumn>(&table.columns.at(column).cells);
        return texts == nullptr ? std::vector<std::string>() : texts->distinct;
      });
  nb::class_<Sources>(module, "Sources")
      .def(nb::init<>())
      .def(
          "add_table",
          [](Sources& sources, const std::string& name, MemoryTable& table) {
            sources.all.push_back({name, std::move(table)});
            table = {};
          },
          nb::arg("name"), nb::arg("table"), "Takes the table, which is empty afterwards.")
      .def("add_counts", &add_counts, nb::arg("name"), nb::arg("row_start"), nb::arg("word"),
           nb::arg("count"), nb::arg("vocabulary"), nb::arg("words"))
      .def("add_triplets", &add_triplets, nb::arg("name"), nb::arg("table"), nb::arg("row"),
           nb::arg("item"), nb::arg("value"))
      .def("copy", [](const Sources& sources) { return Sources(sources); });
}

}  // namespace medley::python
