// SPDX-License-Identifier: Apache-2.0
#include "samplers/clusters.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/task.hpp"
#include "kernels/lanes.hpp"

namespace medley::samplers {

std::size_t canonical(Labels& labels) {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> renamed;
  std::uint32_t distinct = 0;
  for (std::uint32_t& label : labels) {
    if (label >= renamed.size()) renamed.resize(label + std::size_t{1}, kNone);
    if (renamed[label] == kNone) renamed[label] = distinct++;
    label = renamed[label];
  }
  return distinct;
}

Clusters::Clusters(const Dataset& data, const Priors& priors)
    : data_(data), priors_(priors), parts_(priors.size()) {}

void Clusters::grow() {
  const std::size_t old = capacity_;
  capacity_ = std::max(kernels::kLanes, 2 * old);
  for (std::size_t b = 0; b < parts_.size(); ++b) {
    parts_[b].statistics.resize(capacity_ * priors_[b]->size(), 0.0);
    std::vector<double> table(capacity_ * priors_[b]->table_size(), 0.0);
    for (std::size_t r = 0; r < priors_[b]->table_size(); ++r)
      std::copy_n(parts_[b].table.begin() + static_cast<std::ptrdiff_t>(r * old), old,
                  table.begin() + static_cast<std::ptrdiff_t>(r * capacity_));
    parts_[b].table = std::move(table);
  }
}

void Clusters::set_size(std::size_t k, double size) {
  size_[k] = size;
  log_size_[k] = std::log(size);
}

void Clusters::clear(std::size_t count) {
  size_.clear();
  log_size_.clear();
  id_.clear();
  free_.clear();
  position_.clear();
  for (std::size_t k = 0; k < count; ++k) open();
}

void Clusters::rebuild(std::span<const std::uint32_t> labels, std::size_t count) {
  clear(count);
  for (std::size_t row = 0; row < labels.size(); ++row) gather(row, labels[row]);
  for (std::size_t k = 0; k < count; ++k) tabulate(k);
}

std::size_t Clusters::open() {
  const std::size_t k = count();
  if (k == capacity_) grow();
  size_.push_back(0);
  log_size_.push_back(-std::numeric_limits<double>::infinity());
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(position_.size()));
    position_.push_back(0);
  }
  id_.push_back(free_.back());
  free_.pop_back();
  position_[id_.back()] = static_cast<std::uint32_t>(k);
  for (std::size_t b = 0; b < parts_.size(); ++b) {
    const std::size_t size = priors_[b]->size();
    std::fill_n(parts_[b].statistics.begin() + static_cast<std::ptrdiff_t>(k * size), size, 0.0);
    priors_[b]->tabulate(&parts_[b].statistics[k * size], &parts_[b].table[k], capacity_);
  }
  return k;
}

void Clusters::close(std::size_t k) {
  const std::size_t last = count() - 1;
  free_.push_back(id_[k]);
  for (std::size_t b = 0; k != last && b < parts_.size(); ++b) {
    const std::size_t size = priors_[b]->size();
    std::copy_n(&parts_[b].statistics[last * size], size, &parts_[b].statistics[k * size]);
    for (std::size_t r = 0; r < priors_[b]->table_size(); ++r)
      parts_[b].table[r * capacity_ + k] = parts_[b].table[r * capacity_ + last];
  }
  size_[k] = size_[last];
  log_size_[k] = log_size_[last];
  id_[k] = id_[last];
  position_[id_[k]] = static_cast<std::uint32_t>(k);
  size_.pop_back();
  log_size_.pop_back();
  id_.pop_back();
}

void Clusters::gather(std::size_t row, std::size_t k, double times) {
  set_size(k, size_[k] + times);
  for (std::size_t b = 0; b < parts_.size(); ++b)
    priors_[b]->add(data_.blocks[b], row, &parts_[b].statistics[k * priors_[b]->size()], times);
}

void Clusters::tabulate(std::size_t k) {
  for (std::size_t b = 0; b < parts_.size(); ++b)
    priors_[b]->tabulate(&parts_[b].statistics[k * priors_[b]->size()], &parts_[b].table[k],
                         capacity_);
}

void Clusters::add(std::size_t row, std::size_t k, double times) {
  set_size(k, size_[k] + times);
  for (std::size_t b = 0; b < parts_.size(); ++b) {
    double* statistics = &parts_[b].statistics[k * priors_[b]->size()];
    priors_[b]->add(data_.blocks[b], row, statistics, times);
    priors_[b]->retabulate(data_.blocks[b], row, statistics, &parts_[b].table[k], capacity_);
  }
}

