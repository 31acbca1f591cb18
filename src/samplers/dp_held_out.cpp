// SPDX-License-Identifier: Apache-2.0
#include "samplers/dp_held_out.hpp"

#include <cmath>

#include "core/parallel.hpp"
#include "core/problems.hpp"
#include "core/task.hpp"
#include "data/distinct.hpp"
#include "math/logs.hpp"

namespace medley::samplers {

double dp_log_predictive(const DpModel& model, const Clusters& clusters, double concentration,
                         const Dataset& data, std::size_t row) {
  std::vector<double> weight(clusters.count() + 1);
  clusters.log_weights(data, row, weight.data());
  weight.back() = std::log(concentration) + model.log_alone(data, row);
  return math::log_sum_exp(weight) + model.log_base(data, row) -
         std::log(static_cast<double>(model.rows()) + concentration);
}

std::vector<math::LogMean> dp_held_out(const DpModel& model, std::span<const Labels> labels,
                                       std::span<const double> concentration, const Dataset& data,
                                       std::size_t threads) {
  if (!data::whole_weights(data))
    throw InputError({"block weights", "cells that count a fraction cannot be scored",
                      "leave the block weights out"});
  std::vector<double> logs(data.rows * labels.size());  // rows x draws
  core::parallel_for(labels.size(), threads, [&](std::size_t draw, std::size_t /*worker*/) {
    Labels names = labels[draw];
    const std::size_t count = canonical(names);
    Clusters clusters(model.data(), model.priors());
    clusters.rebuild(names, count);
    for (std::size_t row = 0; row < data.rows; ++row) {
      core::stop_if_asked();
      logs[row * labels.size() + draw] =
          dp_log_predictive(model, clusters, concentration[draw], data, row);
    }
  });
  std::vector<math::LogMean> out;
  for (std::size_t row = 0; row < data.rows; ++row)
    out.push_back(math::log_mean(std::span(logs).subspan(row * labels.size(), labels.size())));
  return out;
}

}  // namespace medley::samplers
