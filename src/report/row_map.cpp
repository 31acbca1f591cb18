// SPDX-License-Identifier: Apache-2.0
#include "report/row_map.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "core/task.hpp"

namespace medley::report {

RowMap row_map(std::span<const double> share, std::size_t components) {
  const auto k = static_cast<Eigen::Index>(components);
  const std::size_t rows = components == 0 ? 0 : share.size() / components;
  const auto point = [&](std::size_t row) {
    Eigen::VectorXd out(k);
    for (Eigen::Index j = 0; j < k; ++j)
      out[j] = std::sqrt(std::max(0.0, share[row * components + static_cast<std::size_t>(j)]));
    return out;
  };
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(k);
  for (std::size_t row = 0; row < rows; ++row) mean += point(row);
  if (rows > 0) mean /= static_cast<double>(rows);
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(k, k);
  for (std::size_t row = 0; row < rows; ++row) {
    core::stop_if_asked();
    const Eigen::VectorXd off = point(row) - mean;
    covariance.selfadjointView<Eigen::Lower>().rankUpdate(off);
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(covariance);
  Eigen::MatrixXd axes = Eigen::MatrixXd::Zero(k, 2);
  double shown = 0;
  const double all = solver.eigenvalues().cwiseMax(0).sum();
  for (Eigen::Index a = 0; a < std::min<Eigen::Index>(2, k); ++a) {
    axes.col(a) = solver.eigenvectors().col(k - 1 - a);  // ascending eigenvalues
    shown += std::max(0.0, solver.eigenvalues()[k - 1 - a]);
    Eigen::Index largest = 0;  // an eigenvector has no sign of its own
    axes.col(a).cwiseAbs().maxCoeff(&largest);
    if (axes(largest, a) < 0) axes.col(a) *= -1;
  }
  RowMap out;
  out.shown = all > 0 ? shown / all : 1;
  for (std::size_t row = 0; row < rows; ++row) {
    core::stop_if_asked();
    const Eigen::Vector2d at = axes.transpose() * (point(row) - mean);
    out.x.push_back(at[0]);
    out.y.push_back(at[1]);
  }
  for (Eigen::Index j = 0; j < k; ++j) {
    const Eigen::Vector2d at = axes.transpose() * (Eigen::VectorXd::Unit(k, j) - mean);
    out.pure_x.push_back(at[0]);
    out.pure_y.push_back(at[1]);
  }
  return out;
}

}  // namespace medley::report
