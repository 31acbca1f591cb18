// SPDX-License-Identifier: Apache-2.0
#include "samplers/gom_chain.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/parallel.hpp"
#include "core/problems.hpp"
#include "core/rng.hpp"
#include "core/task.hpp"
#include "math/logs.hpp"
#include "medley/error.hpp"
#include "model/row_chain.hpp"
#include "samplers/purposes.hpp"

namespace medley::samplers {
namespace {

constexpr std::size_t kPeople = 256;             // of one piece of work
constexpr std::size_t kSeeds = 5;                // persons that a component begins as
constexpr std::size_t kWalks = 8;                // proposals of alpha_0 and of xi per sweep
constexpr std::size_t kWorthThreads = 20000;     // numbers to draw
constexpr double kLeastShare = 1e-300;           // its logarithm must exist
constexpr std::uint32_t kMostAtOnce = 1U << 24;  // weights are floats: whole up to here

/// One piece after the other, or side by side: body(first person, last, piece).
template <class Body>
void for_people(std::size_t people, std::size_t threads, Body&& body) {
  core::parallel_for((people + kPeople - 1) / kPeople, threads,
                     [&](std::size_t piece, std::size_t /*worker*/) {
                       const std::size_t first = piece * kPeople;
                       body(first, std::min(first + kPeople, people), piece);
                     });
}

// Shares below e^-40 are taken for 0: most of them at a small alpha, and each would take five times
// as long. Gamma(a) = Gamma(a + 1) U^(1/a), so that it is as small where U < e^(-40 a).
constexpr double kNothing = -40;

double gamma_or_nothing(double shape, double nothing_below, core::Rng& rng) {
  if (shape >= 1) return rng.gamma(shape);
  const double u = rng.uniform();
  return u < nothing_below ? 0.0 : rng.gamma(shape + 1) * std::exp(std::log(u) / shape);
}

}  // namespace

GomChain::GomChain(const GomModel& model, std::size_t number)
    : model_(model),
      number_(number),
      families_(model.make_families()),
      walk_(model.options().alpha_prior, model.components()),
      z_(model.code().size(), 0),
      weighted_(model.distinct().data.blocks) {
  for (std::size_t b = 0; b < weighted_.size(); ++b) {
    weighted_[b].weight.assign(weighted_[b].cells(), 1.0F);
    sums_.emplace_back(model_.components() * model_.priors()[b]->size(), 0.0);
    tables_.emplace_back(families_[b]->parameters().begin(), families_[b]->parameters().end());
  }
  start_at_random();
}

// Tables as if each component had been met in a few persons only: far apart, and elsewhere in every
// chain.
void GomChain::start_at_random() {
  const std::size_t components = model_.components();
  core::Rng rng(model_.options().seed, purpose(Purpose::gom_start, number_, 0));
  alpha_ = model_.options().alpha;
  if (alpha_.empty()) {
    const GammaPrior& prior = model_.options().alpha_prior;
    double total = 0;
    for (std::size_t k = 0; k < components; ++k) total += alpha_.emplace_back(0.1 + rng.gamma(1));
    const double alpha0 = std::clamp(rng.gamma(prior.shape) / prior.rate, 1e-3, 1e3);
    for (double& a : alpha_) a *= alpha0 / total;
  }
  walk_.set(alpha_);
  count_.assign(model_.distinct().data.rows * components, 0);
  for (std::size_t k = 0; k < components; ++k) {
    for (std::size_t seed = 0; seed < kSeeds; ++seed) {
      const std::size_t person = rng.below(model_.people());
      for (std::uint64_t o = model_.start()[person]; o < model_.start()[person + 1]; ++o)
        ++count_[model_.code()[o] * components + k];
    }
  }
  gather_statistics();
  for (std::size_t k = 0; k < components; ++k) draw_component(k, rng);
  prepare();
  deal();
}

void GomChain::start(const GomState& state) {
  core::Problems problems;
  const auto positive = [](double a) { return a > 0 && std::isfinite(a); };
  if (state.alpha.size() != model_.components() || !std::ranges::all_of(state.alpha, positive))
    problems.add("start",
                 "alpha is not " + std::to_string(model_.components()) + " numbers above 0");
  bool fits = state.tables.size() == families_.size();
  for (std::size_t b = 0; fits && b < families_.size(); ++b)
    fits = state.tables[b].size() == families_[b]->parameters().size();
  if (!fits) problems.add("start", "its tables are not those of this model");
  for (std::size_t b = 0; fits && b < families_.size(); ++b) {
    families_[b]->set_parameters(state.tables[b]);
    const std::string flaw = families_[b]->entry().invalid_reason(*families_[b]);
    if (!flaw.empty()) problems.add("start", flaw);
  }
  const auto known = [&](std::uint16_t k) { return k < model_.components(); };
  if (!state.z.empty() && (state.z.size() != z_.size() || !std::ranges::all_of(state.z, known)))
    problems.add("start", "its components are not those of this model's observations");
  problems.throw_if_any();
  alpha_ = state.alpha;
  walk_.set(alpha_);
  tables_ = state.tables;
  sweep_ = 0;
  prepare();
  if (state.z.empty()) {
    deal();
  } else {
    z_ = state.z;
  }
}

// Every person's z given tables and alpha, from nothing.
void GomChain::deal() {
  model::RowChain chain(*likelihoods_, alpha_);
  for (std::size_t person = 0; person < model_.people(); ++person) {
    core::stop_if_asked();
    const std::uint64_t first = model_.start()[person], last = model_.start()[person + 1];
    core::Rng rng(model_.options().seed, purpose(Purpose::gom_start_rows, number_, 0), person);
    chain.draw(model_.code().subspan(first, last - first), rng,
               std::span(z_).subspan(first, last - first));
  }
}

// What is read from the tables.
void GomChain::prepare() {
  std::vector<const families::Family*> pointers;
  for (std::size_t b = 0; b < families_.size(); ++b) {
    families_[b]->set_parameters(tables_[b]);
    families_[b]->prepare(false);
    pointers.push_back(families_[b].get());
  }
  likelihoods_.emplace(pointers, model_.distinct());
}

void GomChain::sweep(bool tune, std::size_t threads) {
  const std::vector<std::uint16_t> before = core::may_be_stopped() ? z_ : decltype(z_)();
  try {
    draw_rows(threads);
  } catch (const Interrupted&) {
    z_ = before;
    throw;
  }
  const core::Unstoppable short_work;
  draw_tables(threads);
  draw_alpha(tune);
  ++sweep_;
}

void GomChain::draw_rows(std::size_t threads) {
  for_people(model_.people(), threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    model::RowChain chain(*likelihoods_, alpha_);
    for (std::size_t person = begin; person < end; ++person) {
      core::stop_if_asked();
      const std::uint64_t first = model_.start()[person], last = model_.start()[person + 1];
      const auto cells = model_.code().subspan(first, last - first);
      const auto z = std::span(z_).subspan(first, last - first);
      core::Rng rng(model_.options().seed, purpose(Purpose::gom_rows, number_, sweep_), person);
      // Half the sweeps each: the whole row costs as much as three times its observations.
      if (sweep_ % 2 == 0) {
        chain.renew(cells, rng, z);
      } else {
        chain.relabel(cells, rng, z);
      }
      chain.sweep(cells, rng, z, 0, 0, nullptr);
    }
  });
}

