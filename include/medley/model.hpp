// SPDX-License-Identifier: Apache-2.0
// A fitted model: an immutable handle, cheap to copy. It holds its schema, the parameters, and the
// aggregates that inspection and reports need, but no rows of the data.
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

/// Numbers inside a model, without a copy: row r under component k is data[r * stride + k]. Rows
/// are padded, so the stride may exceed the components. Valid while the model or a copy of it
/// exists.
struct TableView {
  const double* data = nullptr;
  std::size_t rows = 0, components = 0, stride = 0;

  [[nodiscard]] double operator()(std::size_t row, std::size_t component) const {
    return data[row * stride + component];
  }
};

/// One draw of a sampled model: a set of parameters with its own number of components.
struct DrawView {
  std::size_t chain = 0, sweep = 0;  ///< from 0; sweeps after the burn-in
  std::span<const double> prior;     ///< of the memberships, one number per component
  std::vector<TableView> tables;     ///< per block, rows as in Model::table()
  /// Components of the draw x profiles of the model: how each component divides among the profiles;
  /// rows sum to 1.
  TableView onto;
};

/// A quantity after every sweep of every chain, such as the log-likelihood.
struct TraceView {
  std::string name;
  std::vector<std::span<const double>> chains;
};

/// A model may be used from several threads at once, as long as none assigns to it.
class Model {
 public:
  explicit Model(std::shared_ptr<const model::Parts> parts) : parts_(std::move(parts)) {}
  // Copying costs nothing, so moving copies: a moved-from model is still a valid model.
  Model(const Model&) = default;
  Model& operator=(const Model&) = default;
  ~Model() = default;

  /// Reads a model file and checks every size in it. Throws InputError with the defect.
  [[nodiscard]] static Model load(const std::string& path);
  /// Writes the file atomically; throws RunError and leaves an older file untouched on failure.
  void save(const std::string& path) const;
  /// The bytes that save() would write, and their reading with the same checks; throws InputError.
  [[nodiscard]] std::string to_bytes() const;
  [[nodiscard]] static Model from_bytes(std::string_view bytes);

  [[nodiscard]] std::size_t components() const;
  [[nodiscard]] const Schema& schema() const;
  [[nodiscard]] const FitSummary& summary() const;
  [[nodiscard]] std::string preset() const;      ///< e.g. "gom"
  [[nodiscard]] std::string membership() const;  ///< one of list_memberships()
  [[nodiscard]] std::string inference() const;   ///< one of list_inferences()
  /// The prior parameter of the memberships, and its name: "alpha" (Dirichlet), "pi" or "scale".
  [[nodiscard]] std::vector<double> prior() const;
  [[nodiscard]] std::string prior_name() const;
  /// Share of all memberships held by each component, largest first; sums to 1.
  [[nodiscard]] const std::vector<double>& sizes() const;
  /// Names given with `renamed`; empty strings for components without a name.
  [[nodiscard]] const std::vector<std::string>& names() const;
  /// The given name, or "Profile 3" / "Topic 3".
  [[nodiscard]] std::string title(std::size_t component) const;
  /// A copy with component `component` (from 0) named `name`; an empty name removes the name.
  [[nodiscard]] Model renamed(std::size_t component, const std::string& name) const;
  /// All parameters as JSON, in the documented layout (docs/export.md).
  [[nodiscard]] std::string export_json() const;

  // The parameters as arrays. Throws std::out_of_range for a block or draw that does not exist.
  /// The blocks, without cells: names, family, encoding, features with their levels, first_slot.
  [[nodiscard]] std::vector<const Block*> blocks() const;
  /// The parameters of a block. Levels and words: a row of probabilities per slot; each feature's
  /// slots sum to 1 under every component. Numbers: the rows depend on the family; export_json()
  /// names them.
  [[nodiscard]] TableView table(std::size_t block) const;
  /// The same for the distribution over all rows: one component, each column on its own.
  [[nodiscard]] TableView marginal(std::size_t block) const;
  /// Occurrences of each slot in the training data, weighted.
  [[nodiscard]] std::span<const double> totals(std::size_t block) const;
  /// Classes of the label x components: the weight of each component. No rows without a label.
  [[nodiscard]] TableView label_weights() const;
  /// Number of draws of a sampled model; 0: the model is not sampled.
  [[nodiscard]] std::size_t draws() const;
  [[nodiscard]] DrawView draw(std::size_t draw) const;
  [[nodiscard]] std::vector<TraceView> traces() const;

  [[nodiscard]] const model::Parts& parts() const { return *parts_; }

 private:
  std::shared_ptr<const model::Parts> parts_;
};

// Topics from another program as a model, so that they can be inspected, applied and scored by the
// same code.

/// Weights of words in topics, on any scale: probabilities, counts, variational parameters.
struct Topics {
  std::vector<std::string> words;           ///< V different words
  std::vector<std::vector<double>> weight;  ///< K x V, none negative, each topic has one above 0
};

/// Reads a table of topics: one line per topic with a heading of words, or one line per word with
/// the word in the first column, headed word, term or token. A first column headed topic, index or
/// nothing is ignored. Throws InputError listing every problem found.
[[nodiscard]] Topics read_topics(const std::string& path);

/// The prior of an imported model.
struct ImportOptions {
  std::vector<double> alpha;  ///< K values, or one for all; empty: 1 / K
  bool fit_alpha = false;     ///< fit alpha to the corpus, starting from there; topics stay fixed
  std::size_t threads = 0;
};

/// The schema with which to read a corpus for these topics.
[[nodiscard]] Schema schema_of(const Topics& topics);

/// The topics as an LDA model. Weights are normalised; a word without weight gets a tiny one.
/// `corpus` (read with schema_of) is the data that the topics were learnt from: it determines the
/// baseline, the sizes of the topics and, if requested, alpha. Without it the baseline is the
/// average topic.
[[nodiscard]] Model import_topics(const Topics& topics, const ImportOptions& options,
                                  const Dataset* corpus = nullptr, const Hooks& hooks = {});

}  // namespace medley
