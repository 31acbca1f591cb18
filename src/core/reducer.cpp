// SPDX-License-Identifier: Apache-2.0
#include "core/reducer.hpp"

#include "medley/error.hpp"

namespace medley::core {
namespace {

class Alone final : public Reducer {
 public:
  [[nodiscard]] std::size_t rank() const override { return 0; }
  [[nodiscard]] std::size_t ranks() const override { return 1; }
  void sum(std::span<double> /*numbers*/) override {}
  [[nodiscard]] std::vector<double> gather(std::span<const double> own) override {
    return {own.begin(), own.end()};
  }
};

}  // namespace

Reducer& alone() {
  static Alone only;
  return only;
}

double sum_of(Reducer& across, double own) {
  across.sum({&own, 1});
  return own;
}

bool any_of(Reducer& across, bool own) {
  return sum_of(across, own ? 1.0 : 0.0) > 0;
}

Share share_of(Reducer& across, std::size_t own) {
  const double mine = static_cast<double>(own);
  const std::vector<double> of_rank = across.gather({&mine, 1});
  Share out;
  for (std::size_t rank = 0; rank < of_rank.size(); ++rank) {
    if (rank < across.rank()) out.before += integer_of<std::size_t>(of_rank[rank]);
    out.all += integer_of<std::size_t>(of_rank[rank]);
  }
  return out;
}

}  // namespace medley::core