void Clusters::remove(std::size_t row, std::size_t k, double times) {
  set_size(k, size_[k] - times);
  for (std::size_t b = 0; b < parts_.size(); ++b) {
    double* statistics = &parts_[b].statistics[k * priors_[b]->size()];
    priors_[b]->remove(data_.blocks[b], row, statistics, times);
    priors_[b]->retabulate(data_.blocks[b], row, statistics, &parts_[b].table[k], capacity_);
  }
}

void Clusters::copy(std::size_t k, const Clusters& others, std::size_t from) {
  set_size(k, others.size_[from]);
  for (std::size_t b = 0; b < parts_.size(); ++b) {
    const std::size_t size = priors_[b]->size();
    std::copy_n(&others.parts_[b].statistics[from * size], size, &parts_[b].statistics[k * size]);
  }
  tabulate(k);
}

void Clusters::copy_both(std::size_t k, const Clusters& others, std::size_t first,
                         std::size_t second) {
  copy(k, others, first);
  set_size(k, others.size_[first] + others.size_[second]);
  for (std::size_t b = 0; b < parts_.size(); ++b) {
    const std::size_t size = priors_[b]->size();
    for (std::size_t i = 0; i < size; ++i)
      parts_[b].statistics[k * size + i] += others.parts_[b].statistics[second * size + i];
  }
  tabulate(k);
}

void Clusters::log_weights(const Dataset& data, std::size_t row, double* out) const {
  std::copy(log_size_.begin(), log_size_.end(), out);
  for (std::size_t b = 0; b < parts_.size(); ++b)
    priors_[b]->add_log_predictives(
        data.blocks[b], row,
        {parts_[b].statistics.data(), parts_[b].table.data(), capacity_, count()}, out);
}

double Clusters::log_marginal(std::size_t k) const {
  double sum = 0;
  for (std::size_t b = 0; b < parts_.size(); ++b)
    sum += priors_[b]->log_marginal(&parts_[b].statistics[k * priors_[b]->size()]);
  return sum;
}

double Clusters::log_marginal_both(std::size_t j, std::size_t k) const {
  double sum = 0;
  std::vector<double> both;
  for (std::size_t b = 0; b < parts_.size(); ++b) {
    const std::size_t size = priors_[b]->size();
    both.assign(size, 0.0);
    for (std::size_t i = 0; i < size; ++i)
      both[i] = parts_[b].statistics[j * size + i] + parts_[b].statistics[k * size + i];
    sum += priors_[b]->log_marginal(both.data());
  }
  return sum;
}

namespace {

std::size_t largest(const Labels& labels) {
  return labels.empty() ? 0 : *std::max_element(labels.begin(), labels.end()) + std::size_t{1};
}

double pairs(std::span<const double> sizes) {
  double sum = 0;
  for (const double size : sizes) sum += size * (size - 1) / 2;
  return sum;
}

}  // namespace

double disagreement(const Labels& one, const Labels& other) {
  const std::size_t rows = largest(one), columns = largest(other);
  std::vector<double> table(rows * columns, 0.0), of_one(rows, 0.0), of_other(columns, 0.0);
  for (std::size_t i = 0; i < one.size(); ++i) {
    ++table[one[i] * columns + other[i]];
    ++of_one[one[i]];
    ++of_other[other[i]];
  }
  return pairs(of_one) + pairs(of_other) - 2 * pairs(table);
}

std::size_t least_squares(std::span<const Labels> draws) {
  std::vector<double> sum(draws.size(), 0.0);
  for (std::size_t d = 0; d < draws.size(); ++d) {
    for (std::size_t e = 0; e < d; ++e) {
      core::stop_if_asked();
      const double apart = disagreement(draws[d], draws[e]);
      sum[d] += apart;
      sum[e] += apart;
    }
  }
  return static_cast<std::size_t>(std::min_element(sum.begin(), sum.end()) - sum.begin());
}

std::vector<double> co_clustering(std::span<const Labels> draws) {
  const std::size_t n = draws.empty() ? 0 : draws.front().size();
  std::vector<double> share(n * n, 0.0);
  const double each = 1 / static_cast<double>(draws.size());
  for (const Labels& labels : draws) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (labels[i] == labels[j]) share[i * n + j] += each;
      }
    }
  }
  return share;
}

}  // namespace medley::samplers
