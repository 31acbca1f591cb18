// SPDX-License-Identifier: Apache-2.0
#include "data/encode.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <unordered_set>
#include <utility>

#include "core/problems.hpp"
#include "core/text.hpp"
#include "data/bind_schema.hpp"
#include "data/encode_source.hpp"
#include "data/join.hpp"
#include "data/message_text.hpp"
#include "data/number.hpp"
#include "data/side_columns.hpp"
#include "data/source_columns.hpp"
#include "data/weights.hpp"

namespace medley::data {
namespace {

// The column a role is played by: the option's if it names one, else the schema's.
std::string name_of_role(const Schema& schema, Role role, const std::string& option) {
  if (!option.empty()) return option;
  for (const SourceSpec& source : schema.sources) {
    for (const ColumnSpec& column : source.columns) {
      if (column.role == role) return column.name;
    }
  }
  return {};
}

class DatasetEncoder {
 public:
  DatasetEncoder(const std::vector<RawSource>& sources, const Schema& schema,
                 const ReadOptions& options, const FamilyCatalogue& catalogue)
      : sources_(sources),
        options_(options),
        catalogue_(catalogue),
        missing_(all_missing(schema, options)),
        columns_(all_columns(sources)) {
    dataset_.schema = bind_schema(schema, catalogue);
    dataset_.schema.standardise = schema.standardise || options.standardise;
    dataset_.schema.frequency_weights = schema.frequency_weights || options.frequency_weights;
    match_ = match_sources(dataset_.schema, sources);
    settle_marks_of_columns();
  }

  Dataset run() {
    check_named_columns();
    problems_.throw_if_any();
    const std::string id = name_of_role(dataset_.schema, Role::id, options_.id);
    rows_ = join_rows(sources_, columns_, {id, options_.row_ids}, missing_, dataset_.warnings);
    dataset_.rows = rows_.rows;
    dataset_.ids = rows_.ids;
    warn_sources();
    if (options_.schema) find_extra();
    const EncodeContext context{sources_,   dataset_.schema,   options_,
                                catalogue_, missing_,          rows_,
                                problems_,  dataset_.warnings, dataset_.unknown};
    for (std::size_t part = 0; part < match_.size(); ++part) add_blocks(context, part);
    add_weights(context);
    add_kept(context);
    check_block_names();
    apply_block_weights(dataset_.schema, dataset_.blocks, problems_);
    problems_.throw_if_any();
    warn_of_leaks();
    return std::move(dataset_);
  }

 private:
  static std::vector<std::string> all_missing(const Schema& schema, const ReadOptions& options) {
    std::vector<std::string> all = schema.na;
    all.insert(all.end(), options.na.begin(), options.na.end());
    return all;
  }

  // How this file writes its numbers, which need not be how the first one did.
  void settle_marks_of_columns() {
    for (std::size_t part = 0; part < match_.size(); ++part) {
      if (match_[part] == kNone) continue;
      SourceSpec& spec = dataset_.schema.sources[part];
      const RawSource& source = sources_[match_[part]];
      const bool comma = source.marks.decimal == ',';
      spec.marks = marks_by(spec.marks, {source.marks, comma, {}}, options_.decimal);
      for (ColumnSpec& column : spec.columns) {
        const auto* triplets = std::get_if<RawTriplets>(&source.content);
        const ColumnRef* found = find_in(match_[part], spec, column.name);
        if (triplets != nullptr || found != nullptr)
          column.marks =
              marks_by(column.marks, triplets != nullptr ? triplets->numbers : found->text->numbers,
                       options_.decimal);
      }
    }
  }

