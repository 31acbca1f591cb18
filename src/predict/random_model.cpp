// SPDX-License-Identifier: Apache-2.0
// Models with parameters drawn at random. Levels and words get random probabilities; a family of
// numbers is fitted to random numbers of its kind, so that any family can be planted without
// knowing its parameters.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/problems.hpp"
#include "core/rng.hpp"
#include "core/task.hpp"
#include "core/text.hpp"
#include "data/encode.hpp"
#include "data/slot_index.hpp"
#include "families/registry.hpp"
#include "math/logs.hpp"
#include "medley/options.hpp"
#include "medley/simulate.hpp"
#include "memberships/registry.hpp"
#include "model/family_catalogue.hpp"
#include "model/marginal.hpp"
#include "model/model.hpp"
#include "model/resolve.hpp"

namespace medley {
namespace predict {
namespace {

constexpr std::uint64_t kPlantPurpose = 0x504C414E;
constexpr std::size_t kDefaultLevels = 4;
constexpr std::size_t kDefaultWords = 1000;
// Quantiles of the standard normal at (i + 1/2) / 21: the numbers a family is fitted to.
constexpr std::array<double, 21> kNormalQuantiles = {
    -1.980752, -1.465234, -1.179761, -0.967422, -0.791639, -0.637484, -0.497201,
    -0.366106, -0.241040, -0.119648, 0,         0.119648,  0.241040,  0.366106,
    0.497201,  0.637484,  0.791639,  0.967422,  1.179761,  1.465234,  1.980752};

// "1" ... "9", "01" ... "10": bytewise order is the order of the numbers.
std::vector<std::string> numbered(std::size_t count, const std::string& before) {
  const std::size_t width = std::to_string(count).size();
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= count; ++i) {
    const std::string digits = std::to_string(i);
    names.push_back(before + std::string(width - digits.size(), '0') + digits);
  }
  return names;
}

class Planter {
 public:
  explicit Planter(const PlantOptions& options) : options_(options) {}

  Model run() {
    check();
    auto parts = std::make_shared<model::Parts>();
    Dataset shape = data::encode({}, schema(), {}, model::family_catalogue());
    parts->schema = shape.schema;
    parts->sizes.assign(options_.components, 1.0 / static_cast<double>(options_.components));
    parts->names.resize(options_.components);
    parts->membership = memberships::find(preset_->membership)->make(options_.components);
    if (parts->membership->entry().dirichlet) {
      parts->membership->set_parameters(std::vector<double>(options_.components, options_.alpha));
    }
    if (parts->membership->entry().located) place_pairs(*parts);
    for (std::size_t b = 0; b < shape.blocks.size(); ++b)
      parts->blocks.push_back(planted(shape.blocks[b], b));
    learn_aggregates(*parts);
    return Model(std::move(parts));
  }

 private:
  // Scales known to be near 1; locations in pairs with the requested cosine, each pair in
  // dimensions of its own.
  void place_pairs(model::Parts& parts) const {
    constexpr double kSure = 1e6;
    const std::size_t components = options_.components;
    parts.options.rates.dimension = components;
    parts.membership = parts.membership->entry().make(components, parts.options.rates);
    std::vector<double> parameters;
    for (std::size_t k = 0; k < components; ++k) {
      std::vector<double> place(components, 0.0);
      const bool second = k % 2 == 1;
      if (second) place[k - 1] = options_.spread * options_.correlation;
      place[k] = options_.spread *
                 (second ? std::sqrt(1 - options_.correlation * options_.correlation) : 1.0);
      parameters.push_back(kSure);
      parameters.push_back(kSure);
      parameters.insert(parameters.end(), place.begin(), place.end());
    }
    parts.membership->set_parameters(parameters);
  }

  void check() {
    core::Problems problems;
    const auto& all = presets();
    const auto found = std::ranges::find(all, options_.model, &Preset::name);
    if (found == all.end()) {
      problems.add("PRESET", "there is no model " + core::quoted(options_.model),
                   "`list_families()` lists them");
    } else {
      preset_ = &*found;
    }
    if (options_.components == 0) problems.add("`k`", "K must be at least 1", "for example `k=3`");
    if (!(options_.alpha > 0) || !std::isfinite(options_.alpha))
      problems.add("`alpha`", "must be above 0", "default 0.3");
    if (!(options_.separation >= 0 && options_.separation <= 100))
      problems.add("`separation`", "must be from 0 to 100", "default 1.5");
    if (!(std::abs(options_.correlation) <= 1))
      problems.add("`correlation`", "must be from -1 to 1", "default 0.5");
    if (!(options_.spread >= 0 && options_.spread <= 10))
      problems.add("`spread`", "must be from 0 to 10", "default 1.5");
    check_columns(problems);
    problems.throw_if_any();
  }

