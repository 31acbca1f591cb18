// SPDX-License-Identifier: Apache-2.0
#include "families/scalars.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <utility>

#include "core/text.hpp"
#include "families/usual_variance.hpp"

namespace medley::families {
namespace {

constexpr std::size_t kCoefficients = 3;  // rows per slot
constexpr double kLeastWeight = 1e-9;     // a component with less of a column keeps its parameters
// Sums are around the column's mean: of its variance, this much is beyond their rounding.
constexpr double kLeastFloor = 1e-12;
// A variance is at its floor if it is within this of it, relatively.
constexpr double kAtFloor = 1e-9;

// Whole numbers in full as long as they can be read, others to four digits.
std::string written(double value) {
  const bool whole = value == std::floor(value) && std::abs(value) < 1e9;
  char text[32];
  std::snprintf(text, sizeof text, whole ? "%.0f" : "%.4g", value);
  return text;
}

// Cells that are handed to a kernel at a time.
constexpr std::size_t kCells = 64;

struct CellBatch {
  std::array<std::uint32_t, kCells> slot, row;
  std::array<double, kCells> t1, t2, weight;
  std::size_t count = 0;
};

}  // namespace

Scalars::Scalars(const FamilyEntry& entry, const Block& shape, std::size_t components,
                 std::span<const ScalarRow> rows, Form form)
    : Family(entry, components,
             {shape.slots() * (rows.size() + (form == Form::curved ? 1 : 0)),
              shape.slots() * kStatistics, shape.slots() * rows.size() / 2}),
      rows_(rows),
      curved_(form == Form::curved) {
  for (const Feature& feature : shape.features) shift_.push_back(feature.shift);
  for (std::size_t f = 0; f < features(); ++f) {
    for (std::size_t r = 0; r < rows_.size(); ++r)
      std::fill_n(&parameters_[at(f, r)], components, rows_[r].neutral);
    set_floor(f, kVarianceFloor * rows_.back().neutral);
  }
}

Scalars::Pair Scalars::parameters_of(std::size_t feature, std::size_t component) const {
  const double* p = &parameters_[at(feature, 0) + component];
  return {p[0], own() > 1 ? p[padded()] : 0.0};
}

// The same for every component: the first one's is as good as any.
Scalars::Reference Scalars::reference_of(std::size_t feature) const {
  const double* p = &parameters_[at(feature, own())];
  return {{p[0], own() > 1 ? p[padded()] : 0.0}, floored() ? parameters_[floor_at(feature)] : 0.0};
}

void Scalars::set(std::size_t feature, std::size_t first_row, std::size_t component,
                  const Pair& values) {
  for (std::size_t i = 0; i < own(); ++i)
    parameters_[at(feature, first_row + i) + component] = values[i];
}

void Scalars::set_floor(std::size_t feature, double floor) {
  if (floored()) std::fill_n(&parameters_[floor_at(feature)], components(), floor);
}

// Sets the references of every column, and its parameters to the column's own for every component:
// a component that never meets the column then is like the average.
void Scalars::observe(const Block& block, const data::Columns& columns,
                      std::span<const double> row_weight, core::Reducer& across) {
  const auto visit = [&](std::size_t slot, auto&& cell_of) {
    for (std::uint64_t j = columns.start[slot]; j < columns.start[slot + 1]; ++j) {
      const std::uint32_t cell = columns.cell[j];
      const double weight = static_cast<double>(block.weight_of(cell)) *
                            (row_weight.empty() ? 1.0 : row_weight[columns.row[j]]);
      cell_of(weight, terms(block.value[cell] - shift_[slot]));
    }
  };
  // The mean of a statistic(slot, terms) in every column; of one without cells not a number.
  const auto averages = [&](auto&& statistic) {
    std::vector<double> sums(2 * features(), 0.0), out;
    for (std::size_t s = 0; s < features(); ++s) {
      double* sum = &sums[2 * s];
      visit(s, [&](double w, const Terms& t) { sum[0] += w, sum[1] += w * statistic(s, t); });
    }
    across.sum(sums);
    for (std::size_t s = 0; s < features(); ++s)
      out.push_back(sums[2 * s] > 0 ? sums[2 * s + 1] / sums[2 * s] : std::nan(""));
    return out;
  };
  const std::vector<double> first = averages([](std::size_t, const Terms& t) { return t.t1; });
  const std::vector<double> second = averages([&](std::size_t s, const Terms& t) {
    return curved_ ? (t.t1 - first[s]) * (t.t1 - first[s]) : t.t2;
  });
  for (std::size_t s = 0; s < features(); ++s) {
    Pair mean = {first[s], second[s]};
    // A variance within the rounding of the mean is that of a column that never varies.
    if (curved_ && mean[1] < 1e-24 * mean[0] * mean[0]) mean[1] = 0;
    Reference reference;
    for (std::size_t i = 0; i < own(); ++i) {
      const ScalarRow& row = rows_[own() + i];
      reference.of[i] = mean[i] >= row.least && mean[i] <= row.most ? mean[i] : row.neutral;
    }
    if (floored()) {
      std::vector<double> here;  // value, weight, value ...
      visit(s, [&](double weight, const Terms& t) {
        here.push_back(t.t1);
        here.push_back(weight);
      });
      const std::vector<double> all = across.gather(here);
      std::vector<WeightedNumber> column;
      for (std::size_t i = 0; i < all.size(); i += 2) column.push_back({all[i], all[i + 1]});
      const double usual = usual_variance(std::move(column), reference[1]);
      reference.floor =
          std::max({variance_floor_ * usual, kLeastFloor * reference[1], rows_[1].least});
      set_floor(s, reference.floor);
    }
    const Pair itself = maximum({curved_ ? 0.0 : reference[0], reference[1]}, reference);
    for (std::size_t k = 0; k < components(); ++k) {
      set(s, own(), k, reference.of);
      set(s, 0, k, itself);
    }
  }
}

void Scalars::prepare(bool /*log_rows*/) {
  coefficients_.assign(features() * kCoefficients * padded(), 0.0);
  for (std::size_t s = 0; s < features(); ++s) {
    double* out = &coefficients_[s * kCoefficients * padded()];
    for (std::size_t k = 0; k < components(); ++k) {
      const Coefficients c =
          strengths_.empty() ? coefficients(parameters_of(s, k)) : expected(belief_of(s, k));
      out[k] = c.constant;
      out[padded() + k] = c.first;
      out[2 * padded() + k] = c.second;
    }
  }
}

// Hands the log density of a cell under each component, without the base, to sink(k, log).
template <class Sink>
void Scalars::evaluate(std::size_t slot, const Terms& cell, Sink&& sink) const {
  const double* constant = &coefficients_[slot * kCoefficients * padded()];
  const double* first = constant + padded();
  const double* second = first + padded();
  const std::size_t width = padded();
  if (curved_) {
    for (std::size_t k = 0; k < width; ++k) {
      const double off = cell.t1 - first[k];
      const double log = constant[k] + second[k] * off * off;
      sink(k, log > kernels::kLeastLogDensity ? log : kernels::kLeastLogDensity);
    }
  } else {
    for (std::size_t k = 0; k < width; ++k) {
      const double log = constant[k] + first[k] * cell.t1 + second[k] * cell.t2;
      sink(k, log > kernels::kLeastLogDensity ? log : kernels::kLeastLogDensity);
    }
  }
}

kernels::DensityTable Scalars::density_table() const {
  const auto form = curved_ ? kernels::DensityForm::curved : kernels::DensityForm::linear;
  return {form, coefficients_.data(), components()};
}

double Scalars::likelihood_rows(const Block& block, std::size_t row, double* out) const {
  double log_scale = 0;
  CellBatch batch;
  std::array<double, kCells> top;
  const std::uint64_t end = block.row_start[row + 1];
  for (std::uint64_t c = block.row_start[row]; c < end; c += batch.count) {
    batch.count = std::min<std::uint64_t>(kCells, end - c);
    for (std::size_t i = 0; i < batch.count; ++i) {
      const Terms cell = terms(block.value[c + i] - shift_[block.slot[c + i]]);
      batch.t1[i] = cell.t1;
      batch.t2[i] = cell.t2;
      batch.weight[i] = static_cast<double>(block.weight_of(c + i));
      log_scale += batch.weight[i] * cell.base;
    }
    kernels::scaled_densities(density_table(),
                              {&block.slot[c], batch.t1.data(), batch.t2.data(), batch.count}, out,
                              top.data());
    for (std::size_t i = 0; i < batch.count; ++i) log_scale += batch.weight[i] * top[i];
    out += batch.count * padded();
  }
  return log_scale;
}

void Scalars::log_rows(const Block& block, std::size_t row, double* out) const {
  for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c, out += padded()) {
    const std::size_t slot = block.slot[c];
    const Terms cell = terms(block.value[c] - shift_[slot]);
    evaluate(slot, cell, [&](std::size_t k, double log) { out[k] = cell.base + log; });
  }
}

