// SPDX-License-Identifier: Apache-2.0
#include "medley/uncertainty.hpp"

#include "bind.hpp"
#include "long_call.hpp"

namespace medley::python {
namespace {

nb::tuple interval(const IntervalEstimate& e) {
  return nb::make_tuple(e.value, e.standard_error, e.low, e.high);
}

nb::dict group_dict(const GroupMean& group) {
  nb::dict out;
  out["group"] = group.group;
  out["rows"] = group.rows;
  out["weight"] = group.weight;
  nb::list mean, difference;
  for (const IntervalEstimate& e : group.mean) mean.append(interval(e));
  for (const IntervalEstimate& e : group.difference) difference.append(interval(e));
  out["mean"] = mean;
  out["difference"] = difference;
  out["posterior_error"] = group.posterior_error;
  return out;
}

nb::dict means_dict(const GroupMeans& means, const Model& model) {
  nb::dict out;
  out["by"] = means.by;
  out["level"] = means.level;
  out["all"] = group_dict(means.all);
  nb::list groups;
  for (const GroupMean& group : means.groups) groups.append(group_dict(group));
  out["groups"] = groups;
  out["missing_rows"] = means.missing_rows;
  out["empty_rows"] = means.empty_rows;
  out["reliability"] = means.reliability;
  out["text"] = describe(means, model);
  return out;
}

}  // namespace

void bind_uncertainty(nb::module_& module) {
  // Low and high, rows x K; how they were found; the draws that the worst row is worth.
  module.def("membership_intervals", [](const Model& model, const Data& data, double level,
                                        std::size_t threads, std::uint64_t seed) {
    MembershipIntervals found =
        long_call([model, set = data.set, level, threads, seed](const Hooks& hooks) {
          return membership_intervals(model, *set, level, threads, seed, hooks);
        });
    const std::size_t k = found.components, rows = k == 0 ? 0 : found.low.size() / k;
    return std::tuple(array<double, 2>(std::move(found.low), {rows, k}),
                      array<double, 2>(std::move(found.high), {rows, k}),
                      to_string(found.estimator), found.effective_draws);
  });
  module.def("group_means", [](const Model& model, const Data& data, const std::string& by,
                               const std::string& strata, const std::string& cluster, double level,
                               std::size_t threads) {
    const GroupOptions options{by, strata, cluster, level, threads};
    const GroupMeans found = long_call([model, set = data.set, options](const Hooks& hooks) {
      return group_means(model, *set, options, hooks);
    });
    return means_dict(found, model);
  });
  using O = BootstrapOptions;
  nb::class_<O>(module, "BootstrapOptions")
      .def(nb::init<>())
      .def_rw("replicates", &O::replicates)
      .def_rw("level", &O::level)
      .def_rw("strata", &O::strata)
      .def_rw("cluster", &O::cluster)
      .def_rw("by", &O::by)
      .def_rw("seed", &O::seed)
      .def_rw("threads", &O::threads);
  using B = Bootstrap;
  nb::class_<B>(module, "Bootstrap")
      .def_ro("level", &B::level)
      .def_ro("replicates", &B::replicates)
      .def_ro("not_converged", &B::not_converged)
      .def_ro("ambiguous", &B::ambiguous)
      .def_ro("drift", &B::drift)
      .def_ro("interrupted", &B::interrupted)
      .def("estimates",
           [](const B& b, const Model& model) {
             nb::list out;
             for (const BootstrapEstimate& e : b.estimates)
               out.append(nb::make_tuple(
                   e.component, name_of(e.quantity, model), e.block, e.feature, e.level,
                   e.estimate.value, e.estimate.standard_error, e.estimate.low, e.estimate.high));
             return out;
           })
      .def("describe", [](const B& b, const Model& model) { return describe(b, model); });
  module.def(
      "bootstrap",
      [](const Model& model, const Data& data, const BootstrapOptions& options,
         const nb::object& progress) {
        return long_call([model, set = data.set, options](
                             const Hooks& hooks) { return bootstrap(model, *set, options, hooks); },
                         {progress});
      },
      nb::arg("model"), nb::arg("data"), nb::arg("options"), nb::arg("progress").none());
}

}  // namespace medley::python
