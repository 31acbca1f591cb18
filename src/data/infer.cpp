// SPDX-License-Identifier: Apache-2.0
#include "data/infer.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "core/problems.hpp"
#include "core/text.hpp"
#include "data/column_facts.hpp"
#include "data/column_roles.hpp"
#include "data/dates.hpp"
#include "data/detect_columns.hpp"
#include "data/hints.hpp"
#include "data/item_levels.hpp"
#include "data/message_text.hpp"
#include "data/number.hpp"
#include "data/side_columns.hpp"
#include "data/source_columns.hpp"
#include "data/text/entries.hpp"
#include "data/text/infer_entries.hpp"
#include "data/tie.hpp"

namespace medley::data {
namespace {

class Inference {
 public:
  Inference(const std::vector<RawSource>& sources, const ReadOptions& options,
            const FamilyCatalogue& catalogue)
      : sources_(sources), options_(options), catalogue_(catalogue), missing_(options.na) {}

  Inferred run() {
    const std::vector<ColumnRef> columns = all_columns(sources_);
    const std::vector<Asked> asked = asked_of(columns, sources_, options_, problems_);
    result_.schema.na = options_.na;
    result_.schema.missing_as_category = options_.missing_as_category;
    result_.schema.frequency_weights = options_.frequency_weights;
    result_.schema.standardise = options_.standardise;
    result_.schema.block_weight = options_.block_weight;
    for (const RawSource& source : sources_) {
      SourceSpec spec;
      spec.name = source.name;
      spec.kind = kind_of(source);
      spec.marks = source.marks;
      if (spec.kind == SourceKind::triplets) {
        spec.items = std::get<RawTriplets>(source.content).items;
      }
      result_.schema.sources.push_back(std::move(spec));
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
      result_.schema.sources[columns[i].source].columns.push_back(column(columns[i], asked[i]));
    }
    check_names();
    ask_about_logs();
    ask_about_tables();
    if (std::string note = columns_beside_text(result_.schema); !note.empty())
      result_.notes.push_back(std::move(note));
    for (std::string& doubt : columns_named_alike(result_.schema))
      result_.warnings.push_back(std::move(doubt));
    problems_.throw_if_any();
    const std::vector<std::string> doubts = doubts_.lines();
    result_.warnings.insert(result_.warnings.begin(), doubts.begin(), doubts.end());
    return std::move(result_);
  }

 private:
  ColumnSpec column(const ColumnRef& ref, const Asked& asked) {
    ColumnSpec spec;
    spec.name = ref.name;
    spec.role = asked.role;
    if (ref.text != nullptr) {
      spec.missing = ref.text->missing_codes;
      spec.title = ref.text->title;
      spec.tied = ref.text->tied;
    }
    const RawSource& source = sources_[ref.source];
    const WrittenNumbers* written = written_numbers(ref);
    if (written != nullptr) spec.marks = written->marks;
    if (spec.role == Role::label) {
      const MissingStrings missing = missing_.with(spec.missing);
      spec.levels = levels_of({ref.text->distinct, ref.text->code}, ref.text->given, missing);
      spec.labels = labels_of(spec.levels, ref.text->value_labels);
      spec.note = std::to_string(spec.levels.size()) + " classes";
      question(spec, many_numbers(spec), source);
    } else if (spec.role == Role::ignored) {
      const std::string name = shell_word(spec.name);
      spec.note = asked.by_option && !asked.keep ? "left out as asked" : "set aside";
      if (!asked.by_option && !asked.keep)
        spec.note += ": groups " + core::setting("by", ref.name) + " compares it, " +
                     core::setting("column", ref.name + "=categorical") + " makes it a feature";
    } else if (spec.role == Role::feature && ref.text != nullptr &&
               kind_of(source) == SourceKind::tokens) {
      spec.role = Role::ignored;  // an svmlight file has to say something in front of every line
      spec.note = "the first word of each line; use it with " + core::setting("label", ref.name);
    } else if (spec.role == Role::feature && asks_for_date_part(asked.family)) {
      date_feature(spec, ref, asked);
    } else if (spec.role == Role::feature) {
      feature(spec, ref, asked);
    }
    const bool read = asked.role == Role::feature || spec.role == Role::weight;
    const bool said = written != nullptr && spec.note.ends_with(written->doubt);
    if (written != nullptr && read && !said && !holds_entries(spec))
      question(spec, written->doubt, source);
    return spec;
  }