void Scalars::add_log_rows(const Block& block, std::size_t row, double* total) const {
  for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
    const std::size_t slot = block.slot[c];
    const Terms cell = terms(block.value[c] - shift_[slot]);
    const double weight = static_cast<double>(block.weight_of(c));
    evaluate(slot, cell,
             [&](std::size_t k, double log) { total[k] += weight * (cell.base + log); });
  }
}

void Scalars::collect(const data::Columns& columns, const Block& block,
                      const Responsibilities& from, std::size_t begin, std::size_t end,
                      std::span<double> statistics) const {
  for (std::size_t s = begin; s < end; ++s) {
    double* sums = &statistics[sums_at(s, 0)];
    std::fill_n(sums, kStatistics * padded(), 0.0);
    collect(columns, block, from, s, sums);
  }
  for (const ExceptionalCell& e : from.exceptions) {
    const std::uint32_t slot = block.slot[e.cell];
    if (slot < begin || slot >= end) continue;
    std::vector<double> responsibility(e.responsibility);
    responsibility.resize(padded(), 0.0);
    const std::uint32_t first = 0;
    const double weight = 1;
    const Terms u = centred(slot, terms(block.value[e.cell] - shift_[slot]));
    kernels::add_moments(
        {responsibility.data(), &first, &weight, nullptr, &u.t1, &u.t2, 1, padded()},
        &statistics[sums_at(slot, 0)]);
  }
}

