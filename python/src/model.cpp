// SPDX-License-Identifier: Apache-2.0
#include "medley/model.hpp"

#include <algorithm>
#include <filesystem>

#include "bind.hpp"
#include "long_call.hpp"
#include "medley/evaluate.hpp"
#include "medley/predict.hpp"
#include "medley/report.hpp"
#include "medley/uncertainty.hpp"

namespace medley::python {
namespace {

void bind_summary(nb::module_& module) {
  using S = FitSummary;
  nb::class_<S>(module, "FitSummary")
      .def_prop_ro("termination", [](const S& s) { return in_words(s.termination); })
      .def_prop_ro("converged",
                   [](const S& s) {
                     return s.termination == Termination::converged ||
                            s.termination == Termination::passes_done ||
                            s.termination == Termination::sampled;
                   })
      .def_ro("iterations", &S::iterations)
      .def_ro("best_restart", &S::best_restart)
      .def_ro("penalised_bound", &S::penalised_bound)
      .def_ro("bound", &S::bound)
      .def_ro("bound_error", &S::bound_error)
      .def_ro("exact", &S::exact)
      .def_ro("leave_one_out", &S::leave_one_out)
      .def_ro("log_likelihood", &S::log_likelihood)
      .def_ro("log_likelihood_error", &S::log_likelihood_error)
      .def_ro("why_inference", &S::why_inference)
      .def_ro("rows", &S::rows)
      .def_ro("empty_rows", &S::empty_rows)
      .def_ro("observations", &S::observations)
      .def_ro("steps", &S::steps)
      .def_ro("smoothing", &S::smoothing)
      .def_ro("warnings", &S::warnings)
      .def_ro("seconds", &S::seconds)
      .def_ro("peak_bytes", &S::peak_bytes)
      .def_prop_ro("traces",
                   [](const S& s) {
                     std::vector<std::vector<double>> out;
                     for (const RestartTrace& trace : s.restarts) out.push_back(trace.bound);
                     return out;
                   })
      .def("describe", [](const S& s) { return describe(s); });
}

nb::dict comparison_dict(const Comparison& found, const Model& a, const Model& b) {
  nb::dict out;
  nb::list pairs;
  for (const ComparedPair& pair : found.pairs) {
    nb::dict one;
    one["a"] = pair.a;
    one["b"] = pair.b;
    one["distance"] = pair.distance;
    nb::list largest;
    for (const ComparedFeature& f : pair.largest)
      largest.append(nb::make_tuple(f.feature, f.level, f.a, f.b, f.distance));
    one["largest"] = largest;
    pairs.append(one);
  }
  out["pairs"] = pairs;
  out["only_a"] = found.only_a;
  out["only_b"] = found.only_b;
  out["distance"] = found.distance;
  out["features"] = found.features;
  out["left_out"] = found.left_out;
  out["text"] = describe(found, a, b);
  return out;
}

nb::dict compared(const Model& a, const Model& b, std::size_t top) {
  return comparison_dict(compare(a, b, top), a, b);
}

/// The same, and how far they agree on rows, each read by the schema of its model.
nb::dict compared_on(const Model& a, const Model& b, std::size_t top, const Data& data_a,
                     const Data& data_b, std::size_t threads) {
  const auto [found, agreement] =
      long_call([a, b, top, set_a = data_a.set, set_b = data_b.set, threads](const Hooks& hooks) {
        Comparison comparison = compare(a, b, top);
        MembershipAgreement agree = membership_agreement(
            comparison, transform(a, *set_a, threads, hooks), transform(b, *set_b, threads, hooks));
        return std::pair(std::move(comparison), std::move(agree));
      });
  nb::dict out = comparison_dict(found, a, b);
  out["overlap"] = agreement.overlap;
  out["same_top"] = agreement.same_top;
  out["correlation"] = agreement.correlation;
  out["text"] = nb::cast<std::string>(out["text"]) + "\n" + describe(agreement, found, a, b);
  return out;
}

/// A table as an array that shares the model's memory and nobody may write; rows are padded.
using TableArray = nb::ndarray<nb::numpy, const double, nb::ndim<2>>;
TableArray table_array(const Model& model, const TableView& view) {
  auto* kept = new Model(model);
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Model*>(p); });
  const std::size_t shape[] = {view.rows, view.components};
  const std::int64_t strides[] = {static_cast<std::int64_t>(view.stride), 1};
  return TableArray(view.data, 2, shape, owner, strides);
}

