// SPDX-License-Identifier: Apache-2.0
// What is learnt of a label, and whether its column is one.
#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "model/resolver.hpp"

namespace medley::model {
namespace {

// A label with more classes than this and than half the rows is taken for an id.
constexpr std::size_t kFewClasses = 10;
// Of the conditional objective: 1 tells about as many rows right, with less sound probabilities.
constexpr double kPull = 10;

// Of the rows with something observed; at least 1.
double mean_size(const Dataset& data) {
  double total = 0, rows = 0;
  for (std::size_t row = 0; row < data.rows; ++row) {
    const double m = data.observed(row);
    total += m;
    rows += m > 0 ? 1.0 : 0.0;
  }
  return rows > 0 ? std::max(1.0, total / rows) : 1.0;
}

}  // namespace

void Resolver::choose_label() {
  if (preset_ == nullptr) return;
  LabelOptions& label = out_.options.label;
  const bool as_paper = asked_for_model_ && preset_->label;
  if (!label.head) label.head = preset_->label ? LabelHead::softmax : LabelHead::none;
  if (!label.bound) label.bound = as_paper ? LabelBound::paper : LabelBound::lse;
  if (!label.objective) label.objective = LabelObjective::joint;
  if (label.head != LabelHead::softmax) {
    label = {};
    label.head = LabelHead::none;
    return;
  }
  if (!label.weight) label.weight = as_paper ? 1.0 : mean_size(data_);
  if (!label.pull) label.pull = kPull;
  const auto above = [](double value) { return value > 0 && std::isfinite(value); };
  if (!above(*label.weight) || !above(*label.pull))
    object("`label_weight`, `pull`", "must be numbers above 0", "leave them out");
  if (!(label.smoothing >= 0) || !std::isfinite(label.smoothing))
    object("`label_smoothing`", "must be 0 or more", "default 0.1");
  if (label.eta_start && !(*label.eta_start >= 0 && std::isfinite(*label.eta_start)))
    object("`eta_start`", "must be 0 or more", "0, 10, ... 100 as in the paper");
  if (out_.options.batch > 0)
    object("`batch`", "a label is not learnt from minibatches",
           "leave out `batch`, or set the label aside with `head=\"none\"`");
  check_classes();
}

void Resolver::check_classes() {
  const KeptColumn* column = data_.label();
  if (column == nullptr) {
    object(core::setting("model", out_.options.model),
           "learns a label, but the data has no label column",
           "name it with `label=\"COLUMN\"`, or use a model without one: mmnb, lda");
    return;
  }
  const auto known = [](std::int32_t code) { return code >= 0; };
  if (std::ranges::none_of(column->code, known)) {
    object("column \"" + column->name + "\"", "is the label, but it is missing in every row",
           "leave out `label`, or check the file and `na`");
    return;
  }
  std::vector<bool> present(column->levels.size(), false);
  for (const std::int32_t code : column->code) {
    if (known(code)) present[static_cast<std::size_t>(code)] = true;
  }
  if (std::ranges::count(present, true) < 2) {
    object("column \"" + column->name + "\"",
           "is the label, but all its rows are of one class: there is nothing to tell apart",
           "leave out `label`, or `head=\"none\"`");
    return;
  }
  const auto labelled = static_cast<std::size_t>(std::ranges::count_if(column->code, known));
  if (column->levels.size() * 2 > labelled && column->levels.size() > kFewClasses)
    object("column \"" + column->name + "\"",
           "is the label, but it has " + std::to_string(column->levels.size()) + " classes in " +
               std::to_string(labelled) + " rows: an id, not a class",
           "name the column of the class with `label`, and this one with `id`");
  out_.classes = column->levels.size();
}

}  // namespace medley::model