void GomChain::draw_tables(std::size_t threads) {
  count_observations();
  gather_statistics();
  std::size_t numbers = 0;
  for (const std::vector<double>& table : tables_) numbers += table.size();
  core::parallel_for(model_.components(), numbers > kWorthThreads ? threads : 1,
                     [&](std::size_t k, std::size_t /*worker*/) {
                       core::Rng rng(model_.options().seed,
                                     purpose(Purpose::gom_tables, number_, sweep_), k);
                       draw_component(k, rng);
                     });
  prepare();
}

// How often each component has each distinct cell.
void GomChain::count_observations() {
  const std::size_t components = model_.components();
  count_.assign(model_.distinct().data.rows * components, 0);
  const auto code = model_.code();
  for (std::size_t o = 0; o < z_.size(); ++o) ++count_[code[o] * components + z_[o]];
}

void GomChain::gather_statistics() {
  const std::size_t components = model_.components();
  std::size_t first = 0;  // of the block's distinct cells
  for (std::size_t b = 0; b < weighted_.size(); ++b) {
    const families::Conjugate& prior = *model_.priors()[b];
    Block& block = weighted_[b];
    std::ranges::fill(sums_[b], 0.0);
    for (std::size_t c = 0; c < block.cells(); ++c) {
      for (std::size_t k = 0; k < components; ++k) {
        std::uint32_t left = count_[(first + c) * components + k];
        while (left > 0) {
          const std::uint32_t now = std::min(left, kMostAtOnce);
          block.weight[c] = static_cast<float>(now);
          prior.add_cell(block, c, &sums_[b][k * prior.size()]);
          left -= now;
        }
      }
    }
    first += block.cells();
  }
}

