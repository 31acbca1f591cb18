// SPDX-License-Identifier: Apache-2.0
// The parts of the page's data, one function each. docs/decisions/0019-report-page.md describes
// them, and web/src/data.ts every field.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "medley/evaluate.hpp"
#include "medley/report.hpp"
#include "report/page_pack.hpp"

namespace medley::report {

using PageJson = nlohmann::ordered_json;

/// The scores of the rows of the data, computed once for all parts.
struct ScoredData {
  const Dataset& data;
  Memberships shares;
  Evaluation scores;  ///< by the bound
};

/// Names, sizes, what distinguishes each profile, how it was fitted, and the health of the fit.
[[nodiscard]] PageJson page_model(const Model& model, const Dataset* data);
/// Sentences for a methods section: columns, missing cells, citation.
[[nodiscard]] PageJson page_methods(const Model& model, const Dataset* data);
/// The health of the fit. `selected`: the fit as `select` made it, whose starts the model file does
/// not hold. Without `rows` nothing about single cells.
[[nodiscard]] PageJson page_lights(const Model& model, const Dataset* data,
                                   const SelectedModels::Entry* selected, bool rows);
/// Blocks of levels and numbers as tables, compared with the population.
[[nodiscard]] PageJson page_blocks(const Model& model, Pack& pack);
/// Blocks of words.
[[nodiscard]] PageJson page_words(const Model& model, Pack& pack);
/// Distances of profiles, and correlations of their memberships if they can be computed.
[[nodiscard]] PageJson page_relations(const Model& model, const Dataset* data, std::size_t threads);
/// The course of the fit or of the chains; without `rows` nothing about single cells.
[[nodiscard]] PageJson page_course(const Model& model, bool rows);
/// How well a label is predicted.
[[nodiscard]] PageJson page_label(const LabelScores& scores);
/// Mean memberships of groups.
[[nodiscard]] PageJson page_groups(const Model& model, const Dataset& data,
                                   const ReportOptions& options);
/// Aggregates of all rows, and single rows if they may be shown.
[[nodiscard]] PageJson page_rows(const Model& model, const ScoredData& scored,
                                 const ReportOptions& options, Pack& pack);
/// Some rows in detail: intervals of their memberships, and the cells with the most evidence.
/// `rows` are indices into the data.
[[nodiscard]] PageJson page_row_details(const Model& model, const Dataset& data,
                                        const std::vector<std::size_t>& rows, std::size_t threads,
                                        Pack& pack);
/// The choice of K.
[[nodiscard]] PageJson page_selection(const SelectedModels& selection);

/// Replaces the name of a class that few rows have. Levels and words then have no name.
inline constexpr const char* kFewRows = "(few rows)";
/// For a page without rows: the model without the names of words, items, levels and classes that
/// fewer than `least` rows have. `data` may be null.
[[nodiscard]] Model without_rare_names(const Model& model, const Dataset* data, std::size_t least);
/// The same for the scores of a label; calibration bins with fewer rows are left out.
[[nodiscard]] LabelScores without_rare_classes(const LabelScores& scores, const Model& model,
                                               const Dataset& data, std::size_t least);

/// The number of rows of the data whose posteriors take a few seconds at most.
[[nodiscard]] std::size_t affordable_rows(const Dataset& data, std::size_t components);

}  // namespace medley::report
