// SPDX-License-Identifier: Apache-2.0
#include "medley/select.hpp"

#include "bind.hpp"
#include "long_call.hpp"

namespace medley::python {
namespace {

nb::dict candidate(const SelectionCandidate& c) {
  nb::dict out;
  out["k"] = c.components;
  out["smoothing"] = c.smoothing;
  out["file"] = c.file;
  out["inference"] = c.inference;
  out["parameters"] = c.parameters;
  out["restarts"] = c.restarts;
  out["again"] = c.again;
  out["similarity"] = c.similarity;
  out["converged"] = c.converged;
  out["penalised_bound"] = c.penalised_bound;
  out["smallest"] = c.smallest;
  nb::list scores;
  for (const SelectionScore& s : c.scores) {
    nb::dict score;
    score["criterion"] = s.criterion;
    score["basis"] = s.basis;
    score["estimator"] = s.estimator;
    score["value"] = s.value;
    score["error"] = s.error;
    score["behind"] = s.behind ? nb::object(nb::float_(*s.behind)) : nb::object(nb::none());
    score["behind_error"] = s.behind_error;
    score["usable"] = s.usable;
    scores.append(score);
  }
  out["scores"] = scores;
  return out;
}

}  // namespace

void bind_select(nb::module_& module) {
  using O = SelectOptions;
  nb::class_<O>(module, "SelectOptions")
      .def(nb::init<>())
      .def_rw("components", &O::components)
      .def_rw("smoothing", &O::smoothing)
      .def_rw("by", &O::by)
      .def_rw("fitting", &O::fitting)
      .def_rw("folds", &O::folds)
      .def_rw("fold_restarts", &O::fold_restarts)
      .def_rw("estimator", &O::estimator)
      .def_rw("cluster_smoothing", &O::cluster_smoothing)
      .def_rw("least_count", &O::least_count)
      .def_rw("folder", &O::folder)
      .def_rw("resume", &O::resume);
  using S = Selection;
  nb::class_<S>(module, "Selection")
      .def_prop_ro("candidates",
                   [](const S& s) {
                     nb::list out;
                     for (const SelectionCandidate& c : s.candidates) out.append(candidate(c));
                     return out;
                   })
      .def_prop_ro("verdicts",
                   [](const S& s) {
                     nb::list out;
                     for (const SelectionVerdict& v : s.verdicts) {
                       nb::dict verdict;
                       verdict["criterion"] = v.criterion;
                       verdict["basis"] = v.basis;
                       verdict["best"] = v.best;
                       verdict["modest"] = v.modest;
                       verdict["bound"] = v.bound;
                       verdict["usable"] = v.usable;
                       out.append(verdict);
                     }
                     return out;
                   })
      .def_ro("warnings", &S::warnings)
      .def_ro("advice", &S::advice)
      .def_ro("interrupted", &S::interrupted)
      .def("describe", [](const S& s) { return describe(s); })
      .def("to_json", [](const S& s) { return to_json(s); });
  module.def(
      "select",
      [](const Data& data, const SelectOptions& options, const nb::object& progress) {
        return long_call(
            [set = data.set, options](const Hooks& hooks) { return select(*set, options, hooks); },
            {progress});
      },
      nb::arg("data"), nb::arg("options"), nb::arg("progress").none());
}

}  // namespace medley::python
