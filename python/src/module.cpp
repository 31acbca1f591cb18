// SPDX-License-Identifier: Apache-2.0
// medley._core: the public headers in Python. The package's Python files make it pleasant; nothing
// here is meant to be called by users.
#include "bind.hpp"
#include "medley/options.hpp"

NB_MODULE(_core, module) {
  using namespace medley::python;
  module.doc() =
      "The C++ core of medley. Use the package `medley`; this module may change at any time.";
  module.def("version", [] { return medley::version(); });
  bind_errors(module);
  bind_long_calls(module);
  bind_options(module);
  bind_sources(module);
  bind_dataset(module);
  bind_stream(module);
  bind_model(module);
  bind_catalogue(module);
  bind_evaluate(module);
  bind_fit(module);
  bind_predict(module);
  bind_classify(module);
  bind_cross_validate(module);
  bind_select(module);
  bind_quality(module);
  bind_similar(module);
  bind_simulate(module);
  bind_uncertainty(module);
  bind_report(module);
}
