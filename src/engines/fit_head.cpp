// SPDX-License-Identifier: Apache-2.0
#include "engines/fit_head.hpp"

#include <cmath>

#include "math/logs.hpp"

namespace medley::engines {
namespace {

template <class Visit>
void each_labelled_row(const EmData& data, Visit&& visit) {
  for (std::size_t row = 0; row < data.label.size(); ++row) {
    if (data.label[row] >= 0 && data.data->observed(row) > 0)
      visit(row, static_cast<std::size_t>(data.label[row]));
  }
}

}  // namespace

void head_from_shares(const EmData& data, const std::vector<double>& shares, std::size_t stride,
                      heads::Softmax& head) {
  heads::Statistics statistics = head.empty_statistics();
  each_labelled_row(data, [&](std::size_t row, std::size_t own) {
    head.collect(own, std::span(shares).subspan(row * stride, head.components()), 1.0,
                 data.data->weight_of(row), statistics);
  });
  data.across->sum(statistics.joint);
  head.set_shares(statistics);
}

void head_from_identity(double value, heads::Softmax& head) {
  std::vector<double> eta(head.eta().size(), 0.0);
  for (std::size_t k = 0; k < head.components(); ++k) {
    const std::size_t h = k % head.classes();
    if (h + 1 < head.classes()) eta[h * head.components() + k] = value;
  }
  head.set_eta(eta);
}

std::vector<double> sole_shares(Engine& engine) {
  const Dataset& data = *engine.data().data;
  const std::size_t components = engine.model().membership->components();
  std::vector<double> shares = engine.component_log_likelihoods();
  std::vector<double> prior(components);
  for (std::size_t row = 0; row < data.rows; ++row) {
    const auto own = std::span(shares).subspan(row * components, components);
    engine.model().membership->one_component_log_prior(data.observed(row), prior);
    for (std::size_t k = 0; k < components; ++k) own[k] += prior[k];
    math::softmax(own);
  }
  return shares;
}

// EM over which component spoke: concave, so the few rounds that are left to go change little.
void head_from_predictions(const EmData& data, const std::vector<double>& shares,
                           heads::Softmax& head) {
  constexpr int kRounds = 20;
  const std::size_t components = head.components();
  head_from_shares(data, shares, components, head);
  std::vector<double> spoke(components);
  for (int round = 0; round < kRounds; ++round) {
    heads::Statistics statistics = head.empty_statistics();
    each_labelled_row(data, [&](std::size_t row, std::size_t own) {
      double total = 0;
      for (std::size_t k = 0; k < components; ++k) {
        spoke[k] =
            shares[row * components + k] * std::exp(head.log_probability()[own * components + k]);
        total += spoke[k];
      }
      if (!(total > 0)) return;
      for (double& value : spoke) value /= total;
      head.collect(own, spoke, 1.0, data.data->weight_of(row), statistics);
    });
    data.across->sum(statistics.joint);
    head.set_shares(statistics);
  }
}

}  // namespace medley::engines
