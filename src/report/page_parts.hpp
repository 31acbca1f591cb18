// SPDX-License-Identifier: Apache-2.0
// The parts of the page's data, one function and one file each. What they hold is described in
// docs/decisions/0019-report-page.md and, field by field, in web/src/data.ts.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "medley/evaluate.hpp"
#include "medley/report.hpp"
#include "report/page_pack.hpp"

namespace medley::report {

using PageJson = nlohmann::ordered_json;

/// The rows of the data under the model, found once for all parts.
struct ScoredData {
  const Dataset& data;
  Memberships shares;
  Evaluation scores;  ///< by the bound
};

/// Names, sizes, what distinguishes each profile, how it was fitted, and the health of the fit.
[[nodiscard]] PageJson page_model(const Model& model, const Dataset* data);
/// Sentences for a methods section: columns, missing cells, citation.
[[nodiscard]] PageJson page_methods(const Model& model, const Dataset* data);
/// `selected`: the fit as `select` made it, whose starts the model file does not hold. Without
/// `rows` nothing about single cells.
[[nodiscard]] PageJson page_lights(const Model& model, const Dataset* data,
                                   const SelectedModels::Entry* selected, bool rows);
/// Blocks of levels and numbers as tables against the population.
[[nodiscard]] PageJson page_blocks(const Model& model, Pack& pack);
/// Blocks of words.
[[nodiscard]] PageJson page_words(const Model& model, Pack& pack);
/// Distances of profiles, and correlations of their memberships if there is anything to tell them.
[[nodiscard]] PageJson page_relations(const Model& model, const Dataset* data, std::size_t threads);
/// The course of the fit, or of the chains; without `rows` nothing about single cells.
[[nodiscard]] PageJson page_course(const Model& model, bool rows);
/// How well a label is predicted.
[[nodiscard]] PageJson page_label(const LabelScores& scores);
/// Mean memberships of groups.
[[nodiscard]] PageJson page_groups(const Model& model, const Dataset& data,
                                   const ReportOptions& options);
/// Aggregates of all rows, and the rows themselves if they may be shown.
[[nodiscard]] PageJson page_rows(const Model& model, const ScoredData& scored,
                                 const ReportOptions& options, Pack& pack);
/// Some rows in detail: how sure their memberships are, and the cells that speak for them. `rows`
/// are places in the data.
[[nodiscard]] PageJson page_row_details(const Model& model, const Dataset& data,
                                        const std::vector<std::size_t>& rows, std::size_t threads,
                                        Pack& pack);
/// The choice of K.
[[nodiscard]] PageJson page_selection(const SelectedModels& selection);

/// What stands for the name of a class that few rows have. Levels and words have no name then.
inline constexpr const char* kFewRows = "(few rows)";
/// For a page without rows: the model with no names of words, items, levels and classes that fewer
/// than `least` rows have. `data` may be null.
[[nodiscard]] Model without_rare_names(const Model& model, const Dataset* data, std::size_t least);
/// The same of a label; bins of the calibration with fewer rows are left out.
[[nodiscard]] LabelScores without_rare_classes(const LabelScores& scores, const Model& model,
                                               const Dataset& data, std::size_t least);

/// Whether posteriors of that many of the data's rows take a few seconds at most; else how many do.
[[nodiscard]] std::size_t affordable_rows(const Dataset& data, std::size_t components);

}  // namespace medley::report
