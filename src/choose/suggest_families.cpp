// SPDX-License-Identifier: Apache-2.0
// Which family describes a column of numbers best, by what it says about cells it has not seen. A
// density and a probability cannot be compared, so where the numbers are whole, a family of real
// numbers is judged by the mass it gives to (x - 1/2, x + 1/2].
#include <algorithm>
#include <cmath>
#include <optional>

#include "data/select_rows.hpp"
#include "families/registry.hpp"
#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "medley/fit.hpp"
#include "model/model.hpp"

namespace medley {
namespace {

constexpr std::size_t kFolds = 5;
constexpr std::size_t kComponents[] = {1, 3};
constexpr double kLeastMass = 1e-300;

// Counts give a probability to every whole number; a family of real numbers takes a half too.
bool is_continuous(const families::Family& family) {
  const families::FamilyEntry& entry = family.entry();
  return entry.encoding == Encoding::real && entry.refusal(0.5).empty();
}

// log of the probability (or density) of every row's cell under latent classes of the one column.
std::vector<double> cell_scores(const Model& fitted, const Dataset& rows, bool whole) {
  const auto parts = fitted.parts().clone();
  families::Family& family = *parts->blocks.front().family;
  family.prepare(true);
  const Block& block = rows.blocks.front();
  const std::vector<double> share = fitted.prior();
  const bool by_interval = whole && is_continuous(family);
  std::vector<double> log_row(family.padded()), out;
  for (std::size_t row = 0; row < rows.rows; ++row) {
    const std::uint64_t cell = block.row_start[row];
    if (block.row_start[row + 1] != cell + 1) continue;
    if (!by_interval) family.log_rows(block, row, log_row.data());
    double mass = 0;
    for (std::size_t k = 0; k < share.size(); ++k) {
      const double x = by_interval ? block.value[cell] : 0.0;
      mass += share[k] * (by_interval
                              ? family.cumulative(0, k, x + 0.5) - family.cumulative(0, k, x - 0.5)
                              : std::exp(log_row[k]));
    }
    out.push_back(std::log(std::max(mass, kLeastMass)));
  }
  return out;
}

// Held-out scores of every cell, fold by fold; the same cells in the same order for every family.
std::vector<double> held_out(const Dataset& data, std::size_t components, bool whole,
                             std::size_t threads) {
  FitOptions options;
  options.model = "mnb";
  options.components = components;
  options.threads = threads;
  const std::vector<std::size_t> fold_of = fold_of_rows(data.rows, kFolds, options.seed);
  std::vector<double> out;
  for (std::size_t fold = 0; fold < kFolds; ++fold) {
    std::vector<std::size_t> rest, test;
    for (std::size_t row = 0; row < data.rows; ++row)
      (fold_of[row] == fold ? test : rest).push_back(row);
    const Model model = fit(data::select_rows(data, rest), options);
    const std::vector<double> scores = cell_scores(model, data::select_rows(data, test), whole);
    out.insert(out.end(), scores.begin(), scores.end());
  }
  return out;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(std::max<std::size_t>(1, values.size()));
}

// The column alone, taken for a family; nothing if the family does not take it.
std::optional<Dataset> read_as(const std::vector<Source>& sources, ReadOptions options,
                               const Schema& schema, const ColumnSpec& column,
                               const std::string& family) try {
  for (const SourceSpec& source : schema.sources) {
    for (const ColumnSpec& other : source.columns) {
      if (other.role == Role::feature && other.name != column.name)
        options.ignore.push_back(other.name);
    }
  }
  options.family = {{column.name, family}};
  Dataset data = read(sources, options);
  if (data.blocks.size() != 1 || data.blocks.front().features.size() != 1) return std::nullopt;
  return data;
} catch (const InputError&) {
  return std::nullopt;  // it says why it cannot be; that is all there is to know here
}

struct Candidate {
  std::string family;
  std::vector<double> scores;
};

std::optional<Candidate> try_family(const Dataset& data, const std::string& family, bool whole,
                                    std::size_t threads) {
  std::optional<Candidate> best;
  for (const std::size_t components : kComponents) {
    if (data.rows < kFolds * components) continue;
    Candidate candidate{family, held_out(data, components, whole, threads)};
    if (!best || mean(candidate.scores) > mean(best->scores)) best = std::move(candidate);
  }
  return best;
}

ColumnSuggestion rank(const ColumnSpec& column, bool whole, std::vector<Candidate> candidates) {
  std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) {
    const double x = mean(a.scores), y = mean(b.scores);
    return x != y ? x > y : a.family < b.family;
  });
  ColumnSuggestion out{column.name, column.family, whole, {}};
  const std::vector<double>& best = candidates.front().scores;
  for (const Candidate& candidate : candidates) {
    std::vector<double> gap(best.size());
    for (std::size_t i = 0; i < gap.size(); ++i) gap[i] = best[i] - candidate.scores[i];
    const double behind = mean(gap);
    double squares = 0;
    for (const double g : gap) squares += (g - behind) * (g - behind);
    const auto n = static_cast<double>(gap.size());
    out.ranked.push_back({candidate.family, mean(candidate.scores), behind,
                          n > 1 ? std::sqrt(squares / (n - 1) / n) : 0.0});
  }
  return out;
}

bool all_whole(const Dataset& data) {
  return std::ranges::all_of(data.blocks.front().value,
                             [](double v) { return v == std::floor(v); });
}

}  // namespace

std::vector<ColumnSuggestion> suggest_families(const std::vector<Source>& sources,
                                               const ReadOptions& options, std::size_t threads) {
  const Schema schema = infer_schema(sources, options);
  std::vector<ColumnSuggestion> out;
  for (const SourceSpec& source : schema.sources) {
    if (source.kind != SourceKind::table && source.kind != SourceKind::column) continue;
    for (const ColumnSpec& column : source.columns) {
      if (column.role != Role::feature || column.cells != CellText::value) continue;
      const auto numbers =
          read_as(sources, options, schema, column, families::gaussian_family.name);
      if (!numbers || column.levels.size() == 2) continue;
      const bool whole = all_whole(*numbers);
      std::vector<Candidate> candidates;
      for (const families::FamilyEntry* entry : families::registry()) {
        // Levels cannot say anything about a number that was not seen, unless they are codes.
        if (entry->encoding == Encoding::levels && column.encoding != Encoding::levels) continue;
        const auto data = read_as(sources, options, schema, column, entry->name);
        if (!data) continue;
        if (auto tried = try_family(*data, entry->name, whole, threads))
          candidates.push_back(std::move(*tried));
      }
      if (!candidates.empty()) out.push_back(rank(column, whole, std::move(candidates)));
    }
  }
  return out;
}

}  // namespace medley
