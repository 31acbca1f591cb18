// SPDX-License-Identifier: Apache-2.0
// The profiles of a model with intervals; `inspect` chooses what distinguishes each.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "medley/report.hpp"
#include "medley/uncertainty.hpp"
#include "model/model.hpp"
#include "report/fit_words.hpp"
#include "report/layout.hpp"
#include "report/numbers.hpp"
#include "report/traits.hpp"
#include "report/words.hpp"

namespace medley {
namespace {

using Quantity = BootstrapEstimate::Quantity;
constexpr std::size_t kTop = 8;
constexpr std::size_t kBootstrapName = 40;
constexpr double kBootstrapPercent = 100;
// A fit that moves by less than this many standard errors when continued has converged.
constexpr double kSmallDrift = 0.25;

// The estimates of one component, by quantity.
class ProfileEstimates {
 public:
  ProfileEstimates(const Bootstrap& bootstrap, const model::Parts& parts, std::size_t component) {
    const std::size_t each = bootstrap.estimates.size() / parts.components();
    const BootstrapEstimate* next = bootstrap.estimates.data() + component * each;
    const BootstrapEstimate* end = next + each;
    size_ = &next[0].estimate;
    prior_ = &next[1].estimate;
    next += 2;
    for (const model::ModelBlock& block : parts.blocks) {
      const std::size_t step = block.shape.encoding == Encoding::real ? 2 : 1;  // mean and sd
      for (std::size_t slot = 0; slot < block.shape.slots(); ++slot, next += step)
        of_slot_[{&block, slot}] = &next->estimate;
    }
    groups_.assign(next, end);
  }

  [[nodiscard]] const IntervalEstimate& size() const { return *size_; }
  [[nodiscard]] const IntervalEstimate& prior() const { return *prior_; }
  [[nodiscard]] const std::vector<BootstrapEstimate>& groups() const { return groups_; }
  /// A level's or word's probability, or a number's mean.
  [[nodiscard]] const IntervalEstimate& of(const model::ModelBlock* block, std::size_t slot) const {
    return *of_slot_.at({block, slot});
  }

 private:
  const IntervalEstimate* size_ = nullptr;
  const IntervalEstimate* prior_ = nullptr;
  std::map<std::pair<const model::ModelBlock*, std::size_t>, const IntervalEstimate*> of_slot_;
  std::vector<BootstrapEstimate> groups_;
};

std::string share_text(const IntervalEstimate& e) {
  if (std::isnan(e.low)) return fmt::format("{:5.1f} %", kBootstrapPercent * e.value);
  return fmt::format("{:5.1f} %  [{:.1f}, {:.1f}]", kBootstrapPercent * e.value,
                     kBootstrapPercent * e.low, kBootstrapPercent * e.high);
}

std::string number_text(const IntervalEstimate& e) {
  return fmt::format("{:.4g}  [{:.4g}, {:.4g}]", e.value, e.low, e.high);
}

std::string bootstrap_line(const std::string& name, const std::string& value,
                           const std::string& rest = "") {
  constexpr std::size_t kValueWidth = 26;
  std::string out =
      "  " + report::left(report::shortened(printable(name), kBootstrapName), kBootstrapName) +
      "  " + (rest.empty() ? value : report::left(value, kValueWidth) + rest);
  return out + '\n';
}

std::string trait_line(const report::Trait& trait, const ProfileEstimates& estimates) {
  const Block& shape = trait.block->shape;
  const Feature& feature = shape.features[trait.feature];
  const IntervalEstimate& e = estimates.of(trait.block, trait.slot);
  if (trait.is_number()) {
    return bootstrap_line(feature.name, number_text(e),
                          fmt::format("population {:.4g}", trait.overall.mean));
  }
  const std::string& level =
      report::label_of(feature, trait.slot - shape.first_slot[trait.feature]);
  return bootstrap_line(feature.name + " = " + level, share_text(e),
                        "population " + report::percent(trait.population));
}

std::string features_text(const model::Parts& parts, std::size_t k,
                          const ProfileEstimates& estimates) {
  std::string out;
  std::vector<const model::ModelBlock*> tables;
  for (const model::ModelBlock& block : parts.blocks) {
    if (block.shape.encoding != Encoding::tokens) {
      tables.push_back(&block);
      continue;
    }
    const report::WordRanking ranking(block);
    for (const std::size_t slot : ranking.of(k, parts.sizes[k], kTop).probable)
      out += bootstrap_line(block.shape.features[0].levels[slot],
                            share_text(estimates.of(&block, slot)));
  }
  for (const report::Trait& trait :
       report::distinctive_traits(tables, k, parts.sizes[k], kTop).shown)
    out += trait_line(trait, estimates);
  return out;
}

std::string design_text(const Bootstrap& b) {
  std::string out = fmt::format("{} refits to resampled rows", b.replicates);
  if (b.units > 0)
    out += fmt::format(" ({} in {})", report::count(b.units, "sampling unit"),
                       b.strata == 1 ? "1 stratum" : fmt::format("{} strata", b.strata));
  return out + fmt::format("; intervals hold the middle {:.4g} % of them.\n",
                           kBootstrapPercent * b.level);
}

std::string warnings_text(const Bootstrap& b, const Model& model) {
  std::string out;
  if (b.lonely_strata > 0 && b.units > 0)
    out += fmt::format(
        "{} of {} have a single unit, which is in every sample: intervals are too "
        "narrow by what such units vary.\n",
        b.lonely_strata, b.strata == 1 ? "1 stratum" : fmt::format("{} strata", b.strata));
  if (b.not_converged > 0)
    out += fmt::format("{} of {} refits did not converge.\n", b.not_converged, b.replicates);
  if (b.ambiguous > 0)
    out += fmt::format(
        "In {} of {} refits a profile was closer to another than to its own: the profiles are not "
        "stable under resampling, and their intervals mix several.\n",
        b.ambiguous, b.replicates);
  if (b.drift > kSmallDrift)
    out += fmt::format(
        "The model had not settled: fitted on, it moves by {:.1f} standard errors. "
        "Fit it again with a smaller `tolerance`.\n",
        b.drift);
  if (b.rows != b.model_rows)
    out +=
        fmt::format("The model was fitted to {}, these are {}: intervals are for its own rows.\n",
                    report::count(b.model_rows, "row"), report::grouped(b.rows));
  if (model.parts().membership->entry().dirichlet &&
      &model.parts().inference() != &model::exact_inference)
    out += fmt::format(
        "Inference was {}, which is biased for short rows: the intervals tell how the estimates "
        "vary, not how far they are off. Fit with `inference=\"exact\"` if the rows are short.\n",
        model.inference());
  return out;
}

}  // namespace

std::string describe(const Bootstrap& bootstrap, const Model& model) {
  std::string out = design_text(bootstrap);
  if (bootstrap.weights.used())
    out += report::weights_sentence(bootstrap.weights, bootstrap.rows) + "\n";
  for (std::size_t k = 0; k < model.components(); ++k) {
    const ProfileEstimates estimates(bootstrap, model.parts(), k);
    out += fmt::format("\n{}: {} of memberships, {} {}\n", printable(model.title(k)),
                       share_text(estimates.size()), model.prior_name(),
                       number_text(estimates.prior()));
    out += features_text(model.parts(), k, estimates);
    for (const BootstrapEstimate& group : estimates.groups())
      out += bootstrap_line("mean of " + group.feature + " = " + group.level,
                            share_text(group.estimate));
  }
  const std::string warnings = warnings_text(bootstrap, model);
  return warnings.empty() ? out : out + '\n' + warnings;
}

}  // namespace medley
