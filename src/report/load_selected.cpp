// SPDX-License-Identifier: Apache-2.0
// Reads the folder of a selection: the results, and the models of one smoothing.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/files.hpp"
#include "core/json_count.hpp"
#include "medley/error.hpp"
#include "medley/report.hpp"

namespace medley {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestState = std::size_t{16} << 20U;  // as select takes it up

struct Candidate {
  std::size_t components = 0;
  double smoothing = -1;
  std::string file;
  std::size_t restarts = 0, found_again = 0;
};

std::vector<Candidate> candidates_of(const Json& result) {
  std::vector<Candidate> out;
  for (const Json& one : result.at("candidates"))
    out.push_back({core::count_of(one.at("k")), one.value("smoothing", -1.0),
                   one.at("model").get<std::string>(), core::count_of(one.at("restarts")),
                   core::count_of(one.at("found_again"))});
  if (out.empty()) throw std::out_of_range("candidates");
  return out;
}

/// The candidate of the first verdict: its modest choice if it has one.
std::size_t advised(const Json& result, const std::vector<Candidate>& candidates) {
  const Json& verdicts = result.at("verdicts");
  for (const Json& verdict : verdicts) {
    if (!verdict.value("mixed", true)) continue;
    const Json& place = verdict.contains("one_standard_error") ? verdict.at("one_standard_error")
                                                               : verdict.at("best");
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (candidates[i].components == core::count_of(place.at("k")) &&
          candidates[i].smoothing == place.value("smoothing", -1.0))
        return i;
    }
  }
  return 0;
}

std::size_t with_components(const std::vector<Candidate>& candidates, std::size_t components,
                            const std::string& folder) {
  const auto found = std::ranges::find(candidates, components, &Candidate::components);
  if (found == candidates.end())
    throw InputError({"`k`",
                      "the selection in " + folder + " has no fit with " +
                          std::to_string(components) + " components",
                      "name one of those it tried"});
  return static_cast<std::size_t>(found - candidates.begin());
}

}  // namespace

SelectedModels load_selected(const std::string& folder, std::size_t components) {
  const std::string path = (std::filesystem::path(folder) / "select.json").string();
  if (!std::filesystem::exists(path))
    throw InputError({folder, "holds no selection (there is no select.json in it)",
                      "name a model file, or a folder that medley select wrote"});
  const Json state = Json::parse(core::read_short_file(path, kLongestState), nullptr, false);
  if (state.is_discarded() || !state.is_object())
    throw InputError({path, "is damaged", "run medley select again"});
  if (!state.contains("result"))
    throw InputError({folder, "holds a selection that was not finished",
                      "finish it with `select(..., resume=true)`"});
  try {
    const Json& result = state.at("result");
    const std::vector<Candidate> candidates = candidates_of(result);
    const std::size_t chosen = components > 0 ? with_components(candidates, components, folder)
                                              : advised(result, candidates);
    SelectedModels out;
    out.result = result.dump(-1, ' ', false, Json::error_handler_t::replace);
    out.smoothing = candidates[chosen].smoothing;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (candidates[i].smoothing != candidates[chosen].smoothing) continue;
      if (i == chosen) out.chosen = out.entries.size();
      // only names that select itself gives: a file beside select.json
      const std::string file = std::filesystem::path(candidates[i].file).filename().string();
      out.entries.push_back({candidates[i].components,
                             Model::load((std::filesystem::path(folder) / file).string()),
                             candidates[i].restarts, candidates[i].found_again});
      if (out.entries.back().model.components() != candidates[i].components)
        throw std::out_of_range("components");
    }
    return out;
  } catch (const InputError&) {
    throw;
  } catch (const std::exception&) {
    throw InputError({path, "is damaged", "run medley select again"});
  }
}

}  // namespace medley