void GomChain::draw_component(std::size_t k, core::Rng& rng) {
  for (std::size_t b = 0; b < families_.size(); ++b) {
    const families::Conjugate& prior = *model_.priors()[b];
    const std::size_t width = families_[b]->padded();
    std::vector<double> column;
    for (std::size_t at = k; at < tables_[b].size(); at += width) column.push_back(tables_[b][at]);
    prior.draw(&sums_[b][k * prior.size()], rng, column);
    for (std::size_t r = 0; r < column.size(); ++r) tables_[b][r * width + k] = column[r];
  }
}

math::CountsOfCounts GomChain::counts_of_counts() const {
  math::CountsOfCounts counts(model_.components(), model_.depth());
  std::vector<std::size_t> n(model_.components());
  for (std::size_t person = 0; person < model_.people(); ++person) {
    const std::uint64_t first = model_.start()[person], last = model_.start()[person + 1];
    if (first == last) continue;
    std::ranges::fill(n, 0);
    for (std::uint64_t o = first; o < last; ++o) ++n[z_[o]];
    for (std::size_t k = 0; k < n.size(); ++k) {
      if (n[k] > 0) ++counts.component[k][n[k] - 1];
    }
    ++counts.total[last - first - 1];
  }
  const auto add_up = [](std::vector<double>& rows) {  // from n - 1 = t to n > t
    for (std::size_t t = rows.size(); t-- > 1;) rows[t - 1] += rows[t];
  };
  for (std::vector<double>& rows : counts.component) add_up(rows);
  add_up(counts.total);
  return counts;
}

void GomChain::draw_alpha(bool tune) {
  if (!model_.options().alpha.empty()) return;
  core::Rng rng(model_.options().seed, purpose(Purpose::gom_alpha, number_, sweep_));
  const math::CountsOfCounts counts = counts_of_counts();
  for (std::size_t i = 0; i < kWalks; ++i) {
    walk_.move_alpha0(counts, rng, tune);
    walk_.move_xi(counts, rng, tune);
  }
  alpha_ = walk_.alpha();
}

