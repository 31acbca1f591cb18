// SPDX-License-Identifier: Apache-2.0
// One EM iteration on a survey and on corpora. Every row does the same number of sweeps, so every
// iteration is the same work wherever the fit has got to, and times are per cell, component and
// sweep. "inner loop alone" is the same number of passes over rows that are already gathered, by
// the fastest plain loop for this machine: what is above it goes to gathering, digammas, judging
// in double and the M-step. With MEDLEY_BENCH_DATA=DIR also on DIR/ap and DIR/20news.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <vector>

#include "comparison.hpp"
#include "core/aligned.hpp"
#include "engines/starts.hpp"
#include "engines/variational_em.hpp"
#include "generated.hpp"
#include "ideal.hpp"
#include "kernels/lanes.hpp"
#include "medley/read.hpp"
#include "memberships/registry.hpp"

namespace medley::bench {
namespace {

constexpr std::size_t kSweeps = 20;
constexpr memberships::Limits kLimits{0.0, kSweeps};  // never close enough: always all sweeps

/// A fit in progress, begun when it is first needed.
class Fit {
 public:
  Fit(std::shared_ptr<const Dataset> data, std::size_t components, std::size_t threads)
      : data_(std::move(data)), components_(components), threads_(threads) {}

  void iterate() {
    if (!em_) begin();
    benchmark::DoNotOptimize(em_->iterate(kLimits));
  }

 private:
  void begin() {
    prepared_ = engines::prepare(*data_, threads_);
    const auto& membership = memberships::mixed_membership;
    engines::EmModel model =
        engines::make_model(prepared_, membership, membership.modes.front(), components_);
    model.smoothing = 0.01;
    em_ = std::make_unique<engines::VariationalEm>(prepared_, std::move(model));
    em_->start_from(engines::random_rows(*data_, components_, {1, 0}));
    em_->iterate(kLimits);  // rows begin from a state from here on
  }

  std::shared_ptr<const Dataset> data_;
  std::size_t components_, threads_;
  engines::EmData prepared_;
  std::unique_ptr<engines::VariationalEm> em_;
};

void compare(const std::string& what, const std::shared_ptr<const Dataset>& data,
             std::size_t components) {
  const std::size_t cells = data->blocks[0].cells();
  const Comparison whole{what + " K=" + std::to_string(components), cells * components * kSweeps,
                         "ns per cell x K x sweep"};
  Comparison threads = whole;
  threads.what += " threads";
  threads.threads = true;
  const auto one = std::make_shared<Fit>(data, components, 1);
  const auto two = std::make_shared<Fit>(data, components, 2);
  measured(whole, "EM iteration", [one] { one->iterate(); });
  measured(threads, "2 threads", [two] { two->iterate(); });
  against(threads, "1 thread", [one] { one->iterate(); });

  const Block& block = data->blocks[0];
  const std::size_t padded = kernels::padded(components);
  std::size_t longest = 0;
  for (std::size_t row = 0; row < data->rows; ++row)
    longest = std::max<std::size_t>(longest, block.row_start[row + 1] - block.row_start[row]);
  const auto alone = [=](auto loop) {
    return
        [=, rows = core::AlignedVector<float>(longest * padded, 0.5F),
         e = core::AlignedVector<float>(padded, 0.5F), ratio = core::AlignedVector<float>(longest),
         out = core::AlignedVector<float>(padded)]() mutable {
          const auto& start = data->blocks[0].row_start;
          for (std::size_t row = 0; row < data->rows; ++row) {
            for (std::size_t sweep = 0; sweep < kSweeps; ++sweep) {
              loop(rows.data(), start[row + 1] - start[row], padded, e.data(), ratio.data(),
                   out.data());
              benchmark::ClobberMemory();
            }
          }
        };
  };
  against(whole, "inner loop alone",
          alone([](const float* rows, std::size_t many, std::size_t wide, const float* e, float*,
                   float* out) { ideal_document(rows, many, wide, e, out); }));
  against(whole, "inner loop in two passes", alone(two_pass_document));
}

void compare_corpus(const std::string& folder, const std::string& name) {
  std::string path = folder + "/" + name + "/docs.ldac";
  if (!std::filesystem::exists(path)) path += ".gz";
  ReadOptions options;
  options.vocabulary[""] = folder + "/" + name + "/vocab.txt";
  const auto data = std::make_shared<const Dataset>(read({{"", path}}, options));
  for (const std::size_t components : {50U, 100U}) compare(name, data, components);
}

}  // namespace

void add_benchmarks() {
  compare("survey 20000 x 16", std::make_shared<const Dataset>(survey(20'000, 16, 9)), 9);
  compare("corpus 2000 x 130", std::make_shared<const Dataset>(corpus(2'000, 130, 10'000, 50)), 50);
  if (const char* folder = std::getenv("MEDLEY_BENCH_DATA")) {
    for (const char* name : {"ap", "20news"}) compare_corpus(folder, name);
  }
}

}  // namespace medley::bench
