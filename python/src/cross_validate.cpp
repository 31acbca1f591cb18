// SPDX-License-Identifier: Apache-2.0
#include "medley/evaluate.hpp"

#include <cmath>

#include "bind.hpp"
#include "long_call.hpp"
#include "medley/io.hpp"
#include "medley/report.hpp"

namespace medley::python {
namespace {

nb::dict side(const FoldSide& s) {
  nb::dict out;
  out["rows"] = s.rows;
  out["unseen"] = s.unseen;
  out["observations"] = s.observations;
  out["perplexity"] = s.perplexity;
  out["log_row_perplexity"] = s.log_row_perplexity;
  out["log_likelihood"] = s.log_likelihood;
  out["above_baseline"] = s.above_baseline;
  out["mean_entropy"] = s.mean_entropy;
  for (const TruthScores& t : s.truth) {
    out[("nmi_" + t.column).c_str()] = t.nmi;
    out[("accuracy_" + t.column).c_str()] = t.accuracy;
  }
  if (s.label) {
    out["label_accuracy"] = s.label->accuracy;
    out["label_log_loss"] = s.label->log_loss;
    out["label_brier"] = s.label->brier;
    out["label_macro_f1"] = s.label->macro_f1;
  }
  return out;
}

nb::dict rows_dict(const CrossValidation& v) {
  const std::size_t n = v.row.size();
  std::vector<std::int64_t> fold(n), top(n);
  std::vector<double> observations(n), likelihood(n), baseline(n), entropy(n);
  const std::size_t classes = n == 0 ? 0 : v.row.front().probability.size();
  std::vector<double> probability(n * classes);
  for (std::size_t i = 0; i < n; ++i) {
    const HeldOutRow& row = v.row[i];
    fold[i] = static_cast<std::int64_t>(row.fold + 1);
    observations[i] = row.score.observations;
    likelihood[i] = row.score.log_likelihood;
    baseline[i] = row.score.baseline;
    entropy[i] = row.score.entropy;
    top[i] = static_cast<std::int64_t>(row.score.top);
    for (std::size_t c = 0; c < classes; ++c) probability[i * classes + c] = row.probability[c];
  }
  nb::dict out;
  out["fold"] = array(std::move(fold));
  out["observations"] = array(std::move(observations));
  out["log_likelihood"] = array(std::move(likelihood));
  out["baseline"] = array(std::move(baseline));
  out["entropy"] = array(std::move(entropy));
  out["top"] = array(std::move(top));
  out["probability"] = array<double, 2>(std::move(probability), {n, classes});
  return out;
}

}  // namespace

void bind_cross_validate(nb::module_& module) {
  using V = CrossValidation;
  nb::class_<V>(module, "CrossValidation")
      .def_ro("rows", &V::rows)
      .def_ro("stratified", &V::stratified)
      .def_ro("not_converged", &V::not_converged)
      .def_ro("interrupted", &V::interrupted)
      .def_prop_ro(
          "folds",
          [](const V& v) {
            nb::list out;
            for (const Fold& fold : v.folds)
              out.append(nb::make_tuple(side(fold.train), side(fold.test), fold.converged));
            return out;
          })
      .def("per_row", &rows_dict)
      .def("describe", [](const V& v) { return describe(v); });
  module.def(
      "cross_validate",
      [](const Data& data, const FitOptions& fitting, const EvaluateOptions& scoring,
         const ReadOptions& reading, std::size_t folds, bool two_step, bool stratified,
         bool each_row, const nb::object& progress) {
        CrossValidateOptions options;
        options.folds = folds;
        options.scoring = scoring;
        options.words = reading.words;
        options.two_step = two_step;
        options.stratified = stratified;
        options.each_row = each_row;
        return long_call(
            [set = data.set, fitting, options](const Hooks& hooks) {
              return cross_validate(*set, fitting, options, hooks);
            },
            {progress});
      },
      nb::arg("data"), nb::arg("options"), nb::arg("scoring"), nb::arg("reading"), nb::arg("folds"),
      nb::arg("two_step"), nb::arg("stratified"), nb::arg("each_row"), nb::arg("progress").none());
  module.def("unselected", [](const ReadOptions& reading) {
    ReadOptions out = reading;
    out.words = reading.words.unselected();
    return out;
  });
}

}  // namespace medley::python
