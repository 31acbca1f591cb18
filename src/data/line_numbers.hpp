// SPDX-License-Identifier: Apache-2.0
// The lines on which the records of a file stand. Nearly always one after the other, so only where
// a run of consecutive lines begins is kept: a rating log of millions of lines costs nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace medley::data {

class LineNumbers {
 public:
  void push_back(std::uint64_t line) {
    if (runs_.empty() || line != runs_.back().line + (size_ - runs_.back().record))
      runs_.push_back({size_, line});
    ++size_;
  }
  [[nodiscard]] std::uint64_t operator[](std::size_t record) const {
    const auto after =
        std::upper_bound(runs_.begin(), runs_.end(), record,
                         [](std::size_t wanted, const Run& run) { return wanted < run.record; });
    return (after - 1)->line + (record - (after - 1)->record);
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  /// Runs of consecutive lines, which is what it costs.
  [[nodiscard]] std::size_t runs() const { return runs_.size(); }

 private:
  struct Run {
    std::size_t record;  // its first record
    std::uint64_t line;
  };
  std::vector<Run> runs_;
  std::size_t size_ = 0;
};

}  // namespace medley::data
