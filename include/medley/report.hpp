// SPDX-License-Identifier: Apache-2.0
// A model as one HTML page that a person can open, look through and mail: no network, no other
// file. The page only draws; every number on it was computed here.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "medley/dataset.hpp"
#include "medley/hooks.hpp"
#include "medley/model.hpp"

namespace medley {

struct ReportOptions {
  std::string title;  ///< what the page is called; empty: "Medley report"
  /// Rows one by one, with their ids; false: aggregates only, nothing that tells of a single row,
  /// and no word, item, level or class that fewer than min_cell rows have.
  bool rows = true;
  std::size_t most_rows = 20000;  ///< more are sampled; aggregates stay those of all rows
  std::vector<std::string> by;    ///< kept columns of the data whose groups are shown
  std::size_t min_cell = 1;       ///< groups of fewer rows are left out
  std::size_t threads = 0;
  /// How sentences name options for whoever reads the page; empty: as the library does (`k=3`).
  std::function<std::string(std::string_view)> wording = {};
};

/// The fits of `medley select`, as the folder holds them.
struct SelectedModels {
  struct Entry {
    std::size_t components = 0;
    Model model;
    std::size_t restarts = 0, found_again = 0;  ///< as in SelectionCandidate
  };
  std::string result;          ///< what select found, as JSON (to_json in select.hpp)
  std::vector<Entry> entries;  ///< of one smoothing, K ascending
  double smoothing = -1;       ///< theirs, if several were tried; negative: one
  std::size_t chosen = 0;      ///< the entry that the rest of the page is about
};

/// Reads the folder. `components`: the fit to show; 0: the one-standard-error choice of cv, or the
/// best of the first criterion. Throws InputError if it holds no finished selection, or no such K.
[[nodiscard]] SelectedModels load_selected(const std::string& folder, std::size_t components = 0);

/// The model with the names of a TOML file that the page writes: a table [names] with entries
/// 2 = "Frail". Throws InputError naming `file` and every problem.
[[nodiscard]] Model named_by(const Model& model, std::string_view toml, const std::string& file);

/// Whether this medley was built with the page (-DMEDLEY_REPORT=ON).
[[nodiscard]] bool has_report_page();

/// What the page is about. The data must have been read with the model's schema.
struct ReportInput {
  const Model& model;
  const Dataset* data = nullptr;              ///< null: what the model file tells
  const SelectedModels* selection = nullptr;  ///< null: no choice of K
};

/// The page. Throws RunError if there is none (has_report_page).
[[nodiscard]] std::string report_page(const ReportInput& input, const ReportOptions& options,
                                      const Hooks& hooks = {});
/// Everything on it as it is embedded: four bytes (the length of what follows, little-endian), JSON
/// (docs/decisions/0019-report-page.md), and arrays.
[[nodiscard]] std::string report_data(const ReportInput& input, const ReportOptions& options,
                                      const Hooks& hooks = {});

}  // namespace medley
