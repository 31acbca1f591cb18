// SPDX-License-Identifier: Apache-2.0
#include "engines/exact_em.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/task.hpp"
#include "engines/registry.hpp"
#include "medley/error.hpp"

namespace medley::engines {
namespace {

constexpr std::size_t kMemory = 6;
// A fall of the likelihood by less than this (relative) is rounding.
constexpr double kSlack = 1e-13;

}  // namespace

ExactData::ExactData(const Dataset& data, model::ExactPlan how)
    : plan(std::move(how)), total(plan.cells.data.rows, 0.0) {
  for (const Block& block : plan.cells.data.blocks) columns.push_back(data::transpose(block));
  for (std::size_t b = 0; b < data.blocks.size(); ++b) {
    const Block& block = data.blocks[b];
    for (std::size_t row = 0; row < data.rows; ++row) {
      for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c)
        total[plan.cells.code[b][c]] +=
            data.weight_of(row) * static_cast<double>(block.weight_of(c));
    }
  }
}

ExactEm::ExactEm(const EmData& data, EmModel model)
    : Engine(data, std::move(model)),
      exact_(dynamic_cast<const ExactData&>(*data.own)),
      estep_(exact_.plan, *data.data, data.threads),
      memory_(kMemory) {}

void ExactEm::forget() {
  evaluated_ = false;
  made_from_.clear();
  memory_.clear();
}

double ExactEm::iterate() {
  core::TensorFile before;
  if (core::may_be_stopped()) save(before, "");
  try {
    return step();
  } catch (const Interrupted&) {
    restore(before, "");
    throw;
  }
}

double ExactEm::step() {
  if (!evaluated_) evaluate();
  const double before = objective_;
  const std::vector<double> plain = target();
  if (!made_from_.empty()) memory_.add(made_from_, plain);
  const bool leap = memory_.ready();
  made_from_ = leap ? memory_.next() : plain;
  apply(made_from_);
  evaluate();
  if (leap && !(objective_ >= before - kSlack * std::abs(before))) {
    memory_.clear();
    made_from_ = plain;
    apply(made_from_);
    evaluate();
  }
  return objective_;
}

void ExactEm::evaluate() {
  for (auto& family : model_.families) family->prepare(false);
  const auto families = model_.family_pointers();
  statistics_ = estep_.expectation({families, model_.membership.get(), model_.inference});
  objective_ = statistics_.log_likelihood + model_.log_prior();
  if (expects_mixing(model_, statistics_.counts.total.size()))
    objective_ += math::mixed_row_log_prior(model_.membership->parameters());
  evaluated_ = true;
}

// In units in which a change of alpha weighs about as much as one of the tables.
double ExactEm::alpha_scale() const {
  return 0.5 * std::sqrt(std::max(1.0, statistics_.counts.rows()));
}

// The statistics of the present parameters as a vector: distinct cells x K, then log alpha.
std::vector<double> ExactEm::target() const {
  std::vector<double> v;
  v.reserve(exact_.total.size() * components_ + components_);
  for (std::size_t cell = 0; cell < exact_.total.size(); ++cell) {
    for (std::size_t k = 0; k < components_; ++k)
      v.push_back(std::sqrt(std::max(0.0, statistics_.cells[cell * padded_ + k])));
  }
  const auto& entry = model_.membership->entry();
  const auto fitted = entry.make(components_);
  fitted->set_parameters(model_.membership->parameters());
  memberships::PriorStatistics prior;
  prior.counts = statistics_.counts;
  if (expects_mixing(model_, prior.counts.total.size()))
    math::add_mixed_row(model_.membership->parameters(), prior.counts);
  fitted->maximise(prior, model_.alpha);
  for (const double a : fitted->parameters()) v.push_back(alpha_scale() * std::log(a));
  return v;
}

