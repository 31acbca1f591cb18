// SPDX-License-Identifier: Apache-2.0
#include "families/conjugate_scalars.hpp"

#include <algorithm>
#include <cmath>

namespace medley::families {

ScalarConjugate::ScalarConjugate(const Block& block, Shape shape, std::vector<double> prior)
    : Conjugate(block.slots() * shape.sums, block.slots() * shape.rows),
      centre_(block.slots(), 0.0),
      shape_(shape),
      hyper_(prior.size() / block.slots()) {
  prior_ = std::move(prior);
  for (const Feature& feature : block.features) shift_.push_back(feature.shift);
}

double ScalarConjugate::u_of(const Block& block, std::size_t cell) const {
  const std::size_t feature = block.slot[cell];
  return term(block.value[cell] - shift_[feature]) - centre_[feature];
}

ScalarConjugate::Sums ScalarConjugate::sums_of(std::size_t feature,
                                               const double* statistics) const {
  Sums sums = {};
  std::copy_n(statistics + feature * shape_.sums, shape_.sums, sums.begin());
  return sums;
}

void ScalarConjugate::change(const Block& block, std::size_t first, std::size_t last, double times,
                             double* statistics) const {
  for (std::size_t c = first; c < last; ++c) {
    double* sums = statistics + block.slot[c] * shape_.sums;
    const double u = u_of(block, c), weight = times * static_cast<double>(block.weight_of(c));
    sums[0] += weight;
    sums[1] += weight * u;
    if (shape_.sums > 2) sums[2] += weight * u * u;
    // What rounding leaves of a feature without cells must not look like data.
    if (sums[0] == 0) std::fill_n(sums, shape_.sums, 0.0);
  }
}

double ScalarConjugate::log_marginal(const double* statistics) const {
  double sum = 0;
  for (std::size_t f = 0; f < features(); ++f) {
    const Sums sums = sums_of(f, statistics);
    if (sums[0] > 0) sum += marginal(f, sums);
  }
  return sum;
}

double ScalarConjugate::log_base(const Block& block, std::size_t row) const {
  double sum = 0;
  for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c)
    sum += static_cast<double>(block.weight_of(c)) * base(block.value[c] - shift_[block.slot[c]]);
  return sum;
}

// Each feature has its own rows in the family's table, then as many of what the column is like.
void ScalarConjugate::draw(const double* statistics, core::Rng& rng, std::span<double> out) const {
  for (std::size_t f = 0; f < features(); ++f) {
    const Own own = drawn(f, sums_of(f, statistics), rng);
    for (std::size_t i = 0; i < shape_.own; ++i) out[2 * f * shape_.own + i] = own[i];
  }
}

void ScalarConjugate::posterior_mean(const double* statistics, std::span<double> out) const {
  for (std::size_t f = 0; f < features(); ++f) {
    const Own own = mean(f, sums_of(f, statistics));
    for (std::size_t i = 0; i < shape_.own; ++i) out[2 * f * shape_.own + i] = own[i];
  }
}

void ScalarConjugate::set_row(std::size_t feature, const double* statistics, double* column,
                              std::size_t stride) const {
  const Row row = table_row(feature, sums_of(feature, statistics));
  for (std::size_t i = 0; i < shape_.rows; ++i)
    column[(feature * shape_.rows + i) * stride] = row[i];
}

void ScalarConjugate::tabulate(const double* statistics, double* column, std::size_t stride) const {
  for (std::size_t f = 0; f < features(); ++f) set_row(f, statistics, column, stride);
}

void ScalarConjugate::retabulate(const Block& block, std::size_t row, const double* statistics,
                                 double* column, std::size_t stride) const {
  for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c)
    set_row(block.slot[c], statistics, column, stride);
}

void ScalarConjugate::add_log_predictives(const Block& block, std::size_t row,
                                          const ClusterView& clusters, double* total) const {
  const std::uint64_t end = block.row_start[row + 1];
  for (std::uint64_t c = block.row_start[row], next = c; c < end; c = next) {
    const std::size_t feature = block.slot[c];
    for (next = c + 1; next < end && block.slot[next] == feature;) ++next;
    if (next == c + 1 && block.weight_of(c) == 1) {
      ClusterView table = clusters;
      table.table += feature * shape_.rows * clusters.stride;
      add_predictives(feature, u_of(block, c), table, total);
    } else {
      add_replicates(block, c, next, clusters, total);
    }
  }
}

void ScalarConjugate::add_replicates(const Block& block, std::size_t first, std::size_t last,
                                     const ClusterView& clusters, double* total) const {
  const std::size_t feature = block.slot[first];
  Sums more = {};
  for (std::size_t c = first; c < last; ++c) {
    const double u = u_of(block, c), weight = static_cast<double>(block.weight_of(c));
    more = {more[0] + weight, more[1] + weight * u, more[2] + weight * u * u};
  }
  for (std::size_t k = 0; k < clusters.count; ++k) {
    const Sums sums = sums_of(feature, clusters.statistics + k * size());
    const Sums both = {sums[0] + more[0], sums[1] + more[1], sums[2] + more[2]};
    total[k] += marginal(feature, both) - marginal(feature, sums);
  }
}

std::vector<ColumnMoments> column_moments(const Block& block, double (*term)(double),
                                          bool positive) {
  const std::size_t columns = block.slots();
  std::vector<double> count(columns, 0.0), sum(columns, 0.0), squares(columns, 0.0);
  const auto t_of = [&](std::size_t c) {
    return term(block.value[c] - block.features[block.slot[c]].shift);
  };
  for (std::size_t c = 0; c < block.cells(); ++c) {
    count[block.slot[c]] += static_cast<double>(block.weight_of(c));
    sum[block.slot[c]] += static_cast<double>(block.weight_of(c)) * t_of(c);
  }
  for (std::size_t c = 0; c < block.cells(); ++c) {
    const double off = t_of(c) - sum[block.slot[c]] / count[block.slot[c]];
    squares[block.slot[c]] += static_cast<double>(block.weight_of(c)) * off * off;
  }
  std::vector<ColumnMoments> moments(columns);
  for (std::size_t f = 0; f < columns; ++f) {
    if (!(count[f] > 0)) continue;
    const double mean = sum[f] / count[f], variance = squares[f] / count[f];
    if (mean > 0 || !positive) moments[f].mean = mean;
    // A variance within the rounding of the mean is that of a column that never varies.
    if (variance > 1e-24 * mean * mean) moments[f].variance = variance;
  }
  return moments;
}

double largest_sum(const Block& block) {
  std::vector<double> sum(block.slots(), 0.0);
  for (std::size_t c = 0; c < block.cells(); ++c)
    sum[block.slot[c]] += static_cast<double>(block.weight_of(c)) *
                          (1 + block.value[c] - block.features[block.slot[c]].shift);
  return sum.empty() ? 0 : *std::max_element(sum.begin(), sum.end());
}

}  // namespace medley::families
