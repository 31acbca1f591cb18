// SPDX-License-Identifier: Apache-2.0
// Data sets: the schema (how every column is read), the cells, labels and weights of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace medley {

// A schema says how the sources and their columns are read. It is inferred from the data, can be
// shown and edited (TOML), and is stored with the model, so that new files are read exactly like
// the first one.

/// How the cells of a block are stored (see Block).
enum class Encoding { levels, tokens, real };

/// The use of a column.
enum class Role { feature, label, id, weight, ignored };

/// What a cell holds.
enum class CellText {
  value,  ///< one value: a level or a number
  text,   ///< running text, split into words
  tags,   ///< a list of tags or references, split at ColumnSpec::split; a repeated one counts twice
  set     ///< a list of options, split at ColumnSpec::split; each option is a yes/no feature
};

/// How running text becomes words; later files follow the same rules.
struct TextRules {
  bool fold_case = true;
  std::string stem;  ///< a Snowball language such as "english"; empty: no stemming
};

/// How numbers are written: the decimal mark, and the mark between groups of three digits. Without
/// a group mark, a cell with only one possible reading is read (3,5 beside 2.5) and an ambiguous
/// one (1,538 beside 2.5) is refused. With it, any other use of the two marks is refused.
struct NumberMarks {
  char decimal = '.';     ///< '.' or ','
  char thousands = '\0';  ///< the other mark, or 0 for none

  bool operator==(const NumberMarks&) const = default;
};
/// 5,739.46 and 5.739,46.
inline constexpr NumberMarks kPointOnly = {'.', ','};
inline constexpr NumberMarks kCommaOnly = {',', '.'};

/// The layout of a source file.
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
  std::string note;                 ///< the reason for this reading; shown by `medley schema`
  std::vector<std::string> labels =
      {};  ///< what the levels mean, in the order of `levels`; empty: show the levels
  std::vector<std::string> missing = {};  ///< codes that mean "missing" in this column: 8, 99
  double shift = 0;  ///< subtracted from every number before the family sees it
  CellText cells = CellText::value;
  std::string split = ";";  ///< separator of tags or options
  TextRules text = {};      ///< for cells of running text only
  std::string title = {};   ///< name for reports, such as the question; empty: `name`
  NumberMarks marks = {};   ///< how its numbers are written
  /// Words left out on purpose when the vocabulary was made: stop words and very common words. In
  /// later files they are not reported as unknown.
  std::vector<std::string> set_aside = {};
  /// "year", "month" or "weekday": this part of the date replaces the cell; empty: the whole cell.
  std::string date_part = {};
  /// The columns of the table that are repeated observations of this feature; `name` is then not a
  /// column itself. Empty: the column `name`.
  std::vector<std::string> tied = {};
};

/// How one source is read.
struct SourceSpec {
  std::string name = "data";
  SourceKind kind = SourceKind::table;
  std::vector<ColumnSpec> columns;  ///< table: all columns; other kinds: one
  std::vector<std::string> items;   ///< triplets only: the items, in slot order
  NumberMarks marks = {};           ///< for columns without marks of their own
  /// Triplets with levels only: the levels of each item, in the order of `items`; the value column
  /// then has no levels. Empty: all items share the levels of the value column.
  std::vector<std::vector<std::string>> item_levels = {};
};

/// How all sources are read: everything needed to read the next file in the same way.
struct Schema {
  std::vector<SourceSpec> sources;
  std::vector<std::string> na;       ///< missing-value strings beyond the standard ones
  bool missing_as_category = false;  ///< `--missing category`: a missing cell is a level of its own
  bool frequency_weights = false;    ///< row weights are counts (else sampling weights)
  bool standardise = false;          ///< real columns are reported in standard deviations
  std::map<std::string, double> block_weight;  ///< block name -> factor of its cells' weights
  std::vector<std::string> treatments;         ///< what `medley convert` did to the data, in order

  /// The column of that name, or null.
  [[nodiscard]] const ColumnSpec* find(std::string_view column) const;
  /// The column whose role is label, or null.
  [[nodiscard]] const ColumnSpec* label() const;
};

/// The strings that always mean "missing": empty, NA, NaN, nan, ?, null, None.
[[nodiscard]] bool is_standard_missing(std::string_view cell);

/// Name of the extra level that `missing_as_category` adds.
inline constexpr std::string_view kMissingLevel = "(missing)";

/// The schema as an editable TOML document, with the notes as comments.
[[nodiscard]] std::string to_toml(const Schema& schema);
/// Reads a schema back. Throws InputError naming `file` and the line of every problem.
[[nodiscard]] Schema schema_from_toml(std::string_view text, const std::string& file);

// How the rows of a data set are weighted, for reports.

/// Summary of the row weights. Frequency weights count as written; sampling weights are divided by
/// their mean, so that they add up to the number of rows.
struct Weighting {
  std::string column = {};  ///< name of the weight column; empty: every row counts once
  bool counts = false;      ///< true: frequency weights; false: sampling weights
  double stands_for = 0;    ///< the sum of the weights as written
  double cells = 0;         ///< observed cells or words of all rows, unweighted

  [[nodiscard]] bool used() const { return !column.empty(); }
};

