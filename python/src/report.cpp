// SPDX-License-Identifier: Apache-2.0
#include "medley/report.hpp"

#include "bind.hpp"
#include "long_call.hpp"

namespace medley::python {

void bind_report(nb::module_& module) {
  module.def("has_report_page", &has_report_page);
  module.def(
      "report_page",
      [](const Model& model, const std::optional<Data>& data, const std::string& folder,
         const std::string& title, bool rows, std::size_t most_rows,
         const std::vector<std::string>& by, std::size_t min_cell, std::size_t threads) {
        const ReportOptions options{title, rows, most_rows, by, min_cell, threads};
        const std::shared_ptr<const Dataset> set = data ? data->set : nullptr;
        return long_call([model, set, folder, options](const Hooks& hooks) {
          std::optional<SelectedModels> selection;
          if (!folder.empty()) selection = load_selected(folder, model.components());
          return report_page({model, set.get(), selection ? &*selection : nullptr}, options, hooks);
        });
      },
      nb::arg("model"), nb::arg("data").none(), nb::arg("folder"), nb::arg("title"),
      nb::arg("rows"), nb::arg("most_rows"), nb::arg("by"), nb::arg("min_cell"),
      nb::arg("threads"));
}

}  // namespace medley::python