  // A name in the options must be a column; a name in the schema may be absent from this file.
  void check_named_columns() {
    std::vector<std::pair<std::string, std::string>> named = {{"label", options_.label},
                                                              {"weight", options_.weight}};
    const bool only_triplets =
        std::all_of(sources_.begin(), sources_.end(),
                    [](const RawSource& s) { return kind_of(s) == SourceKind::triplets; });
    if (!only_triplets) named.emplace_back("id", options_.id);
    for (const std::string& name : options_.keep) named.emplace_back("keep", name);
    for (const auto& [option, name] : named) {
      if (name.empty()) continue;
      if (const ColumnRef* column = find(name)) {
        if (!column->text->tied.empty())
          problems_.add(core::setting(option, name),
                        "the column is tied of " + listed(column->text->tied) +
                            ", and has no one value in a row",
                        "name a column with one value in a row");
        continue;
      }
      const Problem problem = unknown_column(core::setting(option), name, columns_);
      problems_.add(problem.where, problem.what, problem.remedy);
    }
  }

  // The first column of that name that holds one text per row.
  const ColumnRef* find(const std::string& name) const {
    for (const ColumnRef* column : columns_named(columns_, sources_, name)) {
      if (column->text != nullptr) return column;
    }
    return nullptr;
  }

  void warn_sources() {
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      const bool used = std::find(match_.begin(), match_.end(), s) != match_.end();
      const bool kept =
          std::any_of(options_.keep.begin(), options_.keep.end(),
                      [&](const std::string& name) { return find(name)->source == s; });
      if (!used && !kept) {
        dataset_.warnings.push_back(sources_[s].path + ": the schema has no source " +
                                    core::quoted(sources_[s].name) + ", so it is not modelled");
      }
    }
  }

  // Columns of tables that the schema says nothing of, unless an option does.
  void find_extra() {
    const std::string asked[] = {options_.id, options_.label, options_.weight};
    for (std::size_t part = 0; part < match_.size(); ++part) {
      const SourceSpec& spec = dataset_.schema.sources[part];
      if (match_[part] == kNone || spec.kind != SourceKind::table) continue;
      for (const RawColumn& column : std::get<RawTable>(sources_[match_[part]].content).columns) {
        const bool known = std::ranges::count(spec.columns, column.name, &ColumnSpec::name) > 0 ||
                           std::ranges::count(asked, column.name) > 0 ||
                           std::ranges::count(options_.keep, column.name) > 0;
        if (!known) dataset_.extra.push_back(column.name);
      }
    }
  }

  void add_blocks(const EncodeContext& context, std::size_t part) {
    const SourceSpec& spec = dataset_.schema.sources[part];
    if (!has_features(spec)) return;
    if (match_[part] == kNone) {
      dataset_.warnings.push_back("source " + core::quoted(spec.name) +
                                  " of the schema is not given, taken as missing");
    }
    if (spec.kind == SourceKind::tokens) {
      dataset_.blocks.push_back(encode_counts(context, spec, match_[part]));
    } else if (spec.kind == SourceKind::triplets) {
      dataset_.blocks.push_back(encode_triplets(context, spec, match_[part]));
    } else {
      for (Block& block : encode_table(context, spec, match_[part])) {
        dataset_.blocks.push_back(std::move(block));
      }
    }
  }

  void add_weights(const EncodeContext& context) {
    const std::string name = name_of_role(dataset_.schema, Role::weight, options_.weight);
    if (name.empty()) return;
    if (const ColumnRef* column = find(name)) {
      dataset_.row_weight = row_weights(context, *column, dataset_.weight_unit);
    } else {
      dataset_.warnings.push_back("no source has the weight column " + core::quoted(name) +
                                  ", so every row counts once");
    }
  }

