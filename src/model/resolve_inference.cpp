// SPDX-License-Identifier: Apache-2.0
// Membership and inference: as asked for, as the preset says, or the best that is affordable.
#include "core/text.hpp"
#include "memberships/registry.hpp"
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
        "faster; `membership=\"mixed\"` mixes them.";
    if (o.label.objective == LabelObjective::joint)
      out_.why +=
          " `objective=\"conditional\"` usually tells the classes better; its profiles describe "
          "the "
          "other columns less well.";
  }
  if (o.membership.empty()) o.membership = preset_->membership;
  out_.membership = memberships::find(o.membership);
  if (out_.membership == nullptr) {
    object("`membership`", "there is no membership \"" + o.membership + "\"",
           "one of " + names(list_memberships()));
    return;
  }
  if (o.inference.empty() || o.inference == "auto") choose_inference();
  out_.inference = find_inference(o.inference, *out_.membership);
  if (out_.inference != nullptr && out_.classes > 0 && out_.inference->needs(Need::no_label))
    object(core::setting("inference", o.inference), "is not offered with a label",
           "use fast or standard, or `head=\"none\"`");
  if (out_.inference != nullptr) return;
  std::string names_offered;
  for (const Inference* inference : offered(*out_.membership))
    names_offered += (names_offered.empty() ? "" : ", ") + std::string(inference->name);
  object(core::setting("inference", o.inference),
         "is not offered for " + o.membership + " membership", "offered: " + names_offered);
}

bool Resolver::single_tells_the_label() const {
  const FitOptions& o = out_.options;
  return o.label.head == LabelHead::softmax && !asked_for_model_ && o.alpha.empty() &&
         (o.inference.empty() || o.inference == "auto");
}

Situation Resolver::situation() const {
  const FitOptions& o = out_.options;
  const Estimate estimate = o.estimate.value_or(preset_->estimate);
  return {data_,
          *out_.membership,
          o.components,
          o.restarts,
          o.label.head == LabelHead::softmax,
          estimate == Estimate::vb,
          o.batch > 0,
          o.smoothing == 0};
}

void Resolver::choose_inference() {
  FitOptions& o = out_.options;
  const bool automatic = o.inference == "auto";
  const bool words = all_blocks(data_, Encoding::tokens);
  Situation what = situation();
  if (!asked_for_model_ || automatic) {
    // What would look closer at data that have been objected to already is left out.
    what.words_alone = (words && !automatic) || !problems_.empty();
    const InferenceChoice choice = model::choose_inference(what);
    if (choice.inference != nullptr) {
      o.inference = choice.inference->name;
      out_.why = choice.why;
      return;
    }
  }
  const bool as_preset = o.membership == preset_->membership;
  o.inference = as_preset ? preset_->inference : usual_inference(*out_.membership).name;
  const bool of_preset = asked_for_model_ && !automatic && o.inference == standard_inference.name;
  if (!of_preset || words || what.label || what.posterior || what.minibatches || !problems_.empty())
    return;
  what.words_alone = false;
  const InferenceChoice better = model::choose_inference(what);
  if (better.inference != nullptr && better.inference->advice != nullptr)
    out_.why = better.inference->advice;
}

}  // namespace medley::model
