// SPDX-License-Identifier: Apache-2.0
// A fitted model: an immutable handle, cheap to copy. It carries its schema, the parameters, and
// the aggregates that inspection and reports need; it holds no rows of the data.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "medley/data.hpp"
#include "medley/error.hpp"
#include "medley/io.hpp"
#include "medley/options.hpp"

namespace medley {

namespace model {
struct Parts;  // the composition; defined inside the library
}

/// Numbers inside a model, nothing copied: row r under component k is data[r * stride + k]. Rows
/// are padded, so the stride may exceed the components. Valid while the model, or a copy of it, is.
struct TableView {
  const double* data = nullptr;
  std::size_t rows = 0, components = 0, stride = 0;

  [[nodiscard]] double operator()(std::size_t row, std::size_t component) const {
    return data[row * stride + component];
  }
};

/// One draw of a sampled model: a model of its own, with as many components as it happened to have.
struct DrawView {
  std::size_t chain = 0, sweep = 0;  ///< from 0; sweeps after the burn-in
  std::span<const double> prior;     ///< of the memberships, one number per component
  std::vector<TableView> tables;     ///< per block, rows as in Model::table()
  TableView onto;  ///< components x profiles of the model: which parts of which; rows sum to 1
};

/// A number after every sweep of every chain, such as the log-likelihood.
struct TraceView {
  std::string name;
  std::vector<std::span<const double>> chains;
};

/// Safe to use from several threads at once, as long as none assigns to it.
class Model {
 public:
  explicit Model(std::shared_ptr<const model::Parts> parts) : parts_(std::move(parts)) {}
  // Copying costs nothing, so moving copies: a model that was moved from is still a model.
  Model(const Model&) = default;
  Model& operator=(const Model&) = default;
  ~Model() = default;

  /// Reads a model file. Every size in it is checked; throws InputError saying what is wrong.
  [[nodiscard]] static Model load(const std::string& path);
  /// Writes the file atomically; throws RunError and leaves an older file untouched on failure.
  void save(const std::string& path) const;
  /// What save() would write, and back. The same checks; throws InputError.
  [[nodiscard]] std::string to_bytes() const;
  [[nodiscard]] static Model from_bytes(std::string_view bytes);

  [[nodiscard]] std::size_t components() const;
  [[nodiscard]] const Schema& schema() const;
  [[nodiscard]] const FitSummary& summary() const;
  [[nodiscard]] std::string preset() const;      ///< e.g. "gom"
  [[nodiscard]] std::string membership() const;  ///< one of list_memberships()
  [[nodiscard]] std::string inference() const;   ///< one of list_inferences()
  /// The prior of the memberships and what it is called: "alpha" (Dirichlet), "pi" or "scale".
  [[nodiscard]] std::vector<double> prior() const;
  [[nodiscard]] std::string prior_name() const;
  /// Share of all memberships held by each component, largest first; sums to 1.
  [[nodiscard]] const std::vector<double>& sizes() const;
  /// Names given with `renamed`, or empty strings.
  [[nodiscard]] const std::vector<std::string>& names() const;
  /// The given name, or "Profile 3" / "Topic 3".
  [[nodiscard]] std::string title(std::size_t component) const;
  /// A copy with component `component` (from 0) called `name`; an empty name removes it.
  [[nodiscard]] Model renamed(std::size_t component, const std::string& name) const;
  /// All parameters as JSON, in the documented layout (docs/export.md).
  [[nodiscard]] std::string export_json() const;

  // The parameters as arrays. Throws std::out_of_range for a block or draw that is not there.
  /// The blocks, without cells: names, family, encoding, features with their levels, first_slot.
  [[nodiscard]] std::vector<const Block*> blocks() const;
  /// The parameters of a block. Levels and words: a row per slot, the probabilities; each feature's
  /// slots sum to 1 under every component. Numbers: rows that are the family's own, of which
  /// export_json() has the names.
  [[nodiscard]] TableView table(std::size_t block) const;
  /// The same with one component for all rows: the columns on their own.
  [[nodiscard]] TableView marginal(std::size_t block) const;
  /// How often each slot was observed in the training data, by weight.
  [[nodiscard]] std::span<const double> totals(std::size_t block) const;
  /// Weights of the components for each class of the label; no rows without a label.
  [[nodiscard]] TableView label_weights() const;
  /// Draws of a sampled model; 0: it is not sampled.
  [[nodiscard]] std::size_t draws() const;
  [[nodiscard]] DrawView draw(std::size_t draw) const;
  [[nodiscard]] std::vector<TraceView> traces() const;

  [[nodiscard]] const model::Parts& parts() const { return *parts_; }

 private:
  std::shared_ptr<const model::Parts> parts_;
};

// Topics found by another program as a model of ours, so that they can be read, applied and scored
// by the same code.

/// Weights of words in topics, of any scale: probabilities, counts, variational parameters.
struct Topics {
  std::vector<std::string> words;           ///< V, all different
  std::vector<std::vector<double>> weight;  ///< K x V, none negative, some positive in each topic
};

/// Reads a table of topics: one line per topic and a heading of words, or one line per word with
/// the word in the first column, which is then headed word, term or token. A first column headed
/// topic, index or nothing is passed over. Throws InputError listing every problem found.
[[nodiscard]] Topics read_topics(const std::string& path);

struct ImportOptions {
  std::vector<double> alpha;  ///< K values, or one for all; empty: 1 / K
  bool fit_alpha = false;     ///< to the corpus, from there; the topics stay as they are
  std::size_t threads = 0;
};

/// How a corpus must be read to go with the topics.
[[nodiscard]] Schema schema_of(const Topics& topics);

/// The topics as an LDA model; weight is normalised, and a word without weight gets next to none.
/// `corpus` (read with schema_of) is what the topics were learnt from: it gives the baseline, the
/// sizes of the topics and, if wanted, alpha. Without it the baseline is the average topic.
[[nodiscard]] Model import_topics(const Topics& topics, const ImportOptions& options,
                                  const Dataset* corpus = nullptr, const Hooks& hooks = {});

}  // namespace medley
