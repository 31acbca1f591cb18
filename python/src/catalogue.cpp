// SPDX-License-Identifier: Apache-2.0
#include "medley/options.hpp"

#include "bind.hpp"

namespace medley::python {
namespace {

std::vector<std::pair<std::string, std::string>> entries(const std::vector<CatalogueEntry>& all) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const CatalogueEntry& entry : all) out.emplace_back(entry.name, entry.summary);
  return out;
}

}  // namespace

void bind_catalogue(nb::module_& module) {
  module.def("families", [] { return entries(list_families()); });
  module.def("memberships", [] { return entries(list_memberships()); });
  module.def("inferences", [] { return entries(list_inferences()); });
  module.def("presets", [] {
    std::vector<std::tuple<std::string, std::string, bool, bool>> out;
    for (const Preset& p : presets())
      out.emplace_back(p.name, p.summary, p.missing_as_category, p.label);
    return out;
  });
  module.def("finds_components", &finds_components);
}

}  // namespace medley::python
