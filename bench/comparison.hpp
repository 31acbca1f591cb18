// SPDX-License-Identifier: Apache-2.0
// Benchmarks come in comparisons: one thing measured against others in the same run, because a time
// alone says more about the machine than about the code. bench/table.py joins them by name:
//
//   "pass float K=50 cells=130/measured:medley"   and   ".../against:reference"
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <utility>

namespace medley::bench {

/// Every program defines this; main.cpp calls it.
void add_benchmarks();

/// What a comparison is about, how much work one run of it is, and in which unit.
struct Comparison {
  std::string what;
  std::size_t items = 1;  ///< done by one call of the body
  std::string unit = "ns per item";
  bool bytes = false;    ///< items are bytes: shown as MB/s
  bool threads = false;  ///< by the clock on the wall; else by this thread's processor time
};

namespace detail {

template <class Body>
void add(const Comparison& comparison, const std::string& name, Body body) {
  const auto run = [comparison, body](benchmark::State& state) mutable {
    body();  // whatever is only done the first time is not measured
    for (auto _ : state) body();
    const auto items =
        static_cast<std::int64_t>(comparison.items) * static_cast<std::int64_t>(state.iterations());
    if (comparison.bytes) {
      state.SetBytesProcessed(items);
    } else {
      state.SetItemsProcessed(items);
    }
    state.SetLabel(comparison.unit);
  };
  auto* added = benchmark::RegisterBenchmark((comparison.what + '/' + name).c_str(), run);
  if (comparison.threads) added->UseRealTime();
}

}  // namespace detail

template <class Body>
void measured(const Comparison& comparison, const std::string& name, Body body) {
  detail::add(comparison, "measured:" + name, std::move(body));
}

template <class Body>
void against(const Comparison& comparison, const std::string& name, Body body) {
  detail::add(comparison, "against:" + name, std::move(body));
}

}  // namespace medley::bench