// Adds all but the exceptional cells of one slot.
void Scalars::collect(const data::Columns& columns, const Block& block,
                      const Responsibilities& from, std::size_t slot, double* sums) const {
  const bool full = from.full != nullptr;
  const bool times_density = !full && from.times_likelihood;
  CellBatch batch;
  std::array<double, kCells> top;
  std::vector<double> density(times_density ? kCells * padded() : 0);
  batch.slot.fill(static_cast<std::uint32_t>(slot));
  for (std::uint64_t j = columns.start[slot]; j < columns.start[slot + 1]; j += batch.count) {
    batch.count = std::min<std::uint64_t>(kCells, columns.start[slot + 1] - j);
    for (std::size_t i = 0; i < batch.count; ++i) {
      const std::uint32_t cell = columns.cell[j + i];
      const Terms t = terms(block.value[cell] - shift_[slot]);
      batch.t1[i] = t.t1;
      batch.t2[i] = t.t2;
      batch.row[i] = full ? cell : columns.row[j + i];
      batch.weight[i] = full ? 1.0 : from.coefficient[cell];
    }
    if (times_density) {
      kernels::scaled_densities(density_table(),
                                {batch.slot.data(), batch.t1.data(), batch.t2.data(), batch.count},
                                density.data(), top.data());
    }
    for (std::size_t i = 0; i < batch.count; ++i) {
      const Terms u = centred(slot, {0, batch.t1[i], batch.t2[i]});
      batch.t1[i] = u.t1;
      batch.t2[i] = u.t2;
    }
    kernels::add_moments({full ? from.full : from.vectors, batch.row.data(), batch.weight.data(),
                          times_density ? density.data() : nullptr, batch.t1.data(),
                          batch.t2.data(), batch.count, padded()},
                         sums);
  }
}

// u1 and u2, in the place of t1 and t2.
Scalars::Terms Scalars::centred(std::size_t slot, const Terms& t) const {
  if (!curved_) return t;
  const double u1 = t.t1 - reference_of(slot)[0];
  return {t.base, u1, u1 * u1};
}

// A normal density needs no help against zeros: its variance has a floor.
double Scalars::imagined(const Smoothing& smoothing) const {
  return smoothing.population + (curved_ ? 0.0 : smoothing.each);
}

void Scalars::maximise(std::span<const double> statistics, const Smoothing& smoothing) {
  strengths_.assign(smoothing.posterior ? strengths_size() : 0, 0.0);
  for (std::size_t s = 0; s < features(); ++s) {
    for (std::size_t k = 0; k < components(); ++k) {
      const Sums sums = sums_of(statistics, s, k);
      if (smoothing.posterior) {
        set_belief(s, k, learnt(prior_of(s, smoothing), sums, reference_of(s)));
      } else {
        maximise(sums, s, k, imagined(smoothing));
      }
    }
  }
}

