// SPDX-License-Identifier: Apache-2.0
// Membership and inference: as asked for, as the preset says, or the best that is affordable.
#include "memberships/registry.hpp"
#include "model/choose_inference.hpp"
#include "model/resolver.hpp"

namespace medley::model {
namespace {

std::string names(const std::vector<CatalogueEntry>& entries) {
  std::string text;
  for (const auto& entry : entries) text += (text.empty() ? "" : ", ") + entry.name;
  return text;
}

}  // namespace

void Resolver::choose_membership() {
  FitOptions& o = out_.options;
  if (preset_ == nullptr) return;
  if (o.membership.empty() && single_tells_the_label()) {
    o.membership = "single";
    out_.why =
        "With a label, rows of one profile each predict as well as rows that mix them, and fit "
        "faster; --membership mixed mixes them.";
    if (o.label.objective == "joint")
      out_.why +=
          " --objective conditional usually tells the classes better; its profiles describe the "
          "other columns less well.";
  }
  if (o.membership.empty()) o.membership = preset_->membership;
  out_.membership = memberships::find(o.membership);
  if (out_.membership == nullptr) {
    object("--membership", "there is no membership \"" + o.membership + "\"",
           "one of " + names(list_memberships()));
    return;
  }
  if (o.inference.empty() || o.inference == "auto") choose_inference();
  out_.mode = out_.membership->mode(o.inference);
  if (out_.mode != nullptr && out_.classes > 0 &&
      out_.mode->engine != memberships::Engine::variational)
    object("--inference " + o.inference, "is not offered with a label",
           "use fast or standard, or --head none");
  if (out_.mode != nullptr) return;
  std::string offered;
  for (const auto& mode : out_.membership->modes)
    offered += (offered.empty() ? "" : ", ") + std::string(mode.name);
  object("--inference " + o.inference, "is not offered for " + o.membership + " membership",
         "offered: " + offered);
}

bool Resolver::single_tells_the_label() const {
  const FitOptions& o = out_.options;
  return o.label.head == LabelHead::softmax && !asked_for_model_ && o.alpha.empty() &&
         (o.inference.empty() || o.inference == "auto");
}

void Resolver::choose_inference() {
  FitOptions& o = out_.options;
  const bool table = !asked_for_model_ && !all_blocks(data_, Encoding::tokens);
  const bool mixed = out_.membership == &memberships::mixed_membership;
  if (mixed && o.label.head == LabelHead::softmax && (!asked_for_model_ || o.inference == "auto")) {
    o.inference = "fast";
    out_.why = "The label is told better from it than from standard inference.";
    return;
  }
  const bool posterior = o.estimate.value_or(preset_->estimate) == Estimate::vb;
  if (mixed && posterior && (table || o.inference == "auto")) {
    o.inference = "standard";
    return;
  }
  InferenceChoice words;
  if (mixed && !posterior && !(table && out_.classes > 0) && o.batch == 0 && o.smoothing != 0)
    words = choose_for_words(data_, o.components);
  const bool asked = asked_for_model_ && o.inference != "auto";
  if (mixed && !asked && problems_.empty() && (table || o.inference == "auto")) {
    const InferenceChoice choice = model::choose_inference(data_, o.components, o.restarts);
    if (choice.name == "exact" || words.name.empty()) words = choice;
  }
  if (!asked && !words.name.empty()) {
    o.inference = words.name;
    out_.why = words.why;
    return;
  }
  const bool as_preset = o.membership == preset_->membership;
  o.inference = as_preset ? preset_->inference : out_.membership->modes[0].name;
  const bool by_bound = mixed && !posterior && o.inference == "standard" && o.batch == 0;
  if (by_bound && asked && out_.classes == 0 && !all_blocks(data_, Encoding::tokens) &&
      problems_.empty() && model::choose_inference(data_, o.components, o.restarts).name == "exact")
    out_.why =
        "These rows are short enough for exact inference, which fits them better than this bound: "
        "--inference exact.";
}

}  // namespace medley::model
