// SPDX-License-Identifier: Apache-2.0
// Makes a model from the topics of another program, with words across or down.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "core/problems.hpp"
#include "core/task.hpp"
#include "core/text.hpp"
#include "data/encode.hpp"
#include "data/number.hpp"
#include "families/registry.hpp"
#include "math/dirichlet.hpp"
#include "math/optimise.hpp"
#include "medley/error.hpp"
#include "medley/model.hpp"
#include "memberships/registry.hpp"
#include "model/family_catalogue.hpp"
#include "model/marginal.hpp"
#include "model/model.hpp"
#include "model/score_rows.hpp"

namespace medley {

// Makes a model from the topics of another program.

namespace model {
namespace {

const families::FamilyEntry& family_of_words() {
  const auto& all = families::registry();
  return **std::ranges::find(all, Encoding::tokens, &families::FamilyEntry::encoding);
}

// The probability of a word without weight, relative to the whole topic: too small to change
// anything, but with a finite logarithm.
constexpr double kNextToNothing = 1e-12;

void check(const Topics& topics, core::Problems& problems) {
  const std::string where = "topics";
  if (topics.weight.empty() || topics.words.size() < 2)
    problems.add(where, "needs at least one topic and two words", "see `import_topics(help=true)`");
  std::unordered_set<std::string> seen;
  for (const std::string& word : topics.words) {
    if (!seen.insert(word).second)
      problems.add(where, "has the word " + core::quoted(word) + " twice", "name every word once");
  }
  for (std::size_t k = 0; k < topics.weight.size(); ++k) {
    const auto& weight = topics.weight[k];
    const bool sound = weight.size() == topics.words.size() &&
                       std::ranges::all_of(weight, [](double w) { return w >= 0; }) &&
                       std::accumulate(weight.begin(), weight.end(), 0.0) > 0;
    if (!sound) {
      problems.add("topic " + std::to_string(k + 1), "has no weight at all",
                   "a topic needs a positive weight for at least one word");
    }
  }
}

std::vector<double> alpha_of(const Topics& topics, const ImportOptions& options) {
  const std::size_t components = topics.weight.size();
  core::Problems problems;
  if (options.alpha.size() > 1 && options.alpha.size() != components) {
    problems.add("`alpha`",
                 "has " + std::to_string(options.alpha.size()) + " values for " +
                     std::to_string(components) + " topics",
                 "one value for all, or one for each");
  }
  for (const double a : options.alpha) {
    if (!(a > 0) || !std::isfinite(a)) problems.add("`alpha`", "must be above 0", "such as 0.1");
  }
  problems.throw_if_any();
  if (options.alpha.size() == components) return options.alpha;
  return std::vector<double>(
      components, options.alpha.empty() ? 1.0 / static_cast<double>(components) : options.alpha[0]);
}

std::unique_ptr<families::Family> tables(const Topics& topics, const Block& shape) {
  auto family = families::find(shape.family)->make(shape, topics.weight.size());
  std::vector<double> p(family->parameters().size(), 0.0);
  for (std::size_t k = 0; k < topics.weight.size(); ++k) {
    const auto& weight = topics.weight[k];
    const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
    const double words = static_cast<double>(weight.size());
    for (std::size_t v = 0; v < weight.size(); ++v) {
      p[v * family->padded() + k] =
          (weight[v] / total + kNextToNothing) / (1 + words * kNextToNothing);
    }
  }
  family->set_parameters(p);
  return family;
}

// The average topic, weighted by alpha; it replaces the corpus if there is none.
void set_average(ModelBlock& block, std::span<const double> alpha) {
  const double sum = std::accumulate(alpha.begin(), alpha.end(), 0.0);
  std::vector<double> p(block.marginal->parameters().size(), 0.0);
  for (std::size_t v = 0; v < block.shape.slots(); ++v) {
    for (std::size_t k = 0; k < alpha.size(); ++k)
      p[v * block.marginal->padded()] += alpha[k] / sum * block.probability(v, k);
    block.total.push_back(p[v * block.marginal->padded()]);
  }
  block.marginal->set_parameters(p);
}

double total_bound(const Dataset& corpus, const ScoredRows& scored) {
  double sum = 0;
  for (std::size_t row = 0; row < corpus.rows; ++row)
    sum += corpus.weight_of(row) * scored.bound[row];
  return sum;
}

// Multiplies alpha by the power of 1.25 with the best bound. As alpha grows, rows change from one
// optimum to another; a search that follows one maximum would miss that.
void scale_alpha(const Dataset& corpus, const EStepModel& model, std::size_t threads,
                 memberships::Membership& membership, ScoredRows& scored) {
  const std::vector<double> fitted(membership.parameters().begin(), membership.parameters().end());
  const auto bound_at = [&](double factor) {
    std::vector<double> alpha = fitted;
    for (double& a : alpha) a = std::clamp(a * factor, math::kAlphaFloor, math::kAlphaCap);
    membership.set_parameters(alpha);
    scored = score_rows(model, corpus, threads, Keep::shares_and_states);
    return total_bound(corpus, scored);
  };
  bound_at(math::best_power(1.25, 8, bound_at));
}

// Sets alpha to its maximum given the topics; then computes the sizes of the topics.
void learn_from(const Dataset& corpus, const ImportOptions& options, Parts& parts) {
  constexpr int kMost = 50;
  constexpr double kSettled = 0.01;
  const std::size_t components = parts.components();
  memberships::Membership& membership = *parts.membership;
  families::Family* family = parts.blocks[0].family.get();
  family->prepare(false);
  const families::Family* const families[] = {family};
  const EStepModel model{families, &membership, &standard_inference};
  ScoredRows scored;
  for (int round = 0; round < kMost; ++round) {
    scored = score_rows(model, corpus, options.threads, Keep::shares_and_states);
    if (!options.fit_alpha) break;
    memberships::PriorStatistics statistics;
    statistics.sum.assign(components, 0.0);
    std::vector<double> logs(components);
    for (std::size_t row = 0; row < corpus.rows; ++row) {
      core::stop_if_asked();
      if (corpus.observed(row) <= 0) continue;
      const auto state = std::span(scored.state).subspan(row * components, components);
      membership.log_weights(state, logs);
      membership.collect(state, logs, corpus.weight_of(row), statistics);
    }
    const std::vector<double> before(membership.parameters().begin(),
                                     membership.parameters().end());
    membership.maximise(statistics, AlphaMode::fitted);
    double change = 0;
    for (std::size_t k = 0; k < components; ++k)
      change = std::max(change, std::abs(membership.parameters()[k] / before[k] - 1));
    if (change < kSettled) break;
  }
  if (options.fit_alpha) scale_alpha(corpus, model, options.threads, membership, scored);
  parts.sizes.assign(components, 0.0);
  double rows = 0;
  for (std::size_t row = 0; row < corpus.rows; ++row) {
    core::stop_if_asked();
    if (corpus.observed(row) <= 0) continue;
    rows += corpus.weight_of(row);
    for (std::size_t k = 0; k < components; ++k)
      parts.sizes[k] += corpus.weight_of(row) * scored.share[row * components + k];
  }
  for (double& size : parts.sizes) size /= std::max(rows, 1e-300);
}

}  // namespace
}  // namespace model

Schema schema_of(const Topics& topics) {
  ColumnSpec words;
  words.name = "data";
  words.family = model::family_of_words().name;
  words.encoding = Encoding::tokens;
  words.levels = topics.words;
  words.note = "imported";
  SourceSpec source;
  source.kind = SourceKind::tokens;
  source.columns.push_back(std::move(words));
  Schema out;
  out.sources.push_back(std::move(source));
  return out;
}

Model import_topics(const Topics& topics, const ImportOptions& options, const Dataset* corpus,
                    const Hooks& hooks) {
  const core::Task task(hooks);
  core::Problems problems;
  model::check(topics, problems);
  problems.throw_if_any();
  const std::vector<double> alpha = model::alpha_of(topics, options);
  const Dataset shape = data::encode({}, schema_of(topics), {}, model::family_catalogue());
  const Block& words = shape.blocks.at(0);
  auto parts = std::make_shared<model::Parts>();
  parts->schema = shape.schema;
  parts->membership = memberships::find("mixed")->make(alpha.size());
  parts->membership->set_parameters(alpha);
  parts->names.resize(alpha.size());
  parts->sizes.assign(alpha.size(), 1.0 / static_cast<double>(alpha.size()));
  parts->options.model = "lda";
  parts->options.membership = "mixed";
  parts->options.inference = "standard";
  parts->options.alpha = options.fit_alpha ? "fitted" : "fixed";
  parts->options.components = alpha.size();
  parts->options.init = "imported";
  parts->options.shrink = 0;
  parts->blocks.push_back({words.shape(),
                           model::tables(topics, words),
                           families::find(words.family)->make(words, 1),
                           {}});
  if (corpus != nullptr) {
    parts->blocks[0].marginal = model::fit_marginal(*corpus, corpus->blocks.at(0), 0);
    parts->blocks[0].total = model::slot_totals(*corpus, corpus->blocks[0]);
    model::learn_from(*corpus, options, *parts);
    parts->summary.rows = corpus->rows;
  } else {
    model::set_average(parts->blocks[0], alpha);
  }
  parts->summary.termination = Termination::converged;
  parts->summary.warnings.emplace_back("the topics were imported, not fitted");
  return Model(std::move(parts));
}

// A table of topics, words across or words down.

namespace model {
namespace {

bool is_one_of(const std::string& heading, std::initializer_list<const char*> words) {
  const std::string lower = core::lower(heading);
  return std::ranges::any_of(words, [&](const char* word) { return lower == word; });
}

// The number in a cell, or nothing after adding a problem.
double weight_in(const std::string& cell, const std::string& where, core::Problems& problems) {
  const auto number = data::number_in(cell);
  if (number && std::isfinite(*number) && *number >= 0) return *number;
  problems.add(where, core::quoted(cell) + " is no weight",
               "every word has a number of 0 or more in every topic");
  return 0;
}

Topics with_words_across(const TextTable& table, const std::string& path,
                         core::Problems& problems) {
  // An empty heading is read as column_1.
  const std::size_t skip = is_one_of(table.header[0], {"column_1", "topic", "index"}) ? 1 : 0;
  Topics out;
  out.words.assign(table.header.begin() + static_cast<std::ptrdiff_t>(skip), table.header.end());
  for (std::size_t line = 0; line < table.rows.size(); ++line) {
    std::vector<double>& topic = out.weight.emplace_back();
    for (std::size_t c = skip; c < table.header.size(); ++c) {
      topic.push_back(weight_in(
          table.rows[line][c],
          path + ": topic " + std::to_string(line + 1) + ", word " + core::quoted(table.header[c]),
          problems));
    }
  }
  return out;
}

Topics with_words_down(const TextTable& table, const std::string& path, core::Problems& problems) {
  Topics out;
  out.weight.resize(table.header.size() - 1);
  for (const std::vector<std::string>& row : table.rows) {
    out.words.push_back(row[0]);
    for (std::size_t k = 0; k + 1 < row.size(); ++k) {
      out.weight[k].push_back(weight_in(
          row[k + 1], path + ": topic " + std::to_string(k + 1) + ", word " + core::quoted(row[0]),
          problems));
    }
  }
  return out;
}

}  // namespace
}  // namespace model

Topics read_topics(const std::string& path) {
  const TextTable table = read_text_table({"", path}, {});
  core::Problems problems;
  Topics out;
  if (table.header.size() >= 2) {
    out = model::is_one_of(table.header[0], {"word", "term", "token"})
              ? model::with_words_down(table, path, problems)
              : model::with_words_across(table, path, problems);
  }
  problems.throw_if_any();
  return out;
}

}  // namespace medley
