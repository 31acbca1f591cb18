// SPDX-License-Identifier: Apache-2.0
// Data in and out: files and arrays in memory become data sets, stream files hold more rows than
// memory does, and whole files are written whole or not at all.
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

// Rows that need not all be in memory. A stream file holds a data set with its schema so that any
// of its rows can be had without reading the others; fit.hpp fits a model to one with memory for
// little more than a minibatch.
//
// The file is in the safetensors layout, so that any language reads it: per block `row_start` (I64,
// rows + 1), `slot` (U32), `weight` (F32) and `value` (F64), as in dataset.hpp; ids, row weights
// and kept columns (U32: 0 is missing, else the level's number from 1) by row; the schema as TOML.
// Every array has a companion NAME.crc (U32) with the CRC-32 of each piece of it, a piece being
// the part that belongs to `rows_per_piece` rows (offsets: with the one that ends the piece
// before).

/// Rows [begin, end).
struct RowRange {
  std::size_t begin = 0, end = 0;
};

/// Rows that are handed out a few at a time. Rows may be asked for from several threads.
class RowSource {
 public:
  RowSource() = default;
  virtual ~RowSource() = default;
  RowSource(const RowSource&) = delete;
  RowSource& operator=(const RowSource&) = delete;

  [[nodiscard]] virtual std::size_t rows() const = 0;
  /// The data set without its rows: schema, columns, and what was counted while it was read.
  [[nodiscard]] virtual const Dataset& shape() const = 0;
  /// The rows of the ranges in the order given, as a data set of their own. Throws InputError if
  /// they turn out to be damaged.
  [[nodiscard]] virtual Dataset batch(std::span<const RowRange> ranges) const = 0;
  [[nodiscard]] Dataset batch(std::size_t begin, std::size_t end) const {
    const RowRange range{begin, end};
    return batch(std::span(&range, 1));
  }
  /// The same for equal data, and almost certainly for no other.
  [[nodiscard]] virtual std::string fingerprint() const = 0;
};

/// About `count` rows in runs of 16, spread at random over all; all if there are no more. With the
/// seed of a fit in minibatches and 20,000 rows: those that its summary was scored on.
[[nodiscard]] Dataset sample_rows(const RowSource& rows, std::size_t count, std::uint64_t seed,
                                  const Hooks& hooks = {});

/// What stream files are called by convention; they are known by their content.
inline constexpr const char* kStreamEnding = ".stream";

/// Whether a file with this name can be read and begins like a stream file.
[[nodiscard]] bool is_stream(const std::string& path);
/// Opens it: schema and sizes are checked now, rows when they are asked for. Throws InputError.
[[nodiscard]] std::unique_ptr<RowSource> open_stream(const std::string& path);
/// The same; also throws InputError if the options ask for what only a new conversion can do. With
/// a schema in the options, the rows come under it: what it does not know is left out, and counted
/// in shape().
[[nodiscard]] std::unique_ptr<RowSource> open_stream(const std::string& path,
                                                     const ReadOptions& options);

/// Writes a stream file, rows by rows; holds a piece of them in memory.
class StreamWriter {
 public:
  /// Throws InputError if the folder is not there. What is appended is kept on its disk.
  explicit StreamWriter(const std::string& path);
  ~StreamWriter();
  StreamWriter(const StreamWriter&) = delete;
  StreamWriter& operator=(const StreamWriter&) = delete;

