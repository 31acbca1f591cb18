// SPDX-License-Identifier: Apache-2.0
#include "engines/contest.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "medley/error.hpp"

namespace medley::engines {
namespace {

// A bound that changes by less than this (relative) twice running will not change its rank.
constexpr double kSameBound = 1e-7;
constexpr int kSameIterations = 2;

std::string entry_name(const std::string& prefix, std::size_t index) {
  return prefix + std::to_string(index) + ".";
}

// What is not a number ranks last.
double rank_of(double bound) {
  return std::isnan(bound) ? -std::numeric_limits<double>::infinity() : bound;
}

[[noreturn]] void refuse_checkpoint(const core::TensorFile& file) {
  throw InputError({file.origin, "the checkpoint is damaged", "leave out `resume` to begin anew"});
}

}  // namespace

Contest::Contest(std::vector<Candidate> candidates, std::vector<Round> rounds)
    : candidates_(std::move(candidates)),
      rounds_(std::move(rounds)),
      entries_(candidates_.size()) {}

void Contest::run(Engine& engine, const std::function<void(const Step&)>& after) {
  for (; round_ < rounds_.size() && undecided(); ++round_, next_ = 0) {
    for (; next_ < entries_.size(); ++next_) {
      if (takes_part(next_)) run_entry(next_, engine, after);
    }
    end_round(rounds_[round_]);
  }
  engine.restore(entries_[ranked()[0]].state, "");
}

bool Contest::takes_part(std::size_t index) const {
  return entries_[index].left && (round_ > 0 || !candidates_[index].replaces);
}

// What has been kept of the entry changes at the end of its turn only.
void Contest::run_entry(std::size_t index, Engine& engine,
                        const std::function<void(const Step&)>& after) {
  Entry& entry = entries_[index];
  if (entry.iterations == 0) {
    candidates_[index].begin(engine);
  } else {
    engine.restore(entry.state, "");
  }
  double first = entry.first;
  double bound = entry.bound;
  std::size_t iterations = entry.iterations;
  int quiet = 0;
  while (iterations < rounds_[round_].iterations && quiet < kSameIterations) {
    const double before = bound;
    bound = engine.iterate();
    if (++iterations == 1) first = bound;
    const bool grows =
        iterations == 1 || !(std::abs(bound - before) < kSameBound * std::abs(bound));
    quiet = grows ? 0 : quiet + 1;
    after({candidates_[index].name, iterations, bound});
  }
  entry.first = first;
  entry.bound = bound;
  entry.iterations = iterations;
  entry.state = {};
  engine.save(entry.state, "");
}

// Several are left, or one that has yet to begin.
bool Contest::undecided() const {
  return count_left() > 1 || std::ranges::any_of(entries_, [](const Entry& entry) {
           return entry.left && entry.iterations == 0;
         });
}

std::size_t Contest::count_left() const {
  return static_cast<std::size_t>(std::ranges::count_if(entries_, &Entry::left));
}

void Contest::drop(Entry& entry) {
  entry.left = false;
  entry.state = {};
}

std::vector<std::size_t> Contest::ranked() const {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].left && entries_[i].iterations > 0) order.push_back(i);
  }
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    const double of_a = rank_of(entries_[a].bound), of_b = rank_of(entries_[b].bound);
    return of_a != of_b ? of_a > of_b : a < b;
  });
  return order;
}

// Those that have not begun yet are not compared.
void Contest::end_round(const Round& round) {
  const std::vector<std::size_t> order = ranked();
  const Entry& first = entries_[order[0]];
  const double best = rank_of(first.bound);
  const double behind = round.margin * std::max(0.0, best - rank_of(first.first));
  for (std::size_t i = 1; i < order.size(); ++i) {
    Entry& entry = entries_[order[i]];
    if (i >= round.keep || rank_of(entry.bound) < best - behind) drop(entry);
  }
  if (round_ == 0) replace();
}

// Without a second round nobody is replaced.
void Contest::replace() {
  std::vector<std::size_t> replaced;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const auto& other = candidates_[i].replaces;
    if (!other) continue;
    if (entries_[*other].left && rounds_.size() > 1) {
      replaced.push_back(*other);
    } else {
      drop(entries_[i]);
    }
  }
  for (const std::size_t i : replaced) drop(entries_[i]);
}

std::vector<TriedStart> Contest::tried() const {
  const auto order = ranked();
  const std::size_t best = order.empty() ? entries_.size() : order[0];
  std::vector<TriedStart> out;
  const auto add = [&](std::size_t i) {
    out.push_back({candidates_[i].name, entries_[i].iterations, entries_[i].bound});
  };
  if (!order.empty()) add(best);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (i != best && entries_[i].iterations > 0) add(i);
  }
  return out;
}

std::vector<Contest::Left> Contest::left() const {
  std::vector<Left> out;
  for (const std::size_t i : ranked()) out.push_back({i, entries_[i].bound, &entries_[i].state});
  return out;
}

void Contest::save(core::TensorFile& file, const std::string& prefix) const {
  std::vector<double> bounds;
  std::vector<std::int64_t> numbers = {static_cast<std::int64_t>(round_),
                                       static_cast<std::int64_t>(next_)};
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    bounds.push_back(entry.first);
    bounds.push_back(entry.bound);
    numbers.push_back(static_cast<std::int64_t>(entry.iterations));
    numbers.push_back(entry.left ? 1 : 0);
    for (const auto& [name, tensor] : entry.state.tensors)
      file.tensors[entry_name(prefix, i) + name] = tensor;
  }
  file.put(prefix + "bounds", std::move(bounds));
  file.put(prefix + "numbers", std::move(numbers));
}

void Contest::restore(const core::TensorFile& file, const std::string& prefix) {
  const auto& bounds = file.doubles(prefix + "bounds", 2 * entries_.size());
  const auto& numbers = file.integers(prefix + "numbers", 2 + 2 * entries_.size());
  if (std::ranges::any_of(numbers, [](std::int64_t n) { return n < 0; })) refuse_checkpoint(file);
  round_ = static_cast<std::size_t>(numbers[0]);
  next_ = static_cast<std::size_t>(numbers[1]);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    entry.first = bounds[2 * i];
    entry.bound = bounds[2 * i + 1];
    entry.iterations = static_cast<std::size_t>(numbers[2 + 2 * i]);
    entry.left = numbers[3 + 2 * i] != 0;
    const std::string own = entry_name(prefix, i);
    entry.state.origin = file.origin;
    for (const auto& [name, tensor] : file.tensors) {
      if (name.starts_with(own)) entry.state.tensors[name.substr(own.size())] = tensor;
    }
  }
  if (round_ >= rounds_.size() || next_ >= entries_.size() || count_left() == 0)
    refuse_checkpoint(file);
}

}  // namespace medley::engines
