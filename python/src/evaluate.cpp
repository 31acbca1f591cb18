// SPDX-License-Identifier: Apache-2.0
#include "medley/evaluate.hpp"

#include <cmath>

#include "bind.hpp"
#include "long_call.hpp"
#include "medley/report.hpp"

namespace medley::python {
namespace {

Match match_called(const std::string& name) {
  if (name == "identity") return Match::identity;
  if (name == "hungarian") return Match::hungarian;
  return Match::majority;
}

nb::dict per_row(const Evaluation& e) {
  const std::size_t n = e.row.size();
  std::vector<double> observations(n), likelihood(n), error(n), baseline(n), entropy(n), share(n);
  std::vector<std::int64_t> top(n);
  for (std::size_t i = 0; i < n; ++i) {
    const RowScore& row = e.row[i];
    observations[i] = row.observations;
    likelihood[i] = row.log_likelihood;
    error[i] = row.sampling_error;
    baseline[i] = row.baseline;
    entropy[i] = row.entropy;
    top[i] = static_cast<std::int64_t>(row.top);
    share[i] = row.top_share;
  }
  nb::dict out;
  out["observations"] = array(std::move(observations));
  out["log_likelihood"] = array(std::move(likelihood));
  out["sampling_error"] = array(std::move(error));
  out["baseline"] = array(std::move(baseline));
  out["entropy"] = array(std::move(entropy));
  out["top"] = array(std::move(top));
  out["top_share"] = array(std::move(share));
  return out;
}

void bind_scores(nb::module_& module) {
  using T = TruthScores;
  nb::class_<T>(module, "TruthScores")
      .def_ro("column", &T::column)
      .def_ro("rows", &T::rows)
      .def_ro("micro_precision", &T::micro_precision)
      .def_ro("mutual_information", &T::mutual_information)
      .def_ro("nmi", &T::nmi)
      .def_ro("accuracy", &T::accuracy);
  using L = LabelScores;
  nb::class_<L>(module, "LabelScores")
      .def_ro("column", &L::column)
      .def_ro("classes", &L::classes)
      .def_ro("method", &L::method)
      .def_ro("rows", &L::rows)
      .def_ro("accuracy", &L::accuracy)
      .def_ro("accuracy_error", &L::accuracy_error)
      .def_ro("log_loss", &L::log_loss)
      .def_ro("log_loss_error", &L::log_loss_error)
      .def_ro("brier", &L::brier)
      .def_ro("macro_f1", &L::macro_f1)
      .def_ro("baseline_accuracy", &L::baseline_accuracy)
      .def_ro("baseline_log_loss", &L::baseline_log_loss)
      .def_ro("calibration_error", &L::calibration_error)
      .def_prop_ro(
          "confusion",
          [](const L& l) {
            return array<double, 2>(l.confusion, {l.classes.size() + 1, l.classes.size()});
          },
          nb::rv_policy::move);
  using B = BlockScore;
  nb::class_<B>(module, "BlockScore")
      .def_ro("block", &B::block)
      .def_ro("observations", &B::observations)
      .def_ro("log_likelihood", &B::log_likelihood)
      .def_ro("baseline", &B::baseline)
      .def_ro("above_baseline", &B::above_baseline)
      .def_ro("above_error", &B::above_error);
}

}  // namespace

void bind_evaluate(nb::module_& module) {
  bind_scores(module);
  using E = Evaluation;
  nb::class_<E>(module, "Evaluation")
      .def_prop_ro("estimator", [](const E& e) { return to_string(e.estimator); })
      .def_ro("reason", &E::reason)
      .def_ro("tempered", &E::tempered)
      .def_ro("rows", &E::rows)
      .def_ro("empty_rows", &E::empty_rows)
      .def_ro("observations", &E::observations)
      .def_ro("log_likelihood", &E::log_likelihood)
      .def_ro("standard_error", &E::standard_error)
      .def_ro("sampling_error", &E::sampling_error)
      .def_ro("baseline", &E::baseline)
      .def_ro("above_baseline", &E::above_baseline)
      .def_ro("above_error", &E::above_error)
      .def_ro("perplexity", &E::perplexity)
      .def_ro("log_row_perplexity", &E::log_row_perplexity)
      .def_ro("mean_entropy", &E::mean_entropy)
      .def_ro("poorly_drawn", &E::poorly_drawn)
      .def_ro("block", &E::block)
      .def_ro("truth", &E::truth)
      .def_ro("label", &E::label)
      .def_ro("label_note", &E::label_note)
      .def("per_row", &per_row)
      .def("describe", [](const E& e) { return describe(e); });
  using O = EvaluateOptions;
  nb::class_<O>(module, "EvaluateOptions")
      .def(nb::init<>())
      .def_rw("estimator", &O::estimator)
      .def_rw("samples", &O::samples)
      .def_rw("each_block", &O::each_block)
      .def_rw("threefold", &O::threefold)
      .def_rw("seed", &O::seed)
      .def_rw("truth", &O::truth)
      .def_rw("threads", &O::threads)
      .def("set_match", [](O& o, const std::string& name) { o.match = match_called(name); });
  module.def("evaluate", [](const Model& model, const Data& data, const EvaluateOptions& options) {
    return long_call([model, set = data.set, options](const Hooks& hooks) {
      return evaluate(model, *set, options, hooks);
    });
  });
  // Shares rows x K, and a note.
  module.def("transform", [](const Model& model, const Data& data, std::size_t threads) {
    Memberships found = long_call([model, set = data.set, threads](const Hooks& hooks) {
      return transform(model, *set, threads, hooks);
    });
    const std::size_t rows = found.rows(), k = found.components;
    return std::pair(array<double, 2>(std::move(found.share), {rows, k}), found.note);
  });
}

}  // namespace medley::python