  /// More rows; all have the blocks and kept columns of the first ones. Throws RunError if the disk
  /// is full.
  void append(const Dataset& rows);
  /// Gives the file its name, whole or not at all. `schema` must be the one of the rows; it may
  /// have been found while they were read.
  void finish(const Schema& schema);
  [[nodiscard]] std::size_t rows() const;
  [[nodiscard]] std::size_t cells() const;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

/// Writes a data set that is in memory.
void write_stream(const Dataset& data, const std::string& path, const Hooks& hooks = {});

/// What was written.
struct StreamedData {
  std::size_t rows = 0, cells = 0;
  bool loaded = false;  ///< it had to be in memory as a whole
  std::vector<std::string> warnings = {};
};

/// From files to a stream file. One source of LDA-C or (with its counts sorted by document) docword
/// takes bounded memory, unless options say more about it than its format, words and name;
/// everything else is read as by read().
StreamedData convert_to_stream(const std::vector<Source>& sources, const ReadOptions& options,
                               const std::string& path, const Hooks& hooks = {});

// Data that is in memory already: tables of columns, sparse counts, triplets. They go the way of
// files: the same schema inference, encoding, checks and messages, so that the same data from a
// file and from memory give the same model.
//
//   medley::MemoryTable table;
//   table.rows = 3;
//   table.columns = {{"colour", medley::TextColumn{{"red", "green"}, {0, 1, 0}}},
//                    {"height", medley::NumberColumn{{1.5, 2.5, NAN}}}};
//   medley::Dataset data = medley::dataset({{"", std::move(table)}});
//
// Nothing is trusted: sizes, offsets and codes are checked before they are used.

/// The code of a missing cell.
inline constexpr std::uint32_t kAbsent = 0xFFFFFFFF;

/// Texts, each cell a code into the list of the different ones. Blanks around a text do not count.
/// What means "missing" in a file (NA, ?, ...) does so here.
struct TextColumn {
  std::vector<std::string> distinct;
  std::vector<std::uint32_t> code;  ///< per row: an index into `distinct`, or kAbsent
  bool ordered = false;             ///< the levels come in the order of `distinct`, not sorted
  bool fixed = false;  ///< the levels are `distinct`, in that order, with those that no row has
};

/// Numbers; NaN is missing. Where text is wanted (levels, ids) the shortest one that reads back
/// stands for a number: "5", "0.1".
struct NumberColumn {
  std::vector<double> value;  ///< per row
};

/// Lists of tags or options: row i holds code[start[i]] to code[start[i + 1] - 1].
struct ListColumn {
  std::vector<std::string> distinct;
  std::vector<std::uint64_t> start;   ///< rows + 1
  std::vector<std::uint32_t> code;    ///< per entry; kAbsent: no entry
  std::vector<std::uint8_t> missing;  ///< per row: not 0 where the list is missing; or empty
};

struct MemoryColumn {
  std::string name;
  std::variant<TextColumn, NumberColumn, ListColumn> cells;
  std::string title = {};  ///< what it is called for people, such as the question asked
  std::vector<std::pair<std::string, std::string>> value_labels = {};  ///< text -> what it means
};

struct MemoryTable {
  std::vector<MemoryColumn> columns;
  std::size_t rows = 0;
};

/// Sparse counts over a vocabulary. The words of a row may come in any order; repeated ones are
/// added up, zeros left out.
struct MemoryCounts {
  std::vector<std::uint64_t> row_start;  ///< rows + 1: counts of row i are [row_start[i], ...)
  std::vector<std::uint32_t> word;       ///< index into `vocabulary`
  std::vector<float> count;
  std::vector<std::string> vocabulary;  ///< empty: words are called by their numbers, from 0
};

/// A log of (row, item, value); a pair that is not in it is missing.
struct MemoryTriplets {
  TextColumn row, item;
  std::variant<TextColumn, NumberColumn> value;
};

struct MemorySource {
  std::string name;  ///< of the block it becomes; empty for a single source, then called "data"
  std::variant<MemoryTable, MemoryCounts, MemoryTriplets> content;
};

/// A data set from memory: as read() from files. Documents are a table with one TextColumn and
/// ReadOptions::family[column] = "text". Move the sources in to save a copy. Throws InputError
/// listing every problem found, by source, row and column.
[[nodiscard]] Dataset dataset(std::vector<MemorySource> sources, const ReadOptions& options = {},
                              const Hooks& hooks = {});

/// What the columns would be taken for; nothing is encoded.
[[nodiscard]] Schema infer_schema(std::vector<MemorySource> sources,
                                  const ReadOptions& options = {}, const Hooks& hooks = {});

/// A schema from pieces: batches of rows that come one after the other, or shards that others
/// looked at. It is the schema of all rows at once, in the order in which they were added. With it
/// the pieces are read (dataset() with ReadOptions::schema) and appended to a stream
/// (StreamWriter). Keeps every different text, and the codes of tables and triplets; of counts it
/// keeps the vocabulary.
class SchemaBuilder {
 public:
  explicit SchemaBuilder(ReadOptions options = {});
  ~SchemaBuilder();
  SchemaBuilder(SchemaBuilder&& other) noexcept;
  SchemaBuilder& operator=(SchemaBuilder&& other) noexcept;

  /// More rows of the same sources: their names, kinds and columns are those of the first piece.
  /// Throws InputError, as dataset() does, and keeps what it had.
  void add(const std::vector<MemorySource>& sources);
  /// The rows that another builder saw, after those of this one.
  void merge(const SchemaBuilder& other);
  [[nodiscard]] std::size_t rows() const;
  /// Throws InputError if there are no rows, or as infer_schema() does.
  [[nodiscard]] Schema finish() const;

 private:
  class Pieces;
  std::unique_ptr<Pieces> pieces_;
};

// Files that appear whole or not at all, whatever happens on the way.

/// A file that is being written. The bytes go to a temporary file beside it (`PATH.tmp-` and six
/// random letters), which nobody else can have prepared; commit() syncs it, gives it its name and
/// syncs the folder. Until then an older file of that name is untouched, and afterwards the new one
/// has its permissions. A link stays a link: the file it points to is replaced. What runs that were
/// killed left of the same file is removed on the way; runs that are still writing keep theirs.
class WholeFile {
 public:
  /// Throws InputError if the path is no place for a file, RunError if none can be made there.
  explicit WholeFile(const std::string& path);
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;
  /// Without commit() nothing stays.
  ~WholeFile();

  /// Throws RunError (a full disk, say), and so does commit().
  void write(std::string_view bytes);
  void commit();
  /// The name of the temporary file, for handlers of signals that end the process.
  [[nodiscard]] const std::string& temporary() const { return temporary_; }

 private:
  void create(unsigned mode);
  void flush();
  void write_through(std::string_view bytes);

  std::string path_;    ///< as given, for messages
  std::string target_;  ///< the file itself, links resolved
  std::string temporary_;
  std::string buffer_;
  int file_ = -1;
};

/// Removes what killed runs left of the file `path`, as every WholeFile does.
void remove_abandoned(const std::string& path);
/// The same for all files of a folder. Returns how many files were removed.
std::size_t remove_abandoned_in(const std::string& folder);

}  // namespace medley
