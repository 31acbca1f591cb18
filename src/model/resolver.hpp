// SPDX-License-Identifier: Apache-2.0
// The steps of resolve(): one decision after the other, each from the preset, the data and the
// user's options; all objections are collected until the end. The decisions are in
//
//   resolve.cpp         sizes, preset, membership and inference, start, chains; their order
//   resolve_priors.cpp  priors of memberships and tables, and the label
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "medley/error.hpp"
#include "medley/options.hpp"
#include "model/inference.hpp"
#include "model/resolve.hpp"

namespace medley::model {

[[nodiscard]] inline bool all_blocks(const Dataset& data, Encoding encoding) {
  return std::ranges::all_of(data.blocks, [&](const Block& b) { return b.encoding == encoding; });
}

class Resolver {
 public:
  Resolver(const Dataset& data, const FitOptions& options) : data_(data) { out_.options = options; }
  /// Throws InputError with every objection.
  Resolved run();

 private:
  void object(std::string where, std::string what, std::string remedy);
  void check_sizes();
  void choose_preset();
  // A preset of a discriminative model has its paper's bound and start; without a preset the
  // defaults are ours.
  void choose_label();
  void check_classes();
  void choose_membership();
  // Posteriors of the tables need families that have them, a proper prior, and an inference whose
  // sums are expectations.
  void choose_estimate();
  // The smoothing of the preset's paper, or ours.
  [[nodiscard]] double default_smoothing() const;
  // A prior can be fitted to counts with the tables integrated out, or to posteriors. For a point
  // estimate it cannot: the most probable prior would concentrate on that point.
  void choose_smoothing();
  // Checks that the tables can be integrated out and have a prior.
  void check_integrable();
  void check_posterior(const Block& block);
  // Fast mixed membership, the better one of the papers for a label, ends in single membership: its
  // alpha slowly falls towards 0.
  [[nodiscard]] bool single_tells_the_label() const;
  // A preset uses its paper's inference unless the option says auto. Without a preset, tables get
  // the best affordable inference, and words collapsed inference.
  void choose_inference();
  // Priors of the memberships that model the number of observations.
  void choose_rates();
  // Options of sampled models; for all others there are none.
  void choose_chains();
  void check_chain_priors(const ChainOptions& chains);
  void check_conjugate(const Block& block);
  void choose_locations(RateOptions& rates);
  void choose_alpha();
  // Parses the VALUE of fixed:VALUE, a number above 0 or a number over K.
  bool parse_fixed(std::string_view text);
  void choose_start();
  // Makes the schema of the model.
  void describe();
  // The start of the paper's discriminative models needs a component for every class.
  [[nodiscard]] std::string default_start() const;
  [[nodiscard]] bool starts_collapsed() const;
  // The situation after the membership has been decided.
  [[nodiscard]] Situation situation() const;

  const Dataset& data_;
  Resolved out_;
  const Preset* preset_ = nullptr;
  bool asked_for_model_ = false;
  bool given_smoothing_ = false;
  std::vector<Problem> problems_;
};

}  // namespace medley::model
