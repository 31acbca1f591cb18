// SPDX-License-Identifier: Apache-2.0
// Data in and out: files and arrays in memory become data sets; stream files hold more rows than
// fit into memory; files appear whole or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "medley/data.hpp"
#include "medley/error.hpp"

namespace medley {

// From files to a data set and back. Formats: CSV/TSV, JSON lines, LDA-C, UCI docword, Matrix
// Market, svmlight, triplets (row,item,value) and one value or document per line, plain or
// compressed (gz, zst); SPSS, Stata and SAS files, plain.

/// One input file: a name (for the block it becomes) and a path; "-" reads standard input.
struct Source {
  std::string name;  ///< empty for a single unnamed source, whose block is called "data"
  std::string path;
};

/// Splits "NAME=FILE" (a NAME is letters, digits, '_', '-', '.') or takes the whole as a path.
[[nodiscard]] Source parse_source(const std::string& argument);

/// The format of a file; automatic: by file name, then by content.
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
  stream  ///< a stream file (open_stream)
};
/// What to do with a repeated (row, item) pair in triplets: refuse it, keep the last value, or keep
/// all values as replicates.
enum class Duplicates { error, last, replicate };
/// The decimal mark of the numbers in a file; automatic: recognised from its delimiter and cells.
enum class Decimal { automatic, point, comma };

/// Which words of a text column, or which tags, make up its vocabulary. Applied once, when the
/// vocabulary is built. Rules and stop words apply to running text only.
struct VocabularyOptions {
  TextRules rules;
  std::vector<std::string> stop_words = {};  ///< names of built-in lists ("english") or files
  std::size_t min_count = 2;                 ///< a word in fewer documents is left out
  /// A word in a larger share of the documents is left out. Empty: for running text, words in more
  /// than half of the documents are left out if there are few of them.
  std::optional<double> max_share = std::nullopt;
  std::size_t most_words = 0;  ///< keep only this many of the most frequent; 0: all
  /// Also leave out the stop words of the language of the text, if it is recognised.
  bool recognise_language = true;

  /// The same, but with every word except stop words kept: for reading when the words are chosen
  /// later, from some of the rows (cross-validation).
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

/// How to read. Every option has a default; a clean file needs none of them.
struct ReadOptions {
  Format format = Format::automatic;        ///< automatic: by file name, then by content
  std::map<std::string, Format> format_of;  ///< source name -> its format, instead of `format`
  std::optional<Schema> schema;             ///< read with this schema and infer nothing
  /// column (or source, or "value") -> family name, "text", "tags" or "set"; "poisson:shift=1"
  std::map<std::string, std::string> family;
  std::string id, label, weight;         ///< column names; empty: none
  std::vector<std::string> ignore;       ///< columns to leave out
  std::vector<std::string> row_ids;      ///< ids for the rows of every source without an id column
  std::vector<std::string> keep;         ///< columns to set aside (Dataset::kept), not features
  std::size_t keep_levels = 0;           ///< also set aside columns with at most this many values
  std::vector<std::string> na;           ///< more missing-value strings
  Decimal decimal = Decimal::automatic;  ///< of all files; overrides the schema
  std::string encoding;  ///< of text files: a name such as "latin-1", "utf-16"; empty: recognised
  bool missing_as_category = false;            ///< see Schema::missing_as_category
  bool frequency_weights = false;              ///< row weights are counts (else sampling weights)
  VocabularyOptions words;                     ///< for columns of text and tags
  std::string split;                           ///< separator of tags or options; empty: ";"
  bool standardise = false;                    ///< see Schema::standardise
  std::map<std::string, double> block_weight;  ///< block name -> factor of its cells' weights
  Duplicates duplicates = Duplicates::error;   ///< a repeated (row, item) pair in triplets
  std::vector<Tie> ties;                       ///< columns that are one feature
  /// Triplets: give all items one list of levels, even if they do not share a scale.
  bool pool_levels = false;
  std::map<std::string, std::string> vocabulary;  ///< source name ("" = any) -> word list file
  /// Limit of the memory for reading, in bytes, counted roughly; 0: nine tenths of what is free on
  /// the machine and in the container. One line may have a sixteenth of it.
  std::size_t memory_limit = 0;
};

/// Reads, infers or applies the schema, and encodes. Throws InputError listing every problem found.
[[nodiscard]] Dataset read(const std::vector<Source>& sources, const ReadOptions& options,
                           const Hooks& hooks = {});

/// A table as in the file: nothing inferred, nothing dropped, cells trimmed.
struct TextTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  ///< each as long as the header
  char delimiter = ',';                        ///< between the cells of a CSV or TSV file
};