  [[nodiscard]] const WrittenNumbers* written_numbers(const ColumnRef& ref) const {
    if (ref.text != nullptr) return &ref.text->numbers;
    const auto* triplets = std::get_if<RawTriplets>(&sources_[ref.source].content);
    return triplets == nullptr ? nullptr : &triplets->numbers;
  }

  // The reader has put the part in the place of the date; it is a column like any other, but no id.
  void date_feature(ColumnSpec& spec, const ColumnRef& ref, const Asked& asked) {
    const RawSource& source = sources_[ref.source];
    if (ref.text == nullptr) {
      problems_.add(core::setting("column", ref.name + '=' + asked.family),
                    source.path + " is no table: only a column of dates has parts");
      return;
    }
    ColumnSummary summary =
        summarise({ref.text->distinct, ref.text->code}, missing_.with(spec.missing));
    summary.facts.name = ref.name;
    summary.facts.kind = kind_of(source);
    spec.date_part = asked.family;
    if (drop_if_constant(spec, summary, source)) return;
    give_family(spec, summary.facts, {}, source);
    if (spec.role != Role::feature) return;
    if (spec.encoding == Encoding::levels) spec.levels = std::move(summary.levels);
    spec.note = "the " + asked.family + " of a date" + (spec.note.empty() ? "" : "; ") + spec.note;
  }

  void feature(ColumnSpec& spec, const ColumnRef& ref, const Asked& asked) {
    const RawSource& source = sources_[ref.source];
    const bool tied = ref.text != nullptr && !ref.text->tied.empty();
    if ((ref.text == nullptr || tied) && asks_for_entries(asked.family)) {
      problems_.add(
          core::setting("column", ref.name + '=' + asked.family),
          tied ? "cells of tied columns hold one value each, and are not taken apart"
               : source.path + " is no table: only a column of text cells can be taken apart");
      return;
    }
    if (const auto* counts = std::get_if<RawCounts>(&source.content)) {
      ColumnFacts facts = facts_of_counts(*counts);
      facts.name = ref.name;
      give_family(spec, facts, asked, source);
      if (spec.role == Role::feature) spec.levels = counts->vocabulary;
      return;
    }
    const auto* triplets = std::get_if<RawTriplets>(&source.content);
    const CodedCells cells = triplets != nullptr
                                 ? CodedCells{triplets->values, triplets->value, spec.marks}
                                 : cells_of(*ref.text, spec.marks);
    ColumnSummary summary = summarise(cells, missing_.with(spec.missing));
    summary.facts.name = ref.name;
    summary.facts.kind = kind_of(source);
    if (drop_if_constant(spec, summary, source)) return;
    const GivenLevels given = triplets != nullptr ? triplets->given : ref.text->given;
    const bool categories = given != GivenLevels::none && asked.family.empty();
    const EntriesContext entries{options_, catalogue_, missing_, problems_, result_.notes};
    const bool number = ref.text != nullptr && ref.text->typed && asked.family.empty();
    if (ref.text != nullptr && !tied && !categories && !number &&
        infer_entries(spec, *ref.text, asked.family, entries))
      return;
    if (asked.family.empty() && !categories) {
      if (refuse_stray_text(summary, cells, ref)) return;
      if (drop_if_either(spec, summary, ref)) return;
    }
    if (asked.family.empty() && drop_if_no_feature(spec, summary, cells, source)) return;
    if (given != GivenLevels::none) {
      summary.levels = levels_of(cells, given, missing_.with(spec.missing));
      summary.facts.distinct = summary.levels.size();
    }
    const ValueLabels labels = ref.text != nullptr ? ref.text->value_labels : ValueLabels();
    const bool codes = categories || all_labelled(summary.levels, labels);
    if (options_.missing_as_category) {
      // The literal text of the extra level means the same thing as a missing cell.
      std::erase(summary.levels, std::string(kMissingLevel));
      summary.levels.emplace_back(kMissingLevel);
      summary.facts.distinct = summary.levels.size();
    }
    if (refuse_numbers(spec, asked, cells, ref)) return;
    const bool replicates = triplets != nullptr && options_.duplicates == Duplicates::replicate;
    const bool names = (tied || replicates) && asked.family.empty() && are_names(summary.facts);
    if (names) summary.facts.numeric = summary.facts.integer = false;
    ItemLevels own = given != GivenLevels::none
                         ? ItemLevels()
                         : own_levels(triplets, summary, asked, missing_.with(spec.missing));
    if (!own.empty()) summary.facts.distinct = most_levels(own);
    // Numbers that all have a label are names of answers, not quantities.
    if (codes && asked.family.empty()) summary.facts.numeric = summary.facts.integer = false;
    give_family(spec, summary.facts, asked, source);
    if (names) summary.facts.numeric = summary.facts.integer = true;  // for what follows
    if (tied) spec.note += "; one feature of " + std::to_string(spec.tied.size()) + " columns";
    if (ref.text != nullptr && !tied && !categories && asked.family.empty() &&
        !summary.facts.numeric)
      hint_at_lists(spec, *ref.text, source);
    if (spec.role != Role::feature) return;
    if (!own.empty() && spec.encoding == Encoding::levels) {
      give_items_levels(spec, std::move(own), result_.schema.sources[ref.source]);
    } else if (spec.encoding == Encoding::levels) {
      spec.levels = std::move(summary.levels);
      spec.labels = labels_of(spec.levels, labels);
    }
    if (names)
      spec.note += "; whole numbers are taken as names, " +
                   core::setting("column", spec.name + "=gaussian") + " takes them as quantities";
    spec.shift = asked.shift;
    if (!codes) question(spec, suspected(summary), source);
    if (spec.encoding == Encoding::levels) {
      if (!categories) question(spec, stray_text(summary), source);
      if (!codes) question(spec, text_beside_scale(summary), source);
      question(spec, twin_levels(summary), source);
    }
  }

