// SPDX-License-Identifier: Apache-2.0
#include "model/inference.hpp"

#include <utility>
#include <vector>

#include "model/choose_inference.hpp"

namespace medley::model {
namespace {

// In the order of `medley models`; the first that a membership offers is its usual one.
std::vector<const Inference*>& table() {
  static std::vector<const Inference*> list = {
      &standard_inference,    &fast_inference,      &exact_inference,
      &monte_carlo_inference, &collapsed_inference, &gibbs_inference,
  };
  return list;
}

}  // namespace

bool Inference::offered_for(const memberships::MembershipEntry& membership) const {
  if (needs(Need::given_k) && membership.infers_k) return false;
  if (needs(Need::averages) && !membership.averages) return false;
  if (needs(Need::dirichlet) && !membership.dirichlet) return false;
  return !needs(Need::sampler) || membership.dirichlet || membership.infers_k;
}

std::span<const Inference* const> inferences() {
  return table();
}

const Inference* find_inference(const std::string& name) {
  for (const Inference* inference : inferences()) {
    if (name == inference->name) return inference;
  }
  return nullptr;
}

const Inference* find_inference(const std::string& name,
                                const memberships::MembershipEntry& membership) {
  const Inference* found = find_inference(name);
  return found != nullptr && found->offered_for(membership) ? found : nullptr;
}

std::vector<const Inference*> offered(const memberships::MembershipEntry& membership) {
  std::vector<const Inference*> out;
  for (const Inference* inference : inferences()) {
    if (inference->offered_for(membership)) out.push_back(inference);
  }
  return out;
}

const Inference& usual_inference(const memberships::MembershipEntry& membership) {
  return *offered(membership).front();
}

void add(const Inference& inference) {
  if (find_inference(inference.name) == nullptr) table().push_back(&inference);
}

RowMethod row_method(const Inference& inference, const memberships::MembershipEntry& membership) {
  using memberships::Pooling;
  if (membership.sole) return {Pooling::sum, true, true};
  switch (inference.rows) {
    case RowInference::average:
      return {Pooling::average, false, true};
    case RowInference::lattice:
      return {Pooling::none, true, false};
    case RowInference::cells:
      break;
  }
  return {Pooling::none, false, true};
}

bool suits(const Inference& inference, const Situation& situation) {
  std::string unused;
  return inference.suits != nullptr && inference.suits(situation, unused) > 0;
}

InferenceChoice choose_inference(const Situation& situation) {
  InferenceChoice best;
  double most = 0;
  for (const Inference* inference : offered(situation.membership)) {
    if (inference->suits == nullptr) continue;
    if (situation.label && inference->needs(Need::no_label)) continue;
    if (situation.posterior && inference->needs(Need::points)) continue;
    std::string why;
    const double suits = inference->suits(situation, why);
    if (suits <= most) continue;
    most = suits;
    best = {inference, std::move(why)};
  }
  return best;
}

}  // namespace medley::model
