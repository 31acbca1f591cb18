// SPDX-License-Identifier: Apache-2.0
// Two models side by side, pair by pair.
#include <fmt/format.h>

#include <algorithm>

#include "medley/evaluate.hpp"
#include "medley/report.hpp"
#include "report/layout.hpp"
#include "report/numbers.hpp"

namespace medley {
namespace {

constexpr std::size_t kComparisonName = 40;
// Features closer than this are as good as equal and not worth a line.
constexpr double kSmallDistance = 0.05;

std::string named(const Model& model, std::size_t component) {
  return fmt::format("{} ({})", printable(model.title(component)),
                     report::percent(model.sizes()[component]));
}

std::string difference(const ComparedFeature& f) {
  const std::string name = printable(f.level.empty() ? f.feature : f.feature + " = " + f.level);
  const std::string values =
      f.level.empty()
          ? fmt::format("mean {:.4g} against {:.4g} (sd {:.3g}, {:.3g})", f.a, f.b, f.sd_a, f.sd_b)
          : report::percent(f.a) + " against " + report::percent(f.b);
  return fmt::format("    {}  {:.3f}  {}\n",
                     report::left(report::shortened(name, kComparisonName), kComparisonName),
                     f.distance, values);
}

std::string pair_text(const ComparedPair& pair, const Model& a, const Model& b) {
  std::string out = fmt::format("A {}  =  B {}:  distance {:.3f}\n", named(a, pair.a),
                                named(b, pair.b), pair.distance);
  std::size_t small = 0;
  for (const ComparedFeature& feature : pair.largest) {
    if (feature.distance < kSmallDistance) {
      ++small;
    } else {
      out += difference(feature);
    }
  }
  if (small > 0 && small == pair.largest.size())
    out += "    no feature differs by more than 0.05\n";
  return out;
}

std::string unmatched(const char* which, const std::vector<std::size_t>& components,
                      const Model& model) {
  std::string out;
  for (const std::size_t k : components)
    out += fmt::format("{} {} has no partner\n", which, named(model, k));
  return out;
}

}  // namespace

std::string describe(const Comparison& comparison, const Model& a, const Model& b) {
  std::string out;
  for (const ComparedPair& pair : comparison.pairs) out += pair_text(pair, a, b) + '\n';
  out += unmatched("A", comparison.only_a, a) + unmatched("B", comparison.only_b, b);
  out += fmt::format("Mean distance {:.3f} over {}: 0 the same, 1 nothing in common (Hellinger).\n",
                     comparison.distance, report::count(comparison.features, "feature"));
  if (!comparison.left_out.empty()) {
    out += fmt::format("Not compared, in one model only: {}", printable(comparison.left_out[0]));
    const std::size_t shown = std::min<std::size_t>(comparison.left_out.size(), 10);
    for (std::size_t i = 1; i < shown; ++i) out += ", " + printable(comparison.left_out[i]);
    if (comparison.left_out.size() > shown)
      out += fmt::format(" and {} more", comparison.left_out.size() - shown);
    out += '\n';
  }
  return out;
}

std::string describe(const MembershipAgreement& agreement, const Comparison& comparison,
                     const Model& a, const Model& b) {
  std::string out = fmt::format(
      "Shares of {}: overlap {:.3f} (1 the same, 0 nothing in common); the largest "
      "profile is the same in {}.\n",
      report::count(agreement.rows, "row"), agreement.overlap, report::percent(agreement.same_top));
  for (std::size_t i = 0; i < comparison.pairs.size(); ++i) {
    const ComparedPair& pair = comparison.pairs[i];
    out += fmt::format("    A {}  =  B {}:  correlation {:.3f}\n", named(a, pair.a),
                       named(b, pair.b), agreement.correlation[i]);
  }
  return out;
}

}  // namespace medley