/// Reads a CSV, TSV, SPSS, Stata or SAS file, JSON lines (lists joined by ';'), or one value per
/// line (the header is then the source's name). Throws InputError for the other formats, which are
/// not tables.
[[nodiscard]] TextTable read_text_table(const Source& source, const ReadOptions& options,
                                        const Hooks& hooks = {});

/// Writes every source of a data set to the file with its name (a single source to the only file):
/// tables and triplets as CSV, word counts as LDA-C with a vocabulary file (X.ldac, X_vocab.txt).
/// Reading the files with the schema gives the data set back. Returns the names of the files
/// written; each appears whole or not at all.
std::vector<std::string> write_data(const Dataset& data, const std::vector<Source>& files,
                                    const Hooks& hooks = {});

/// Changes to make to data before modelling, in this order. Each adds a line to Schema::treatments.
struct Treatment {
  /// ">=4", ">0", "==1", "<median": numbers and numeric levels that pass become 1, other observed
  /// values 0. The median is that of all observed cells.
  std::string binarise;
  /// Rows and columns (items, words) with fewer observed cells are dropped, repeatedly, until every
  /// row and column has enough.
  std::size_t min_row = 0, min_column = 0;
  std::size_t sample_rows = 0;  ///< draw this many rows without replacement; 0: keep all
  std::uint64_t seed = 1;       ///< of the sample
  bool ones_as_tokens = false;  ///< cells equal to 1 become words named after their column or item
};

/// The data after the treatment. Throws InputError if the treatment does not apply to the data or
/// leaves nothing.
[[nodiscard]] Dataset treated(const Dataset& data, const Treatment& treatment,
                              const Hooks& hooks = {});

/// The schema that read() would infer; nothing is encoded.
[[nodiscard]] Schema infer_schema(const std::vector<Source>& sources, const ReadOptions& options,
                                  const Hooks& hooks = {});

// Rows that need not all be in memory. A stream file holds a data set with its schema, and gives
// any of its rows without reading the others; fit() fits a model to it with memory for little more
// than a minibatch.
//
// The file is in the safetensors layout, which other languages can read. Each block has `row_start`
// (I64, rows + 1), `slot` (U32), `weight` (F32) and `value` (F64), as in Block; ids, row weights
// and kept columns (U32: 0 is missing, else the level's number from 1) are stored by row, and the
// schema as TOML. Every array has a companion NAME.crc (U32) with the CRC-32 of each piece of it. A
// piece belongs to `rows_per_piece` rows; a piece of offsets includes the last offset of the piece
// before.

/// Rows [begin, end).
struct RowRange {
  std::size_t begin = 0, end = 0;
};

/// Rows that are loaded in batches. batch() may be called from several threads at once.
class RowSource {
 public:
  RowSource() = default;
  virtual ~RowSource() = default;
  RowSource(const RowSource&) = delete;
  RowSource& operator=(const RowSource&) = delete;

  [[nodiscard]] virtual std::size_t rows() const = 0;
  /// The data set without its rows: schema, columns, and the totals counted while reading.
  [[nodiscard]] virtual const Dataset& shape() const = 0;
  /// The rows of the ranges, in the given order, as a data set. Throws InputError if they are
  /// damaged.
  [[nodiscard]] virtual Dataset batch(std::span<const RowRange> ranges) const = 0;
  [[nodiscard]] Dataset batch(std::size_t begin, std::size_t end) const {
    const RowRange range{begin, end};
    return batch(std::span(&range, 1));
  }
  /// Equal for equal data, and almost certainly different for different data.
  [[nodiscard]] virtual std::string fingerprint() const = 0;
};

/// About `count` rows in runs of 16, spread at random over all rows; all rows if there are no more.
/// 20,000 rows with the seed of a minibatch fit give the rows on which its summary was scored.
[[nodiscard]] Dataset sample_rows(const RowSource& rows, std::size_t count, std::uint64_t seed,
                                  const Hooks& hooks = {});

