// SPDX-License-Identifier: Apache-2.0
// The kernels against plain loops, against Boost, and against what this machine can do at best.
// Times are per cell and component (K, not the padded K: padding is the kernel's own affair).
#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "comparison.hpp"
#include "core/rng.hpp"
#include "ideal.hpp"
#include "kernels/lanes.hpp"
#include "kernels/pass.hpp"
#include "kernels/reference.hpp"
#include "kernels/special_vectors.hpp"

namespace medley::bench {
namespace {

constexpr std::size_t kComponents[] = {8, 16, 50, 100};
constexpr std::size_t kRowLengths[] = {16, 130};  // a survey's items, a document's words

template <class T>
constexpr const char* kName = sizeof(T) == 4 ? "float" : "double";

/// `rows` x `padded` random values between 0 and 1, with zeros from column `components` on.
template <class T>
std::vector<T> matrix(std::size_t rows, std::size_t components, std::size_t padded) {
  core::Rng rng(1, 0);
  std::vector<T> values(rows * padded, T{0});
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k < components; ++k)
      values[row * padded + k] = static_cast<T>(rng.uniform());
  }
  return values;
}

std::vector<std::vector<double>> nested(std::size_t rows, std::size_t components) {
  const std::vector<double> flat = matrix<double>(rows, components, components);
  std::vector<std::vector<double>> result;
  for (auto row = flat.begin(); row != flat.end(); row += static_cast<std::ptrdiff_t>(components))
    result.emplace_back(row, row + static_cast<std::ptrdiff_t>(components));
  return result;
}

// What the processor allows: two multiply-adds for every likelihood, and reading it once from the
// second cache.
void compare_with_machine(const Comparison& comparison, std::size_t likelihoods) {
  constexpr std::size_t kSecondCache = 64 * 1024;  // floats: half of 512 kB
  against(comparison, "peak of multiply-adds",
          [=, out = std::vector<float>(kernels::kLanes)]() mutable {
            peak_multiply_adds(2 * likelihoods, out.data());
            benchmark::DoNotOptimize(out.data());
          });
  against(comparison, "peak of reads from the second cache",
          [=, from = std::vector<float>(kSecondCache, 0.5F),
           out = std::vector<float>(kernels::kLanes)]() mutable {
            peak_reads(from.data(), from.size(), likelihoods, out.data());
            benchmark::DoNotOptimize(out.data());
          });
}

template <class T>
void compare_pass(std::size_t components, std::size_t cells) {
  const std::size_t padded = kernels::padded(components);
  const Comparison comparison{std::string("pass ") + kName<T> + " K=" + std::to_string(components) +
                                  " cells=" + std::to_string(cells),
                              components * cells, "ns per cell x K"};
  const std::vector<T> rows = matrix<T>(cells, components, padded);
  const std::vector<T> weight(cells, T{1});
  const std::vector<T> e = matrix<T>(1, components, padded);
  measured(comparison, "medley", [=, norm = std::vector<T>(cells), out = e]() mutable {
    benchmark::DoNotOptimize(kernels::pass(rows.data(), weight.data(), cells, padded, e.data(),
                                           norm.data(), out.data()));
    benchmark::ClobberMemory();
  });
  against(comparison, "plain loop in double",
          [rows = nested(cells, components), weight = std::vector<double>(cells, 1.0),
           e = nested(1, components)[0]] {
            benchmark::DoNotOptimize(kernels::reference::pass(rows, weight, e));
          });
  against(comparison, "ideal loop", [=, out = e]() mutable {
    ideal_pass(rows.data(), cells, padded, e.data(), out.data());
    benchmark::ClobberMemory();
  });
  if constexpr (sizeof(T) == sizeof(float)) compare_with_machine(comparison, components * cells);
}

template <class T>
void compare_exp_digamma(std::size_t components) {
  const std::size_t padded = kernels::padded(components);
  const Comparison comparison{
      std::string("exp_digamma ") + kName<T> + " K=" + std::to_string(components), components,
      "ns per value"};
  // gammas as rows have them: most a little above a small alpha, some large
  std::vector<T> x = matrix<T>(1, components, components);
  for (T& value : x) value = T{0.1F} + T{30} * value * value * value * value;
  measured(comparison, "medley", [=, out = std::vector<T>(padded)]() mutable {
    kernels::exp_digamma(x.data(), components, padded, out.data());
    benchmark::ClobberMemory();
  });
  against(comparison, "Boost", [=, out = std::vector<T>(components)]() mutable {
    std::transform(x.begin(), x.end(), out.begin(),
                   [](T value) { return boost::math::digamma(value); });
    const T largest = *std::max_element(out.begin(), out.end());
    for (T& value : out) value = std::exp(value - largest);
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  });
}

/// The cells of one slot: `cells` of the data's rows, in ascending order, spread evenly.
void compare_accumulate(std::size_t components, std::size_t rows, std::size_t cells) {
  const std::size_t padded = kernels::padded(components);
  const Comparison comparison{"accumulate K=" + std::to_string(components) + " rows=" +
                                  std::to_string(rows) + " cells=" + std::to_string(cells),
                              components * cells, "ns per cell x K"};
  const std::vector<double> vectors = matrix<double>(rows, components, padded);
  std::vector<std::uint32_t> row(cells);
  std::vector<std::uint32_t> cell(cells);
  for (std::size_t j = 0; j < cells; ++j) {
    row[j] = static_cast<std::uint32_t>(j * rows / cells);
    cell[j] = static_cast<std::uint32_t>(j);
  }
  const std::vector<double> coefficient(cells, 0.5);
  measured(comparison, "medley", [=, out = std::vector<double>(padded)]() mutable {
    kernels::accumulate(vectors.data(), padded, row.data(), cell.data(), coefficient.data(), cells,
                        out.data());
    benchmark::ClobberMemory();
  });
  against(comparison, "plain loop", [=, vectors = nested(rows, components)] {
    benchmark::DoNotOptimize(kernels::reference::accumulate(vectors, row, cell, coefficient));
  });
  against(comparison, "ideal loop",
          [=, few = matrix<double>(4, components, padded),
           out = std::vector<double>(padded)]() mutable {
            ideal_accumulate(few.data(), cells, padded, out.data());
            benchmark::ClobberMemory();
          });
}

}  // namespace

void add_benchmarks() {
  for (const std::size_t components : kComponents) {
    for (const std::size_t cells : kRowLengths) {
      compare_pass<float>(components, cells);
      compare_pass<double>(components, cells);
    }
    compare_exp_digamma<float>(components);
    compare_exp_digamma<double>(components);
  }
  compare_accumulate(9, 20'000, 10'000);  // one answer to one item of a survey
  compare_accumulate(50, 2'000, 26);      // one word of a corpus
}

}  // namespace medley::bench
