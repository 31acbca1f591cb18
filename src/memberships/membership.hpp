// SPDX-License-Identifier: Apache-2.0
// Membership: how a row's profile weights are distributed and inferred. It owns the row's state, how
// the state becomes the weights e of the kernel, how e * g becomes a new state, the prior's part of
// the bound and the prior's own update. It knows no family and no engine.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "medley/options.hpp"

namespace medley::memberships {

class Membership;

/// A member of the registry.
struct MembershipEntry {
  const char* name;
  const char* summary;
  const char* parameter;      ///< name of its parameter in files: "alpha", "pi"
  bool iterates;              ///< rows have a state worth keeping between EM iterations
  std::vector<std::string> inferences;  ///< which --inference it offers, the default first
  std::unique_ptr<Membership> (*make)(std::size_t components);
};

/// The observations of one row as the kernel wants them. Scaled likelihood rows, count x padded K.
template <class T>
struct Cells {
  const T* rows = nullptr;
  const T* weight = nullptr;
  std::size_t count = 0;
  double total = 0;  ///< sum of the weights, m
  T* norm = nullptr;  ///< scratch and result: n_o = <e, L_o>
};

/// When a row's fixed point is close enough: max |change of state| < tolerance * max(1, m).
struct Limits {
  double tolerance = 1e-6;
  std::size_t max_sweeps = 20;
};

/// What the M-step of the prior needs, summed over rows.
struct PriorStatistics {
  double rows = 0;           ///< weighted rows with something observed
  std::vector<double> sum;   ///< K; Dirichlet: sum of E log theta, single: sum of responsibilities
};

class Membership {
 public:
  virtual ~Membership() = default;
  Membership(const Membership&) = delete;
  Membership& operator=(const Membership&) = delete;

  /// The documented start of a row of size m: every component alike.
  virtual void start(double m, std::span<double> state) const = 0;
  /// Repeats the kernel's pass until the state settles. False if a normaliser underflowed: the state
  /// is then meaningless and the row must be redone by iterate_log.
  virtual bool iterate(const Cells<float>& cells, const Limits& limits, std::span<double> state) const = 0;
  virtual bool iterate(const Cells<double>& cells, const Limits& limits, std::span<double> state) const = 0;
  /// The same in log space, slow and safe: `rows` holds log-likelihoods, count x padded K.
  virtual void iterate_log(const Cells<double>& cells, const Limits& limits, std::span<double> state) const = 0;
  /// log of the kernel's weights at this state, so that log sum_k exp(log_weights_k + L_ok) is observation
  /// o's part of the bound; returns the rest of the row's bound.
  virtual double log_weights(std::span<const double> state, std::span<double> out) const = 0;
  /// Expected membership of the row; sums to 1.
  virtual void shares(std::span<const double> state, std::span<double> out) const = 0;
  /// Adds one row, weighted, to the prior's statistics.
  virtual void collect(std::span<const double> state, double weight, PriorStatistics& into) const = 0;
  /// Sets the prior to its maximum given the statistics (never lowers the bound).
  virtual void maximise(const PriorStatistics& from, AlphaMode mode) = 0;

  [[nodiscard]] const MembershipEntry& entry() const { return entry_; }
  [[nodiscard]] std::size_t components() const { return parameters_.size(); }
  [[nodiscard]] std::span<const double> parameters() const { return parameters_; }
  virtual void set_parameters(std::span<const double> values);

 protected:
  Membership(const MembershipEntry& entry, std::size_t components);
  std::vector<double> parameters_;

 private:
  const MembershipEntry& entry_;
};

}  // namespace medley::memberships
