// SPDX-License-Identifier: Apache-2.0
#include "math/logistic_regression.hpp"

#include <algorithm>
#include <cmath>

#include "math/logs.hpp"

namespace medley::math {
namespace {

double weight_of(const LogisticRows& rows, std::size_t row) {
  return rows.weight.empty() ? 1.0 : rows.weight[row];
}

// a_c + b_c'x for all classes.
void scores(std::span<const double> coefficients, std::span<const double> x,
            std::span<double> out) {
  const std::size_t width = x.size() + 1;
  for (std::size_t c = 0; c < out.size(); ++c) {
    const double* row = &coefficients[c * width];
    out[c] = row[0];
    for (std::size_t f = 0; f < x.size(); ++f) out[c] += row[1 + f] * x[f];
  }
}

// One value per class.
std::vector<double> class_weights(const LogisticRows& rows) {
  std::vector<double> sum(rows.classes, 0.0);
  for (std::size_t i = 0; i < rows.label.size(); ++i) {
    if (rows.label[i] >= 0) sum[static_cast<std::size_t>(rows.label[i])] += weight_of(rows, i);
  }
  return sum;
}

}  // namespace

void LogisticRegression::log_probabilities(std::span<const double> x, std::span<double> out) const {
  scores(coefficients, x, out);
  const double total = log_sum_exp(out);
  for (double& v : out) v -= total;
}

double logistic_loss(const LogisticRows& rows, double penalty, std::span<const double> coefficients,
                     std::span<double> gradient) {
  const std::size_t width = rows.features + 1;
  double loss = 0;
  for (std::size_t j = 0; j < coefficients.size(); ++j) {
    const double b = j % width == 0 ? 0.0 : coefficients[j];
    loss += 0.5 * penalty * b * b;
    gradient[j] = penalty * b;
  }
  std::vector<double> p(rows.classes);
  for (std::size_t i = 0; i < rows.label.size(); ++i) {
    const double weight = weight_of(rows, i);
    if (rows.label[i] < 0 || weight <= 0) continue;
    const auto label = static_cast<std::size_t>(rows.label[i]);
    const std::span<const double> x = rows.x.subspan(i * rows.features, rows.features);
    scores(coefficients, x, p);
    const double of_label = p[label];
    loss += weight * (softmax(p) - of_label);
    p[label] -= 1;
    for (std::size_t c = 0; c < rows.classes; ++c) {
      double* g = &gradient[c * width];
      g[0] += weight * p[c];
      for (std::size_t f = 0; f < rows.features; ++f) g[1 + f] += weight * p[c] * x[f];
    }
  }
  return loss;
}

LogisticRegression fit_logistic(const LogisticRows& rows, double penalty,
                                const LbfgsOptions& options) {
  const std::size_t width = rows.features + 1;
  LogisticRegression fit = {rows.features, rows.classes,
                            std::vector<double>(rows.classes * width, 0.0)};
  const std::vector<double> weight = class_weights(rows);
  std::vector<std::size_t> present;  // the classes to tell apart
  double total = 0;
  for (std::size_t c = 0; c < rows.classes; ++c) {
    total += weight[c];
    if (weight[c] > 0) present.push_back(c);
  }
  if (present.empty()) return fit;

  std::vector<std::int32_t> number(rows.classes, -1);  // a class's place among those present
  std::vector<double> x(present.size() * width, 0.0);
  for (std::size_t j = 0; j < present.size(); ++j) {
    number[present[j]] = static_cast<std::int32_t>(j);
    x[j * width] = std::log(weight[present[j]] / total);
  }
  std::vector<std::int32_t> label(rows.label.begin(), rows.label.end());
  for (std::int32_t& l : label) l = l < 0 ? -1 : number[static_cast<std::size_t>(l)];
  LogisticRows among = rows;
  among.classes = present.size();
  among.label = label;
  fit.ended = minimise(
      [&](std::span<const double> at, std::span<double> gradient) {
        return logistic_loss(among, penalty, at, gradient);
      },
      x, options);
  for (std::size_t c = 0; c < rows.classes; ++c) fit.coefficients[c * width] = kAbsentClass;
  for (std::size_t j = 0; j < present.size(); ++j)
    std::copy_n(&x[j * width], width, &fit.coefficients[present[j] * width]);
  return fit;
}

}  // namespace medley::math
