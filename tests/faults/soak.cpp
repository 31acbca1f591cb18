// SPDX-License-Identifier: Apache-2.0
// Memory stays flat: many calls of transform upon one model, and fits in minibatches one after the
// other.
//
//   soak [--calls N] [--minutes M]     defaults: 100,000 calls, then fits for an hour
//
// Prints the resident size after a tenth and at the end; exit code 1 if it grew by more than a
// twentieth and 4 MB.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "medley/evaluate.hpp"
#include "medley/fit.hpp"
#include "support/files.hpp"

namespace medley::faults {
namespace {

double resident_megabytes() {
  std::size_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1e6;
}

/// Calls `work` until `done` (0 to 1) says 1. Whether memory stayed flat.
bool stays_flat(const std::string& what, const std::function<void()>& work,
                const std::function<double(std::size_t)>& done) {
  double early = 0;
  std::size_t calls = 0;
  while (done(calls) < 1) {
    work();
    ++calls;
    if (early == 0 && done(calls) >= 0.1) early = resident_megabytes();
  }
  const double late = resident_megabytes();
  const bool flat = late < 1.05 * early + 4;
  fmt::print("{}: {} calls, {:.1f} MB after a tenth, {:.1f} MB at the end{}\n", what, calls, early,
             late, flat ? "" : ": it grows");
  return flat;
}

int run(double calls, double minutes) {
  const Dataset rows = test::survey(20);
  const Dataset words = test::corpus(400);
  FitOptions options;
  options.components = 3;
  options.threads = 2;
  const Model model = fit(rows, options);
  bool flat = stays_flat(
      "transform", [&] { (void)transform(model, rows, 2); },
      [&](std::size_t made) { return static_cast<double>(made) / calls; });
  FitOptions batches = options;
  batches.batch = 50;
  batches.passes = 2;
  batches.inference = "standard";
  const auto begun = std::chrono::steady_clock::now();
  flat =
      stays_flat(
          "fits in minibatches", [&] { (void)fit(words, batches); },
          [&](std::size_t) {
            return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count() /
                   (60 * minutes);
          }) &&
      flat;
  return flat ? 0 : 1;
}

}  // namespace
}  // namespace medley::faults

int main(int argc, char** argv) {
  double calls = 100'000, minutes = 60;
  const std::vector<std::string> words(argv + 1, argv + argc);
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    if (words[i] == "--calls") calls = std::stod(words[i + 1]);
    if (words[i] == "--minutes") minutes = std::stod(words[i + 1]);
  }
  return medley::faults::run(calls, minutes);
}
