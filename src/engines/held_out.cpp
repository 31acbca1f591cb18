// SPDX-License-Identifier: Apache-2.0
#include "engines/held_out.hpp"

#include <algorithm>
#include <numeric>

#include "core/parallel.hpp"
#include "data/select_rows.hpp"
#include "data/slot_index.hpp"
#include "engines/starts.hpp"
#include "kernels/lanes.hpp"
#include "model/row_solver.hpp"
#include "model/split_observations.hpp"

namespace medley::engines {
namespace {

constexpr std::size_t kParts = 3;
constexpr std::size_t kHeldOutRowChunk = 16;
constexpr memberships::Limits kHeldOutLimits{1e-3, 50};

// log-likelihood of the tested cells given the observed ones, summed over rows.
double score_part(const model::EStepModel& parts, const Dataset& tested, const Dataset& observed,
                  std::size_t threads) {
  const std::size_t components = parts.membership->components();
  const std::size_t chunks = (tested.rows + kHeldOutRowChunk - 1) / kHeldOutRowChunk;
  std::vector<double> sum(chunks, 0.0);
  core::parallel_for(chunks, threads, [&](std::size_t chunk, std::size_t) {
    model::RowSolver solver(parts, observed);
    std::vector<double> state(parts.membership->state_size());
    std::vector<double> share(kernels::padded(components), 0.0);
    for (std::size_t row = chunk * kHeldOutRowChunk;
         row < std::min(tested.rows, (chunk + 1) * kHeldOutRowChunk); ++row) {
      parts.membership->start(observed.observed(row), state);
      solver.solve(row, kHeldOutLimits, model::Precision::training, state);
      parts.membership->shares(state, std::span(share).first(components));
      for (std::size_t b = 0; b < tested.blocks.size(); ++b)
        sum[chunk] += model::score_cells(*parts.families[b], tested.blocks[b], row, share);
    }
  });
  return std::accumulate(sum.begin(), sum.end(), 0.0);
}

}  // namespace

std::optional<double> held_out_score(EmModel& model, const Dataset& rows, std::size_t most_rows,
                                     std::uint64_t seed, std::size_t threads) {
  std::vector<std::size_t> chosen(std::min(rows.rows, most_rows));
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  const Dataset some = data::select_rows(rows, chosen);
  // As points, as every later score.
  std::vector<std::vector<double>> strengths;
  for (std::size_t b = 0; b < model.families.size(); ++b) {
    strengths.push_back(model.families[b]->take_strengths());
    model.families[b]->prepare_for(data::transpose(some.blocks[b]), model.rows().pooled());
  }
  const auto families = model.family_pointers();
  const model::EStepModel parts{families, model.membership.get(), model.inference};
  std::vector<Dataset> dealt =
      model::split_observations(some, kParts, seed, static_cast<std::uint64_t>(Purpose::deal));
  double sum = 0, observations = 0;
  for (std::size_t p = 0; p < kParts; ++p) {
    const Dataset observed = model::without(dealt, p);
    model::empty_short_rows(some, kParts, dealt[p]);
    sum += score_part(parts, dealt[p], observed, core::thread_count(threads));
    for (std::size_t row = 0; row < some.rows; ++row) observations += dealt[p].observed(row);
  }
  for (std::size_t b = 0; b < model.families.size(); ++b) {
    if (!strengths[b].empty()) model.families[b]->set_strengths(strengths[b]);
  }
  if (observations <= 0) return std::nullopt;
  return sum / observations;
}

}  // namespace medley::engines
