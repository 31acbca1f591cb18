// SPDX-License-Identifier: Apache-2.0
// The folder of a selection: models, what was found so far (select.json), what the folds said of
// every row (k03_held_out.csv), and all scores in the end (criteria.csv). Every file appears whole
// or not at all, so that a run that was stopped at any point can be taken up.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "medley/evaluate.hpp"
#include "medley/select.hpp"

namespace medley::choose {

/// The restarts of one candidate.
struct FitsDone {
  std::vector<double> bound;       ///< penalised, per restart
  std::vector<double> similarity;  ///< to the best one; of the best itself 1
  std::size_t best = 0;
  bool converged = true;  ///< the best
};

/// The fit from a split of the one with fewer components.
struct SplitDone {
  bool tried = false;  ///< false: there is none to split, or the model cannot be split
  double bound = 0;
  bool won = false;
  bool converged = true;
};

struct ChainsDone {
  double dic = 0, error = 0;
  bool mixed = false;
};

/// Per row of the data; 0 for rows without anything observed.
struct HeldOutRows {
  std::vector<std::size_t> fold;
  std::vector<double> log_likelihood;
  std::string estimator;
};

class SelectionFolder {
 public:
  /// Makes the folder or takes up what it holds. Throws InputError as `select` says.
  SelectionFolder(std::string path, std::string fingerprint, bool resume);

  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

  // Keyed by the name of a candidate, "k03". Writing a key writes select.json.
  [[nodiscard]] const FitsDone* fits(const std::string& key) const { return at(fits_, key); }
  [[nodiscard]] const SplitDone* split(const std::string& key) const { return at(splits_, key); }
  [[nodiscard]] const ChainsDone* chains(const std::string& key) const { return at(chains_, key); }
  [[nodiscard]] const std::optional<SelectionClusters>& clusters() const { return clusters_; }
  void put(const std::string& key, FitsDone done);
  void put(const std::string& key, SplitDone done);
  void put(const std::string& key, ChainsDone done);
  void put(SelectionClusters clusters);
  /// The end: all numbers, and criteria.csv. `by`: the criteria that were asked for.
  void put(const Selection& selection, const std::set<std::string>& by);
  /// What was put at the end of a run by the same criteria, if its models are there; else nothing.
  [[nodiscard]] std::optional<Selection> result(const std::set<std::string>& by) const;

  /// Nothing if the file is not there. Throws InputError if it is not of so many rows.
  [[nodiscard]] std::optional<HeldOutRows> held_out(const std::string& key, std::size_t rows) const;
  void put(const std::string& key, const HeldOutRows& rows) const;

 private:
  template <class T>
  static const T* at(const std::map<std::string, T>& from, const std::string& key) {
    const auto found = from.find(key);
    return found == from.end() ? nullptr : &found->second;
  }
  void take_up();
  void write() const;

  std::string path_, fingerprint_;
  std::map<std::string, FitsDone> fits_;
  std::map<std::string, SplitDone> splits_;
  std::map<std::string, ChainsDone> chains_;
  std::optional<SelectionClusters> clusters_;
  std::optional<Selection> result_;  ///< of the criteria result_by_
  std::set<std::string> result_by_;
};

/// All scores: k,smoothing,criterion,estimator,value,error,behind,behind_error.
[[nodiscard]] std::string criteria_csv(const Selection& selection);

// A selection as JSON: what select.json ends with and `medley select --json` prints.

[[nodiscard]] nlohmann::ordered_json selection_json(const Selection& selection);
/// Reads that back, all but `clusters`, which the folder holds apart. Throws an exception of the
/// standard library or of JSON where something is missing.
[[nodiscard]] Selection selection_from_json(const nlohmann::ordered_json& json);
[[nodiscard]] nlohmann::ordered_json clusters_json(const SelectionClusters& clusters);

}  // namespace medley::choose
