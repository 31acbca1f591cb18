// SPDX-License-Identifier: Apache-2.0
// From cells asked for to their distributions: the rests of their rows are solved (equal ones
// once), then every cell is a mixture of its own.
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/parallel.hpp"
#include "medley/error.hpp"
#include "medley/predict.hpp"
#include "model/model_on_data.hpp"
#include "predict/cell_mixture.hpp"
#include "predict/membership_draws.hpp"
#include "predict/purposes.hpp"
#include "predict/rest_rows.hpp"

namespace medley {
namespace {

constexpr std::size_t kCellChunk = 64;

class Predictor {
 public:
  Predictor(const Model& model, const Dataset& data, const std::vector<CellPlace>& cells,
            const PredictOptions& options)
      : options_(options),
        on_data_(model, data),
        rests_(predict::rest_rows(data, cells)),
        scored_(on_data_.predictive(
            rests_.data, options.threads,
            options.draws > 0 ? model::Keep::shares_and_states : model::Keep::shares)) {
    if (options.draws > 0) memberships_.emplace(on_data_, rests_.data);
    first_feature_.push_back(0);
    for (const Block& block : data.blocks)
      first_feature_.push_back(first_feature_.back() + block.features.size());
    for (const model::ModelBlock& block : on_data_.parts().blocks) {
      if (options.draws > 0) block.family->prepare_draws();
    }
  }

  [[nodiscard]] CellPrediction predict(const CellPlace& place, std::size_t cell) const {
    const model::ModelBlock& block = on_data_.parts().blocks[place.block];
    const predict::CellMixture mixture(*block.family, block.shape, place.feature,
                                       row_of(scored_.share, cell));
    CellPrediction out;
    out.place = place;
    if (block.shape.encoding == Encoding::levels) {
      out.probability = mixture.probabilities();
    } else {
      const families::Moments moments = mixture.moments();
      out.mean = moments.mean;
      out.sd = std::sqrt(moments.variance);
      out.whole = predict::takes_counts(block.family->entry());
      for (const double q : options_.quantiles) out.quantile.push_back(mixture.quantile(q));
    }
    for (std::size_t m = 0; m < options_.draws; ++m) out.draw.push_back(draw(place, cell, m));
    return out;
  }

 private:
  [[nodiscard]] std::span<const double> row_of(const std::vector<double>& values,
                                               std::size_t cell) const {
    const std::size_t components = on_data_.parts().components();
    return std::span(values).subspan(rests_.rest[cell] * components, components);
  }

  // Random numbers of the membership belong to the row, those of the cell to its place: no draw
  // depends on what else is asked for.
  [[nodiscard]] double draw(const CellPlace& place, std::size_t cell, std::size_t m) const {
    using predict::Purpose;
    const model::Parts& parts = on_data_.parts();
    core::Rng for_row(options_.seed, predict::purpose(Purpose::membership, m), place.row);
    std::vector<double> theta(parts.components());
    memberships_->draw(rests_.rest[cell], row_of(scored_.state, cell), for_row, theta);
    const std::size_t feature = first_feature_[place.block] + place.feature;
    core::Rng for_cell(options_.seed, predict::purpose(Purpose::cell, m),
                       place.row * first_feature_.back() + feature);
    const model::ModelBlock& block = parts.blocks[place.block];
    const std::size_t component = predict::draw_component(theta, for_cell);
    const families::Draw drawn = block.family->draw(place.feature, component, for_cell);
    return block.shape.encoding == Encoding::levels
               ? static_cast<double>(drawn.slot - block.shape.first_slot[place.feature])
               : drawn.value;
  }

  const PredictOptions& options_;
  model::ModelOnData on_data_;
  predict::RestRows rests_;
  model::ScoredRows scored_;
  std::optional<predict::MembershipDraws> memberships_;
  std::vector<std::size_t> first_feature_;  // blocks + 1: features of the blocks before
};

}  // namespace

std::size_t CellPrediction::mode() const {
  return static_cast<std::size_t>(std::ranges::max_element(probability) - probability.begin());
}

std::vector<CellPrediction> predict_cells(const Model& model, const Dataset& data,
                                          const std::vector<CellPlace>& cells,
                                          const PredictOptions& options) {
  for (const double q : options.quantiles) {
    if (!(q > 0 && q < 1)) throw InputError({"quantiles", "must lie between 0 and 1", ""});
  }
  const Predictor predictor(model, data, cells, options);
  std::vector<CellPrediction> out(cells.size());
  const std::size_t chunks = (cells.size() + kCellChunk - 1) / kCellChunk;
  core::parallel_for(chunks, core::thread_count(options.threads),
                     [&](std::size_t chunk, std::size_t) {
                       const std::size_t end = std::min(cells.size(), (chunk + 1) * kCellChunk);
                       for (std::size_t i = chunk * kCellChunk; i < end; ++i)
                         out[i] = predictor.predict(cells[i], i);
                     });
  return out;
}

}  // namespace medley