  void check_columns(core::Problems& problems) {
    columns_ = options_.columns;
    const bool words_only = preset_ != nullptr && preset_->encoding == "tokens";  // not a family
    for (const auto* entry : families::registry()) {
      if (columns_.empty() && words_only && entry->encoding == Encoding::tokens)
        columns_.push_back({entry->name, 1, kDefaultWords});
    }
    if (columns_.empty())
      problems.add("`columns`", "says which columns to draw and is missing",
                   "for example `columns=\"categorical:8x4\"`");
    for (PlantedColumns& column : columns_) check_column(column, problems);
    const bool alike = std::ranges::all_of(columns_, [&](const PlantedColumns& c) {
      return c.family == columns_[0].family && c.levels == columns_[0].levels;
    });
    if (options_.triplets && !alike)
      problems.add("`triplets`", "all items of a rating log have one family and the same levels",
                   "name one kind of column, such as categorical:100x5");
  }

  void check_column(PlantedColumns& column, core::Problems& problems) const {
    const std::string where = core::setting("columns", column.family);
    const auto* entry = families::find(column.family);
    if (entry == nullptr) {
      problems.add(where, "is no family", "`list_families()` lists them");
      return;
    }
    if (column.count == 0) problems.add(where, "the number of columns must be at least 1");
    if (column.levels == 0 && entry->encoding != Encoding::real) {
      column.levels = entry->encoding == Encoding::tokens               ? kDefaultWords
                      : entry->support == families::Support::two_levels ? 2
                                                                        : kDefaultLevels;
    }
    if (entry->encoding == Encoding::real && column.levels != 0)
      problems.add(where, "holds numbers, which have no levels", "write FAMILY:COUNT");
    if (entry->encoding != Encoding::real && column.levels < 2)
      problems.add(where, "needs at least 2 levels");
    if (entry->support == families::Support::two_levels && column.levels != 2)
      problems.add(where, "takes exactly 2 levels");
    if (entry->encoding == Encoding::tokens && (column.count != 1 || options_.triplets))
      problems.add(where, "is one vocabulary, not columns of a table", "write FAMILY:1xWORDS");
  }

  Schema schema() const {
    Schema out;
    out.missing_as_category = preset_->missing_as_category;
    SourceSpec table;
    std::vector<SourceSpec> words;
    for (const PlantedColumns& columns : columns_) {
      const auto* entry = families::find(columns.family);
      ColumnSpec spec;
      spec.family = columns.family;
      spec.encoding = entry->encoding;
      spec.note = "planted";
      if (entry->encoding == Encoding::tokens) {
        SourceSpec source;
        source.name = words.empty() ? "words" : "words_" + std::to_string(words.size() + 1);
        source.kind = SourceKind::tokens;
        spec.name = source.name;
        spec.levels = numbered(columns.levels, "word_");
        source.columns.push_back(spec);
        words.push_back(source);
      } else {
        spec.levels = level_names(*entry, columns.levels);
        add_columns(table, spec, columns.count);
      }
    }
    if (!table.columns.empty()) out.sources.push_back(std::move(table));
    out.sources.insert(out.sources.end(), words.begin(), words.end());
    return out;
  }

  [[nodiscard]] std::vector<std::string> level_names(const families::FamilyEntry& entry,
                                                     std::size_t count) const {
    if (entry.encoding != Encoding::levels) return {};
    if (options_.triplets) return numbered(count, "");
    return count == 2 ? std::vector<std::string>{"no", "yes"} : numbered(count, "level_");
  }

  // A table gets the columns one by one; a rating log one column and its items.
  void add_columns(SourceSpec& table, ColumnSpec spec, std::size_t count) const {
    if (options_.triplets) {
      table.kind = SourceKind::triplets;
      spec.name = "value";
      const std::vector<std::string> more = numbered(table.items.size() + count, "item_");
      table.items = more;
      if (table.columns.empty()) table.columns.push_back(spec);
      return;
    }
    std::size_t before = 0;
    for (const ColumnSpec& column : table.columns) before += column.family == spec.family ? 1 : 0;
    for (std::size_t i = 1; i <= count; ++i) {
      spec.name = spec.family + '_' + std::to_string(before + i);
      table.columns.push_back(spec);
    }
  }