/// The conventional ending of the names of stream files. Files are recognised by their content.
inline constexpr const char* kStreamEnding = ".stream";

/// Whether the file can be read and begins like a stream file.
[[nodiscard]] bool is_stream(const std::string& path);
/// Opens it. Schema and sizes are checked now, rows when they are read. Throws InputError.
[[nodiscard]] std::unique_ptr<RowSource> open_stream(const std::string& path);
/// The same; also throws InputError if the options require a new conversion. With a schema in the
/// options, the rows are projected to it: what it does not know is left out, and counted in
/// shape().
[[nodiscard]] std::unique_ptr<RowSource> open_stream(const std::string& path,
                                                     const ReadOptions& options);

/// Writes a stream file piece by piece; holds one piece of rows in memory.
class StreamWriter {
 public:
  /// Throws InputError if the folder does not exist. Appended rows are kept on the same disk.
  explicit StreamWriter(const std::string& path);
  ~StreamWriter();
  StreamWriter(const StreamWriter&) = delete;
  StreamWriter& operator=(const StreamWriter&) = delete;

  /// Adds rows. All pieces have the blocks and kept columns of the first one. Throws RunError if
  /// the disk is full.
  void append(const Dataset& rows);
  /// Completes the file and gives it its name, whole or not at all. `schema` must be that of the
  /// rows; it may have been built while they were read.
  void finish(const Schema& schema);
  [[nodiscard]] std::size_t rows() const;
  [[nodiscard]] std::size_t cells() const;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

/// Writes a data set from memory.
void write_stream(const Dataset& data, const std::string& path, const Hooks& hooks = {});

/// Summary of what was written.
struct StreamedData {
  std::size_t rows = 0, cells = 0;
  bool loaded = false;  ///< the whole data had to be in memory
  std::vector<std::string> warnings = {};
};

/// Converts files to a stream file. One source of LDA-C, or of docword with counts sorted by
/// document, needs only limited memory, unless the options set more for it than format, words and
/// name. All other sources are read as by read().
StreamedData convert_to_stream(const std::vector<Source>& sources, const ReadOptions& options,
                               const std::string& path, const Hooks& hooks = {});

// Data in memory: tables of columns, sparse counts, triplets. They get the same schema inference,
// encoding, checks and messages as files, so that the same data from a file and from memory give
// the same model.
//
//   medley::MemoryTable table;
//   table.rows = 3;
//   table.columns = {{"colour", medley::TextColumn{{"red", "green"}, {0, 1, 0}}},
//                    {"height", medley::NumberColumn{{1.5, 2.5, NAN}}}};
//   medley::Dataset data = medley::dataset({{"", std::move(table)}});
//
// Sizes, offsets and codes are checked before they are used.

/// The code of a missing cell.
inline constexpr std::uint32_t kAbsent = 0xFFFFFFFF;

/// Texts; each cell is a code into the list of the different texts. Blanks around a text are
/// ignored. Texts that mean "missing" in a file (NA, ?, ...) mean it here too.
struct TextColumn {
  std::vector<std::string> distinct;
  std::vector<std::uint32_t> code;  ///< per row: an index into `distinct`, or kAbsent
  bool ordered = false;             ///< keep the levels in the order of `distinct`, not sorted
  bool fixed = false;               ///< the same, and also keep the levels that no row has
};

/// Numbers; NaN is missing. Where text is needed (levels, ids), a number becomes the shortest text
/// that reads back: "5", "0.1".
struct NumberColumn {
  std::vector<double> value;  ///< per row
};

/// Lists of tags or options: row i holds code[start[i]] to code[start[i + 1] - 1].
struct ListColumn {
  std::vector<std::string> distinct;
  std::vector<std::uint64_t> start;   ///< rows + 1
  std::vector<std::uint32_t> code;    ///< per entry; kAbsent: no entry
  std::vector<std::uint8_t> missing;  ///< per row: nonzero if the list is missing; or empty
};

/// A column of a table.
struct MemoryColumn {
  std::string name;
  std::variant<TextColumn, NumberColumn, ListColumn> cells;
  std::string title = {};  ///< name for reports, such as the question; empty: `name`
  std::vector<std::pair<std::string, std::string>> value_labels = {};  ///< text -> what it means
};

/// Columns of equal length.
struct MemoryTable {
  std::vector<MemoryColumn> columns;
  std::size_t rows = 0;
};

/// Sparse counts over a vocabulary. The words of a row may be in any order; repeated words are
/// added up, zeros are left out.
struct MemoryCounts {
  std::vector<std::uint64_t> row_start;  ///< rows + 1: counts of row i are [row_start[i], ...)
  std::vector<std::uint32_t> word;       ///< index into `vocabulary`
  std::vector<float> count;
  std::vector<std::string> vocabulary;  ///< empty: words are named by their numbers, from 0
};

/// A log of (row, item, value); a pair that is absent is missing.
struct MemoryTriplets {
  TextColumn row, item;
  std::variant<TextColumn, NumberColumn> value;
};

/// One source in memory, as Source is for files.
struct MemorySource {
  std::string name;  ///< of the block it becomes; empty for a single source: "data"
  std::variant<MemoryTable, MemoryCounts, MemoryTriplets> content;
};

/// A data set from memory, as read() makes it from files. Pass documents as a table with one
/// TextColumn and ReadOptions::family[column] = "text". Move the sources in to save a copy. Throws
/// InputError listing every problem found, by source, row and column.
[[nodiscard]] Dataset dataset(std::vector<MemorySource> sources, const ReadOptions& options = {},
                              const Hooks& hooks = {});

/// The schema that dataset() would infer; nothing is encoded.
[[nodiscard]] Schema infer_schema(std::vector<MemorySource> sources,
                                  const ReadOptions& options = {}, const Hooks& hooks = {});

/// Builds a schema from pieces: batches of rows one after the other, or shards seen by other
/// builders. The result is the schema of all rows at once, in the order in which they were added.
/// Use it to read the pieces (dataset() with ReadOptions::schema) and append them to a stream
/// (StreamWriter). The builder keeps every different text, the codes of tables and triplets, and
/// the vocabulary of counts.
class SchemaBuilder {
 public:
  explicit SchemaBuilder(ReadOptions options = {});
  ~SchemaBuilder();
  SchemaBuilder(SchemaBuilder&& other) noexcept;
  SchemaBuilder& operator=(SchemaBuilder&& other) noexcept;

