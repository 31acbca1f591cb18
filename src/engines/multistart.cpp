// SPDX-License-Identifier: Apache-2.0
#include "engines/multistart.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/task.hpp"
#include "engines/contest.hpp"
#include "engines/fit_head.hpp"
#include "engines/variational_em.hpp"
#include "engines/warm_start_membership.hpp"
#include "kernels/lanes.hpp"
#include "medley/error.hpp"

namespace medley::engines {
namespace {

// Iterations after which the starts are compared. Where k-means finds groups that are well apart
// its first bound tells the best (mushroom); where it does not, twenty tell little more than eight
// (NLTCS), and the fit on all rows has to.
constexpr std::size_t kFirstSift = 2, kSecondSift = 8;

// When so many starts agree with the best to so much (relative), more would hardly find a better
// one.
constexpr std::size_t kAgreeing = 3;
constexpr double kAgreement = 1e-4;

// About 40,000 cells: k-means goes through them some twenty times for every start. Not fewer rows
// than some for every component.
Dataset some_of(const EmData& rows, std::size_t components) {
  constexpr double kCells = 40'000;
  const std::size_t fewest = std::max<std::size_t>(500, 20 * components);
  const std::size_t most = std::max<std::size_t>(2000, fewest);
  double cells = 0;
  for (const Block& block : rows.data->blocks) cells += static_cast<double>(block.cells());
  cells = core::sum_of(*rows.across, cells);
  const double each =
      std::max(1.0, cells / static_cast<double>(std::max<std::size_t>(1, rows.all_rows)));
  return spread_rows(rows,
                     std::clamp(nearest_integer_of<std::size_t>(kCells / each), fewest, most));
}

// A start and where its few iterations led.
struct Short {
  std::size_t number;
  double bound;
  core::TensorFile parameters;
};

bool alike(const Short& a, const Short& b) {
  return std::abs(a.bound - b.bound) <= kAgreement * std::abs(a.bound);
}

// The short fits so far, the best first, of which those that lead to the same place count as one.
class Best {
 public:
  explicit Best(std::size_t kept) : kept_(kept) {}
  void add(Short fit) {
    bounds_.push_back(fit.bound);
    for (Short& other : fits_) {
      if (!alike(other, fit)) continue;
      if (fit.bound > other.bound) other = std::move(fit);
      sort();
      return;
    }
    fits_.push_back(std::move(fit));
    sort();
    if (fits_.size() > kept_) fits_.pop_back();
  }
  [[nodiscard]] bool agreed() const {
    if (fits_.empty()) return false;
    const double enough = fits_[0].bound - kAgreement * std::abs(fits_[0].bound);
    return static_cast<std::size_t>(std::ranges::count_if(
               bounds_, [&](double bound) { return bound >= enough; })) >= kAgreeing;
  }
  [[nodiscard]] std::vector<Short>& fits() { return fits_; }

 private:
  void sort() {
    std::ranges::sort(fits_, [](const Short& a, const Short& b) {
      return a.bound != b.bound ? a.bound > b.bound : a.number < b.number;
    });
  }
  std::size_t kept_;
  std::vector<double> bounds_;  // of all
  std::vector<Short> fits_;
};

// What the tensors of a kept start are called in a checkpoint.
std::string start_name(std::size_t index) {
  return "starts." + std::to_string(index) + ".";
}

}  // namespace

Multistart multistart(const EmData& rows, EmModel model, StartsWanted wanted, StartSeed seed,
                      const std::function<std::vector<double>(Engine&, StartSeed)>& memberships) {
  const Dataset some = some_of(rows, model.membership->components());
  Multistart out;
  EmData data;
  try {
    data = prepare(some, rows.threads, *rows.across);
  } catch (const Interrupted&) {
    out.interrupted = true;
    return out;
  }
  VariationalEm engine(data, std::move(model));
  const auto begin = [&](std::size_t t) {
    return [&, t](Engine& e) {
      const auto start = memberships(e, {seed.seed, seed.restart * wanted.tried + t});
      e.start_from(start);
      if (e.model().head)
        head_from_shares(data, start, kernels::padded(e.model().membership->components()),
                         *e.model().head);
    };
  };
  const std::size_t batch = std::clamp<std::size_t>(wanted.tried / 6, 4, 64);
  Best best(wanted.kept);
  for (std::size_t t = 0; t < wanted.tried && !out.interrupted && !best.agreed();) {
    std::vector<Candidate> candidates;
    const std::size_t first = t;
    for (; t < std::min(first + batch, wanted.tried); ++t) candidates.push_back({"", begin(t)});
    const std::size_t keep = std::max(wanted.kept, kAgreeing);
    const std::size_t half = std::max(keep, candidates.size() / 2);
    Contest contest(std::move(candidates), {{kFirstSift, half}, {kSecondSift, keep}});
    try {
      contest.run(engine, [](const Contest::Step&) { core::stop_if_asked(); });
    } catch (const Interrupted&) {
      out.interrupted = true;
    }
    for (const Contest::Left& left : contest.left()) {
      engine.restore(*left.state, "");
      Short fit{first + left.candidate, left.bound, {}};
      save_parameters(engine.model(), fit.parameters, "");
      best.add(std::move(fit));
    }
    out.tried = t;
  }
  for (Short& fit : best.fits()) {
    out.parameters.push_back(std::move(fit.parameters));
    out.number.push_back(fit.number);
  }
  return out;
}

void save_starts(const Multistart& starts, core::TensorFile& file) {
  std::vector<std::int64_t> numbers(starts.number.begin(), starts.number.end());
  numbers.push_back(static_cast<std::int64_t>(starts.tried));
  file.put("starts", std::move(numbers));
  for (std::size_t i = 0; i < starts.parameters.size(); ++i) {
    for (const auto& [name, tensor] : starts.parameters[i].tensors)
      file.tensors[start_name(i) + name] = tensor;
  }
}

Multistart read_starts(const core::TensorFile& file) {
  Multistart out;
  const auto& numbers = file.integers("starts");
  for (std::size_t i = 0; i + 1 < numbers.size(); ++i) {
    out.number.push_back(static_cast<std::size_t>(numbers[i]));
    core::TensorFile& parameters = out.parameters.emplace_back();
    parameters.origin = file.origin;
    for (const auto& [name, tensor] : file.tensors) {
      if (name.starts_with(start_name(i)))
        parameters.tensors[name.substr(start_name(i).size())] = tensor;
    }
  }
  if (!numbers.empty()) out.tried = static_cast<std::size_t>(numbers.back());
  return out;
}

}  // namespace medley::engines
