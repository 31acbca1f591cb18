// SPDX-License-Identifier: Apache-2.0
#include "predict/predict_cells.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "core/parallel.hpp"
#include "core/task.hpp"
#include "data/select_rows.hpp"
#include "medley/error.hpp"
#include "medley/predict.hpp"
#include "model/model_on_data.hpp"
#include "model/predictive_mixture.hpp"
#include "predict/cell_index.hpp"
#include "predict/cell_mixture.hpp"
#include "predict/membership_draws.hpp"

namespace medley::predict {
namespace {

void check_place(const Dataset& data, const CellPlace& place) {
  const bool there = place.row < data.rows && place.block < data.blocks.size() &&
                     place.feature < data.blocks[place.block].features.size();
  if (!there) {
    throw InputError({"cell", "is outside the data", "rows, blocks and features count from 0"});
  }
  if (!predictable(data.blocks[place.block])) {
    throw InputError({"block " + data.blocks[place.block].name, "holds words: no cells to predict",
                      "ask for a column of levels or numbers"});
  }
}

// A row of the data, without the cells at `left_out`.
void append_row(const Dataset& data, std::size_t row, const std::optional<CellPlace>& left_out,
                Dataset& to) {
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    const Block& block = data.blocks[b];
    Block& out = to.blocks[b];
    const std::uint64_t begin = block.row_start[row], end = block.row_start[row + 1];
    if (left_out && left_out->block == b) {
      const CellRange gap = cells_at(data, *left_out);
      medley::data::append_cells(block, begin, gap.begin, out);
      medley::data::append_cells(block, gap.end, end, out);
    } else {
      medley::data::append_cells(block, begin, end, out);
    }
    out.row_start.push_back(out.slot.size());
  }
  ++to.rows;
}

}  // namespace

RestRows rest_rows(const Dataset& data, const std::vector<CellPlace>& cells) {
  RestRows out;
  for (const Block& block : data.blocks) out.data.blocks.push_back(block.shape());
  // row, and which of its cells is left out: the block and feature, or one past the last block
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::size_t> known;
  out.rest.reserve(cells.size());
  for (const CellPlace& place : cells) {
    check_place(data, place);
    const bool missing = cells_at(data, place).empty();
    const auto key = missing ? std::tuple(place.row, data.blocks.size(), std::size_t{0})
                             : std::tuple(place.row, place.block, place.feature);
    const auto [found, fresh] = known.try_emplace(key, out.data.rows);
    if (fresh) append_row(data, place.row, missing ? std::nullopt : std::optional(place), out.data);
    out.rest.push_back(found->second);
  }
  return out;
}

}  // namespace medley::predict

namespace medley {

// Predicts the requested cells: solves the rests of their rows (equal rests once); the distribution
// of a cell is then a mixture of its feature's components.

namespace {

constexpr std::size_t kCellChunk = 64;

// The model that draws of cells come from: a plain model, or one draw of a sampled model.
struct DrawSource {
  model::ModelOnData model;
  model::ScoredRows scored;
  std::optional<predict::MembershipDraws> memberships = {};
};

class Predictor {
 public:
  Predictor(const Model& model, const Dataset& data, const std::vector<CellPlace>& cells,
            const PredictOptions& options)
      : options_(options),
        on_data_(model, data),
        rests_(predict::rest_rows(data, cells)),
        mixture_(model::predictive_mixture(on_data_, rests_.data, options.threads)) {
    first_feature_.push_back(0);
    for (const Block& block : data.blocks)
      first_feature_.push_back(first_feature_.back() + block.features.size());
    if (options.draws == 0) return;
    std::vector<std::size_t> used = on_data_.draws();
    if (used.empty()) add_source(on_data_);
    used.resize(std::min(used.size(), options.draws));
    for (const std::size_t draw : used) add_source(on_data_.at_draw(draw, rests_.data));
  }

  [[nodiscard]] CellPrediction predict(const CellPlace& place, std::size_t cell) const {
    const model::ModelBlock& block = on_data_.parts().blocks[place.block];
    const predict::CellMixture mixture(*mixture_.family[place.block], block.shape, place.feature,
                                       mixture_.of_row(rests_.rest[cell]));
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
  void add_source(const model::ModelOnData& model) {
    auto& source = *sources_.emplace_back(std::make_unique<DrawSource>(DrawSource{
        model, model.predictive(rests_.data, options_.threads, model::Keep::shares_and_states)}));
    source.memberships.emplace(source.model, rests_.data);
    source.model.parts().prepare_draws();
  }

  // Random numbers are keyed by row for the membership and by place for the cell, so that no draw
  // depends on which other cells are requested.
  [[nodiscard]] double draw(const CellPlace& place, std::size_t cell, std::size_t m) const {
    using predict::Purpose;
    const DrawSource& source = *sources_[m % sources_.size()];
    const model::Parts& parts = source.model.parts();
    core::Rng for_row(options_.seed, predict::purpose(Purpose::membership, m), place.row);
    std::vector<double> theta(parts.components());
    const std::size_t rest = rests_.rest[cell];
    source.memberships->draw(
        rest, std::span(source.scored.state).subspan(rest * theta.size(), theta.size()), for_row,
        theta);
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
  model::PredictiveMixture mixture_;
  std::vector<std::unique_ptr<DrawSource>> sources_;
  std::vector<std::size_t> first_feature_;  // blocks + 1: features of the blocks before
};

}  // namespace

std::size_t CellPrediction::mode() const {
  return static_cast<std::size_t>(std::ranges::max_element(probability) - probability.begin());
}

std::vector<CellPrediction> predict_cells(const Model& model, const Dataset& data,
                                          const std::vector<CellPlace>& cells,
                                          const PredictOptions& options, const Hooks& hooks) {
  const core::Task task(hooks);
  for (const double q : options.quantiles) {
    if (!(q > 0 && q < 1)) throw InputError({"quantiles", "must lie between 0 and 1", ""});
  }
  const Predictor predictor(model, data, cells, options);
  std::vector<CellPrediction> out(cells.size());
  const std::size_t chunks = (cells.size() + kCellChunk - 1) / kCellChunk;
  core::parallel_for(chunks, core::thread_count(options.threads),
                     [&](std::size_t chunk, std::size_t) {
                       const std::size_t end = std::min(cells.size(), (chunk + 1) * kCellChunk);
                       for (std::size_t i = chunk * kCellChunk; i < end; ++i) {
                         core::stop_if_asked();
                         out[i] = predictor.predict(cells[i], i);
                       }
                     });
  return out;
}

}  // namespace medley
