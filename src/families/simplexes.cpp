// SPDX-License-Identifier: Apache-2.0
#include "families/simplexes.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/pass.hpp"
#include "math/log_sum_exp.hpp"

namespace medley::families {
namespace {

// Imagined observations of an item that are like those of all items.
constexpr double kLikeOthers = 5;

class Simplexes final : public Family {
 public:
  Simplexes(const FamilyEntry& entry, const Block& shape, std::size_t components)
      : Family(entry, components, shape.slots(), shape.slots()),
        first_slot_(shape.first_slot),
        share_(shape.slots(), 0.0) {
    for (std::size_t f = 0; f + 1 < first_slot_.size(); ++f) {
      const double uniform = 1.0 / static_cast<double>(first_slot_[f + 1] - first_slot_[f]);
      for (std::size_t s = first_slot_[f]; s < first_slot_[f + 1]; ++s) {
        std::fill_n(&parameters_[s * padded()], components, uniform);
      }
    }
  }

  void prepare(bool log_rows) override {
    const std::size_t width = padded();
    scale_.resize(parameters_.size() / width);
    log_scale_.resize(scale_.size());
    log_.assign(log_rows ? parameters_.size() : 0, 0.0);
    for (std::size_t s = 0; s < scale_.size(); ++s) {
      const double* p = &parameters_[s * width];
      scale_[s] = *std::max_element(p, p + components());
      log_scale_[s] = std::log(scale_[s]);
      for (std::size_t k = 0; k < components(); ++k) {
        if (log_rows) log_[s * width + k] = std::log(p[k]);
      }
    }
  }

  double likelihood_rows(const Block& block, std::size_t row, double* out) const override {
    double log_scale = 0;
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1];
         ++c, out += padded()) {
      const std::size_t slot = block.slot[c];
      const double inverse = 1.0 / scale_[slot];
      const double* p = &parameters_[slot * padded()];
      for (std::size_t k = 0; k < padded(); ++k) out[k] = p[k] * inverse;
      log_scale += static_cast<double>(block.weight_of(c)) * log_scale_[slot];
    }
    return log_scale;
  }

