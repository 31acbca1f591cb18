// SPDX-License-Identifier: Apache-2.0
// What the sources and their columns were taken for. A schema is inferred from the data, can be
// seen and edited (TOML), and travels with the model, so that new files are read exactly as the
// first one.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace medley {

/// How the cells of a block are stored (see dataset.hpp).
enum class Encoding { levels, tokens, real };

/// What a column is for.
enum class Role { feature, label, id, weight, ignored };

/// What the text of a cell holds.
enum class CellText {
  value,  ///< one value: a level or a number
  text,   ///< running text, cut into words
  tags,   ///< a list of tags or references, cut at ColumnSpec::split; a repeated one counts twice
  set     ///< a list of options, cut at ColumnSpec::split; each option is a yes/no of its own
};

/// How running text becomes words; what the next file must be read by.
struct TextRules {
  bool fold_case = true;
  std::string stem;  ///< a Snowball language such as "english"; empty: words as they are
};

/// How numbers are written: the decimal mark, and the mark between groups of three digits. Without
/// a mark for groups a cell that can be read in one way only is read (3,5 beside 2.5), and one that
/// could be either (1,538 beside 2.5) is not. With it, any other use of the two marks is refused.
struct NumberMarks {
  char decimal = '.';     ///< '.' or ','
  char thousands = '\0';  ///< the other one, or 0

  bool operator==(const NumberMarks&) const = default;
};
inline constexpr NumberMarks kPointOnly = {'.', ','};
inline constexpr NumberMarks kCommaOnly = {',', '.'};

/// The shape of a source file.
enum class SourceKind {
  table,     ///< one line per row, one column per variable
  tokens,    ///< sparse counts over a vocabulary: LDA-C, docword, Matrix Market, svmlight
  triplets,  ///< row, item, value: a rating log; an absent pair is missing, never zero
  column     ///< one value per line: a single column
};

/// One column of a table, the value of a triplet source, or the words of a token source.
struct ColumnSpec {
  std::string name;
  Role role = Role::feature;
  std::string family;  ///< family registry name; empty unless role is feature
  Encoding encoding = Encoding::levels;
  std::vector<std::string> levels;  ///< levels (of all items) or vocabulary; in slot order
  std::string note;                 ///< why it was taken so; shown by `medley schema`
  std::vector<std::string> labels =
      {};  ///< what the levels mean, in their order; empty: as written
  std::vector<std::string> missing = {};  ///< codes that mean "missing" in this column alone: 8, 99
  double shift = 0;  ///< subtracted from every number before the family sees it
  CellText cells = CellText::value;
  std::string split = ";";  ///< between tags or options
  TextRules text = {};      ///< cells of running text only
  std::string title = {};   ///< what it is called for people, such as the question; empty: its name
  NumberMarks marks = {};   ///< how its numbers are written
  /// Words that were left out on purpose when the vocabulary was made: stop words and very common
  /// ones. They are no news in the next file.
  std::vector<std::string> set_aside = {};
  /// "year", "month" or "weekday": this part of a date stands for the cell; empty: the cell itself.
  std::string date_part = {};
  /// The columns of the table that are repeated observations of this feature, whose name is then
  /// no column; empty: the column itself.
  std::vector<std::string> tied = {};
};

/// One input file as understood.
struct SourceSpec {
  std::string name = "data";
  SourceKind kind = SourceKind::table;
  std::vector<ColumnSpec> columns;  ///< table: all columns; others: one
  std::vector<std::string> items;   ///< triplets only: the items, in slot order
  NumberMarks marks = {};           ///< of columns that say nothing else
  /// Triplets of levels only: the levels of each item, in the order of `items`. Empty: the items
  /// share the levels of the value column; else that column has none.
  std::vector<std::vector<std::string>> item_levels = {};
};

/// The whole description; everything needed to read the next file the same way.
struct Schema {
  std::vector<SourceSpec> sources;
  std::vector<std::string> na;       ///< missing-value strings beyond the standard ones
  bool missing_as_category = false;  ///< `--missing category`: a missing cell is a level of its own
  bool frequency_weights = false;    ///< row weights are counts (else sampling weights)
  bool standardise = false;          ///< real columns are reported in standard deviations
  std::map<std::string, double> block_weight;  ///< block name -> factor of its cells' weights
  std::vector<std::string> treatments;         ///< what `medley convert` did to the data, in order

  [[nodiscard]] const ColumnSpec* find(std::string_view column) const;
  /// The column whose role is label, or null.
  [[nodiscard]] const ColumnSpec* label() const;
};

/// The strings that always mean "missing": empty, NA, NaN, nan, ?, null, None.
[[nodiscard]] bool is_standard_missing(std::string_view cell);

/// Name of the extra level used by `missing_as_category`.
inline constexpr std::string_view kMissingLevel = "(missing)";

/// The schema as an editable TOML document, with the notes as comments.
[[nodiscard]] std::string to_toml(const Schema& schema);
/// Reads a schema back. Throws InputError naming `file` and the line of every problem.
[[nodiscard]] Schema schema_from_toml(std::string_view text, const std::string& file);

}  // namespace medley
