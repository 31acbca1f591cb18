// SPDX-License-Identifier: Apache-2.0
#include "predict/class_posterior.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "core/parallel.hpp"
#include "core/task.hpp"
#include "kernels/lanes.hpp"
#include "math/logs.hpp"
#include "medley/error.hpp"
#include "medley/predict.hpp"
#include "model/exact_rows.hpp"

namespace medley::predict {
namespace {

constexpr std::size_t kClassRowChunk = 64;

bool is_mixed(const model::Parts& parts) {
  return parts.membership->entry().dirichlet;
}

// sum_k share_k P(h | k), in log space: P may be as small as exp(-600).
void mix_classes(const heads::Softmax& head, std::span<const double> share, std::span<double> out) {
  const std::size_t components = head.components();
  std::vector<double> terms(components);
  for (std::size_t h = 0; h < head.classes(); ++h) {
    for (std::size_t k = 0; k < components; ++k)
      terms[k] = std::log(share[k]) + head.log_probability()[h * components + k];
    out[h] = std::exp(math::log_sum_exp(terms));
  }
}

// softmax_h(eta zbar)
void plug_in(const heads::Softmax& head, std::span<const double> zbar, std::span<double> out) {
  head.log_classes(zbar, out);
  for (double& p : out) p = std::exp(p);
}

ClassRows sole_rows(const model::ModelOnData& on_data, const Dataset& data, std::size_t threads) {
  const heads::Softmax& head = *on_data.parts().head;
  const std::size_t components = head.components(), classes = head.classes();
  ClassRows out{std::vector<double>(data.rows * classes),
                std::vector<double>(data.rows * components)};
  SoleRows prepared(on_data);
  core::Stage stage("scoring rows", data.rows);
  core::parallel_for(
      (data.rows + kClassRowChunk - 1) / kClassRowChunk, core::thread_count(threads),
      [&](std::size_t chunk, std::size_t) {
        SoleRows rows = prepared;
        for (std::size_t i = chunk * kClassRowChunk;
             i < std::min(data.rows, (chunk + 1) * kClassRowChunk); ++i) {
          const auto share = std::span(out.share).subspan(i * components, components);
          rows.log_joint(data, i, share);
          math::softmax(share);
          mix_classes(head, share, std::span(out.probability).subspan(i * classes, classes));
        }
        stage.add(std::min(data.rows, (chunk + 1) * kClassRowChunk) - chunk * kClassRowChunk);
      });
  return out;
}

// f(n) = (softmax(eta n / m), n / m); a row without observations has the prior's mean as n / m.
ClassRows lattice_rows(const model::ModelOnData& on_data, const Dataset& data,
                       std::size_t threads) {
  const heads::Softmax& head = *on_data.parts().head;
  const std::size_t components = head.components(), classes = head.classes();
  const std::vector<double> prior = on_data.parts().membership->prior_moments().mean;
  const std::size_t width = classes + components;
  const std::vector<double> expected = model::expect_of_counts(
      on_data.estep(), data, threads, width,
      [&](std::span<const std::uint16_t> n, std::size_t m, std::span<double> value) {
        const auto zbar = value.subspan(classes);
        for (std::size_t k = 0; k < components; ++k)
          zbar[k] = m == 0 ? prior[k] : static_cast<double>(n[k]) / static_cast<double>(m);
        plug_in(head, zbar, value.first(classes));
      });
  ClassRows out;
  for (std::size_t i = 0; i < data.rows; ++i) {
    const auto row = std::span(expected).subspan(i * width, width);
    const auto p = row.first(classes), zbar = row.subspan(classes);
    out.probability.insert(out.probability.end(), p.begin(), p.end());
    out.share.insert(out.share.end(), zbar.begin(), zbar.end());
  }
  return out;
}

ClassRows plug_in_rows(const model::ModelOnData& on_data, const Dataset& data,
                       std::size_t threads) {
  const model::Parts& parts = on_data.parts();
  const std::size_t components = parts.components(), classes = parts.head->classes();
  const std::vector<double> prior = parts.membership->prior_moments().mean;
  const auto alpha = parts.membership->parameters();
  ClassRows out{std::vector<double>(data.rows * classes), {}};
  out.share = model::score_rows(on_data.standard(), data, threads, model::Keep::shares_and_states)
                  .state;  // gamma
  for (std::size_t i = 0; i < data.rows; ++i) {
    const auto zbar = std::span(out.share).subspan(i * components, components);
    const double m = data.observed(i);
    for (std::size_t k = 0; k < components; ++k)
      zbar[k] = m > 0 ? (zbar[k] - alpha[k]) / m : prior[k];
    plug_in(*parts.head, zbar, std::span(out.probability).subspan(i * classes, classes));
  }
  return out;
}

}  // namespace

ClassForm class_form(const model::ModelOnData& on_data, const Dataset& data) {
  const model::Parts& parts = on_data.parts();
  if (parts.head == nullptr) {
    throw InputError({"model", "was fitted without a label, so it knows no classes",
                      "fit it with `label=\"COLUMN\"`"});
  }
  if (!is_mixed(parts)) return ClassForm::single;
  const bool fast = on_data.rows().pooling == memberships::Pooling::average;
  if (fast || parts.options.label.objective == LabelObjective::conditional) return ClassForm::sole;
  return model::exact_cost(data, parts.components()).affordable(model::kQuickSteps)
             ? ClassForm::lattice
             : ClassForm::plug_in;
}

const char* method_name(ClassForm form) {
  switch (form) {
    case ClassForm::sole:
      return "sole membership";
    case ClassForm::plug_in:
      return "plug-in";
    case ClassForm::single:
    case ClassForm::lattice:
      break;
  }
  return "exact";
}

SoleRows::SoleRows(const model::ModelOnData& on_data)
    : parts_(on_data.parts()), total_(kernels::padded(parts_.components())) {
  parts_.prepare_log_rows();
}

void SoleRows::log_prior(double m, std::span<double> out) const {
  parts_.membership->one_component_log_prior(m, out);
}

void SoleRows::log_joint(const Dataset& data, std::size_t row, std::span<double> out) {
  std::ranges::fill(total_, 0.0);
  for (std::size_t b = 0; b < data.blocks.size(); ++b)
    parts_.blocks[b].family->add_log_rows(data.blocks[b], row, total_.data());
  log_prior(data.observed(row), out);
  const bool possible = std::any_of(total_.begin(), total_.begin() + std::ssize(out),
                                    [](double value) { return std::isfinite(value); });
  if (!possible) return;  // under no component: then its cells tell nothing
  for (std::size_t k = 0; k < out.size(); ++k) out[k] += total_[k];
}

ClassRows class_rows(const model::ModelOnData& on_data, const Dataset& data, ClassForm form,
                     std::size_t threads) {
  switch (form) {
    case ClassForm::lattice:
      return lattice_rows(on_data, data, threads);
    case ClassForm::plug_in:
      return plug_in_rows(on_data, data, threads);
    case ClassForm::single:
    case ClassForm::sole:
      break;
  }
  return sole_rows(on_data, data, threads);
}

std::vector<double> overall_classes(const model::ModelOnData& on_data, ClassForm form) {
  const heads::Softmax& head = *on_data.parts().head;
  const std::vector<double> prior = on_data.parts().membership->prior_moments().mean;
  std::vector<double> out(head.classes());
  const bool mixed = form == ClassForm::lattice || form == ClassForm::plug_in;
  mixed ? plug_in(head, prior, out) : mix_classes(head, prior, out);
  return out;
}

}  // namespace medley::predict

namespace medley {

// The probability of every class for every row, in the form that suits model and rows
// (predict/class_posterior.hpp).

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