  void log_rows(const Block& block, std::size_t row, double* out) const override {
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1];
         ++c, out += padded()) {
      const double* p = &parameters_[block.slot[c] * padded()];
      for (std::size_t k = 0; k < components(); ++k) out[k] = std::log(p[k]);
    }
  }

  void add_log_rows(const Block& block, std::size_t row, double* total) const override {
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
      const double weight = static_cast<double>(block.weight_of(c));
      const double* log_p = &log_[block.slot[c] * padded()];
      for (std::size_t k = 0; k < padded(); ++k) total[k] += weight * log_p[k];
    }
  }

  void collect(const data::Columns& columns, const Block& block, const Responsibilities& from,
               std::size_t begin, std::size_t end) override {
    for (std::size_t s = begin; s < end; ++s) {
      double* sum = &statistics_[s * padded()];
      std::fill_n(sum, padded(), 0.0);
      const std::uint64_t first = columns.start[s];
      if (from.full != nullptr) {
        for (std::uint64_t j = first; j < columns.start[s + 1]; ++j) {
          const double* r = from.full + std::size_t{columns.cell[j]} * padded();
          for (std::size_t k = 0; k < padded(); ++k) sum[k] += r[k];
        }
        continue;
      }
      kernels::accumulate(from.vectors, padded(), columns.row.data() + first,
                          columns.cell.data() + first, from.coefficient,
                          columns.start[s + 1] - first, sum);
      if (!from.times_likelihood) continue;
      const double* p = &parameters_[s * padded()];
      for (std::size_t k = 0; k < components(); ++k) sum[k] *= p[k] / scale_[s];
    }
    for (const ExceptionalCell& e : from.exceptions) {
      const std::size_t slot = block.slot[e.cell];
      if (slot < begin || slot >= end) continue;
      for (std::size_t k = 0; k < components(); ++k)
        statistics_[slot * padded() + k] += e.responsibility[k];
    }
  }

  void observe(const Block& block, const data::Columns& columns,
               std::span<const double> row_weight) override {
    for (std::size_t s = 0; s < share_.size(); ++s) {
      share_[s] = 0;
      for (std::uint64_t j = columns.start[s]; j < columns.start[s + 1]; ++j) {
        share_[s] += static_cast<double>(block.weight_of(columns.cell[j])) *
                     (row_weight.empty() ? 1.0 : row_weight[columns.row[j]]);
      }
    }
    const std::vector<double> pooled = pooled_shares(block);
    for (std::size_t f = 0; f < features(); ++f) normalise_shares(f, pooled);
  }

  void maximise(const Smoothing& smoothing) override {
    for (std::size_t f = 0; f + 1 < first_slot_.size(); ++f) {
      for (std::size_t k = 0; k < components(); ++k) maximise(f, k, smoothing);
    }
  }

  // n_sk = (N_fk + imagined of the feature) p_sk - imagined of the slot
  [[nodiscard]] bool recall(std::span<const double> weight, const Smoothing& smoothing) override {
    for (std::size_t f = 0; f < features(); ++f) {
      const SlotRange slots = slots_of(f);
      double imagined = 0;
      for (std::size_t s = slots.begin; s < slots.end; ++s) imagined += imagined_of(s, smoothing);
      for (std::size_t s = slots.begin; s < slots.end; ++s) {
        for (std::size_t k = 0; k < components(); ++k) {
          const std::size_t at = s * padded() + k;
          statistics_[at] = (weight[f * components() + k] + imagined) * parameters_[at] -
                            imagined_of(s, smoothing);
        }
      }
    }
    return true;
  }

  [[nodiscard]] double log_prior(const Smoothing& smoothing) const override {
    double sum = 0;
    for (std::size_t s = 0; s < share_.size(); ++s) {
      const double imagined = imagined_of(s, smoothing);
      for (std::size_t k = 0; imagined > 0 && k < components(); ++k)
        sum += imagined * std::log(parameters_[s * padded() + k]);
    }
    return sum;
  }

  [[nodiscard]] std::size_t free_size() const override { return share_.size(); }

  void free_parameters(std::span<double> out) const override {
    for (std::size_t k = 0; k < components(); ++k) {
      for (std::size_t s = 0; s < free_size(); ++s)
        out[k * free_size() + s] = std::log(parameters_[s * padded() + k]);
    }
  }

  void set_free_parameters(std::span<const double> values) override {
    std::vector<double> p(values.begin(), values.end());
    for (std::size_t k = 0; k < components(); ++k) {
      for (std::size_t f = 0; f < features(); ++f) {
        const SlotRange slots = slots_of(f);
        double* of_feature = &p[k * free_size() + slots.begin];
        math::softmax({of_feature, slots.end - slots.begin});
        for (std::size_t s = slots.begin; s < slots.end; ++s, ++of_feature)
          parameters_[s * padded() + k] = std::max(*of_feature, kLeastProbability);
      }
    }
  }

  void free_gradient(std::span<double> out) const override {
    for (std::size_t k = 0; k < components(); ++k) {
      for (std::size_t f = 0; f < features(); ++f) {
        const SlotRange slots = slots_of(f);
        double sum = 0;
        for (std::size_t s = slots.begin; s < slots.end; ++s) sum += statistics_[s * padded() + k];
        for (std::size_t s = slots.begin; s < slots.end; ++s) {
          const std::size_t at = s * padded() + k;
          const double slope = statistics_[at] - sum * parameters_[at];
          const bool beyond = parameters_[at] <= kLeastProbability && slope < 0;
          out[k * free_size() + s] = beyond ? 0.0 : slope;
        }
      }
    }
  }

  void prepare_draws() override {
    below_ = parameters_;
    for (std::size_t f = 0; f < features(); ++f) {
      for (std::size_t s = first_slot_[f] + 1; s < first_slot_[f + 1]; ++s) {
        for (std::size_t k = 0; k < components(); ++k)
          below_[s * padded() + k] += below_[(s - 1) * padded() + k];
      }
    }
  }

  [[nodiscard]] Draw draw(std::size_t feature, std::size_t component,
                          core::Rng& rng) const override {
    std::size_t low = first_slot_[feature], high = first_slot_[feature + 1] - 1;
    const double at = rng.uniform() * below_[high * padded() + component];
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (below_[middle * padded() + component] > at) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return {static_cast<std::uint32_t>(low), 0};
  }

  [[nodiscard]] std::size_t features() const { return first_slot_.size() - 1; }
  [[nodiscard]] SlotRange slots_of(std::size_t feature) const {
    return {first_slot_[feature], first_slot_[feature + 1]};
  }

 private:
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
  }

  [[nodiscard]] double imagined_of(std::size_t slot, const Smoothing& smoothing) const {
    return smoothing.each + smoothing.population * share_[slot];
  }

  // One feature under one component.
  void maximise(std::size_t f, std::size_t k, const Smoothing& smoothing) {
    const SlotRange slots = slots_of(f);
    double total = 0;
    for (std::size_t s = slots.begin; s < slots.end; ++s)
      total += statistics_[s * padded() + k] + imagined_of(s, smoothing);
    if (total <= 1e-9) return;  // nobody uses it: keeping what it had keeps EM monotone
    for (std::size_t s = slots.begin; s < slots.end; ++s) {
      const std::size_t at = s * padded() + k;
      parameters_[at] =
          std::max((statistics_[at] + imagined_of(s, smoothing)) / total, kLeastProbability);
    }
  }

  std::vector<std::uint32_t> first_slot_;
  std::vector<double> share_;      // slots: of the feature's cells in the training data, once seen
  std::vector<double> scale_;      // slots: max_k p
  std::vector<double> log_scale_;  // slots
  std::vector<double> log_;        // slots x padded K: log p, when asked for
  std::vector<double> below_;      // slots x padded K: p summed up to the slot, for draws
};

}  // namespace

std::unique_ptr<Family> make_simplexes(const FamilyEntry& entry, const Block& shape,
                                       std::size_t components) {
  return std::make_unique<Simplexes>(entry, shape, components);
}

SlotRange feature_slots(const Family& family, std::size_t feature) {
  return static_cast<const Simplexes&>(family).slots_of(feature);
}

std::string simplex_flaw(const Family& family) {
  const auto& simplexes = static_cast<const Simplexes&>(family);
  for (std::size_t f = 0; f < simplexes.features(); ++f) {
    const SlotRange slots = simplexes.slots_of(f);
    for (std::size_t k = 0; k < family.components(); ++k) {
      double sum = 0;
      for (std::size_t s = slots.begin; s < slots.end; ++s) {
        const double p = family.parameters()[s * family.padded() + k];
        if (!(p > 0 && p <= 1)) return "a probability is not between 0 and 1";
        sum += p;
      }
      if (std::abs(sum - 1.0) > 1e-6) return "the probabilities of a feature do not sum to 1";
    }
  }
  return {};
}

std::vector<ExportField> probability_lists(const Family& family, std::size_t feature) {
  ExportField field{"p", true, {}};
  const SlotRange slots = feature_slots(family, feature);
  for (std::size_t k = 0; k < family.components(); ++k) {
    auto& list = field.values.emplace_back();
    for (std::size_t s = slots.begin; s < slots.end; ++s)
      list.push_back(family.parameters()[s * family.padded() + k]);
  }
  return {field};
}

}  // namespace medley::families