  // Whole numbers of replicated cells (tied columns, repeated pairs) are names (the lengths of
  // alleles), where they repeat and some family would take them for levels.
  [[nodiscard]] bool are_names(ColumnFacts facts) const {
    if (!facts.integer || 2 * facts.distinct > facts.rows - facts.missing) return false;
    facts.numeric = facts.integer = false;
    return !catalogue_.choose(facts).family.empty();
  }

  // Levels for each item of triplets; empty where the items share one scale, or have numbers.
  [[nodiscard]] ItemLevels own_levels(const RawTriplets* triplets, const ColumnSummary& summary,
                                      const Asked& asked, const MissingStrings& missing) const {
    if (triplets == nullptr || options_.pool_levels) return {};
    const std::optional<Encoding> encoding = asked.family.empty()
                                                 ? catalogue_.choose(summary.facts).encoding
                                                 : catalogue_.encoding_of(asked.family);
    if (encoding != Encoding::levels || share_one_scale(*triplets, missing)) return {};
    return levels_of_items(*triplets, missing);
  }

  void give_items_levels(ColumnSpec& spec, ItemLevels own, SourceSpec& to) {
    std::size_t levels = 0;
    std::vector<std::string> items = std::move(to.items);
    to.items.clear();
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (own[i].empty()) continue;  // every value of the item is missing
      levels += own[i].size();
      if (options_.missing_as_category) {
        std::erase(own[i], std::string(kMissingLevel));
        own[i].emplace_back(kMissingLevel);
      }
      to.items.push_back(std::move(items[i]));
      to.item_levels.push_back(std::move(own[i]));
    }
    spec.note = "each item has levels of its own, " + std::to_string(levels) +
                " in all, for the items share no scale; `pool_levels` gives all items one list";
  }

  // Numbers as classes: each is a class of its own, and 3 is no nearer to 4 than to 30.
  static std::string many_numbers(const ColumnSpec& label) {
    constexpr std::size_t kManyClasses = 10;
    if (label.levels.size() <= kManyClasses || !label.labels.empty()) return {};
    for (const std::string& level : label.levels) {
      if (!number_in(level)) return {};
    }
    return "the label is a number, and each of its " + std::to_string(label.levels.size()) +
           " values is a class of its own; to predict a number leave it a feature and use impute, "
           "or write ranges such as 20-39 in its place";
  }

  // A doubt that only the person can settle: in the note, and as a warning.
  void question(ColumnSpec& spec, const std::string& doubt, const RawSource& source) {
    if (doubt.empty()) return;
    spec.note += (spec.note.empty() ? "" : "; ") + doubt;
    doubts_.add(source.path, spec.name, ": " + doubt);
  }

  static std::string suspected(const ColumnSummary& summary) {
    const SuspectedCodes codes = suspected_codes(summary);
    if (codes.texts.empty()) return {};
    const bool one = codes.texts.size() == 1;
    return codes.why + (one ? ": a code for missing?" : ": codes for missing?") +
           " Put missing = [" + listed(codes.texts) + "] into the schema";
  }

