// SPDX-License-Identifier: Apache-2.0
// Sums over several processes that each have some of the rows of a data set: ranks, numbered from
// 0. All of them do the same work on their own rows at the same time, and where a sum over all rows
// is needed all of them meet here. Alone a process has all rows, and nothing happens.
//
// A rank that throws between two meetings leaves the others waiting. Whoever runs several ranks
// has to end them all then.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace medley::core {

class Reducer {
 public:
  virtual ~Reducer() = default;
  Reducer(const Reducer&) = delete;
  Reducer& operator=(const Reducer&) = delete;

  [[nodiscard]] virtual std::size_t rank() const = 0;
  [[nodiscard]] virtual std::size_t ranks() const = 0;
  [[nodiscard]] bool alone() const { return ranks() == 1; }
  /// Every number becomes the sum of what the ranks have in its place. All ranks call it in the
  /// same order, with as many numbers, and end with the same bits.
  virtual void sum(std::span<double> numbers) = 0;
  /// What the ranks have, one after the other; as many numbers each as they like.
  [[nodiscard]] virtual std::vector<double> gather(std::span<const double> own) = 0;

 protected:
  Reducer() = default;
};

/// The only rank of one.
[[nodiscard]] Reducer& alone();

/// The sum of one number.
[[nodiscard]] double sum_of(Reducer& across, double own);
/// Whether any rank says so.
[[nodiscard]] bool any_of(Reducer& across, bool own);
/// How much all ranks before this one have together, and all there are.
struct Share {
  std::size_t before = 0, all = 0;
};
[[nodiscard]] Share share_of(Reducer& across, std::size_t own);

}  // namespace medley::core