// The data that a model sees: rows x blocks. A block is a set of features stored together that
// share a distribution family: the yes/no items of a survey, the words of a text, the movies of a
// rating log.
//
// Every block is stored by row (compressed rows). A missing cell is absent; a repeated cell is a
// replicate. A discrete cell is a *slot*: a row of the block's likelihood table. Each slot belongs
// to one feature, and the probabilities of one feature's slots sum to 1:
//
//   levels   one feature per column, one slot per level     survey items, ratings
//   tokens   one feature, one slot per word                 documents, references; weight = count
//   real     one slot per feature, the number in `value`    measurements

/// A column (levels, real) or a vocabulary (tokens) of a block.
struct Feature {
  std::string name;                      ///< column, item or source name
  std::vector<std::string> levels = {};  ///< names of its slots: levels or words; empty for real
  std::vector<std::string> labels = {};  ///< what the levels mean, for reports; empty: the levels
  double shift = 0;                      ///< subtracted from every number before the family sees it
  std::string title = {};                ///< name for reports; empty: `name`
};

/// Features that share a family, with their cells by row.
struct Block {
  std::string name;    ///< name of the block in reports
  std::string family;  ///< name in the family registry
  Encoding encoding = Encoding::levels;
  std::vector<Feature> features;
  std::vector<std::uint32_t>
      first_slot;  ///< features + 1: feature f owns [first_slot[f], first_slot[f+1])

  std::vector<std::uint64_t> row_start = {
      0};                           ///< rows + 1: cells of row i are [row_start[i], row_start[i+1])
  std::vector<std::uint32_t> slot;  ///< per cell, ascending within a row
  std::vector<float> weight;        ///< per cell: how often observed; empty means 1 everywhere
  std::vector<double> value;        ///< per cell, encoding real only

  std::size_t missing = 0;  ///< cells with a missing value, or in a column that the file lacks
  std::size_t unseen = 0;   ///< cells with a level or word outside the schema: count as missing

  [[nodiscard]] std::size_t slots() const { return first_slot.empty() ? 0 : first_slot.back(); }
  /// The block without its cells; a model keeps this.
  [[nodiscard]] Block shape() const;
  [[nodiscard]] std::size_t cells() const { return slot.size(); }
  [[nodiscard]] float weight_of(std::size_t cell) const {
    return weight.empty() ? 1.0F : weight[cell];
  }
};

/// Codes of a kept column without a level: the cell is missing, or holds a class that the schema of
/// the label does not know. Test for code >= 0 before using a code as a level.
inline constexpr std::int32_t kMissingClass = -1, kUnknownClass = -2;

/// A column set aside for the caller: the label, or a column named in ReadOptions::keep.
struct KeptColumn {
  std::string name;
  std::vector<std::string> levels;       ///< distinct values, bytewise order
  std::vector<std::int32_t> code;        ///< per row: a level, kMissingClass or kUnknownClass
  std::vector<std::string> labels = {};  ///< what the levels mean, for reports; empty: the levels
  std::string title = {};                ///< name for reports; empty: `name`
};

/// A word, item or level that a schema does not know.
struct Unknown {
  std::string block, name;
  double count = 0;  ///< number of occurrences
};
/// The number of unknowns that are named per block.
inline constexpr std::size_t kNamedUnknown = 10;

/// Rows x blocks, with ids, weights and kept columns of the rows.
struct Dataset {
  std::size_t rows = 0;
  std::vector<std::string> ids;    ///< per row; empty: the row's number from 1
  std::vector<double> row_weight;  ///< per row, all >= 0; empty means 1 everywhere
  double weight_unit = 1;          ///< the weight in the file that became a row_weight of 1
  std::vector<Block> blocks;
  std::vector<KeptColumn> kept;
  Schema schema;                      ///< how every column was read
  std::vector<std::string> warnings;  ///< sentences: dropped columns, absent columns, unseen levels
  // For data read with a given schema:
  std::vector<Unknown> unknown = {};    ///< the most frequent unknowns of each block, largest first
  std::vector<std::string> extra = {};  ///< columns of the files that the schema does not know
  /// Sentences: decisions made for the user, and how to change them.
  std::vector<std::string> notes = {};

  /// The id of the row, or its number from 1.
  [[nodiscard]] std::string id_of(std::size_t row) const {
    return ids.empty() ? std::to_string(row + 1) : ids[row];
  }
  [[nodiscard]] double weight_of(std::size_t row) const {
    return row_weight.empty() ? 1.0 : row_weight[row];
  }
  /// Observed size of a row: the sum of its cell weights over all blocks.
  [[nodiscard]] double observed(std::size_t row) const;
  /// Whether rows are weighted, by which column, and the sums of the weights.
  [[nodiscard]] Weighting weighting() const;
  /// The kept column of that name, or null.
  [[nodiscard]] const KeptColumn* kept_column(const std::string& name) const;
  /// The kept column whose role in the schema is label, or null.
  [[nodiscard]] const KeptColumn* label() const;
};

/// Throws InputError that lists everything wrong with a data set made by hand: sizes that disagree,
/// slots and codes out of range, unknown families, numbers that are not finite or that their family
/// does not take. Every function of the library that takes a data set calls it first.
void check(const Dataset& data);

}  // namespace medley
