// SPDX-License-Identifier: Apache-2.0
// The model card, and sentences for the methods section of a paper.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <map>

#include "medley/options.hpp"
#include "medley/report.hpp"
#include "medley/uncertainty.hpp"
#include "model/model.hpp"
#include "report/fit_words.hpp"
#include "report/numbers.hpp"
#include "report/page_parts.hpp"
#include "report/profiles.hpp"

namespace medley::report {

// The model card: the model, its data, and the profiles with what distinguishes them.

namespace {

// The smoothing, given or fitted, block by block.
std::string smoothing_of(const model::Parts& parts) {
  if (const std::vector<double>& fitted = parts.summary.smoothing; !fitted.empty())
    return smoothing_values(fitted) + " (fitted)";
  return parts.options.smoothing ? fmt::format("{}", *parts.options.smoothing) : "";
}

constexpr std::size_t kTraits = 8;
constexpr std::size_t kPageWords = 12;

PageJson block_json(const BlockView& block) {
  PageJson traits = PageJson::array(), words = PageJson::array();
  for (const TraitLine& line : block.traits)
    traits.push_back({{"trait", line.trait},
                      {"here", line.here},
                      {"population", line.population},
                      {"difference", line.difference},
                      {"share", finite(line.share)},
                      {"title", line.title}});
  for (const WordLine& line : block.words)
    words.push_back({{"ranking", line.ranking}, {"words", line.words}});
  return {{"name", block.name},
          {"heading", block.heading},
          {"difference", block.difference},
          {"traits", std::move(traits)},
          {"rest", block.rest},
          {"words", std::move(words)},
          {"evidence", finite(block.evidence)}};
}

/// P(class | profile), classes x K.
PageJson classes_json(const model::Parts& parts) {
  std::vector<double> share;
  for (const double log_share : parts.head->log_probability()) share.push_back(std::exp(log_share));
  return {{"column", parts.schema.label()->name},
          {"classes", parts.schema.label()->levels},
          {"share", finite(share)}};
}

std::string missing_share(const Dataset& data) {
  std::size_t missing = 0, cells = 0;
  for (const Block& block : data.blocks) {
    if (block.encoding == Encoding::tokens) continue;
    missing += block.missing;
    cells += block.cells();
  }
  if (cells == 0) return "";
  return percent(static_cast<double>(missing) / static_cast<double>(missing + cells));
}

PageJson facts_json(const Model& model, const Dataset* data) {
  const model::Parts& parts = model.parts();
  PageJson out = PageJson::array();
  const auto fact = [&](const char* name, const std::string& value) {
    if (!value.empty()) out.push_back({{"name", name}, {"value", value}});
  };
  fact("Model", model.preset());
  fact("Membership", model.membership());
  fact("Inference", model.inference());
  fact("Components", std::to_string(model.components()));
  fact("Rows learnt from", grouped(parts.summary.rows));
  fact("Observations", grouped(parts.summary.observations, 0));
  if (const Weighting& weights = parts.summary.weights; weights.used())
    fact("Weights", fmt::format("{}: rows stand for {}; observations are weighted from {} cells",
                                printable(weights.column), grouped(weights.stands_for, 0),
                                grouped(weights.cells, 0)));
  if (data != nullptr) {
    fact("Rows shown here", grouped(data->rows));
    fact("Missing cells", missing_share(*data));
  }
  if (parts.summary.rows > 0 && !std::isnan(parts.summary.bound) &&
      parts.summary.observations > parts.summary.earlier.observations)
    fact("Fit", fmt::format("{:.4f} nats per observation ({})",
                            parts.summary.bound /
                                (parts.summary.observations - parts.summary.earlier.observations),
                            parts.summary.exact ? "log-likelihood" : "lower bound"));
  fact("Smoothing", smoothing_of(parts));
  if (parts.draws)
    fact("Chains", std::to_string(chains_of(model)));
  else
    fact("Starts", std::to_string(std::max<std::size_t>(1, parts.summary.restarts.size())));
  fact("Seed", std::to_string(parts.options.seed));
  fact("Medley", version());
  return out;
}

bool only_words(const model::Parts& parts) {
  return std::ranges::all_of(parts.blocks, [](const model::ModelBlock& block) {
    return block.shape.encoding == Encoding::tokens;
  });
}

}  // namespace

PageJson page_model(const Model& model, const Dataset* data) {
  const model::Parts& parts = model.parts();
  PageJson profiles = PageJson::array();
  const bool words = only_words(parts);
  const auto views = profile_views(model, words ? kPageWords : kTraits);
  for (std::size_t k = 0; k < views.size(); ++k) {
    PageJson blocks = PageJson::array();
    for (const BlockView& block : views[k].blocks) blocks.push_back(block_json(block));
    profiles.push_back({{"name", model.names()[k]},
                        {"size", finite(parts.sizes[k])},
                        {"said", views[k].size},
                        {"blocks", std::move(blocks)}});
  }
  PageJson fit = PageJson::array();
  for (std::string text = describe(model.summary()); !text.empty();) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    fit.push_back(text.substr(0, end));
    text.erase(0, end + 1);
  }
  PageJson out = {{"headline", headline(model)},
                  {"noun", words ? "Topic" : "Profile"},
                  {"membership", model.membership()},
                  {"prior", {{"name", model.prior_name()}, {"values", finite(model.prior())}}},
                  {"profiles", std::move(profiles)},
                  {"facts", facts_json(model, data)},
                  {"fit", std::move(fit)},
                  {"legend", legend(model)}};
  if (parts.head) out["classes"] = classes_json(parts);
  return out;
}