// One column under one component; around the column's mean, its average u1 is 0.
void Scalars::maximise(const Sums& sums, std::size_t slot, std::size_t component, double imagined) {
  const double weight = sums.r + imagined;
  if (weight <= kLeastWeight) return;  // nobody uses it: keeping what it had keeps EM monotone
  const Reference reference = reference_of(slot);
  const Pair average = {(sums.u1 + imagined * (curved_ ? 0.0 : reference[0])) / weight,
                        (sums.u2 + imagined * reference[1]) / weight};
  set(slot, 0, component, maximum(average, reference));
}

// The averages of u1 and u2 at which the gradient of one column under one component is 0. Curved:
// the normal density's own, first being its mean and -1 / (2 second) its variance.
Scalars::Pair Scalars::expected(std::size_t slot, std::size_t component) const {
  const Pair p = parameters_of(slot, component);
  if (curved_) {
    const Coefficients c = coefficients(p);
    const double off = c.first - reference_of(slot)[0];
    return {off, off * off - 0.5 / c.second};
  }
  const std::array<Coefficients, 2> by = slopes(p);
  if (own() == 1) return {-by[0].constant / by[0].first, 0};
  const double determinant = by[0].first * by[1].second - by[1].first * by[0].second;
  return {(by[1].constant * by[0].second - by[0].constant * by[1].second) / determinant,
          (by[0].constant * by[1].first - by[1].constant * by[0].first) / determinant};
}

bool Scalars::recall(std::span<const double> weight, const Smoothing& smoothing,
                     std::span<double> statistics) const {
  if (free_size() == 0) return false;  // the slopes are not known
  const double more = imagined(smoothing);
  for (std::size_t s = 0; s < features(); ++s) {
    const Reference reference = reference_of(s);
    double* sums = &statistics[sums_at(s, 0)];
    for (std::size_t k = 0; k < components(); ++k) {
      const double held = weight[s * components() + k];
      const Pair average = expected(s, k);
      sums[k] = held;
      sums[padded() + k] = (held + more) * average[0] - more * (curved_ ? 0.0 : reference[0]);
      sums[2 * padded() + k] = (held + more) * average[1] - more * reference[1];
    }
  }
  return true;
}

double Scalars::log_prior(const Smoothing& smoothing) const {
  double sum = 0;
  for (std::size_t s = 0; !strengths_.empty() && s < features(); ++s) {
    const Belief prior = prior_of(s, smoothing);
    for (std::size_t k = 0; k < components(); ++k) sum -= divergence(belief_of(s, k), prior);
  }
  if (!strengths_.empty() || imagined(smoothing) <= 0) return sum;
  for (std::size_t s = 0; s < features(); ++s) {
    const Reference mean = reference_of(s);
    for (std::size_t k = 0; k < components(); ++k) {
      const Coefficients c = coefficients(parameters_of(s, k));
      const double off = mean[0] - c.first;
      sum += c.constant +
             (curved_ ? c.second * (off * off + mean[1]) : c.first * mean[0] + c.second * mean[1]);
    }
  }
  return imagined(smoothing) * sum;
}

Scalars::Belief Scalars::belief_of(std::size_t feature, std::size_t component) const {
  Belief belief{parameters_of(feature, component), {}};
  for (std::size_t i = 0; i < own(); ++i)
    belief.strength[i] = strengths_[strength_at(feature, i) + component];
  return belief;
}

void Scalars::set_belief(std::size_t feature, std::size_t component, const Belief& belief) {
  set(feature, 0, component, belief.mean);
  for (std::size_t i = 0; i < own(); ++i)
    strengths_[strength_at(feature, i) + component] = belief.strength[i];
}

// Around the column's mean, its average u1 is 0.
Scalars::Belief Scalars::prior_of(std::size_t feature, const Smoothing& smoothing) const {
  const Reference reference = reference_of(feature);
  const double c = smoothing.population;
  const Sums like_column{c, curved_ ? 0.0 : c * reference[0], c * reference[1]};
  return learnt(prior(reference), like_column, reference);
}