  /// Adds rows of the same sources. Names, kinds and columns must be those of the first piece.
  /// Throws InputError, as dataset() does, and is then unchanged.
  void add(const std::vector<MemorySource>& sources);
  /// Adds the rows that another builder saw, after those of this one.
  void merge(const SchemaBuilder& other);
  [[nodiscard]] std::size_t rows() const;
  /// Throws InputError if there are no rows, or as infer_schema() does.
  [[nodiscard]] Schema finish() const;

 private:
  class Pieces;
  std::unique_ptr<Pieces> pieces_;
};

// Files that appear whole or not at all, even after a crash.

/// A file being written. The bytes go to a temporary file in the same folder (`PATH.tmp-` and six
/// random letters, which nobody else can have prepared). commit() syncs it, renames it and syncs
/// the folder. Until then an older file of that name is untouched; the new file gets its
/// permissions. A link stays a link: the file it points to is replaced. Temporary files that killed
/// runs left of the same file are removed; those of runs that are still writing are kept.
class WholeFile {
 public:
  /// Throws InputError if the path cannot be a file, RunError if no file can be made there.
  explicit WholeFile(const std::string& path);
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;
  /// Removes the temporary file if commit() was not called.
  ~WholeFile();

  /// write() and commit() throw RunError on failure, such as a full disk.
  void write(std::string_view bytes);
  void commit();
  /// The name of the temporary file, for signal handlers that end the process.
  [[nodiscard]] const std::string& temporary() const { return temporary_; }

 private:
  void create(unsigned mode);
  void flush();
  void write_through(std::string_view bytes);

  std::string path_;    ///< as given, for messages
  std::string target_;  ///< the file itself, links resolved
  std::string temporary_;
  std::string buffer_;
  std::uint64_t size_ = 0;  ///< bytes written to the file
  int file_ = -1;
};

/// Removes temporary files that killed runs left of the file `path`, as every WholeFile does.
void remove_abandoned(const std::string& path);
/// The same for all files of a folder. Returns how many files were removed.
std::size_t remove_abandoned_in(const std::string& folder);

}  // namespace medley