  // The label of the schema comes first; its classes are the schema's. A file without it has none.
  void add_kept(const EncodeContext& context) {
    std::vector<std::string> names = options_.keep;
    if (!options_.label.empty()) names.insert(names.begin(), options_.label);
    for (std::size_t part = 0; part < match_.size(); ++part) {
      for (const ColumnSpec& column : dataset_.schema.sources[part].columns) {
        if (column.role != Role::label || match_[part] == kNone) continue;
        const ColumnRef* found = find_in(match_[part], dataset_.schema.sources[part], column.name);
        if (found != nullptr) dataset_.kept.push_back(keep_column(context, *found, &column));
        if (found != nullptr) dataset_.kept.back().name = column.name;
      }
    }
    for (const std::string& name : names) {
      const ColumnRef* column = find(name);
      if (dataset_.kept_column(column->name) != nullptr) continue;
      dataset_.kept.push_back(keep_column(context, *column, spec_of(*column)));
    }
    if (options_.keep_levels > 0) add_columns_of_few_values(context);
  }

  void add_columns_of_few_values(const EncodeContext& context) {
    constexpr std::size_t kWaysToSayMissing = 50;  // they are no levels
    const std::size_t most = options_.keep_levels + kWaysToSayMissing;
    for (const ColumnRef& column : columns_) {
      if (column.text == nullptr || !column.text->tied.empty() ||
          column.text->distinct.size() > most || dataset_.kept_column(column.name) != nullptr)
        continue;
      KeptColumn kept = keep_column(context, column, spec_of(column));
      if (kept.levels.size() <= options_.keep_levels) dataset_.kept.push_back(std::move(kept));
    }
  }

  void warn_of_leaks() {
    const KeptColumn* label = dataset_.label();
    if (label == nullptr) return;
    for (const std::string& name : columns_that_tell(dataset_, *label))
      dataset_.warnings.push_back(
          "column " + core::quoted(name) + " determines the label " + core::quoted(label->name) +
          ": each of its values goes with one class; if it was made from the label, leave it out "
          "with " +
          core::setting("ignore", name));
  }

  // What the schema says of a column of the file, or null.
  const ColumnSpec* spec_of(const ColumnRef& column) const {
    for (std::size_t part = 0; part < match_.size(); ++part) {
      if (match_[part] != column.source) continue;
      for (const ColumnSpec& spec : dataset_.schema.sources[part].columns) {
        if (spec.name == column.name) return &spec;
      }
    }
    return nullptr;
  }

  const ColumnRef* find_in(std::size_t source, const SourceSpec& spec,
                           const std::string& name) const {
    for (const ColumnRef& column : columns_) {
      if (column.source != source || column.text == nullptr) continue;
      if (column.name == name || spec.kind == SourceKind::column) return &column;
    }
    return nullptr;
  }

  void check_block_names() {
    std::unordered_set<std::string> names;
    for (const Block& block : dataset_.blocks) {
      if (names.insert(block.name).second) continue;
      problems_.add("source " + core::quoted(block.name), "two blocks would have this name",
                    "name the source differently");
    }
  }

  const std::vector<RawSource>& sources_;
  const ReadOptions& options_;
  const FamilyCatalogue& catalogue_;
  MissingStrings missing_;
  std::vector<ColumnRef> columns_;
  std::vector<std::size_t> match_;
  RowMap rows_;
  core::Problems problems_;
  Dataset dataset_;
};

}  // namespace

Dataset encode(const std::vector<RawSource>& sources, const Schema& schema,
               const ReadOptions& options, const FamilyCatalogue& catalogue) {
  return DatasetEncoder(sources, schema, options, catalogue).run();
}

