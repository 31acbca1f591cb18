// SPDX-License-Identifier: Apache-2.0
#include "medley/predict.hpp"

#include <cmath>
#include <numeric>

#include "bind.hpp"
#include "long_call.hpp"
#include "medley/error.hpp"

namespace medley::python {
namespace {

/// Cells with what the model says of them, feature by feature as Python wants them.
nb::dict cell_dict(const Dataset& data, const std::vector<CellPrediction>& cells) {
  const std::size_t n = cells.size();
  std::vector<std::int64_t> row(n), block(n), feature(n), mode(n, -1);
  std::vector<double> mean(n), sd(n), median(n);
  nb::list draws, probabilities, quantiles;
  for (std::size_t i = 0; i < n; ++i) {
    const CellPrediction& cell = cells[i];
    row[i] = static_cast<std::int64_t>(cell.place.row);
    block[i] = static_cast<std::int64_t>(cell.place.block);
    feature[i] = static_cast<std::int64_t>(cell.place.feature);
    mean[i] = cell.mean;
    sd[i] = cell.sd;
    median[i] = cell.whole && cell.quantile.size() > 1 ? cell.quantile[1] : cell.mean;
    if (!cell.probability.empty()) mode[i] = static_cast<std::int64_t>(cell.mode());
    draws.append(nb::cast(cell.draw));
    probabilities.append(nb::cast(cell.probability));
    quantiles.append(nb::cast(cell.quantile));
  }
  nb::dict out;
  out["row"] = array(std::move(row));
  out["block"] = array(std::move(block));
  out["feature"] = array(std::move(feature));
  out["mode"] = array(std::move(mode));
  out["mean"] = array(std::move(mean));
  out["sd"] = array(std::move(sd));
  out["best"] = array(std::move(median));
  out["draws"] = draws;
  out["probabilities"] = probabilities;
  out["quantiles"] = quantiles;
  nb::list names;
  for (const Block& b : data.blocks) {
    nb::list features;
    for (const Feature& f : b.features)
      features.append(b.encoding == Encoding::tokens
                          ? nb::make_tuple(f.name, std::vector<std::string>())
                          : nb::make_tuple(f.name, f.levels));
    names.append(features);
  }
  out["features"] = names;
  return out;
}

nb::dict predicted_missing(const Model& model, const Data& data, std::size_t most,
                           const PredictOptions& options) {
  const auto cells = long_call([model, set = data.set, most, options](const Hooks& hooks) {
    return predict_cells(model, *set, missing_cells(*set, most), options, hooks);
  });
  return cell_dict(*data.set, cells);
}

nb::dict predicted_cells(
    const Model& model, const Data& data,
    const std::vector<std::tuple<std::size_t, std::size_t, std::size_t>>& asked,
    const PredictOptions& options) {
  std::vector<CellPlace> places;
  for (const auto& [row, block, feature] : asked) {
    if (row >= data.set->rows || block >= data.set->blocks.size() ||
        feature >= data.set->blocks[block].features.size())
      throw InputError({"cells", "a cell lies outside of the data", ""});
    places.push_back({row, block, feature});
  }
  const auto cells = long_call([model, set = data.set, places, options](const Hooks& hooks) {
    return predict_cells(model, *set, places, options, hooks);
  });
  return cell_dict(*data.set, cells);
}

std::size_t block_of_items(const Dataset& data, const std::string& name) {
  std::vector<std::string> logs;
  for (const SourceSpec& source : data.schema.sources) {
    if (source.kind == SourceKind::triplets) logs.push_back(source.name);
  }
  if (logs.empty())
    throw InputError({"model", "was not fitted to ratings (row, item, value)",
                      "`impute` predicts the cells of tables"});
  if (name.empty() && logs.size() > 1)
    throw InputError({"source", "there are " + std::to_string(logs.size()) + " rating logs",
                      "name one: source=\"" + logs.front() + "\""});
  const std::string& wanted = name.empty() ? logs.front() : name;
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    if (data.blocks[b].name == wanted && std::find(logs.begin(), logs.end(), wanted) != logs.end())
      return b;
  }
  throw InputError(
      {"source", "there is no rating log \"" + wanted + "\"", "the first is " + logs.front()});
}

nb::dict recommended(const Model& model, const Data& data, std::vector<std::size_t> rows,
                     const std::string& source, std::size_t top, const std::string& level,
                     double least, std::size_t threads) {
  for (const std::size_t row : rows) {
    if (row >= data.set->rows) throw InputError({"rows", "lie outside of the data", ""});
  }
  RecommendOptions options;
  options.block = block_of_items(*data.set, source);
  options.top = top;
  options.level = level;
  options.least_in_training = least;
  options.threads = threads;
  const auto best = long_call([model, set = data.set, rows, options](const Hooks& hooks) {
    return recommend(model, *set, rows, options, hooks);
  });
  const Block& block = data.set->blocks[options.block];
  std::vector<std::int64_t> row, rank;
  std::vector<double> score, ratings, sd;
  nb::list item;
  const std::vector<std::string>& levels = block.features.front().levels;
  std::vector<std::vector<double>> probability(levels.size());
  for (std::size_t i = 0; i < best.size(); ++i) {
    for (std::size_t r = 0; r < best[i].size(); ++r) {
      const Recommendation& one = best[i][r];
      row.push_back(static_cast<std::int64_t>(rows[i]));
      rank.push_back(static_cast<std::int64_t>(r + 1));
      item.append(block.features[one.cell.place.feature].name);
      score.push_back(one.score);
      ratings.push_back(one.in_training);
      sd.push_back(one.cell.sd);
      for (std::size_t l = 0; l < levels.size(); ++l)
        probability[l].push_back(l < one.cell.probability.size() ? one.cell.probability[l] : NAN);
    }
  }
  nb::dict out;
  out["row"] = array(std::move(row));
  out["rank"] = array(std::move(rank));
  out["item"] = item;
  out["score"] = array(std::move(score));
  out["ratings"] = array(std::move(ratings));
  for (std::size_t l = 0; l < levels.size(); ++l)
    out[("p_" + levels[l]).c_str()] = array(std::move(probability[l]));
  if (block.encoding == Encoding::real) out["sd"] = array(std::move(sd));
  return out;
}

}  // namespace

