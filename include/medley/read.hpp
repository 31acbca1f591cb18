// SPDX-License-Identifier: Apache-2.0
// From files to a data set and back. Formats: CSV/TSV, JSON lines, LDA-C, UCI docword, Matrix
// Market, svmlight, triplets (row,item,value) and one value or document per line, plain or
// compressed (gz, zst); SPSS, Stata and SAS files, plain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "medley/dataset.hpp"
#include "medley/hooks.hpp"

namespace medley {

/// One input file: a name (the block it becomes) and a path; "-" reads standard input.
struct Source {
  std::string name;  ///< empty for the single unnamed source, which is then called "data"
  std::string path;
};

/// Splits "NAME=FILE" (a NAME is letters, digits, '_', '-', '.') or takes the whole as a path.
[[nodiscard]] Source parse_source(const std::string& argument);

enum class Format {
  automatic,
  csv,
  tsv,
  jsonl,  ///< one JSON object per line
  ldac,
  docword,
  mtx,
  svmlight,
  triplets,
  column,  ///< one value per line
  text,    ///< one document per line
  sav,     ///< SPSS
  por,     ///< SPSS portable
  dta,     ///< Stata
  sas7bdat,
  xpt,    ///< SAS transport
  stream  ///< a stream file (stream.hpp)
};
enum class Duplicates { error, last, replicate };
/// The decimal mark of the numbers in a file; automatic: what its delimiter and cells say.
enum class Decimal { automatic, point, comma };

/// Which words of a text column, or tags, make up its vocabulary; what is decided once, when it is
/// built. Rules and stop words are for running text alone.
struct VocabularyOptions {
  TextRules rules;
  std::vector<std::string> stop_words = {};  ///< names of built-in lists ("english") or files
  std::size_t min_count = 2;                 ///< a word in fewer documents is left out
  /// A word in a larger share of the documents is left out. None given: of running text, words in
  /// more than half of the documents, where they are few.
  std::optional<double> max_share = std::nullopt;
  std::size_t most_words = 0;  ///< keep the most frequent only; 0: all
  /// The stop words of the language that the text is in are left out too, if it is plain.
  bool recognise_language = true;

  /// The same, but every word is kept that is no stop word: what to read with if the words are to
  /// be chosen later, from some of the rows (cross-validation).
  [[nodiscard]] VocabularyOptions unselected() const {
    return {rules, stop_words, 1, 1.0, 0, recognise_language};
  }
};

/// Columns of a table that are repeated observations of one feature: the two alleles of a locus.
/// A * in the name and in the columns stands for any text: {"*", {"*_1", "*_2"}} ties a_1 and a_2
/// to a, b_1 and b_2 to b.
struct Tie {
  std::string name;
  std::vector<std::string> columns;
};

/// How to read. Everything has a sensible default; nothing here is needed for a clean file.
struct ReadOptions {
  Format format = Format::automatic;        ///< automatic: by file name, then by content
  std::map<std::string, Format> format_of;  ///< source name -> its format, where `format` is not it
  std::optional<Schema> schema;             ///< fixed: read by it, infer nothing
  /// column (or source, or "value") -> family name, "text", "tags" or "set"; "poisson:shift=1"
  std::map<std::string, std::string> family;
  std::string id, label, weight;         ///< column names; empty: none
  std::vector<std::string> ignore;       ///< columns to leave out
  std::vector<std::string> row_ids;      ///< of the rows of every source without an id column
  std::vector<std::string> keep;         ///< columns to set aside (Dataset::kept), not features
  std::size_t keep_levels = 0;           ///< also set aside columns of at most so many values
  std::vector<std::string> na;           ///< more missing-value strings
  Decimal decimal = Decimal::automatic;  ///< of all files; goes before what the schema says
  std::string encoding;  ///< of text files: a name such as "latin-1", "utf-16"; empty: found out
  bool missing_as_category = false;
  bool frequency_weights = false;
  VocabularyOptions words;                     ///< for columns of text and tags
  std::string split;                           ///< between tags or options; empty: ";"
  bool standardise = false;                    ///< see Schema::standardise
  std::map<std::string, double> block_weight;  ///< block name -> factor of its cells' weights
  Duplicates duplicates = Duplicates::error;   ///< a repeated (row, item) pair in triplets
  std::vector<Tie> ties;                       ///< columns of one feature
  /// Triplets: one list of levels for all items, also where the items do not share a scale.
  bool pool_levels = false;
  std::map<std::string, std::string> vocabulary;  ///< source name ("" = any) -> word list file
  /// Bytes, counted roughly; 0: nine tenths of what is free on the machine and in the container.
  /// A line may take a sixteenth.
  std::size_t memory_limit = 0;
};

/// Reads, infers or applies the schema, and encodes. Throws InputError listing every problem found.
[[nodiscard]] Dataset read(const std::vector<Source>& sources, const ReadOptions& options,
                           const Hooks& hooks = {});

/// A table as it stands in the file: nothing inferred, nothing dropped, cells trimmed.
struct TextTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  ///< each as long as the header
  char delimiter = ',';                        ///< between the cells of a CSV or TSV file
};

/// Reads a CSV, TSV, SPSS, Stata or SAS file, JSON lines (lists joined by ';'), or one value per
/// line (the header is then the source's name). Throws InputError for other formats: they are no
/// tables.
[[nodiscard]] TextTable read_text_table(const Source& source, const ReadOptions& options,
                                        const Hooks& hooks = {});

/// Writes every source of a data set to the file of its name (a single source to the only file): a
/// table or triplets as CSV, word counts as LDA-C with their words beside it (X.ldac, X_vocab.txt).
/// Read with its schema, the data set comes back. Returns the files written; each appears whole or
/// not at all.
std::vector<std::string> write_data(const Dataset& data, const std::vector<Source>& files,
                                    const Hooks& hooks = {});

/// What to do to data before it is modelled, in this order. Each leaves a line in
/// Schema::treatments.
struct Treatment {
  /// ">=4", ">0", "==1", "<median": numbers and numeric levels that pass become 1, other observed
  /// ones 0. The median is that of all observed cells.
  std::string binarise;
  /// Rows and columns (items, words) with fewer observed cells are dropped, until none is left.
  std::size_t min_row = 0, min_column = 0;
  std::size_t sample_rows = 0;  ///< so many rows, drawn without replacement; 0: all
  std::uint64_t seed = 1;       ///< of the sample
  bool ones_as_tokens = false;  ///< cells equal to one become words named like their column or item
};

/// The data after the treatment. Throws InputError if it makes no sense or leaves nothing.
[[nodiscard]] Dataset treated(const Dataset& data, const Treatment& treatment,
                              const Hooks& hooks = {});

/// What the columns would be taken for; nothing is encoded.
[[nodiscard]] Schema infer_schema(const std::vector<Source>& sources, const ReadOptions& options,
                                  const Hooks& hooks = {});

}  // namespace medley
