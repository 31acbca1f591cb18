// SPDX-License-Identifier: Apache-2.0
#include "families/simplexes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/aligned.hpp"
#include "core/parallel.hpp"
#include "families/dirichlet_tables.hpp"
#include "families/lazy_average.hpp"
#include "kernels/lanes.hpp"
#include "kernels/pass.hpp"
#include "kernels/special_vectors.hpp"
#include "kernels/sum_log_rows.hpp"

namespace medley::families {
namespace {

// Imagined observations of an item that are like those of all items.
constexpr double kLikeOthers = 5;

constexpr std::size_t kAhead = 4;  // cells between asking for a table row and using it

class Simplexes final : public Family,
                        private FloatRows,
                        private FreeParameters,
                        private DirichletTables,
                        private SparseAverage {
 public:
  Simplexes(const FamilyEntry& entry, const Block& shape, std::size_t components)
      : Family(entry, components, {shape.slots(), shape.slots(), shape.first_slot.size() - 1}),
        first_slot_(shape.first_slot),
        share_(shape.slots(), 0.0),
        shares_(features(), 0.0) {
    for (std::size_t f = 0; f < features(); ++f) {
      const double uniform = 1.0 / static_cast<double>(first_slot_[f + 1] - first_slot_[f]);
      for (std::size_t s = first_slot_[f]; s < first_slot_[f + 1]; ++s)
        std::fill_n(&parameters_[s * padded()], components, uniform);
    }
  }

  [[nodiscard]] const FloatRows* float_rows() const override {
    return narrow_.empty() ? nullptr : this;
  }
  [[nodiscard]] const FreeParameters* free() const override {
    return free_size() > 0 ? this : nullptr;
  }
  [[nodiscard]] const DirichletTables* dirichlet() const override { return this; }
  [[nodiscard]] SparseAverage* sparse() override { return this; }

  void prepare(bool log_rows) override {
    bring_up_sparse();
    prepare_where([](std::size_t) { return true; }, log_rows, large());
  }

  void prepare_log_rows() override {
    log_.resize(parameters_.size());
    each_piece({0, share_.size()}, [&](std::size_t, const SlotRange& slots) {
      for (std::size_t s = slots.begin; s < slots.end; ++s)
        kernels::logs(&parameters_[s * padded()], components(), &log_[s * padded()]);
    });
  }

  void prepare_met(const data::Columns& columns, bool log_rows) override {
    const auto met = [&](std::size_t s) { return columns.start[s] != columns.start[s + 1]; };
    for (std::size_t f = 0; behind_ && f < features(); ++f) {
      for (std::size_t s = first_slot_[f]; s < first_slot_[f + 1]; ++s)
        if (met(s)) bring_up(f, s);
    }
    prepare_where(met, log_rows, large() && !log_rows);  // log rows are read in their place
  }

  double likelihood_rows(const Block& block, std::size_t row, double* out) const override {
    const double* table = likelihoods();
    double log_scale = 0;
    const std::uint64_t end = block.row_start[row + 1];
    for (std::uint64_t c = block.row_start[row]; c < end; ++c, out += padded()) {
      // The words of a document lie anywhere in a large table: ask for a row some cells ahead.
      if (c + kAhead < end) kernels::prefetch(&table[block.slot[c + kAhead] * padded()], padded());
      const std::size_t slot = block.slot[c];
      const double inverse = 1.0 / scale_[slot];
      const double* p = &table[slot * padded()];
      for (std::size_t k = 0; k < padded(); ++k) out[k] = p[k] * inverse;
      log_scale += static_cast<double>(block.weight_of(c)) * log_scale_[slot];
    }
    return log_scale;
  }

  double float_rows(const Block& block, std::size_t row, float* out) const override {
    double log_scale = 0;
    const std::uint64_t end = block.row_start[row + 1];
    for (std::uint64_t c = block.row_start[row]; c < end; ++c, out += padded()) {
      if (c + kAhead < end)
        kernels::prefetch(&narrow_[block.slot[c + kAhead] * padded()], padded());
      const std::size_t slot = block.slot[c];
      std::copy_n(&narrow_[slot * padded()], padded(), out);
      log_scale += static_cast<double>(block.weight_of(c)) * log_scale_[slot];
    }
    return log_scale;
  }

  void log_rows(const Block& block, std::size_t row, double* out) const override {
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1];
         ++c, out += padded()) {
      const double* p = &parameters_[block.slot[c] * padded()];
      if (strengths_.empty()) {
        for (std::size_t k = 0; k < components(); ++k) out[k] = std::log(p[k]);
      } else {
        posterior_of(feature_of(block.slot[c])).expected_logs(p, out);
      }
    }
  }

