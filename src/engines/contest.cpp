// SPDX-License-Identifier: Apache-2.0
#include "engines/contest.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "medley/error.hpp"

namespace medley::engines {
namespace {

std::string entry_name(const std::string& prefix, std::size_t index) {
  return prefix + std::to_string(index) + ".";
}

// What is not a number ranks last.
double rank_of(double bound) {
  return std::isnan(bound) ? -std::numeric_limits<double>::infinity() : bound;
}

[[noreturn]] void refuse_checkpoint(const core::TensorFile& file) {
  throw InputError({file.origin, "the checkpoint is damaged", "leave out --resume to begin anew"});
}

}  // namespace

Contest::Contest(std::vector<Candidate> candidates, std::vector<Round> rounds)
    : candidates_(std::move(candidates)),
      rounds_(std::move(rounds)),
      entries_(candidates_.size()) {}

bool Contest::run(Engine& engine, const std::function<bool(const Step&)>& after) {
  for (; round_ < rounds_.size() && (round_ == 0 || count_left() > 1); ++round_, next_ = 0) {
    for (; next_ < entries_.size(); ++next_) {
      if (takes_part(next_) && !run_entry(next_, engine, after)) return false;
    }
    end_round(rounds_[round_]);
  }
  for (const Entry& entry : entries_) {
    if (entry.left) engine.restore(entry.state, "");
  }
  return true;
}

bool Contest::takes_part(std::size_t index) const {
  return entries_[index].left && (round_ > 0 || !candidates_[index].if_left);
}

// What has been kept of the entry changes at the end of its turn only.
bool Contest::run_entry(std::size_t index, Engine& engine,
                        const std::function<bool(const Step&)>& after) {
  Entry& entry = entries_[index];
  if (entry.iterations == 0) {
    candidates_[index].begin(engine);
  } else {
    engine.restore(entry.state, "");
  }
  double first = entry.first;
  double bound = entry.bound;
  std::size_t iterations = entry.iterations;
  while (iterations < rounds_[round_].iterations) {
    bound = engine.iterate();
    if (++iterations == 1) first = bound;
    if (!after({candidates_[index].name, iterations, bound})) return false;
  }
  entry.first = first;
  entry.bound = bound;
  entry.iterations = iterations;
  entry.state = {};
  engine.save(entry.state, "");
  return true;
}

std::size_t Contest::count_left() const {
  return static_cast<std::size_t>(std::ranges::count_if(entries_, &Entry::left));
}

void Contest::drop(Entry& entry) {
  entry.left = false;
  entry.state = {};
}

// Of equals the later one goes. Those that have not begun yet are not compared.
void Contest::end_round(const Round& round) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (takes_part(i)) order.push_back(i);
  }
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    const double of_a = rank_of(entries_[a].bound), of_b = rank_of(entries_[b].bound);
    return of_a != of_b ? of_a > of_b : a < b;
  });
  const Entry& first = entries_[order[0]];
  const double best = rank_of(first.bound);
  const double behind = round.margin * std::max(0.0, best - rank_of(first.first));
  for (std::size_t i = 1; i < order.size(); ++i) {
    Entry& entry = entries_[order[i]];
    if (i >= round.keep || rank_of(entry.bound) < best - behind) drop(entry);
  }
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const auto& needs = candidates_[i].if_left;
    if (needs && !entries_[*needs].left && entries_[i].iterations == 0) drop(entries_[i]);
  }
}

std::vector<TriedStart> Contest::tried() const {
  std::vector<TriedStart> out;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].iterations > 0)
      out.push_back({candidates_[i].name, entries_[i].iterations, entries_[i].bound});
  }
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