  [[nodiscard]] model::ModelBlock planted(const Block& shape, std::size_t index) const {
    const auto* entry = families::find(shape.family);
    model::ModelBlock block{
        shape.shape(), entry->make(shape, options_.components), entry->make(shape, 1), {}};
    core::Rng rng(options_.seed, kPlantPurpose, index);
    if (shape.encoding == Encoding::real) {
      plant_numbers(block, rng);
    } else {
      plant_probabilities(block, rng);
    }
    return block;
  }

  void plant_probabilities(model::ModelBlock& block, core::Rng& rng) const {
    const std::size_t padded = block.family->padded();
    std::vector<double> tables(block.family->parameters().begin(),
                               block.family->parameters().end());
    for (std::size_t f = 0; f < block.shape.features.size(); ++f) {
      const std::size_t begin = block.shape.first_slot[f];
      std::vector<double> p(block.shape.first_slot[f + 1] - begin);
      for (std::size_t k = 0; k < options_.components; ++k) {
        for (double& logit : p) logit = options_.separation * rng.normal();
        math::softmax(p);
        for (std::size_t s = 0; s < p.size(); ++s) tables[(begin + s) * padded + k] = p[s];
      }
    }
    block.family->set_parameters(tables);
  }

  // Some rows of every component, each column the quantiles of its distribution there.
  void plant_numbers(model::ModelBlock& block, core::Rng& rng) const {
    const families::FamilyEntry& entry = block.family->entry();
    const std::size_t features = block.shape.features.size(), components = options_.components;
    const std::size_t rows = components * kNormalQuantiles.size();
    std::vector<double> centre(features * components);
    for (double& c : centre) c = options_.separation * rng.normal();
    Block cells = block.shape.shape();
    std::vector<double> vectors(rows * block.family->padded(), 0.0);
    for (std::size_t row = 0; row < rows; ++row) {
      core::stop_if_asked();
      const std::size_t k = row / kNormalQuantiles.size();
      vectors[row * block.family->padded() + k] = 1.0;
      for (std::size_t f = 0; f < features; ++f) {
        const double z =
            centre[f * components + k] + kNormalQuantiles[row % kNormalQuantiles.size()];
        cells.slot.push_back(static_cast<std::uint32_t>(f));
        cells.value.push_back(acceptable(entry, z));
      }
      cells.row_start.push_back(cells.slot.size());
    }
    const std::vector<double> coefficient(cells.cells(), 1.0);
    const data::Columns columns = data::transpose(cells);
    block.family->observe(cells, columns, {});
    block.family->maximise(
        block.family->collect(columns, cells, {vectors.data(), coefficient.data(), false, {}}),
        model::kMarginalSmoothing);
  }

  // A number that the family takes: z itself, else a positive number, else a count.
  static double acceptable(const families::FamilyEntry& entry, double z) {
    if (entry.refusal == nullptr || entry.refusal(-0.5).empty()) return z;
    const double positive = std::exp(0.5 * z);
    if (entry.refusal(0.5).empty()) return positive;
    const double count = std::round(5 * positive);
    return entry.refusal(count).empty() ? count : 1.0;
  }

  // Marginals and totals, which reports and baselines read, from rows drawn by the model itself.
  void learn_aggregates(model::Parts& parts) const {
    constexpr std::size_t kRows = 1000, kCells = 2'000'000;
    std::size_t features = 1;
    for (const model::ModelBlock& block : parts.blocks) features += block.shape.features.size();
    SimulateOptions drawing;
    drawing.rows =
        std::max({std::min(kRows, kCells / features), 2 * options_.components, std::size_t{20}});
    drawing.seed = options_.seed;
    const Simulated rows = simulate(Model(parts.clone()), drawing);
    FitOptions fit;
    fit.model = options_.model;
    fit.components = options_.components;
    fit.seed = options_.seed;
    fit.rates.dimension = parts.options.rates.dimension;
    parts.options = model::resolve(rows.data, fit).options;
    for (std::size_t b = 0; b < parts.blocks.size(); ++b) {
      const Block& block = rows.data.blocks[b];
      parts.blocks[b].marginal = model::fit_marginal(rows.data, block, 0);
      parts.blocks[b].total = model::slot_totals(rows.data, block);
    }
    parts.summary.termination = Termination::converged;
    parts.summary.warnings.emplace_back("the parameters were planted, not fitted to data");
  }

  const PlantOptions& options_;
  const Preset* preset_ = nullptr;
  std::vector<PlantedColumns> columns_;
};

}  // namespace
}  // namespace predict

Model plant(const PlantOptions& options) {
  return predict::Planter(options).run();
}

}  // namespace medley
