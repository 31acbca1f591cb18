// SPDX-License-Identifier: Apache-2.0
// The work of resolve(): one decision after the other, each from the preset, the data and what was
// asked for, and every objection kept until the end. A decision is in the file of its subject:
//
//   resolve.cpp         the order of decisions; sizes, the preset; membership and inference; where
//   a
//                       fit begins; chains of models that are sampled
//   resolve_priors.cpp  priors of memberships (alpha, rates, locations); points or posteriors of
//   the
//                       tables, and their prior; what is learnt of a label
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
  // A preset of a discriminative model has its paper's bound and start; without --model the
  // defaults are ours.
  void choose_label();
  void check_classes();
  void choose_membership();
  // Posteriors of the tables need families that have them, a prior that is one, and an inference
  // whose sums are over expectations.
  void choose_estimate();
  // That of the preset's paper, or ours.
  [[nodiscard]] double default_smoothing() const;
  // A prior can be fitted where it has something to explain: counts with the tables integrated out,
  // or posteriors. The most probable prior of a point is one that holds nothing but that point.
  void choose_smoothing();
  // Tables that can be integrated out, with a prior.
  void check_integrable();
  void check_posterior(const Block& block);
  // Fast mixed membership, the better one of the papers for a label, ends in single membership: its
  // alpha sinks towards 0, slowly.
  [[nodiscard]] bool single_tells_the_label() const;
  // A preset infers as its paper did unless --inference says auto; a table without one gets the
  // best that is affordable, words without one collapsed inference.
  void choose_inference();
  // Priors of the memberships that count observations.
  void choose_rates();
  // Of models that are sampled; of all others there are none.
  void choose_chains();
  void check_chain_priors(const ChainOptions& chains);
  void check_conjugate(const Block& block);
  void choose_locations(RateOptions& rates);
  void choose_alpha();
  // fixed:VALUE with VALUE a number above 0, or a number over K.
  bool parse_fixed(std::string_view text);
  void choose_start();
  // The schema that the model will carry.
  void describe();
  // The start of the paper's discriminative models needs a component for every class.
  [[nodiscard]] std::string default_start() const;
  [[nodiscard]] bool starts_collapsed() const;
  // Of a membership that has been decided.
  [[nodiscard]] Situation situation() const;

  const Dataset& data_;
  Resolved out_;
  const Preset* preset_ = nullptr;
  bool asked_for_model_ = false;
  bool given_smoothing_ = false;
  std::vector<Problem> problems_;
};

}  // namespace medley::model
