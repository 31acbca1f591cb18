// SPDX-License-Identifier: Apache-2.0
#include "engines/warm_start_membership.hpp"

#include <algorithm>
#include <utility>

#include "data/select_rows.hpp"
#include "engines/variational_em.hpp"

namespace medley::engines {
namespace {

constexpr std::size_t kRows = 2000;
constexpr memberships::Limits kSuccessionLimits{1e-3, 50};

// Two memberships change places, and back at the end, whatever happens: what is saved of a fit that
// is interrupted in between has the shape of the model asked for.
class Exchanged {
 public:
  using Held = std::unique_ptr<memberships::Membership>;
  Exchanged(Held& a, Held& b) : a_(a), b_(b) { a_.swap(b_); }
  ~Exchanged() { a_.swap(b_); }
  Exchanged(const Exchanged&) = delete;
  Exchanged& operator=(const Exchanged&) = delete;

 private:
  Held& a_;
  Held& b_;
};

}  // namespace

Dataset spread_rows(const Share& share, std::size_t most) {
  const std::size_t all = share.all_rows, count = std::min(most, all);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = i * all / count;
    if (row >= share.first_row && row < share.first_row + share.data->rows)
      chosen.push_back(row - share.first_row);
  }
  return data::select_rows(*share.data, chosen);
}

void warm_start_membership(const EmData& data, std::unique_ptr<memberships::Membership> before,
                           const model::Inference& inference, EmModel& model) {
  const Dataset some = spread_rows(data, kRows);
  const EmData looked_at = prepare(some, data.threads, *data.across);
  std::vector<double> states;
  {
    const Exchanged other(model.membership, before);
    LentModel first(looked_at, model);
    (void)first->infer_prior(kSuccessionLimits);
    states = first->states();
  }
  const std::size_t components = before->components(), size = before->state_size();
  std::vector<double> counts(some.rows * components);
  for (std::size_t row = 0; row < some.rows; ++row) {
    const auto out = std::span(counts).subspan(row * components, components);
    before->held(std::span(states).subspan(row * size, size), out);
    for (double& held : out) held *= some.observed(row);
  }
  model.membership->copy_prior_from(*before);
  if (memberships::Located* located = model.membership->located()) located->begin_with(counts);
  model.inference = &inference;
}

void finalize_membership(const EmData& data, double all, EmModel& model) {
  if (model.membership->located() == nullptr) return;
  constexpr int kMost = 20;
  constexpr double kLittle = 1e-2;
  const Dataset some = spread_rows(data, kRows);
  const EmData looked_at = prepare(some, data.threads, *data.across);
  LentModel held(looked_at, model);
  for (int i = 0; i < kMost; ++i) {
    memberships::PriorStatistics prior = held->infer_prior(kSuccessionLimits);
    const double times = all / static_cast<double>(some.rows);
    prior.rows *= times;
    for (double& sum : prior.sum) sum *= times;
    if (held->model().membership->located()->settle(prior) < kLittle) break;
  }
}

}  // namespace medley::engines