Scalars::Sums Scalars::sums_of(std::span<const double> statistics, std::size_t feature,
                               std::size_t component) const {
  const double* sums = &statistics[sums_at(feature, component)];
  return {sums[0], sums[padded()], sums[2 * padded()]};
}

Scalars::Belief Scalars::prior(const Reference& /*reference*/) const {
  assert(false && "asked of a family without posteriors");
  return {};
}

Scalars::Belief Scalars::learnt(const Belief& before, const Sums& /*sums*/,
                                const Reference& /*reference*/) const {
  assert(false && "asked of a family without posteriors");
  return before;
}

Scalars::Coefficients Scalars::expected(const Belief& /*belief*/) const {
  assert(false && "asked of a family without posteriors");
  return {};
}

double Scalars::divergence(const Belief& /*belief*/, const Belief& /*from*/) const {
  assert(false && "asked of a family without posteriors");
  return 0;
}

std::size_t Scalars::free_size() const {
  const bool linked = std::ranges::all_of(
      rows_.first(own()), [](const ScalarRow& row) { return row.link != Link::none; });
  return linked ? features() * own() : 0;
}

Scalars::Range Scalars::range(std::size_t row, const Reference& /*reference*/) const {
  return {rows_[row].least, rows_[row].most};
}

double Scalars::free_of(std::size_t row, double p, const Reference& reference) const {
  if (rows_[row].link == Link::location) return (p - reference[0]) / std::sqrt(reference[1]);
  return rows_[row].link == Link::log ? std::log(p) : std::log(p) - std::log1p(-p);
}

double Scalars::from_free(std::size_t row, double free, const Reference& reference) const {
  double p = 0;
  if (rows_[row].link == Link::location) {
    p = reference[0] + free * std::sqrt(reference[1]);
  } else {
    p = rows_[row].link == Link::log ? std::exp(free) : 1 / (1 + std::exp(-free));
  }
  const Range within = range(row, reference);
  return std::clamp(p, within.least, within.most);
}

void Scalars::free_parameters(std::span<double> out) const {
  for (std::size_t k = 0; k < components(); ++k) {
    for (std::size_t s = 0; s < features(); ++s) {
      const Pair p = parameters_of(s, k);
      for (std::size_t i = 0; i < own(); ++i)
        out[k * free_size() + s * own() + i] = free_of(i, p[i], reference_of(s));
    }
  }
}

void Scalars::set_free_parameters(std::span<const double> values) {
  for (std::size_t k = 0; k < components(); ++k) {
    for (std::size_t s = 0; s < features(); ++s) {
      Pair p = {};
      for (std::size_t i = 0; i < own(); ++i)
        p[i] = from_free(i, values[k * free_size() + s * own() + i], reference_of(s));
      set(s, 0, k, p);
    }
  }
}

void Scalars::free_gradient(std::span<const double> statistics, std::span<double> out) const {
  for (std::size_t k = 0; k < components(); ++k) {
    for (std::size_t s = 0; s < features(); ++s) {
      const Pair gradient = free_gradient(sums_of(statistics, s, k), s, k);
      std::copy_n(gradient.begin(), own(), &out[k * free_size() + s * own()]);
    }
  }
}

// One column under one component.
Scalars::Pair Scalars::free_gradient(const Sums& sums, std::size_t slot,
                                     std::size_t component) const {
  const double sum = sums.r, first = sums.u1, second = sums.u2;
  const Pair p = parameters_of(slot, component);
  const Reference reference = reference_of(slot);
  const Coefficients c = coefficients(p);
  const auto by = slopes(p);
  const double off = c.first - reference[0];
  Pair gradient = {};
  for (std::size_t i = 0; i < own(); ++i) {
    double& g = gradient[i];
    g = curved_
            ? by[i].constant * sum + by[i].second * (second - 2 * off * first + off * off * sum) -
                  2 * c.second * by[i].first * (first - off * sum)
            : by[i].constant * sum + by[i].first * first + by[i].second * second;
    if (rows_[i].link == Link::location) g *= std::sqrt(reference[1]);
    const Range within = range(i, reference);
    const double rounding = 1e-12 * std::abs(p[i]);
    if (g < 0 ? p[i] <= within.least + rounding : p[i] >= within.most - rounding) g = 0;
  }
  return gradient;
}

