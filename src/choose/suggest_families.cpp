// SPDX-License-Identifier: Apache-2.0
#include "choose/suggest_families.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "choose/purposes.hpp"
#include "core/rng.hpp"
#include "core/task.hpp"
#include "data/column_facts.hpp"
#include "data/formats/csv.hpp"
#include "data/number.hpp"
#include "data/select_rows.hpp"
#include "families/registry.hpp"
#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "medley/fit.hpp"
#include "model/model.hpp"
#include "predict/cell_mixture.hpp"

namespace medley::choose {
namespace {

constexpr std::size_t kMostLevels = 20;  // more different numbers are no levels
constexpr std::size_t kMostDecimals = 12;
constexpr std::size_t kComponents[] = {1, 3};
// A mass this small is the difference of two numbers near 1: the density is the better number.
constexpr double kLeastMass = 1e-10;

struct Candidate {
  const families::FamilyEntry* entry;
  double shift = 0;

  [[nodiscard]] std::string name() const {
    std::string text = entry->name;
    if (shift != 0) data::append_number(text += ":shift=", shift);
    return text;
  }
  [[nodiscard]] bool takes(const std::vector<double>& numbers) const {
    return std::ranges::all_of(
        numbers, [&](double x) { return !entry->refusal || entry->refusal(x - shift).empty(); });
  }
  [[nodiscard]] bool counts() const { return predict::takes_counts(*entry); }
};

// 10^-d for numbers with at most d decimals, zeros at their end aside; 0 if some have an exponent
// or too many decimals.
double step_of(const std::vector<std::string>& texts) {
  std::size_t decimals = 0;
  for (const std::string& text : texts) {
    if (text.find_first_not_of("+-0123456789.,") != std::string::npos) return 0;
    const std::size_t point = text.find_last_of(".,");
    if (point == std::string::npos) continue;
    const std::size_t last = text.find_last_not_of('0');  // the point itself in 63.0
    decimals = std::max(decimals, last - point);
  }
  return decimals > kMostDecimals ? 0.0 : std::pow(10.0, -static_cast<double>(decimals));
}

std::vector<Candidate> candidates(const NumericCells& cells, const data::ColumnFacts& facts,
                                  double step) {
  std::vector<Candidate> out;
  for (const families::FamilyEntry* entry : families::registry()) {
    if (entry->encoding == Encoding::tokens || !entry->objection(facts).empty()) continue;
    if (entry->encoding == Encoding::levels) {
      if (step > 0 && facts.distinct <= kMostLevels) out.push_back({entry});
      continue;
    }
    const Candidate plain{entry}, shifted{entry, 1};
    if (plain.takes(cells.number)) out.push_back(plain);
    if (plain.counts() && shifted.takes(cells.number)) out.push_back(shifted);
  }
  return out;
}

// The column alone, every row observed.
Dataset one_column(const NumericCells& cells, const data::ColumnFacts& facts,
                   const Candidate& candidate) {
  Block block;
  block.name = "data";
  block.family = candidate.entry->name;
  block.encoding = candidate.entry->encoding;
  block.features.push_back({facts.name, {}, {}, candidate.shift});
  std::map<std::string, std::uint32_t> levels;
  if (block.encoding == Encoding::levels) {
    for (const std::string& text : cells.text) levels.emplace(text, 0);
    for (auto& [text, slot] : levels) {
      slot = static_cast<std::uint32_t>(block.features[0].levels.size());
      block.features[0].levels.push_back(text);
    }
  }
  block.first_slot = {0, levels.empty() ? 1U : static_cast<std::uint32_t>(levels.size())};
  for (std::size_t i = 0; i < cells.number.size(); ++i) {
    block.slot.push_back(levels.empty() ? 0U : levels.at(cells.text[i]));
    if (levels.empty()) block.value.push_back(cells.number[i]);
    block.row_start.push_back(block.slot.size());
  }
  Dataset data;
  data.rows = cells.number.size();
  data.blocks.push_back(std::move(block));
  return data;
}

// log P(x - step/2 < X <= x + step/2) under the mixture, or nothing where it is too small to tell.
std::optional<double> log_mass(const Model& model, double x, double step) {
  const families::Family& family = *model.parts().blocks[0].family;
  const std::vector<double> share = model.prior();
  double mass = 0;
  for (std::size_t k = 0; k < share.size(); ++k)
    mass += share[k] * (family.numbers()->cumulative(0, k, x + step / 2) -
                        family.numbers()->cumulative(0, k, x - step / 2));
  return mass > kLeastMass ? std::optional(std::log(mass)) : std::nullopt;
}

// The held-out score of every cell; with a step, that of the step around it.
std::vector<double> scores_of(const Dataset& data, double step, std::size_t components,
                              const SuggestOptions& options) {
  FitOptions fitting;
  fitting.model = "mnb";
  fitting.components = components;
  fitting.seed = options.seed;
  fitting.threads = options.threads;
  const std::vector<std::size_t> fold_of = fold_of_rows(data.rows, options.folds, options.seed);
  std::vector<double> scores(data.rows);
  for (std::size_t fold = 0; fold < options.folds; ++fold) {
    std::vector<std::size_t> rest, held_out;
    for (std::size_t row = 0; row < data.rows; ++row)
      (fold_of[row] == fold ? held_out : rest).push_back(row);
    const Model model = fit(data::select_rows(data, rest), fitting);
    EvaluateOptions scoring;
    scoring.threads = options.threads;
    const Evaluation scored = evaluate(model, data::select_rows(data, held_out), scoring);
    for (std::size_t i = 0; i < held_out.size(); ++i) {
      double& score = scores[held_out[i]] = scored.row[i].log_likelihood;
      if (step > 0) {
        score = log_mass(model, data.blocks[0].value[held_out[i]], step)
                    .value_or(score + std::log(step));
      }
    }
  }
  return scores;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double error_of_mean(const std::vector<double>& values) {
  const double centre = mean(values), n = static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  return std::sqrt(squares / (n * (n - 1)));
}

NumericCells sampled(const NumericCells& all, const SuggestOptions& options) {
  const std::size_t count = all.number.size();
  if (count <= options.most_cells) return all;
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  core::Rng rng(options.seed, purpose(Purpose::sample));
  for (std::size_t i = 0; i < options.most_cells; ++i)
    std::swap(order[i], order[i + rng.below(count - i)]);
  NumericCells some;
  for (std::size_t i = 0; i < options.most_cells; ++i) {
    some.number.push_back(all.number[order[i]]);
    some.text.push_back(all.text[order[i]]);
  }
  return some;
}

struct Scored {
  RankedFamily family;
  std::vector<double> scores;
};

Scored best_of_sizes(const NumericCells& cells, const data::ColumnFacts& facts,
                     const Candidate& candidate, double step, const SuggestOptions& options) {
  const Dataset data = one_column(cells, facts, candidate);
  const bool probability = candidate.entry->encoding == Encoding::levels || candidate.counts();
  Scored best;
  best.family.family = candidate.name();
  for (const std::size_t components : kComponents) {
    std::vector<double> scores = scores_of(data, probability ? 0 : step, components, options);
    const double score = mean(scores);
    if (!best.scores.empty() && score <= best.family.score) continue;
    best.family.components = components;
    best.family.score = score;
    best.family.standard_error = error_of_mean(scores);
    best.scores = std::move(scores);
  }
  return best;
}

}  // namespace

ColumnRanking rank_families(const NumericCells& all, const data::ColumnFacts& facts,
                            const SuggestOptions& options) {
  const NumericCells cells = sampled(all, options);
  const double step = step_of(all.text);
  std::vector<Scored> scored;
  for (const Candidate& candidate : candidates(all, facts, step))
    scored.push_back(best_of_sizes(cells, facts, candidate, step, options));
  std::ranges::sort(scored, [](const Scored& a, const Scored& b) {
    return a.family.score != b.family.score ? a.family.score > b.family.score
                                            : a.family.family < b.family.family;
  });
  ColumnRanking out;
  out.column = facts.name;
  out.cells = cells.number.size();
  out.step = step;
  for (Scored& each : scored) {
    std::vector<double> difference = scored.front().scores;
    for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= each.scores[i];
    each.family.behind = mean(difference);
    each.family.behind_error = error_of_mean(difference);
    out.families.push_back(each.family);
  }
  return out;
}

}  // namespace medley::choose

namespace medley {

// From files to rankings: which columns hold numbers, and what they were taken for.

namespace choose {
namespace {

constexpr std::size_t kLeastCells = 30;  // fewer say nothing about a family

// A column of the table as the readers leave it.
data::RawColumn coded(const TextTable& table, std::size_t column) {
  data::RawColumn out;
  out.name = table.header[column];
  std::unordered_map<std::string, std::uint32_t> codes;
  for (const std::vector<std::string>& row : table.rows) {
    const auto [entry, added] =
        codes.emplace(row[column], static_cast<std::uint32_t>(out.distinct.size()));
    if (added) out.distinct.push_back(row[column]);
    out.code.push_back(entry->second);
  }
  return out;
}

std::string as_option(const ColumnSpec& spec) {
  std::string text = spec.family;
  if (spec.shift != 0) data::append_number(text += ":shift=", spec.shift);
  return text;
}

void rank_table(const TextTable& table, const SourceSpec& source, const data::MissingStrings& na,
                const SuggestOptions& options, std::vector<ColumnRanking>& out) {
  for (std::size_t c = 0; c < table.header.size(); ++c) {
    const auto spec = source.kind == SourceKind::column
                          ? source.columns.begin()
                          : std::ranges::find(source.columns, table.header[c], &ColumnSpec::name);
    if (spec == source.columns.end() || spec->role != Role::feature ||
        spec->cells != CellText::value)
      continue;
    const data::RawColumn column = coded(table, c);
    const data::MissingStrings missing = na.with(spec->missing);
    data::ColumnFacts facts =
        data::summarise({column.distinct, column.code, spec->marks}, missing).facts;
    facts.name = spec->name;
    const bool enough = facts.rows - facts.missing >= kLeastCells && facts.distinct >= 3;
    if (!facts.numeric || !enough) continue;
    NumericCells cells;
    for (const std::uint32_t code : column.code) {
      const std::string& text = column.distinct[code];
      if (missing.contains(text)) continue;
      cells.number.push_back(*data::number_in(text, spec->marks));
      cells.text.push_back(text);
    }
    ColumnRanking ranking = rank_families(cells, facts, options);
    ranking.source = source.name;
    ranking.inferred = as_option(*spec);
    out.push_back(std::move(ranking));
  }
}

}  // namespace
}  // namespace choose

const RankedFamily* ColumnRanking::find(const std::string& family) const {
  const auto found = std::ranges::find(families, family, &RankedFamily::family);
  return found == families.end() ? nullptr : &*found;
}

bool ColumnRanking::disagrees() const {
  const RankedFamily* taken = find(inferred);
  return taken != nullptr && taken->behind > 2 * taken->behind_error;
}

std::vector<ColumnRanking> suggest_families(const std::vector<Source>& sources,
                                            const ReadOptions& reading,
                                            const SuggestOptions& options, const Hooks& hooks) {
  const core::Task task(hooks);
  for (const Source& source : sources) {
    if (source.path == "-")
      throw InputError({"`suggest`", "reads the data twice, standard input can be read once",
                        "give the name of a file"});
  }
  const Schema schema = infer_schema(sources, reading);
  std::vector<std::string> na = reading.na;
  na.insert(na.end(), schema.na.begin(), schema.na.end());
  const data::MissingStrings missing(na);
  std::vector<ColumnRanking> out;
  bool tables = false;
  for (std::size_t s = 0; s < sources.size() && s < schema.sources.size(); ++s) {
    const std::string name = sources[s].name.empty() ? "data" : sources[s].name;
    const auto spec = std::ranges::find(schema.sources, name, &SourceSpec::name);
    if (spec == schema.sources.end()) continue;
    if (spec->kind != SourceKind::table && spec->kind != SourceKind::column) continue;
    tables = true;
    choose::rank_table(read_text_table(sources[s], reading), *spec, missing, options, out);
  }
  if (!tables)
    throw InputError({"`suggest`", "ranks the columns of tables, and there is none",
                      "word counts have one family; of triplets try `column=\"value=FAMILY\"` with "
                      "`evaluate(DATA, k=N, folds=5)`"});
  return out;
}

}  // namespace medley