  // Never done unasked: "Smith; Jones" may be a name.
  void hint_at_lists(ColumnSpec& spec, const RawColumn& column, const RawSource& source) {
    const std::string hint = list_hint(column, options_, missing_);
    if (hint.empty()) return;
    if (spec.role != Role::ignored) return question(spec, hint, source);
    spec.note += "; " + hint;
    doubts_.append("; " + hint);
  }

  void drop(ColumnSpec& spec, const RawSource& source, const std::string& why) {
    spec.role = Role::ignored;
    spec.note = "left out: " + why;
    doubts_.add(source.path, spec.name, " is left out: " + why);
  }

  // A column without variation says nothing about the profiles. Where missing is a level of its
  // own, one level and some missing cells do vary.
  bool drop_if_constant(ColumnSpec& spec, const ColumnSummary& summary, const RawSource& source) {
    const ColumnFacts& facts = summary.facts;
    if (facts.distinct == 0) {
      drop(spec, source, "every cell is missing");
    } else if (facts.distinct == 1 && (!options_.missing_as_category || facts.missing == 0)) {
      drop(spec, source, "it has one value, " + core::quoted(summary.levels.front()));
    } else {
      return false;
    }
    return true;
  }

  // Numbers, but which? They are no answers and no ids.
  bool drop_if_either(ColumnSpec& spec, const ColumnSummary& summary, const ColumnRef& ref) {
    const WrittenNumbers* written = written_numbers(ref);
    if (summary.facts.numeric || written == nullptr || written->doubt.empty()) return false;
    const bool numbers = std::ranges::all_of(summary.values, [&](const ObservedValue& value) {
      return value.number || is_ambiguous_mark(value.text, spec.marks);
    });
    if (numbers) drop(spec, sources_[ref.source], written->doubt);
    return numbers;
  }

  // What describes no row: dates, and what only names the rows.
  bool drop_if_no_feature(ColumnSpec& spec, const ColumnSummary& summary, const CodedCells& cells,
                          const RawSource& source) {
    const bool per_row = !std::holds_alternative<RawTriplets>(source.content) && spec.tied.empty();
    const std::string id = per_row ? why_id(cells, summary) : std::string();
    if (holds_dates(summary)) {
      const std::string option = core::setting("column", spec.name + "=year");
      drop(spec, source,
           "it holds dates or times; " + option + ", =month or =weekday takes a part of them");
    } else if (!id.empty()) {
      drop(spec, source, id + "; " + core::setting("id", spec.name) + " uses it to name the rows");
    } else {
      return false;
    }
    return true;
  }

  // Line and column of a cell; the rows of tied columns follow each other.
  [[nodiscard]] std::string place_in(const ColumnRef& ref, std::size_t cell) const {
    const RawSource& source = sources_[ref.source];
    const std::size_t rows = ref.text->code.size() / copies_in(*ref.text);
    if (ref.text->tied.empty()) return place(source, cell, ref.name);
    return place(source, cell % rows, ref.text->tied[cell / rows]);
  }

  // Numbers but for a few cells: left out, the column would be lost for their sake. Where it can be
  // taken as levels it is, and the warning comes later.
  bool refuse_stray_text(const ColumnSummary& summary, const CodedCells& cells,
                         const ColumnRef& ref) {
    if (ref.text == nullptr || stray_text(summary).empty()) return false;
    if (why_id(cells, summary).empty() && !catalogue_.choose(summary.facts).family.empty())
      return false;
    for (std::size_t i = 0; i < cells.code.size(); ++i) {
      if (cells.code[i] == kMissingCode) continue;
      const std::string& text = cells.distinct[cells.code[i]];
      if (missing_.contains(text) || number_in(text, cells.marks)) continue;
      if (is_ambiguous_mark(text, cells.marks)) {
        problems_.add(place_in(ref, i), may_be_either(text),
                      "`decimal=\"comma\"` or `decimal=\"point\"` says which the file means");
        continue;
      }
      problems_.add(place_in(ref, i),
                    core::quoted(text) + " is not a number, and nearly all other cells are",
                    core::setting("na", text) + " takes it as missing, " +
                        core::setting("ignore", ref.name) + " leaves the column out");
    }
    return true;
  }