  void add_log_rows(const Block& block, std::size_t row, double* total) const override {
    const std::uint64_t first = block.row_start[row];
    const float* weight = block.weight.empty() ? nullptr : block.weight.data() + first;
    kernels::add_rows(log_.data(), padded(),
                      {block.slot.data() + first, weight, block.row_start[row + 1] - first}, total);
  }

  using Family::collect;

  void collect(const data::Columns& columns, const Block& block, const Responsibilities& from,
               std::size_t begin, std::size_t end, std::span<double> statistics) const override {
    for (std::size_t s = begin; s < end; ++s) {
      double* sum = &statistics[s * padded()];
      const std::uint64_t first = columns.start[s];
      // In minibatches most slots have no cells, and nobody reads their statistics.
      if (lazy_ && first == columns.start[s + 1]) continue;
      std::fill_n(sum, padded(), 0.0);
      if (from.full != nullptr) {
        for (std::uint64_t j = first; j < columns.start[s + 1]; ++j) {
          const double* r = from.full + std::size_t{columns.cell[j]} * padded();
          for (std::size_t k = 0; k < padded(); ++k) sum[k] += r[k];
        }
        continue;
      }
      accumulate(columns, from, s, sum);
      if (from.times_likelihood) times_likelihood(s, from.narrow != nullptr, sum);
    }
    for (const ExceptionalCell& e : from.exceptions) {
      const std::size_t slot = block.slot[e.cell];
      if (slot < begin || slot >= end) continue;
      for (std::size_t k = 0; k < components(); ++k)
        statistics[slot * padded() + k] += e.responsibility[k];
    }
  }

  using Family::observe;

  void observe(const Block& block, const data::Columns& columns, std::span<const double> row_weight,
               core::Reducer& across) override {
    for (std::size_t s = 0; s < share_.size(); ++s) {
      share_[s] = 0;
      for (std::uint64_t j = columns.start[s]; j < columns.start[s + 1]; ++j) {
        share_[s] += static_cast<double>(block.weight_of(columns.cell[j])) *
                     (row_weight.empty() ? 1.0 : row_weight[columns.row[j]]);
      }
    }
    across.sum(share_);
    const std::vector<double> pooled = pooled_shares(block);
    for (std::size_t f = 0; f < features(); ++f) normalise_shares(f, pooled);
  }

  // The maximum under Dirichlet(1 + a) is the mean of the posterior under Dirichlet(a).
  void maximise(std::span<const double> statistics, const Smoothing& smoothing) override {
    strengths_.assign(smoothing.posterior ? strengths_size() : 0, 0.0);
    for (std::size_t f = 0; f < features(); ++f) maximise(f, statistics, smoothing);
    behind_ = false;
  }

  void begin_sparse() override { lazy_.emplace(first_slot_, padded()); }

  void blend_sparse(double keep, double add, const data::Columns& columns,
                    std::span<const double> statistics) override {
    lazy_->decay(keep);
    for (std::size_t f = 0; f < features(); ++f) {
      for (std::size_t s = first_slot_[f]; s < first_slot_[f + 1]; ++s) {
        if (columns.start[s] != columns.start[s + 1])
          lazy_->add(f, s, add, &statistics[s * padded()]);
      }
    }
  }

  // All probabilities change, as the totals do; each is computed when it is asked for.
  void maximise_sparse(const Smoothing& smoothing) override {
    lazy_smoothing_ = smoothing;
    behind_ = true;
    strengths_.assign(smoothing.posterior ? strengths_size() : 0, 0.0);
    for (std::size_t f = 0; smoothing.posterior && f < features(); ++f) {
      for (std::size_t k = 0; k < components(); ++k)
        strengths_[f * padded() + k] = lazy_->total(f)[k] + imagined_sum(f, smoothing);
    }
  }

  void bring_up_sparse() override {
    for (std::size_t f = 0; behind_ && f < features(); ++f) {
      for (std::size_t s = first_slot_[f]; s < first_slot_[f + 1]; ++s) bring_up(f, s);
    }
    behind_ = false;
  }

  void end_sparse() override {
    bring_up_sparse();
    lazy_.reset();
  }

