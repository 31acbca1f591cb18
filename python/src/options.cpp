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
      .def_rw("id", &R::id)
      .def_rw("label", &R::label)
      .def_rw("weight", &R::weight)
      .def_rw("ignore", &R::ignore)
      .def_rw("keep", &R::keep)
      .def_rw("na", &R::na)
      .def_rw("encoding", &R::encoding)
      .def_rw("missing_as_category", &R::missing_as_category)
      .def_rw("frequency_weights", &R::frequency_weights)
      .def_rw("split", &R::split)
      .def_rw("standardise", &R::standardise)
      .def_rw("block_weight", &R::block_weight)
      .def_rw("pool_levels", &R::pool_levels)
      .def_rw("vocabulary", &R::vocabulary)
      .def_rw("memory_limit", &R::memory_limit)
      .def_rw("row_ids", &R::row_ids)
      .def("add_tie",
           [](R& o, const std::string& name, const std::vector<std::string>& columns) {
             o.ties.push_back({name, columns});
           })
      .def_prop_rw(
          "fold_case", [](const R& o) { return o.words.rules.fold_case; },
          [](R& o, bool value) { o.words.rules.fold_case = value; })
      .def_prop_rw(
          "stem", [](const R& o) { return o.words.rules.stem; },
          [](R& o, const std::string& value) { o.words.rules.stem = value; })
      .def_prop_rw(
          "stop_words", [](const R& o) { return o.words.stop_words; },
          [](R& o, const std::vector<std::string>& value) { o.words.stop_words = value; })
      .def_prop_rw(
          "min_count", [](const R& o) { return o.words.min_count; },
          [](R& o, std::size_t value) { o.words.min_count = value; })
      .def_prop_rw(
          "max_share", [](const R& o) { return o.words.max_share; },
          [](R& o, std::optional<double> value) { o.words.max_share = value; }, nb::arg().none())
      .def_prop_rw(
          "most_words", [](const R& o) { return o.words.most_words; },
          [](R& o, std::size_t value) { o.words.most_words = value; })
      .def_prop_rw(
          "recognise_language", [](const R& o) { return o.words.recognise_language; },
          [](R& o, bool value) { o.words.recognise_language = value; });
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
