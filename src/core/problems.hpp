// SPDX-License-Identifier: Apache-2.0
// Collects what is wrong with an input, so that one error can list it all: the first 20 are kept,
// every one is counted. After kGiveUp problems reading on is pointless and the collector throws.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "medley/error.hpp"

namespace medley::core {

class Problems {
 public:
  /// A file this wrong is not the file it was taken for.
  static constexpr std::size_t kGiveUp = 1000;

  void add(std::string where, std::string what, std::string remedy = {}) {
    if (kept_.size() < InputError::kListed)
      kept_.push_back({std::move(where), std::move(what), std::move(remedy)});
    if (++total_ >= kGiveUp) throw_if_any();
  }
  void throw_if_any() const {
    if (total_ > 0) throw InputError(kept_, total_);
  }
  [[nodiscard]] std::size_t total() const { return total_; }

 private:
  std::vector<Problem> kept_;
  std::size_t total_ = 0;
};

}  // namespace medley::core