void check_block(const Model& model, std::size_t block) {
  if (block >= model.blocks().size()) throw nb::index_error("there is no such block");
}

nb::list block_list(const Model& model) {
  constexpr const char* kEncodings[] = {"levels", "tokens", "real"};
  nb::list out;
  for (const Block* block : model.blocks()) {
    nb::dict one;
    one["name"] = block->name;
    one["family"] = block->family;
    one["encoding"] = kEncodings[static_cast<int>(block->encoding)];
    nb::list features;
    for (const Feature& f : block->features) features.append(nb::make_tuple(f.name, f.levels));
    one["features"] = features;
    out.append(one);
  }
  return out;
}

std::string inspected(const Model& model, const std::string& format, std::size_t top,
                      std::size_t width) {
  InspectOptions options;
  options.format = format == "csv"     ? TextFormat::csv
                   : format == "md"    ? TextFormat::md
                   : format == "latex" ? TextFormat::latex
                                       : TextFormat::text;
  options.top = top;
  options.width = width;
  return inspect(model, options);
}

}  // namespace

void bind_model(nb::module_& module) {
  bind_summary(module);
  nb::class_<Model>(module, "Model")
      .def_static("load",
                  [](const std::string& path) {
                    return long_call([path](const Hooks&) { return Model::load(path); });
                  })
      .def_static("from_bytes",
                  [](const nb::bytes& bytes) {
                    std::string text(bytes.c_str(), bytes.size());
                    return long_call(
                        [text = std::move(text)](const Hooks&) { return Model::from_bytes(text); });
                  })
      .def("to_bytes",
           [](const Model& model) {
             const std::string bytes =
                 long_call([model](const Hooks&) { return model.to_bytes(); });
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def("save",
           [](const Model& model, const std::string& path) {
             long_call([model, path](const Hooks&) {
               model.save(path);
               return true;
             });
           })
      .def_prop_ro("components", &Model::components)
      .def_prop_ro("schema", [](const Model& m) { return m.schema(); })
      .def_prop_ro("summary", [](const Model& m) { return m.summary(); })
      .def_prop_ro("preset", &Model::preset)
      .def_prop_ro("membership", &Model::membership)
      .def_prop_ro("inference", &Model::inference)
      .def_prop_ro(
          "prior", [](const Model& m) { return array(m.prior()); }, nb::rv_policy::move)
      .def_prop_ro("prior_name", &Model::prior_name)
      .def_prop_ro(
          "sizes", [](const Model& m) { return array(m.sizes()); }, nb::rv_policy::move)
      .def_prop_ro("names", [](const Model& m) { return m.names(); })
      .def_prop_ro("titles",
                   [](const Model& m) {
                     std::vector<std::string> out;
                     for (std::size_t k = 0; k < m.components(); ++k) out.push_back(m.title(k));
                     return out;
                   })
      .def("renamed", &Model::renamed)
      .def("named_by", [](const Model& m, const std::string& toml,
                          const std::string& file) { return named_by(m, toml, file); })
      .def("export_json",
           [](const Model& m) { return long_call([m](const Hooks&) { return m.export_json(); }); })
      .def_prop_ro("predicts_classes", [](const Model& m) { return predicts_classes(m); })
      .def_prop_ro("chains", [](const Model& m) { return chains_of(m); })
      .def("draws_csv", [](const Model& m, std::size_t chain) { return draws_csv(m, chain); })
      .def("blocks", &block_list)
      .def("table",
           [](const Model& m, std::size_t block) {
             check_block(m, block);
             return table_array(m, m.table(block));
           })
      .def("marginal",
           [](const Model& m, std::size_t block) {
             check_block(m, block);
             return table_array(m, m.marginal(block));
           })
      .def("totals",
           [](const Model& m, std::size_t block) {
             check_block(m, block);
             const auto totals = m.totals(block);
             return array(std::vector<double>(totals.begin(), totals.end()));
           })
      .def("inspect", &inspected, nb::arg("format"), nb::arg("top") = 0, nb::arg("width") = 100);
  module.def("compare", &compared);
  module.def("compare_on", &compared_on);
}

}  // namespace medley::python