  // A family of numbers asked for a column with text, or numbers it does not take: name the cells,
  // not the column.
  bool refuse_numbers(ColumnSpec& spec, const Asked& asked, const CodedCells& cells,
                      const ColumnRef& ref) {
    if (catalogue_.encoding_of(asked.family) != Encoding::real) return false;
    spec.family = asked.family;
    spec.shift = asked.shift;
    NumberCheck check(cells, spec, missing_.with(spec.missing), catalogue_, false);
    std::vector<bool> taken;
    for (const std::string& text : cells.distinct) taken.push_back(check.takes(text));
    const RawSource& source = sources_[ref.source];
    const auto* triplets = std::get_if<RawTriplets>(&source.content);
    const std::size_t before = problems_.total();
    for (std::size_t i = 0; i < cells.code.size(); ++i) {
      if (cells.code[i] == kMissingCode || taken[cells.code[i]]) continue;
      const std::string where =
          triplets != nullptr ? place_of_triplet(source, i) + ": column " + core::quoted(ref.name)
                              : place_in(ref, i);
      const Problem problem = check.problem(where, cells.distinct[cells.code[i]]);
      problems_.add(problem.where, problem.what, problem.remedy);
    }
    return problems_.total() > before;
  }

  void give_family(ColumnSpec& spec, const ColumnFacts& facts, const Asked& asked,
                   const RawSource& source) {
    if (asked.family.empty()) {
      const FamilyChoice choice = catalogue_.choose(facts);
      spec.family = choice.family;
      spec.encoding = choice.encoding;
      spec.note = choice.note;
      if (choice.family.empty()) drop(spec, source, choice.note);
      return;
    }
    const std::string option = core::setting("column", facts.name + '=' + asked.family);
    const std::optional<Encoding> encoding = catalogue_.encoding_of(asked.family);
    if (!encoding) {
      const Problem problem = unknown_family(option, asked.family, catalogue_);
      problems_.add(problem.where, problem.what, problem.remedy);
      return;
    }
    const std::string objection = catalogue_.objection(asked.family, facts);
    if (!objection.empty()) {
      const bool words = *encoding == Encoding::tokens;
      problems_.add(option, source.path + ": column " + core::quoted(facts.name) + ' ' + objection,
                    words ? "text takes cells apart into words, tags into list entries"
                          : "the families are: " + listed(catalogue_.names));
    }
    if (asked.shift != 0 && *encoding != Encoding::real) {
      problems_.add(option, "a shift goes with a family of numbers, and " + asked.family +
                                " takes levels or words");
    }
    spec.family = asked.family;
    spec.encoding = *encoding;
    spec.note = "as asked";
  }

  // Such a file could be either; read as a table, its names would be features.
  void ask_about_logs() {
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      const auto* table = std::get_if<RawTable>(&sources_[s].content);
      if (table == nullptr || !is_rating_log(*table)) continue;
      const std::string doubt =
          "looks like a log of (row, item, value), and is read as a table; `format=\"triplets\"` "
          "reads "
          "it as a log";
      result_.warnings.push_back(sources_[s].path + ": " + doubt);
      result_.schema.sources[s].columns.front().note += "; the file " + doubt;
    }
  }

  // Columns that say the same, and a line of data that is taken for the header.
  void ask_about_tables() {
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      const auto* table = std::get_if<RawTable>(&sources_[s].content);
      if (table == nullptr || sources_[s].one_value_per_line) continue;
      std::vector<ColumnSpec>& specs = result_.schema.sources[s].columns;
      if (!sources_[s].encoding.empty())
        specs.front().note += "; the file is read as " + sources_[s].encoding;
      question(specs.front(), data_as_names(*table), sources_[s]);
      for (const auto& [copy, first] : copied_columns(*table)) {
        if (specs[copy].role != Role::feature || specs[first].role != Role::feature) continue;
        question(specs[copy],
                 "it is a copy of column " + core::quoted(specs[first].name) +
                     ", which so counts twice; " + core::setting("ignore", specs[copy].name) +
                     " leaves it out",
                 sources_[s]);
      }
    }
  }

  void check_names() {
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      std::unordered_set<std::string> names;
      for (const ColumnSpec& spec : result_.schema.sources[s].columns) {
        if (names.insert(spec.name).second) continue;
        problems_.add(sources_[s].path, "two columns are named " + core::quoted(spec.name),
                      "give each column a name of its own");
      }
    }
  }

  const std::vector<RawSource>& sources_;
  const ReadOptions& options_;
  const FamilyCatalogue& catalogue_;
  MissingStrings missing_;
  core::Problems problems_;
  ColumnWarnings doubts_;
  Inferred result_;
};

}  // namespace

Inferred infer(const std::vector<RawSource>& sources, const ReadOptions& options,
               const FamilyCatalogue& catalogue) {
  return Inference(sources, options, catalogue).run();
}

}  // namespace medley::data