// Sentences about the data and the program for the methods section of a paper: columns by family,
// missing cells, citation. describe(FitSummary) describes the model and how the fit ended.

namespace {

std::string columns_sentence(const model::Parts& parts) {
  std::map<std::string, std::size_t> of_family;
  std::size_t columns = 0;
  std::string words;
  for (const model::ModelBlock& block : parts.blocks) {
    if (block.shape.encoding == Encoding::tokens) {
      words +=
          fmt::format("{}the words or tags of \"{}\" ({} different)", words.empty() ? "" : ", ",
                      printable(block.shape.name), grouped(block.shape.slots()));
    } else {
      of_family[block.shape.family] += block.shape.features.size();
      columns += block.shape.features.size();
    }
  }
  std::string families;
  for (const auto& [family, count] : of_family)
    families += fmt::format("{}{} {}", families.empty() ? "" : ", ", grouped(count), family);
  std::string out = "The model describes ";
  if (columns > 0) out += fmt::format("{} ({})", count(columns, "column"), printable(families));
  if (columns > 0 && !words.empty()) out += " and ";
  return out + words + ".";
}

std::string missing_sentence(const Dataset& data) {
  std::size_t missing = 0, cells = 0;
  for (const Block& block : data.blocks) {
    if (block.encoding == Encoding::tokens) continue;
    missing += block.missing;
    cells += block.cells();
  }
  if (cells + missing == 0) return "";
  if (data.schema.missing_as_category) return "Missing cells are a level of their own.";
  if (missing == 0) return "No cell is missing.";
  return fmt::format(
      "{} of {} cells ({}) are missing; the likelihood is that of the cells that are observed.",
      grouped(missing), grouped(cells + missing),
      percent(static_cast<double>(missing) / static_cast<double>(missing + cells)));
}

}  // namespace

PageJson page_methods(const Model& model, const Dataset* data) {
  PageJson out = PageJson::array();
  out.push_back(columns_sentence(model.parts()));
  if (data != nullptr) {
    if (const std::string missing = missing_sentence(*data); !missing.empty())
      out.push_back(missing);
  }
  // as in CITATION.cff
  out.push_back(
      fmt::format("Software: The Medley authors. Medley: mixed-membership models for tables, text "
                  "and ratings, version {} (Apache-2.0). Cite the paper of the model too.",
                  version()));
  return out;
}

}  // namespace medley::report