  [[nodiscard]] std::vector<double> sparse_average() const override { return lazy_->values(); }
  [[nodiscard]] std::vector<double> sparse_state() const override { return lazy_->state(); }
  void restore_sparse(std::span<const double> state, const Smoothing& smoothing) override {
    lazy_->restore(state);
    maximise_sparse(smoothing);
  }

  // n_sk = (N_fk + imagined of the feature) p_sk - imagined of the slot
  [[nodiscard]] bool recall(std::span<const double> weight, const Smoothing& smoothing,
                            std::span<double> statistics) const override {
    for (std::size_t f = 0; f < features(); ++f) {
      const SlotRange slots = slots_of(f);
      double imagined = 0;
      for (std::size_t s = slots.begin; s < slots.end; ++s) imagined += imagined_of(s, smoothing);
      for (std::size_t s = slots.begin; s < slots.end; ++s) {
        for (std::size_t k = 0; k < components(); ++k) {
          const std::size_t at = s * padded() + k;
          statistics[at] = (weight[f * components() + k] + imagined) * parameters_[at] -
                           imagined_of(s, smoothing);
        }
      }
    }
    return true;
  }

  [[nodiscard]] std::vector<double> slot_priors(const Smoothing& smoothing) const override {
    std::vector<double> out;
    for (std::size_t s = 0; s < share_.size(); ++s) out.push_back(imagined_of(s, smoothing));
    return out;
  }

  [[nodiscard]] double better_smoothing(std::span<const double> statistics,
                                        const Smoothing& smoothing) const override {
    return families::better_smoothing({statistics, first_slot_, components(), padded()},
                                      smoothing.each);
  }

  [[nodiscard]] double log_prior(const Smoothing& smoothing) const override {
    if (!strengths_.empty()) return negative_divergence(smoothing);
    const std::vector<double> once(components(), 1.0);
    std::vector<double> sums(pieces_of(0, share_.size()), 0.0);
    each_piece({0, share_.size()}, [&](std::size_t piece, const SlotRange& slots) {
      for (std::size_t s = slots.begin; s < slots.end; ++s) {
        const double imagined = imagined_of(s, smoothing);
        if (imagined > 0)
          sums[piece] +=
              imagined * kernels::sum_log(&parameters_[s * padded()], once.data(), components());
      }
    });
    return std::accumulate(sums.begin(), sums.end(), 0.0);
  }

  [[nodiscard]] std::size_t free_size() const override { return share_.size(); }

  void free_parameters(std::span<double> out) const override {
    each_piece({0, free_size()}, [&](std::size_t, const SlotRange& slots) {
      std::vector<double> logs(components());
      for (std::size_t s = slots.begin; s < slots.end; ++s) {
        kernels::logs(&parameters_[s * padded()], components(), logs.data());
        for (std::size_t k = 0; k < components(); ++k) out[k * free_size() + s] = logs[k];
      }
    });
  }

  void set_free_parameters(std::span<const double> values) override {
    core::parallel_for(padded() / kernels::kLanes, threads_, [&](std::size_t group, std::size_t) {
      set_free_parameters(values, group * kernels::kLanes);
    });
  }

  void free_gradient(std::span<const double> statistics, std::span<double> out) const override {
    for (std::size_t k = 0; k < components(); ++k) {
      for (std::size_t f = 0; f < features(); ++f) {
        const SlotRange slots = slots_of(f);
        double sum = 0;
        for (std::size_t s = slots.begin; s < slots.end; ++s) sum += statistics[s * padded() + k];
        for (std::size_t s = slots.begin; s < slots.end; ++s) {
          const std::size_t at = s * padded() + k;
          const double slope = statistics[at] - sum * parameters_[at];
          const bool beyond = parameters_[at] <= kLeastProbability && slope < 0;
          out[k * free_size() + s] = beyond ? 0.0 : slope;
        }
      }
    }
  }

  void prepare_draws() override {
    below_ = parameters_;
    for (std::size_t f = 0; f < features(); ++f)
      for (std::size_t s = first_slot_[f] + 1; s < first_slot_[f + 1]; ++s)
        for (std::size_t k = 0; k < components(); ++k)
          below_[s * padded() + k] += below_[(s - 1) * padded() + k];
  }

