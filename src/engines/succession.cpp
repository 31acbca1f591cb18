// SPDX-License-Identifier: Apache-2.0
#include "engines/succession.hpp"

#include <algorithm>
#include <utility>

#include "data/select_rows.hpp"
#include "engines/variational_em.hpp"

namespace medley::engines {
namespace {

constexpr std::size_t kRows = 2000;
constexpr memberships::Limits kSuccessionLimits{1e-3, 50};

// Lends a model to an engine; it comes back whatever happens.
class Lent {
 public:
  Lent(const EmData& data, EmModel& model) : model_(model), engine_(data, std::move(model)) {}
  ~Lent() { model_ = std::move(engine_.model()); }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  [[nodiscard]] VariationalEm& engine() { return engine_; }

 private:
  EmModel& model_;
  VariationalEm engine_;
};

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

Dataset spread_rows(const Dataset& rows, std::size_t most) {
  const std::size_t count = std::min(most, rows.rows);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(i * rows.rows / count);
  return data::select_rows(rows, chosen);
}

void succeed(const Dataset& rows, std::unique_ptr<memberships::Membership> before,
             const model::Inference& inference, std::size_t threads, EmModel& model) {
  const Dataset some = spread_rows(rows, kRows);
  const EmData data = prepare(some, threads);
  std::vector<double> states;
  {
    const Exchanged other(model.membership, before);
    Lent first(data, model);
    memberships::PriorStatistics unused;
    first.engine().collect(kSuccessionLimits, unused);
    states = first.engine().states();
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

void settle_membership(const Dataset& rows, double all, std::size_t threads, EmModel& model) {
  if (model.membership->located() == nullptr) return;
  constexpr int kMost = 20;
  constexpr double kLittle = 1e-2;
  const Dataset some = spread_rows(rows, kRows);
  const EmData data = prepare(some, threads);
  Lent held(data, model);
  memberships::PriorStatistics prior;
  for (int i = 0; i < kMost; ++i) {
    held.engine().collect(kSuccessionLimits, prior);
    const double times = all / static_cast<double>(some.rows);
    prior.rows *= times;
    for (double& sum : prior.sum) sum *= times;
    if (held.engine().model().membership->located()->settle(prior) < kLittle) break;
  }
}

}  // namespace medley::engines
