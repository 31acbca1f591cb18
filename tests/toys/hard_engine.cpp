// SPDX-License-Identifier: Apache-2.0
// A toy inference, in one file: classification EM (Celeux and Govaert 1992). Every row is given
// whole to the component that makes it most probable, and the tables are fitted to the rows given:
//
//   z_i = argmax_k log p(x_i all of k) + log p(k)        sum_i of the maxima never falls
//
// For any membership with a given number of components.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "model/inference.hpp"
#include "toys/toys.hpp"

namespace medley::test {
namespace {

using namespace engines;
using model::Need;

class Hard final : public Engine {
 public:
  Hard(const EmData& data, EmModel model) : Engine(data, std::move(model)) {}

  double iterate() override {
    const Dataset& data = *data_.data;
    const std::vector<double> likelihood = component_log_likelihoods();
    std::vector<double> given(data.rows * padded_, 0.0), prior(components_);
    std::vector<double> state(model_.membership->state_size());
    memberships::Membership& membership = *model_.membership;
    memberships::PriorStatistics statistics = membership.empty_statistics();
    const double log_prior = model_.log_prior();
    double likeliest = 0;
    for (std::size_t row = 0; row < data.rows; ++row) {
      const double m = data.observed(row);
      if (m <= 0) continue;
      membership.one_component_log_prior(m, prior);
      for (std::size_t k = 0; k < components_; ++k) prior[k] += likelihood[row * components_ + k];
      const auto best = std::ranges::max_element(prior);
      likeliest += data.weight_of(row) * *best;
      const auto k = static_cast<std::size_t>(best - prior.begin());
      given[row * padded_ + k] = 1;
      membership.start(m, std::span(given).subspan(row * padded_, components_), state);
      membership.log_weights(state, prior);
      membership.collect(state, prior, data.weight_of(row), statistics);
    }
    start_from(given);
    Statistics& sums = workspace();
    sums.bound() = likeliest;
    sums.set_prior(statistics);
    data_.across->sum(sums.totals());
    maximise_prior(sums, data_.threads, model_);
    return sums.bound() + log_prior;
  }

  void save(core::TensorFile& file, const std::string& prefix) const override {
    save_parameters(model_, file, prefix);
  }
  void restore(const core::TensorFile& file, const std::string& prefix) override {
    restore_parameters(file, prefix, model_);
  }

 private:
  void forget() override {}
};

// Nobody asks for it, but of two answers a row it is the best there is.
double suits(const model::Situation& situation, std::string& why) {
  if (situation.data.rows == 0 || situation.data.observed(0) != 2) return 0;
  why = "Rows have two answers.";
  return 1;
}

const model::Inference hard_inference = {
    .name = "hard",
    .summary = "every row is given whole to one component",
    .needed = Need::given_k | Need::no_label | Need::points | Need::all_rows,
    .suits = suits};

}  // namespace

const EngineEntry hard_engine = {
    .inference = &hard_inference,
    .make = [](const EmData& data, EmModel model, std::uint64_t) -> std::unique_ptr<Engine> {
      return std::make_unique<Hard>(data, std::move(model));
    },
    .spreads = true};

}  // namespace medley::test