double GomChain::look(std::span<double> probability, std::size_t threads) const {
  const std::size_t components = model_.components();
  std::vector<double> nothing_below;  // of a component without observations
  for (const double a : alpha_) nothing_below.push_back(a < 1 ? std::exp(kNothing * a) : 0.0);
  std::vector<double> piece_sum((model_.people() + kPeople - 1) / kPeople, 0.0);
  for_people(model_.people(), threads, [&](std::size_t begin, std::size_t end, std::size_t piece) {
    std::vector<double> theta(components);
    for (std::size_t person = begin; person < end; ++person) {
      core::stop_if_asked();
      const std::uint64_t first = model_.cell_start()[person];
      const std::uint64_t last = model_.cell_start()[person + 1];
      if (first == last) continue;
      core::Rng rng(model_.options().seed, purpose(Purpose::gom_memberships, number_, sweep_),
                    person);
      draw_membership(person, nothing_below, rng, theta);
      math::LogProduct product;
      for (std::uint64_t c = first; c < last; ++c) {
        const std::uint32_t code = model_.cell_code()[c];
        const double* l = likelihoods_->of(code);
        double p = 0;
        for (std::size_t k = 0; k < components; ++k) p += theta[k] * l[k];
        p = std::max(p, kLeastShare);  // new tables may think nothing of an outlier
        if (!probability.empty()) probability[c] = p;
        product.add(p, static_cast<double>(model_.cell_weight()[c]));
        piece_sum[piece] +=
            static_cast<double>(model_.cell_weight()[c]) * likelihoods_->log_scale[code];
      }
      piece_sum[piece] += product.log();
    }
  });
  return std::accumulate(piece_sum.begin(), piece_sum.end(), 0.0);
}

// theta ~ Dirichlet(alpha + n). A person has observations, so that one shape is at least 1: beside
// it e^-40 changes no digit of a sum over components.
void GomChain::draw_membership(std::size_t person, std::span<const double> nothing_below,
                               core::Rng& rng, std::span<double> out) const {
  std::ranges::copy(alpha_, out.begin());
  for (std::uint64_t o = model_.start()[person]; o < model_.start()[person + 1]; ++o)
    out[z_[o]] += 1;
  double sum = 0;
  for (std::size_t k = 0; k < out.size(); ++k)
    sum += out[k] = gamma_or_nothing(out[k], nothing_below[k], rng);
  for (double& share : out) share /= sum;
}

void GomChain::expect_membership(std::size_t person, std::span<double> out) const {
  std::ranges::copy(alpha_, out.begin());
  const std::uint64_t first = model_.start()[person], last = model_.start()[person + 1];
  for (std::uint64_t o = first; o < last; ++o) out[z_[o]] += 1;
  const double sum = std::accumulate(out.begin(), out.end(), 0.0);
  for (double& share : out) share /= sum;
}

void GomChain::save(core::TensorFile& file, const std::string& prefix) const {
  walk_.save(file, prefix);
  file.put(prefix + "alpha", alpha_);
  file.put(prefix + "z", std::vector<std::int64_t>(z_.begin(), z_.end()));
  file.put(prefix + "sweep", std::vector<std::int64_t>{static_cast<std::int64_t>(sweep_)});
  for (std::size_t b = 0; b < tables_.size(); ++b)
    file.put(prefix + "table" + std::to_string(b), tables_[b]);
}

void GomChain::restore(const core::TensorFile& file, const std::string& prefix) {
  GomState state;
  state.alpha = file.doubles(prefix + "alpha", model_.components());
  for (std::size_t b = 0; b < tables_.size(); ++b)
    state.tables.push_back(file.doubles(prefix + "table" + std::to_string(b), tables_[b].size()));
  const auto known = [&](std::int64_t k) {
    return k >= 0 && k < static_cast<std::int64_t>(model_.components());
  };
  const auto& z = file.integers(prefix + "z", z_.size());
  const std::int64_t sweep = file.integers(prefix + "sweep", 1)[0];
  if (!std::ranges::all_of(z, known) || sweep < 0)
    throw InputError(
        {file.origin, "is no state of a chain over these data", "start again without it"});
  for (const std::int64_t k : z) state.z.push_back(static_cast<std::uint16_t>(k));
  start(state);
  walk_.restore(file, prefix);
  sweep_ = static_cast<std::size_t>(sweep);
}

}  // namespace medley::samplers