void bind_predict(nb::module_& module) {
  using P = PredictOptions;
  nb::class_<P>(module, "PredictOptions")
      .def(nb::init<>())
      .def_rw("quantiles", &P::quantiles)
      .def_rw("draws", &P::draws)
      .def_rw("seed", &P::seed)
      .def_rw("threads", &P::threads);
  module.def("predict_missing", &predicted_missing);
  module.def("predict_cells", &predicted_cells);
  module.def("recommend", &recommended);
  using C = CellScores;
  nb::class_<C>(module, "CellScores")
      .def_ro("what", &C::what)
      .def_ro("cells", &C::cells)
      .def_ro("log_loss", &C::log_loss)
      .def_ro("baseline_log_loss", &C::baseline_log_loss)
      .def_ro("gain_error", &C::gain_error)
      .def_ro("accuracy", &C::accuracy)
      .def_ro("baseline_accuracy", &C::baseline_accuracy)
      .def_ro("rmse", &C::rmse)
      .def_ro("baseline_rmse", &C::baseline_rmse)
      .def_ro("scaled_rmse", &C::scaled_rmse)
      .def_ro("coverage50", &C::coverage50)
      .def_ro("coverage90", &C::coverage90);
  module.def("holdout_cells", [](const Model& model, const Data& data, double share,
                                 std::uint64_t seed, std::size_t threads) {
    HoldoutOptions options;
    options.share = share;
    options.seed = seed;
    options.threads = threads;
    return long_call([model, set = data.set, options](const Hooks& hooks) {
             return holdout_cells(model, *set, options, hooks);
           })
        .scores;
  });
  module.def(
      "holdout_fit",
      [](const Data& data, const FitOptions& fitting, double share, std::uint64_t seed,
         const nb::object& progress) {
        HoldoutOptions options;
        options.share = share;
        options.seed = seed;
        options.threads = fitting.threads;
        return long_call(
                   [set = data.set, fitting, options](const Hooks& hooks) {
                     return holdout_fit(*set, fitting, options, hooks);
                   },
                   {progress})
            .scores;
      },
      nb::arg("data"), nb::arg("options"), nb::arg("share"), nb::arg("seed"),
      nb::arg("progress").none());
}

}  // namespace medley::python
