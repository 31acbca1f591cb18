// SPDX-License-Identifier: Apache-2.0
// The choice of K as the page shows it: the results of select, the profiles at every K, and how
// those at K relate to those at the next: each to the most similar one, similarity being 1 - mean
// Hellinger distance (medley/evaluate.hpp). Colours follow the profiles of the fit that the
// page is about: from there, K by K, a profile takes the colour of its partner (Hungarian method),
// and a new one the next free colour.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "evaluate/alignment.hpp"
#include "math/assignment.hpp"
#include "model/model.hpp"
#include "report/page_parts.hpp"

namespace medley::report {
namespace {

evaluation::Alignment aligned(const Model& a, const Model& b) {
  const auto common = evaluation::common_features(a.parts(), b.parts());
  return evaluation::align(common.both, a.components(), b.components());
}

std::vector<std::size_t> colours_from(const Model& model, const Model& known,
                                      const std::vector<std::size_t>& colours) {
  const evaluation::Alignment alignment = aligned(model, known);
  std::vector<std::size_t> out(model.components());
  std::set<std::size_t> used;
  for (std::size_t k = 0; k < out.size(); ++k) {
    if (alignment.partner[k] == math::kUnassigned) continue;
    out[k] = colours[alignment.partner[k]];
    used.insert(out[k]);
  }
  // a colour that the known fit has and this one lacks is not given to a stranger
  used.insert(colours.begin(), colours.end());
  std::size_t next = 0;
  for (std::size_t k = 0; k < out.size(); ++k) {
    if (alignment.partner[k] != math::kUnassigned) continue;
    while (used.contains(next)) ++next;
    out[k] = next;
    used.insert(next);
  }
  return out;
}

/// Every profile of `after` with its nearest of `before`, and every one of `before` without a
/// partner with its nearest of `after`.
PageJson links(const Model& before, const Model& after) {
  const evaluation::Alignment alignment = aligned(before, after);
  PageJson out = PageJson::array();
  std::set<std::size_t> met;
  const auto add = [&](std::size_t from, std::size_t to) {
    out.push_back({{"from", from}, {"to", to}, {"similarity", finite(1 - alignment.at(from, to))}});
  };
  for (std::size_t to = 0; to < alignment.columns; ++to) {
    std::size_t nearest = 0;
    for (std::size_t from = 1; from < alignment.rows; ++from)
      if (alignment.at(from, to) < alignment.at(nearest, to)) nearest = from;
    add(nearest, to);
    met.insert(nearest);
  }
  for (std::size_t from = 0; from < alignment.rows; ++from) {
    if (met.contains(from)) continue;
    std::size_t nearest = 0;
    for (std::size_t to = 1; to < alignment.columns; ++to)
      if (alignment.at(from, to) < alignment.at(from, nearest)) nearest = to;
    add(from, nearest);
  }
  return out;
}

}  // namespace

PageJson page_selection(const SelectedModels& selection) {
  const auto& entries = selection.entries;
  std::vector<std::vector<std::size_t>> colours(entries.size());
  const std::size_t chosen = selection.chosen;
  for (std::size_t k = 0; k < entries[chosen].components; ++k) colours[chosen].push_back(k);
  for (std::size_t i = chosen + 1; i < entries.size(); ++i)
    colours[i] = colours_from(entries[i].model, entries[i - 1].model, colours[i - 1]);
  for (std::size_t i = chosen; i-- > 0;)
    colours[i] = colours_from(entries[i].model, entries[i + 1].model, colours[i + 1]);
  PageJson fits = PageJson::array();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    PageJson titles = PageJson::array();
    for (std::size_t k = 0; k < entries[i].components; ++k)
      titles.push_back(entries[i].model.title(k));
    PageJson fit = {{"k", entries[i].components},
                    {"sizes", finite(entries[i].model.sizes())},
                    {"titles", std::move(titles)},
                    {"colours", colours[i]}};
    if (i + 1 < entries.size()) fit["links"] = links(entries[i].model, entries[i + 1].model);
    fits.push_back(std::move(fit));
  }
  return {{"result", PageJson::parse(selection.result)},
          {"chosen", chosen},
          {"smoothing", selection.smoothing},
          {"fits", std::move(fits)}};
}

}  // namespace medley::report
