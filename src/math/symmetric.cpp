// SPDX-License-Identifier: Apache-2.0
#include "math/symmetric.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cassert>
#include <cmath>

namespace medley::math {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using View = Eigen::Map<const Matrix>;
using Strided = Eigen::Map<const Matrix, Eigen::Unaligned, Eigen::OuterStride<>>;

Eigen::Index index(std::size_t n) {
  return static_cast<Eigen::Index>(n);
}

View square(std::span<const double> a, std::size_t n) {
  assert(a.size() == n * n);
  return {a.data(), index(n), index(n)};
}

}  // namespace

std::vector<double> weighted_squares(std::span<const double> rows, std::size_t stride,
                                     std::size_t n, std::span<const double> weight) {
  std::vector<double> out(n * n, 0.0);
  if (n == 0 || weight.empty()) return out;
  const Strided x(rows.data(), index(weight.size()), index(n), Eigen::OuterStride<>(index(stride)));
  const Eigen::Map<const Eigen::VectorXd> w(weight.data(), index(weight.size()));
  Eigen::Map<Matrix>(out.data(), index(n), index(n)).noalias() = x.transpose() * w.asDiagonal() * x;
  return out;
}

bool solve_positive(std::span<const double> a, std::span<double> b) {
  const Eigen::LLT<Matrix> root(square(a, b.size()));
  if (root.info() != Eigen::Success) return false;
  Eigen::Map<Eigen::VectorXd> x(b.data(), index(b.size()));
  root.solveInPlace(x);
  return true;
}

void draw_with_precision(std::span<const double> a, std::span<double> z) {
  const Eigen::LLT<Matrix> root(square(a, z.size()));
  assert(root.info() == Eigen::Success);
  Eigen::Map<Eigen::VectorXd> x(z.data(), index(z.size()));
  root.matrixU().solveInPlace(x);
}

// (I + X^T X)^-1 = I - X^T (I + X X^T)^-1 X
void add_inverse(std::span<const double> x, std::size_t n, double weight, std::span<double> into) {
  assert(n > 0 && x.size() % n == 0 && into.size() == n * n);
  Eigen::Map<Matrix> sum(into.data(), index(n), index(n));
  sum.diagonal().array() += weight;
  Matrix rows = View(x.data(), index(x.size() / n), index(n));
  if (rows.rows() == 0) return;
  Matrix square = rows * rows.transpose();
  square.diagonal().array() += 1;
  Eigen::LLT<Matrix>(square).matrixL().solveInPlace(rows);
  Matrix explained = Matrix::Zero(index(n), index(n));
  explained.selfadjointView<Eigen::Lower>().rankUpdate(rows.transpose());
  sum -= weight * Matrix(explained.selfadjointView<Eigen::Lower>());
}

std::vector<double> of_eigenvalues(std::span<const double> a, std::size_t n,
                                   const std::function<double(double)>& f) {
  const Eigen::SelfAdjointEigenSolver<Matrix> parts(square(a, n));
  Eigen::VectorXd values = parts.eigenvalues();
  for (double& value : values) value = f(value);
  std::vector<double> out(n * n);
  Eigen::Map<Matrix>(out.data(), index(n), index(n)).noalias() =
      parts.eigenvectors() * values.asDiagonal() * parts.eigenvectors().transpose();
  return out;
}

std::vector<double> leading_axes(std::span<const double> a, std::size_t n, std::size_t count) {
  const Eigen::SelfAdjointEigenSolver<Matrix> parts(square(a, n));
  std::vector<double> out(n * count, 0.0);
  for (std::size_t j = 0; j < std::min(count, n); ++j) {
    const Eigen::Index from = index(n - 1 - j);  // eigenvalues ascend
    const Eigen::VectorXd axis = parts.eigenvectors().col(from);
    Eigen::Index largest = 0;
    axis.cwiseAbs().maxCoeff(&largest);
    const double length = std::sqrt(std::max(0.0, parts.eigenvalues()(from)));
    const double sign = axis(largest) < 0 ? -1.0 : 1.0;
    for (std::size_t i = 0; i < n; ++i) out[i * count + j] = sign * length * axis(index(i));
  }
  return out;
}

}  // namespace medley::math