Moments Scalars::moments(std::size_t feature, std::size_t component) const {
  Moments m = moments_of(parameters_of(feature, component));
  m.mean += shift_[feature];
  return m;
}

double Scalars::cumulative(std::size_t feature, std::size_t component, double value) const {
  if (std::isinf(value)) return value > 0 ? 1.0 : 0.0;
  return below(parameters_of(feature, component), value - shift_[feature]);
}

Draw Scalars::draw(std::size_t feature, std::size_t component, core::Rng& rng) const {
  return {static_cast<std::uint32_t>(feature),
          drawn(parameters_of(feature, component), rng) + shift_[feature]};
}

void Scalars::take_floors(std::span<const double> parameters) {
  for (std::size_t f = 0; f < features(); ++f) {
    const double floor = parameters[floor_at(f)];
    set_floor(f, floor);
    for (std::size_t k = 0; k < components(); ++k) {
      double& variance = parameters_[at(f, 1) + k];
      variance = std::max(variance, floor);
    }
  }
}

// A column that never varies has no variance to stand at: all components are the column itself.
std::vector<std::size_t> Scalars::at_floor() const {
  std::vector<std::size_t> out(features(), 0);
  for (std::size_t f = 0; f < out.size(); ++f) {
    const Reference reference = reference_of(f);
    bool varies = false;
    for (std::size_t k = 0; k < components(); ++k) {
      const Pair p = parameters_of(f, k);
      const double off = p[0] - reference[0];
      varies = varies || off * off > kLeastFloor * reference[1];
      if (std::abs(p[1] - reference.floor) <= kAtFloor * reference.floor) ++out[f];
    }
    if (!varies && reference[1] == rows_[own() + 1].neutral) out[f] = 0;
  }
  return out;
}

std::size_t Scalars::earlier_rows() const {
  return features() * rows_.size();
}

// The floor was a thousandth of the column's variance.
std::vector<double> Scalars::completed(std::vector<double> table, std::size_t components) const {
  constexpr double kEarlierFloor = 1e-3;
  if (table.size() != earlier_rows() * components) return table;
  for (std::size_t f = 0; f < features(); ++f) {
    const std::size_t variance = (f * rows_.size() + own() + 1) * components;
    for (std::size_t k = 0; k < components; ++k)
      table.push_back(std::max(kEarlierFloor * table[variance + k], rows_[1].least));
  }
  return table;
}

std::vector<ExportField> scalar_fields(const Family& family, std::size_t feature, bool show_shift) {
  const auto& scalars = static_cast<const Scalars&>(family);
  std::vector<ExportField> fields;
  for (std::size_t r = 0; r < scalars.own(); ++r) {
    ExportField& field = fields.emplace_back();
    field.key = scalars.rows()[r].key;
    for (std::size_t k = 0; k < family.components(); ++k)
      field.values.push_back({family.parameters()[scalars.at(feature, r) + k]});
  }
  const double shift = scalars.shift(feature);
  if (show_shift || shift != 0) fields.push_back({"shift", false, {{shift}}, true});
  return fields;
}

std::string invalid_scalar_reason(const Family& family) {
  const auto& scalars = static_cast<const Scalars&>(family);
  for (std::size_t f = 0; f < scalars.features(); ++f) {
    for (std::size_t r = 0; r < scalars.rows().size(); ++r) {
      const ScalarRow& row = scalars.rows()[r];
      for (std::size_t k = 0; k < family.components(); ++k) {
        const double value = family.parameters()[scalars.at(f, r) + k];
        if (!(value >= row.least && value <= row.most))
          return std::string("a ") + row.key + " is not between " + written(row.least) + " and " +
                 written(row.most);
      }
    }
  }
  for (std::size_t f = 0; scalars.floored() && f < scalars.features(); ++f) {
    for (std::size_t k = 0; k < family.components(); ++k) {
      const double floor = family.parameters()[scalars.floor_at(f) + k];
      if (!(floor > 0 && floor <= scalars.rows()[1].most))
        return "a floor of variances is not above 0, or too large";
    }
  }
  return {};
}

std::string scalar_objection(const data::ColumnFacts& facts, const char* family) {
  if (facts.kind != SourceKind::tokens) return "";
  return std::string("is a source of word counts; ") + family + " takes a column";
}

std::string range_of(const data::ColumnFacts& facts) {
  return written(facts.minimum) + " to " + written(facts.maximum);
}

}  // namespace medley::families
