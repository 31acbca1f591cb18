// SPDX-License-Identifier: Apache-2.0
// Points or posteriors of the tables, and the prior of either.
#include "core/text.hpp"
#include "families/registry.hpp"
#include "model/resolver.hpp"

namespace medley::model {

void Resolver::choose_estimate() {
  FitOptions& o = out_.options;
  if (preset_ == nullptr) return;
  if (!o.estimate) o.estimate = preset_->estimate;
  given_smoothing_ = o.smoothing.has_value();
  if (!o.smoothing) o.smoothing = preset_->smoothing;
  if (o.estimate != Estimate::vb) return;
  if (o.smoothing == 0)
    object("`estimate=\"vb\"`", "needs a prior: with `smoothing=0` there is none",
           "leave out `smoothing`, or use `estimate=\"map\"`");
  if (out_.inference != nullptr && out_.inference->needs(Need::points))
    object(core::setting("inference", o.inference),
           "gives no posteriors of the tables (`estimate=\"vb\"`)",
           "use standard or fast, or `estimate=\"map\"`");
  if (out_.classes > 0)
    object("`estimate=\"vb\"`", "is not offered with a label",
           "use `estimate=\"map\"`, or set the label aside with `head=\"none\"`");
  for (const Block& block : data_.blocks) check_posterior(block);
}

void Resolver::choose_smoothing() {
  FitOptions& o = out_.options;
  if (preset_ == nullptr || out_.inference == nullptr) return;
  if (out_.inference->needs(Need::dirichlet_tables)) check_integrable();
  const bool fits = out_.inference->fits_smoothing;
  if (fits && !given_smoothing_ && o.shrink.value_or(0) == 0) o.fit_smoothing = true;
  if (!o.fit_smoothing) return;
  if (!fits && o.estimate != Estimate::vb)
    object(
        "`smoothing=\"fitted\"`",
        "is not possible for tables that are points: the best prior of a point has no width",
        "use `inference=\"collapsed\"` or `estimate=\"vb\"`, or a number such as `smoothing=0.01`");
  if (o.shrink.value_or(0) > 0)
    object("`smoothing=\"fitted\"`", "is not offered together with `shrink`",
           "use `shrink=0`, or a number such as `smoothing=0.01`");
  if (!fits && all_blocks(data_, Encoding::real))
    object("`smoothing=\"fitted\"`", "is for words, levels and answers, and the data has none",
           "leave out `smoothing`");
}

void Resolver::check_integrable() {
  const FitOptions& o = out_.options;
  if (o.smoothing == 0)
    object("`smoothing=0`",
           core::setting("inference", o.inference) + " needs a prior of the tables",
           "leave out `smoothing`, or give a number above 0");
  for (const Block& block : data_.blocks) {
    if (!families::find(block.family)->dirichlet_tables)
      object("column \"" + block.features.front().name + "\"",
             "is " + block.family + ": " + core::setting("inference", o.inference) +
                 " is for words, levels and answers, not for numbers",
             "use `inference=\"standard\"`, or leave the column out with `ignore`");
  }
}

void Resolver::check_posterior(const Block& block) {
  if (families::find(block.family)->posterior) return;
  std::string others;
  for (const families::FamilyEntry* entry : families::registry()) {
    if (entry->posterior && entry->encoding == block.encoding)
      others += (others.empty() ? "" : ", ") + std::string(entry->name);
  }
  object("column \"" + block.features.front().name + "\"",
         "is " + block.family + ", which has no posterior (`estimate=\"vb\"`)",
         "use `estimate=\"map\"`, or `column=\"NAME=FAMILY\"` with one of " + others);
}

}  // namespace medley::model
