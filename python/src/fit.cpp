// SPDX-License-Identifier: Apache-2.0
#include "medley/fit.hpp"

#include "bind.hpp"
#include "long_call.hpp"

namespace medley::python {
namespace {

Model fitted(const Data& data, const FitOptions& options, const Auto& choose,
             const std::optional<Model>& start, const nb::object& progress, bool keep) {
  return long_call(
      [set = data.set, options, choose, start](const Hooks& hooks) {
        if (start) return fit(*set, options, *start, hooks);
        return fit_choosing(*set, options, choose, hooks);
      },
      {progress, keep});
}

Model fitted_stream(const Stream& stream, const FitOptions& options, const nb::object& progress,
                    bool keep) {
  return long_call(
      [rows = stream.rows, options](const Hooks& hooks) { return fit(*rows, options, hooks); },
      {progress, keep});
}

Model updated(const Model& model, const Data& data, const UpdateOptions& options,
              const nb::object& progress) {
  return long_call([model, set = data.set,
                    options](const Hooks& hooks) { return update(model, *set, options, hooks); },
                   {progress});
}

Model updated_stream(const Model& model, const Stream& stream, const UpdateOptions& options,
                     const nb::object& progress) {
  return long_call([model, rows = stream.rows,
                    options](const Hooks& hooks) { return update(model, *rows, options, hooks); },
                   {progress});
}

}  // namespace

void bind_fit(nb::module_& module) {
  module.def("fit", &fitted, nb::arg("data"), nb::arg("options"), nb::arg("choose"),
             nb::arg("start").none(), nb::arg("progress").none(), nb::arg("keep_interrupted"));
  module.def("fit_stream", &fitted_stream, nb::arg("stream"), nb::arg("options"),
             nb::arg("progress").none(), nb::arg("keep_interrupted"));
  using U = UpdateOptions;
  nb::class_<U>(module, "UpdateOptions")
      .def(nb::init<>())
      .def_rw("batch", &U::batch)
      .def_rw("t0", &U::t0, nb::arg().none())
      .def_rw("kappa", &U::kappa, nb::arg().none())
      .def_rw("passes", &U::passes)
      .def_rw("seed", &U::seed, nb::arg().none())
      .def_rw("threads", &U::threads);
  module.def("update", &updated, nb::arg("model"), nb::arg("data"), nb::arg("options"),
             nb::arg("progress").none());
  module.def("update_stream", &updated_stream, nb::arg("model"), nb::arg("stream"),
             nb::arg("options"), nb::arg("progress").none());
}

}  // namespace medley::python
