// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

#include "medley/error.hpp"
#include "medley/uncertainty.hpp"
#include "medley/version.hpp"
#include "model/model.hpp"
#include "model/named_parameters.hpp"

namespace medley {
namespace {

// Letters, digits and _ alone: a dot separates indices there, a comma columns.
std::string identifier(const std::string& name) {
  std::string out;
  for (const char c : name)
    out += std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 128
               ? c
               : '_';
  if (out.empty() || std::isdigit(static_cast<unsigned char>(out.front())) != 0) out = "v" + out;
  return out;
}

std::string number(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

// "sleep_p.2": different features must stay different once their names are identifiers.
class ColumnNames {
 public:
  std::string operator()(const model::NamedParameter& p) {
    std::string name = p.feature.empty() ? p.key : identifier(p.feature) + "_" + p.key;
    if (p.feature != feature_ || p.key != key_) {
      feature_ = p.feature;
      key_ = p.key;
      base_ = name;
      for (int i = 2; !taken_.insert(base_).second; ++i) base_ = name + "_" + std::to_string(i);
    }
    std::string out = base_ + "." + std::to_string(p.component + 1);
    return p.list ? out + "." + std::to_string(p.index + 1) : out;
  }

 private:
  std::string feature_ = "\n", key_, base_;
  std::set<std::string> taken_;
};

}  // namespace

std::size_t chains_of(const Model& model) {
  return model.parts().draws ? model.parts().draws->draw.back().chain + 1 : 0;
}

std::string draws_csv(const Model& model, std::size_t chain) {
  if (chain >= chains_of(model))
    throw InputError({"model", "has no draws: it was not sampled",
                      "fit with `model=\"gom-bayes\"` or dp-mixture"});
  const model::Draws& draws = *model.parts().draws;
  const bool aligned = std::ranges::all_of(
      draws.draw, [&](const model::Draw& draw) { return draw.components() == model.components(); });
  std::string out = "# model = " + model.preset() + "\n# written by medley " +
                    std::string(version()) + "\n# num_samples = " + std::to_string(draws.sweeps) +
                    "\n# num_warmup = " + std::to_string(draws.burn_in) +
                    "\n# id = " + std::to_string(chain + 1) + "\n";
  std::string header;
  for (const model::Trace& trace : draws.trace)
    header += (header.empty() ? "" : ",") +
              (&trace == &draws.trace.front() ? std::string("lp__") : identifier(trace.name));
  ColumnNames names;
  if (aligned) {
    for (const auto& parameter : model::named_parameters(model)) header += "," + names(parameter);
  }
  out += header + "\n";
  for (std::size_t d = 0; d < draws.draw.size(); ++d) {
    if (draws.draw[d].chain != chain) continue;
    std::string line;
    for (const model::Trace& trace : draws.trace)
      line += (line.empty() ? "" : ",") + number(trace.chain[chain][draws.draw[d].sweep]);
    if (aligned) {
      for (const double value : model::parameter_values(model::draw_model(model, d)))
        line += "," + number(value);
    }
    out += line + "\n";
  }
  return out;
}

}  // namespace medley