  [[nodiscard]] Draw draw(std::size_t feature, std::size_t component,
                          core::Rng& rng) const override {
    std::size_t low = first_slot_[feature], high = first_slot_[feature + 1] - 1;
    const double at = rng.uniform() * below_[high * padded() + component];
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      const bool reached = below_[middle * padded() + component] > at;
      (reached ? high : low) = reached ? middle : middle + 1;
    }
    return {static_cast<std::uint32_t>(low), 0};
  }

  [[nodiscard]] std::size_t features() const { return first_slot_.size() - 1; }
  [[nodiscard]] SlotRange slots_of(std::size_t feature) const {
    return {first_slot_[feature], first_slot_[feature + 1]};
  }

 private:
  // The sum over the slot's cells of coefficient times the row's vector, the shortest there is.
  void accumulate(const data::Columns& columns, const Responsibilities& from, std::size_t s,
                  double* sum) const {
    const std::uint64_t first = columns.start[s];
    const std::uint32_t* row = columns.row.data() + first;
    const std::uint32_t* cell = columns.cell.data() + first;
    const std::size_t count = columns.start[s + 1] - first;
    if (from.active != nullptr) {
      kernels::accumulate(*from.active, row, cell, from.coefficient, count, sum);
    } else if (from.narrow != nullptr) {
      kernels::accumulate(from.narrow, padded(), row, cell, from.coefficient, count, sum);
    } else {
      kernels::accumulate(from.vectors, padded(), row, cell, from.coefficient, count, sum);
    }
  }

  // The shares of the levels over all features, if they have the same ones (the items of a rating
  // log); else empty.
  [[nodiscard]] std::vector<double> pooled_shares(const Block& block) const {
    const std::size_t levels = block.features.front().levels.size();
    const bool alike = features() > 1 && std::ranges::all_of(block.features, [&](const Feature& f) {
                         return f.levels == block.features.front().levels;
                       });
    if (!alike) return {};
    std::vector<double> pooled(levels, 0.0);
    double sum = 0;
    for (std::size_t s = 0; s < share_.size(); ++s) {
      pooled[s % levels] += share_[s];
      sum += share_[s];
    }
    for (double& share : pooled) share = sum > 0 ? share / sum : 1.0 / static_cast<double>(levels);
    return pooled;
  }

  // Counts become shares; an item that few have met is taken to be much like the others.
  void normalise_shares(std::size_t f, const std::vector<double>& pooled) {
    const SlotRange slots = slots_of(f);
    double sum = 0;
    for (std::size_t s = slots.begin; s < slots.end; ++s) {
      if (!pooled.empty()) share_[s] += kLikeOthers * pooled[s - slots.begin];
      sum += share_[s];
    }
    for (std::size_t s = slots.begin; s < slots.end; ++s) share_[s] = sum > 0 ? share_[s] / sum : 0;
    shares_[f] = sum > 0 ? 1 : 0;
  }

  // Of kLanes components from `first` on: nobody else writes the cache lines that these are in.
  void set_free_parameters(std::span<const double> values, std::size_t first) {
    const std::size_t size = free_size();
    const auto some =
        values.subspan(first * size, std::min(kernels::kLanes, components() - first) * size);
    std::vector<double> p(some.begin(), some.end());
    for (std::size_t at = 0; at < p.size(); at += size) {
      for (std::size_t f = 0; f < features(); ++f)
        kernels::softmax(&p[at + first_slot_[f]], first_slot_[f + 1] - first_slot_[f]);
    }
    for (std::size_t s = 0; s < size; ++s) {
      double* out = &parameters_[s * padded() + first];
      for (std::size_t at = s; at < p.size(); at += size)
        *out++ = std::max(p[at], kLeastProbability);
    }
  }

  [[nodiscard]] bool large() const { return parameters_.size() > kNarrowFrom; }

  // Slots are worked on in pieces of this many, at any number of threads.
  static constexpr std::size_t kPiece = 512;

  [[nodiscard]] static std::size_t pieces_of(std::size_t begin, std::size_t end) {
    return (end - begin + kPiece - 1) / kPiece;
  }

  // body(piece, slots of it) for every piece of the range, on all threads.
  template <class Body>
  void each_piece(const SlotRange& range, Body&& body) const {
    const auto work = [&](std::size_t piece, std::size_t /*worker*/) {
      const std::size_t begin = range.begin + piece * kPiece;
      body(piece, SlotRange{begin, std::min(range.end, begin + kPiece)});
    };
    core::parallel_for(pieces_of(range.begin, range.end), threads_, work);
  }

  template <class Where>
  void prepare_where(Where&& where, bool log_rows, bool narrow_rows) {
    scale_.resize(share_.size(), 1.0);
    log_scale_.resize(share_.size());
    log_.resize(log_rows ? parameters_.size() : 0);
    likelihood_.resize(strengths_.empty() ? 0 : parameters_.size());
    narrow_.resize(narrow_rows ? parameters_.size() : 0);
    each_piece({0, share_.size()},
               [&](std::size_t, const SlotRange& slots) { prepare_slots(slots, where, log_rows); });
  }

  template <class Where>
  void prepare_slots(const SlotRange& slots, Where&& where, bool log_rows) {
    std::vector<double> logs(padded());
    std::optional<DirichletPosterior> posterior;
    std::size_t next = slots.begin;  // where the feature that the posterior is of ends
    for (std::size_t s = slots.begin; s < slots.end; ++s) {
      if (!where(s)) continue;
      if (!strengths_.empty() && s >= next) {
        const std::size_t f = feature_of(s);
        posterior = posterior_of(f);
        next = first_slot_[f + 1];
      }
      prepare_slot(s, posterior, logs.data());
      if (!narrow_.empty()) round_slot(s);
      if (!log_rows) continue;
      if (!posterior) kernels::logs(&parameters_[s * padded()], components(), logs.data());
      std::copy_n(logs.begin(), components(), &log_[s * padded()]);
    }
  }

  // The scale of a slot; with a posterior its likelihoods, and their logarithms in `logs`.
  void prepare_slot(std::size_t s, std::optional<DirichletPosterior>& posterior, double* logs) {
    const double* p = &parameters_[s * padded()];
    if (posterior) {
      posterior->expected_logs(p, logs);
      scale_[s] = 1;
      log_scale_[s] = kernels::exp_scaled(logs, components(), padded(), &likelihood_[s * padded()]);
    } else {
      scale_[s] = kernels::largest(p, components());
      log_scale_[s] = std::log(scale_[s]);
    }
  }

  void round_slot(std::size_t s) {
    const double* p = &likelihoods()[s * padded()];
    const double inverse = 1.0 / scale_[s];
    float* out = &narrow_[s * padded()];
    for (std::size_t k = 0; k < padded(); ++k) out[k] = static_cast<float>(p[k] * inverse);
  }

  // sum[k] *= the likelihood row of the slot, as the E-step had it.
  void times_likelihood(std::size_t s, bool narrow, double* sum) const {
    if (narrow) {
      const float* p = &narrow_[s * padded()];
      for (std::size_t k = 0; k < components(); ++k) sum[k] *= static_cast<double>(p[k]);
      return;
    }
    const double* p = &likelihoods()[s * padded()];
    for (std::size_t k = 0; k < components(); ++k) sum[k] *= p[k] / scale_[s];
  }

  // What likelihood rows are read from, each to be divided by its scale.
  [[nodiscard]] const double* likelihoods() const {
    return strengths_.empty() ? parameters_.data() : likelihood_.data();
  }

  [[nodiscard]] DirichletPosterior posterior_of(std::size_t f) const {
    return DirichletPosterior(std::span(strengths_).subspan(f * padded(), components()));
  }

  [[nodiscard]] std::size_t feature_of(std::size_t slot) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(first_slot_, slot) -
                                    first_slot_.begin() - 1);
  }

  // Sets the probabilities of a slot from the average; rounding could lift an only slot above 1.
  void bring_up(std::size_t f, std::size_t s) {
    const double imagined = imagined_of(s, lazy_smoothing_);
    const double all_imagined = imagined_sum(f, lazy_smoothing_);
    for (std::size_t k = 0; k < components(); ++k) {
      const double total = lazy_->total(f)[k] + all_imagined;
      if (!(total > 0)) continue;  // nobody ever used it
      const double sum = lazy_->factor() * lazy_->stored(s)[k] + imagined;
      parameters_[s * padded() + k] = std::clamp(sum / total, kLeastProbability, 1.0);
    }
  }

  // -KL from the prior, over all features and components.
  [[nodiscard]] double negative_divergence(const Smoothing& smoothing) const {
    double sum = 0;
    for (std::size_t f = 0; f < features(); ++f) {
      DirichletPosterior posterior = posterior_of(f);
      sum += posterior.negative_divergence(imagined_sum(f, smoothing));
      for (std::size_t s = first_slot_[f]; s < first_slot_[f + 1]; ++s)
        sum += posterior.negative_divergence(&parameters_[s * padded()], imagined_of(s, smoothing));
    }
    return sum;
  }

  [[nodiscard]] double imagined_sum(std::size_t f, const Smoothing& smoothing) const {
    return smoothing.each * static_cast<double>(first_slot_[f + 1] - first_slot_[f]) +
           smoothing.population * shares_[f];
  }

  [[nodiscard]] double imagined_of(std::size_t slot, const Smoothing& smoothing) const {
    return smoothing.each + smoothing.population * share_[slot];
  }

  // Statistics and imagined observations of a feature, K.
  [[nodiscard]] std::vector<double> totals(const SlotRange& slots,
                                           std::span<const double> statistics,
                                           const Smoothing& smoothing) const {
    std::vector<double> parts(pieces_of(slots.begin, slots.end) * components(), 0.0);
    each_piece(slots, [&](std::size_t piece, const SlotRange& some) {
      double* part = &parts[piece * components()];
      for (std::size_t s = some.begin; s < some.end; ++s) {
        const double* n = &statistics[s * padded()];
        const double imagined = imagined_of(s, smoothing);
        for (std::size_t k = 0; k < components(); ++k) part[k] += n[k] + imagined;
      }
    });
    std::vector<double> total(components(), 0.0);
    for (std::size_t i = 0; i < parts.size(); ++i) total[i % components()] += parts[i];
    return total;
  }

  // One feature, all components side by side as they lie in memory.
  void maximise(std::size_t f, std::span<const double> statistics, const Smoothing& smoothing) {
    const SlotRange slots = slots_of(f);
    const std::vector<double> total = totals(slots, statistics, smoothing);
    // Nobody uses it: keeping what it had keeps EM monotone.
    std::vector<std::pair<std::size_t, std::vector<double>>> kept;
    if (smoothing.posterior) {
      std::ranges::copy(total, &strengths_[f * padded()]);
    } else {
      for (std::size_t k = 0; k < components(); ++k)
        if (total[k] <= 1e-9) kept.emplace_back(k, component_of(slots, k));
    }
    each_piece(slots, [&](std::size_t, const SlotRange& some) {
      for (std::size_t s = some.begin; s < some.end; ++s) {
        const double* n = &statistics[s * padded()];
        double* p = &parameters_[s * padded()];
        const double imagined = imagined_of(s, smoothing);
        for (std::size_t k = 0; k < components(); ++k)
          p[k] = std::max((n[k] + imagined) / total[k], kLeastProbability);
      }
    });
    for (const auto& [k, p] : kept) {
      for (std::size_t s = slots.begin; s < slots.end; ++s)
        parameters_[s * padded() + k] = p[s - slots.begin];
    }
  }

  [[nodiscard]] std::vector<double> component_of(const SlotRange& slots, std::size_t k) const {
    std::vector<double> out;
    for (std::size_t s = slots.begin; s < slots.end; ++s)
      out.push_back(parameters_[s * padded() + k]);
    return out;
  }

  std::vector<std::uint32_t> first_slot_;
  std::vector<double> share_;      // slots: of the feature's cells in the training data, once seen
  std::vector<double> shares_;     // features: their sum, 1 or, of one without cells, 0
  std::vector<double> scale_;      // slots: max_k p; 1 with a posterior
  std::vector<double> log_scale_;  // slots
  core::AlignedVector<double> log_;  // slots x padded K: log p or E log p, when asked for
  std::vector<double> likelihood_;   // slots x padded K: exp E log p, scaled; only with a posterior
  core::AlignedVector<float> narrow_;  // slots x padded K: likelihood rows, of a large table
  std::vector<double> below_;          // slots x padded K: p summed up to the slot, for draws
  std::optional<LazyAverage> lazy_;
  bool behind_ = false;  // parameters are to be computed from the average
  Smoothing lazy_smoothing_ = 0;
};

}  // namespace

std::unique_ptr<Family> make_simplexes(const FamilyEntry& entry, const Block& shape,
                                       std::size_t components) {
  return std::make_unique<Simplexes>(entry, shape, components);
}

SlotRange feature_slots(const Family& family, std::size_t feature) {
  return static_cast<const Simplexes&>(family).slots_of(feature);
}

std::size_t feature_count(const Family& family) {
  return static_cast<const Simplexes&>(family).features();
}

}  // namespace medley::families
