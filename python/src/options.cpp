// SPDX-License-Identifier: Apache-2.0
// How to read and what to fit, set option by option; the names of fit options are those of the
// option table.
#include "medley/options.hpp"

#include <nanobind/stl/map.h>

#include "bind.hpp"
#include "medley/fit.hpp"
#include "medley/io.hpp"

namespace medley::python {
namespace {

void bind_read_options(nb::module_& module) {
  using R = ReadOptions;
  nb::class_<R>(module, "ReadOptions")
      .def(nb::init<>())
      .def("copy", [](const R& o) { return R(o); })
      .def("set_schema", [](R& o, const Schema& schema) { o.schema = schema; })
      .def("set", [](R& o, const std::string& name,
                     const std::string& value) { set_option(o, name, value); })
      .def_rw("family", &R::family)
      .def_rw("ignore", &R::ignore)
      .def_rw("keep", &R::keep)
      .def_rw("na", &R::na)
      .def_rw("vocabulary", &R::vocabulary)
      .def("add_tie", [](R& o, const std::string& name, const std::vector<std::string>& columns) {
        o.ties.push_back({name, columns});
      });
}

}  // namespace

void bind_options(nb::module_& module) {
  bind_read_options(module);
  nb::class_<OptionField>(module, "OptionField")
      .def_prop_ro("name", [](const OptionField& f) { return std::string(f.name); })
      .def_prop_ro("group", [](const OptionField& f) { return std::string(f.group); })
      .def_prop_ro("type", [](const OptionField& f) { return std::string(f.type); })
      .def_prop_ro("default_text", [](const OptionField& f) { return std::string(f.default_text); })
      .def_prop_ro("help", [](const OptionField& f) { return std::string(f.help); })
      .def_prop_ro("range", [](const OptionField& f) { return std::string(f.range); });
  module.def("fit_option_fields", [] {
    const auto fields = fit_option_fields();
    return std::vector<OptionField>(fields.begin(), fields.end());
  });
  module.def("read_option_fields", [] {
    const auto fields = read_option_fields();
    return std::vector<OptionField>(fields.begin(), fields.end());
  });
  nb::class_<FitOptions>(module, "FitOptions")
      .def(nb::init<>())
      .def("copy", [](const FitOptions& o) { return FitOptions(o); })
      .def("set", [](FitOptions& o, const std::string& name,
                     const std::string& value) { set_option(o, name, value); })
      .def("get", [](const FitOptions& o, const std::string& name) { return get_option(o, name); });
  nb::class_<Auto>(module, "Auto")
      .def(nb::init<>())
      .def_rw("components", &Auto::components)
      .def_rw("weight", &Auto::weight)
      .def_rw("eta_start", &Auto::eta_start)
      .def_rw("pull", &Auto::pull)
      .def_rw("folds", &Auto::folds);
}

}  // namespace medley::python