void check_options_against(const Schema& schema, const ReadOptions& options) {
  core::Problems problems;
  for (const auto& [name, family] : options.family) {
    problems.add(core::setting("column", name + '=' + family),
                 "the schema that is given decides the families",
                 "edit the family in the schema, or leave out `schema`");
  }
  const auto must_be = [&](const std::string& option, const std::string& name, const char* role) {
    const ColumnSpec* column = schema.find(name);
    if (column == nullptr || column->role != Role::feature) return;
    problems.add(core::setting(option, name), "the schema that is given has it as a feature",
                 "set role = \"" + std::string(role) + "\" in the schema, or leave out `schema`");
  };
  for (const std::string& name : options.ignore) must_be("ignore", name, "ignored");
  must_be("label", options.label, "label");
  must_be("weight", options.weight, "weight");
  for (const auto& [name, weight] : options.block_weight) {
    const auto given = schema.block_weight.find(name);
    if (given != schema.block_weight.end() && given->second == weight) continue;
    problems.add(core::setting("block_weight", name),
                 "the schema that is given decides the block weights",
                 "edit [block_weight] in the schema, or leave out `schema`");
  }
  const VocabularyOptions plain;
  const VocabularyOptions& words = options.words;
  if (words.rules.fold_case != plain.rules.fold_case || !words.rules.stem.empty() ||
      !words.stop_words.empty() || !words.recognise_language ||
      words.min_count != plain.min_count || words.max_share != plain.max_share ||
      words.most_words != plain.most_words) {
    problems.add("the options for text", "the schema that is given has its vocabularies",
                 "leave out `keep_case`, `stem`, `stop_words`, `min_count`, `max_share` and "
                 "`vocabulary`");
  }
  if (options.missing_as_category && !schema.missing_as_category) {
    problems.add("`missing=\"category\"`", "the schema that is given does not have it",
                 "set missing_as_category = true in the schema, or leave out `schema`");
  }
  if (!options.ties.empty()) {
    problems.add("`tie`", "the schema that is given says which columns are tied",
                 "put tied = [\"COLUMN\", \"COLUMN\"] into the schema, or leave out `schema`");
  }
  const bool own = std::ranges::any_of(
      schema.sources, [](const SourceSpec& source) { return !source.item_levels.empty(); });
  if (options.pool_levels && own) {
    problems.add("`pool_levels`", "the schema that is given has levels for each item",
                 "write a schema with `pool_levels=true`, or leave it out");
  }
  problems.throw_if_any();
}

namespace {

constexpr std::size_t kLeastRows = 20, kRowsPerValue = 5;

// What is known of one column while its cells go by.
struct Telling {
  std::map<double, std::int32_t> class_of;  // by value: the slot, or the number
  std::size_t rows = 0;
  bool refuted = false;

  void see(double value, std::int32_t label, std::size_t most_values) {
    ++rows;
    const auto [known, added] = class_of.emplace(value, label);
    if (known->second != label || class_of.size() > most_values) refuted = true;
  }
  [[nodiscard]] bool tells() const {
    if (refuted || rows < kLeastRows || class_of.size() * kRowsPerValue > rows) return false;
    return std::ranges::any_of(
        class_of, [&](const auto& entry) { return entry.second != class_of.begin()->second; });
  }
};

void look_through(const Block& block, const KeptColumn& label, std::vector<std::string>& out) {
  std::vector<std::size_t> feature_of(block.slots());
  for (std::size_t f = 0; f < block.features.size(); ++f)
    for (std::size_t slot = block.first_slot[f]; slot < block.first_slot[f + 1]; ++slot)
      feature_of[slot] = f;
  std::vector<Telling> columns(block.features.size());
  const std::size_t most_values = label.code.size() / kRowsPerValue;
  for (std::size_t row = 0; row < label.code.size(); ++row) {
    if (label.code[row] < 0) continue;
    for (std::size_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
      Telling& column = columns[feature_of[block.slot[c]]];
      const double value = block.encoding == Encoding::real ? block.value[c] : block.slot[c];
      if (!column.refuted) column.see(value, label.code[row], most_values);
    }
  }
  for (std::size_t f = 0; f < columns.size(); ++f)
    if (columns[f].tells()) out.push_back(block.features[f].name);
}

}  // namespace

std::vector<std::string> columns_that_tell(const Dataset& data, const KeptColumn& label) {
  std::vector<std::string> out;
  for (const Block& block : data.blocks)
    if (block.encoding != Encoding::tokens) look_through(block, label, out);
  return out;
}

}  // namespace medley::data
