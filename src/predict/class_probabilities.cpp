// SPDX-License-Identifier: Apache-2.0
// The probability of every class for every row, in the form that suits model and rows
// (predict/class_forms.hpp).
#include <algorithm>

#include "core/task.hpp"

#include "medley/predict.hpp"
#include "predict/class_forms.hpp"

namespace medley {

std::size_t ClassProbabilities::top(std::size_t i) const {
  const auto p = row(i);
  return static_cast<std::size_t>(std::ranges::max_element(p) - p.begin());
}

bool predicts_classes(const Model& model) {
  return model.parts().head != nullptr;
}

ClassProbabilities predict_classes(const Model& model, const Dataset& data, std::size_t threads,
                                   const Hooks& hooks) {
  const core::Task task(hooks);
  const model::ModelOnData on_data(model, data);
  const predict::ClassForm form = predict::class_form(on_data, data);
  ClassProbabilities out;
  const ColumnSpec* label = model.schema().label();
  if (label != nullptr) {
    out.column = label->name;
    out.classes = label->levels;
  }
  out.method = predict::method_name(form);
  out.probability = predict::class_rows(on_data, data, form, threads).probability;
  return out;
}

}  // namespace medley
