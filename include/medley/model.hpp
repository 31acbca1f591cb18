// SPDX-License-Identifier: Apache-2.0
// A fitted model: an immutable handle, cheap to copy. It carries its schema, the parameters, and
// the aggregates that inspection and reports need; it holds no rows of the data.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "medley/options.hpp"
#include "medley/schema.hpp"

namespace medley {

namespace model {
struct Parts;  // the composition; defined inside the library
}

class Model {
 public:
  explicit Model(std::shared_ptr<const model::Parts> parts) : parts_(std::move(parts)) {}

  /// Reads a model file. Every size in it is checked; throws InputError saying what is wrong.
  [[nodiscard]] static Model load(const std::string& path);
  /// Writes the file atomically; throws RunError and leaves an older file untouched on failure.
  void save(const std::string& path) const;

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

  [[nodiscard]] const model::Parts& parts() const { return *parts_; }

 private:
  std::shared_ptr<const model::Parts> parts_;
};

}  // namespace medley
