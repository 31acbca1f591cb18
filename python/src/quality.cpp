// SPDX-License-Identifier: Apache-2.0
#include "medley/evaluate.hpp"

#include "bind.hpp"
#include "long_call.hpp"
#include "medley/report.hpp"
#include "medley/uncertainty.hpp"

namespace medley::python {
namespace {

nb::dict quality_dict(const Quality& q, const Model& model) {
  nb::dict out;
  out["rows"] = q.rows;
  out["effective_profiles"] = q.effective_profiles;
  out["profiles_per_row"] = q.profiles_per_row;
  nb::list profiles, copies, topics;
  for (const ProfileScores& p : q.profile) {
    nb::dict one;
    one["size"] = p.size;
    one["top_of_rows"] = p.top_of_rows;
    one["nearest"] = p.nearest;
    one["distance"] = p.distance;
    profiles.append(one);
  }
  for (const NearCopies& c : q.copies)
    copies.append(nb::make_tuple(c.a, c.b, c.distance, c.overlap));
  for (const TopicTable& table : q.topics) {
    nb::list scores;
    for (const TopicScores& t : table.topic) {
      nb::dict one;
      one["words"] = t.words;
      one["umass"] = t.umass;
      one["npmi"] = t.npmi;
      one["exclusivity"] = t.exclusivity;
      scores.append(one);
    }
    nb::dict one;
    one["block"] = table.block;
    one["umass"] = table.umass;
    one["npmi"] = table.npmi;
    one["exclusivity"] = table.exclusivity;
    one["diversity"] = table.diversity;
    one["topics"] = scores;
    topics.append(one);
  }
  out["profiles"] = profiles;
  out["copies"] = copies;
  out["topics"] = topics;
  out["text"] = describe(q, model);
  return out;
}

nb::dict quantity_dict(const ChainQuantity& q) {
  nb::dict out;
  out["name"] = q.name;
  out["mean"] = q.mean;
  out["sd"] = q.sd;
  out["low"] = q.low;
  out["high"] = q.high;
  out["rhat"] = q.rhat;
  out["ess_bulk"] = q.ess_bulk;
  out["ess_tail"] = q.ess_tail;
  out["mcse"] = q.mcse;
  return out;
}

template <class Range>
nb::list quantity_list(const Range& quantities) {
  nb::list out;
  for (const ChainQuantity& q : quantities) out.append(quantity_dict(q));
  return out;
}

std::vector<std::string> texts_of(const std::vector<Finding>& findings) {
  std::vector<std::string> texts;
  for (const Finding& finding : findings) texts.push_back(finding.text);
  return texts;
}

}  // namespace

void bind_quality(nb::module_& module) {
  module.def(
      "quality", [](const Model& model, const Data& data, std::size_t top, std::size_t threads) {
        const Quality found = long_call([model, set = data.set, top, threads](const Hooks& hooks) {
          return quality(model, *set, {top, threads}, hooks);
        });
        return quality_dict(found, model);
      });
  module.def("absolute_fit", [](const Model& model, const Data& data, std::uint64_t seed,
                                std::size_t threads) {
    AbsoluteFitOptions options;
    options.seed = seed;
    options.threads = threads;
    const AbsoluteFit found = long_call([model, set = data.set, options](const Hooks& hooks) {
      return absolute_fit(model, *set, options, hooks);
    });
    return describe(found);
  });
  using D = Diagnosis;
  nb::class_<D>(module, "Diagnosis")
      .def_ro("chains", &D::chains)
      .def_ro("sweeps", &D::sweeps)
      .def_ro("draws", &D::draws)
      .def_ro("mixed", &D::mixed)
      .def_ro("sweeps_needed", &D::sweeps_needed)
      .def_ro("restarts", &D::restarts)
      .def_ro("same_optimum", &D::same_optimum)
      .def_ro("small_profiles", &D::small_profiles)
      .def_ro("sound", &D::sound)
      .def_prop_ro("finding", [](const D& d) { return texts_of(d.finding); })
      .def_prop_ro("suggestion", [](const D& d) { return texts_of(d.suggestion); })
      .def_prop_ro("quantity", [](const D& d) { return quantity_list(d.quantity); })
      .def_prop_ro("parameter", [](const D& d) { return quantity_list(d.parameter); })
      .def_prop_ro("clusters",
                   [](const D& d) {
                     nb::dict out;
                     for (const auto& [k, share] : d.clusters) out[nb::int_(k)] = share;
                     return out;
                   })
      .def("describe", [](const D& d) { return describe(d); });
  module.def(
      "diagnose",
      [](const Model& model, const std::optional<Data>& data, std::size_t threads) {
        const std::shared_ptr<const Dataset> set = data ? data->set : nullptr;
        return long_call([model, set, threads](const Hooks& hooks) {
          return set ? diagnose(model, *set, threads, hooks) : diagnose(model);
        });
      },
      nb::arg("model"), nb::arg("data").none(), nb::arg("threads"));
  module.def(
      "correlations",
      [](const Model& model, const std::optional<Data>& data, std::size_t threads) {
        const std::shared_ptr<const Dataset> set = data ? data->set : nullptr;
        ComponentCorrelations found = long_call([model, set, threads](const Hooks& hooks) {
          return set ? component_correlations(model, *set, threads, hooks)
                     : component_correlations(model);
        });
        const std::size_t k = found.components;
        return std::pair(array<double, 2>(std::move(found.matrix), {k, k}), found.basis);
      },
      nb::arg("model"), nb::arg("data").none(), nb::arg("threads"));
}

}  // namespace medley::python