// The M-step. Extrapolated responsibilities of a cell are made to sum to its weight again.
void ExactEm::apply(const std::vector<double>& v) {
  std::vector<double> full(exact_.total.size() * padded_, 0.0);
  for (std::size_t cell = 0; cell < exact_.total.size(); ++cell) {
    double sum = 0;
    for (std::size_t k = 0; k < components_; ++k) {
      const double root = v[cell * components_ + k];
      sum += full[cell * padded_ + k] = root * root;
    }
    const double factor = sum > 0 ? exact_.total[cell] / sum : 0.0;
    for (std::size_t k = 0; k < components_; ++k) full[cell * padded_ + k] *= factor;
  }
  const std::vector<Block>& blocks = exact_.plan.cells.data.blocks;
  std::vector<families::Responsibilities> from;
  const double* cells = full.data();
  for (const Block& block : blocks) {
    from.emplace_back().full = cells;
    cells += block.cells() * padded_;
  }
  collect_tables(blocks, exact_.columns, from, data_, model_, workspace());
  maximise_families(workspace(), model_);
  if (model_.alpha != AlphaMode::fixed) {
    std::vector<double> alpha;
    for (std::size_t k = 0; k < components_; ++k) {
      const double log = v[exact_.total.size() * components_ + k] / alpha_scale();
      alpha.push_back(std::clamp(std::exp(log), math::kAlphaFloor, math::kAlphaCap));
    }
    model_.membership->set_parameters(alpha);
  }
  evaluated_ = false;
}

void ExactEm::save(core::TensorFile& file, const std::string& prefix) const {
  save_parameters(model_, file, prefix);
  file.put(prefix + "made_from", made_from_);
  file.put(prefix + "memory",
           std::vector<std::int64_t>{static_cast<std::int64_t>(memory_.pairs().size())});
  for (std::size_t j = 0; j < memory_.pairs().size(); ++j) {
    file.put(prefix + "x." + std::to_string(j), memory_.pairs()[j].x);
    file.put(prefix + "g." + std::to_string(j), memory_.pairs()[j].g);
  }
}

void ExactEm::restore(const core::TensorFile& file, const std::string& prefix) {
  restore_parameters(file, prefix, model_);
  forget();
  const std::size_t size = (exact_.total.size() + 1) * components_;
  made_from_ = file.doubles(prefix + "made_from");
  if (made_from_.size() != size) made_from_.clear();
  const std::int64_t pairs = file.integers(prefix + "memory", 1)[0];
  for (std::int64_t j = 0; j < std::min<std::int64_t>(pairs, kMemory + 1); ++j)
    memory_.add(file.doubles(prefix + "x." + std::to_string(j), size),
                file.doubles(prefix + "g." + std::to_string(j), size));
}

namespace {

[[noreturn]] void refuse_exact(const std::string& why) {
  throw InputError({"`inference=\"exact\"`", why,
                    "use `inference=\"monte-carlo\"`, a smaller `k`, or a larger `limit`"});
}

// "40 seconds", "3 hours"
std::string in_words(double seconds) {
  const auto rounded = [](double value, const char* unit) {
    return std::to_string(nearest_integer_of<long long>(std::ceil(value))) + " " + unit;
  };
  if (seconds < 120) return rounded(seconds, "seconds");
  if (seconds < 7200) return rounded(seconds / 60, "minutes");
  if (seconds < 172'800) return rounded(seconds / 3600, "hours");
  return seconds < 1e10 ? rounded(seconds / 86'400, "days") : "more than a lifetime";
}

std::shared_ptr<const EngineData> exact_data(const EmData& data, const FitOptions& options) {
  const double per_second = kExactStepsPerSecond * static_cast<double>(data.threads);
  const double iterations = kExactIterations * static_cast<double>(options.restarts);
  const double most = options.limit * per_second / iterations;
  model::ExactPlan plan = model::plan_exact(*data.data, options.components, most);
  if (!plan.objection.empty()) refuse_exact("is not possible: " + plan.objection);
  if (plan.steps > most) {
    refuse_exact("would take about " + in_words(plan.steps * iterations / per_second) +
                 ", more than the limit of " + in_words(options.limit));
  }
  return std::make_shared<const ExactData>(*data.data, std::move(plan));
}

}  // namespace

const EngineEntry exact_engine = {
    .inference = &model::exact_inference,
    .make = [](const EmData& data, EmModel model, std::uint64_t) -> std::unique_ptr<Engine> {
      return std::make_unique<ExactEm>(data, std::move(model));
    },
    .prepare_data = exact_data};

}  // namespace medley::engines
