// SPDX-License-Identifier: Apache-2.0
// Sentences about the data and the program for the methods section of a paper: columns by family,
// missing cells, citation. What was fitted and how it ended is told by describe(FitSummary).
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "medley/report.hpp"
#include "medley/version.hpp"
#include "model/model.hpp"
#include "report/numbers.hpp"
#include "report/page_parts.hpp"

namespace medley::report {
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
