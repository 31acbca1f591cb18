// SPDX-License-Identifier: Apache-2.0
// One EM iteration on a survey and on corpora. Every row does the same number of sweeps, so every
// iteration is the same work wherever the fit has got to, and times are per cell, component and
// sweep. "inner loop alone" is the same number of passes over rows that are already gathered, by
// the fastest plain loop for this machine: what is above it goes to gathering, digammas, judging
// in double and the M-step. Fast inference and single membership go over the cells once, however
// many sweeps follow, so their times are per cell and component; "product alone" is that once, by
// such a loop: what is above it goes to sweeps, statistics and the M-step. With
// MEDLEY_BENCH_DATA=DIR also on DIR/ap and DIR/20news.
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
#include "medley/io.hpp"
#include "memberships/registry.hpp"

namespace medley::bench {
namespace {

constexpr std::size_t kSweeps = 20;
constexpr memberships::Limits kLimits{0.0, kSweeps};  // never close enough: always all sweeps
// Of the one observation of a pooled row: a few, as rows go on from where they were.
constexpr memberships::Limits kPooledLimits{0.0, 3};

/// A fit in progress, begun when it is first needed.
class Fit {
 public:
  Fit(std::shared_ptr<const Dataset> data, std::size_t components, std::size_t threads,
      const memberships::MembershipEntry& membership = memberships::mixed_membership,
      const std::string& inference = "standard")
      : data_(std::move(data)),
        components_(components),
        threads_(threads),
        membership_(membership),
        mode_(*model::find_inference(inference)),
        limits_(!model::row_method(mode_, membership).pooled() ? kLimits : kPooledLimits) {}

  void iterate() {
    if (!em_) begin();
    benchmark::DoNotOptimize(em_->iterate(limits_));
  }

 private:
  void begin() {
    prepared_ = engines::prepare(*data_, threads_);
    engines::EmModel model = engines::make_model(prepared_, membership_, mode_, components_);
    model.smoothing = 0.01;
    em_ = std::make_unique<engines::VariationalEm>(prepared_, std::move(model));
    em_->start_from(engines::random_rows(*data_, components_, {1, 0}));
    em_->iterate(limits_);  // rows begin from a state from here on
  }

  std::shared_ptr<const Dataset> data_;
  std::size_t components_, threads_;
  const memberships::MembershipEntry& membership_;
  const model::Inference& mode_;
  memberships::Limits limits_;
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

// One going-over of all cells, each a row of a table of doubles.
auto product_alone(const std::shared_ptr<const Dataset>& data, std::size_t components) {
  const Block& block = data->blocks[0];
  const std::size_t padded = kernels::padded(components);
  std::vector<float> weight;
  for (std::size_t c = 0; c < block.cells(); ++c) weight.push_back(block.weight_of(c));
  return [=, table = core::AlignedVector<double>(block.slots() * padded, -0.5),
          out = core::AlignedVector<double>(padded)]() mutable {
    const Block& cells = data->blocks[0];
    for (std::size_t row = 0; row < data->rows; ++row) {
      const std::uint64_t first = cells.row_start[row];
      ideal_product(table.data(), cells.slot.data() + first, weight.data() + first,
                    cells.row_start[row + 1] - first, padded, out.data());
      benchmark::ClobberMemory();
    }
  };
}

// Inference that sees a row through one observation, against its product and standard inference.
void compare_pooled(const std::string& what, const std::shared_ptr<const Dataset>& data,
                    std::size_t components) {
  const auto standard = std::make_shared<Fit>(data, components, 1);
  const auto compare_one = [&](const std::string& name, const std::shared_ptr<Fit>& fit) {
    const Comparison pooled{what + " K=" + std::to_string(components) + " " + name,
                            data->blocks[0].cells() * components, "ns per cell x K"};
    measured(pooled, name + " EM iteration", [fit] { fit->iterate(); });
    against(pooled, "product alone", product_alone(data, components));
    against(pooled, "standard EM iteration", [standard] { standard->iterate(); });
  };
  compare_one("fast",
              std::make_shared<Fit>(data, components, 1, memberships::mixed_membership, "fast"));
  compare_one("single membership",
              std::make_shared<Fit>(data, components, 1, memberships::single_membership));
}

void compare_corpus(const std::string& folder, const std::string& name) {
  std::string path = folder + "/" + name + "/docs.ldac";
  if (!std::filesystem::exists(path)) path += ".gz";
  ReadOptions options;
  options.vocabulary[""] = folder + "/" + name + "/vocab.txt";
  const auto data = std::make_shared<const Dataset>(read({{"", path}}, options));
  for (const std::size_t components : {50U, 100U}) {
    compare(name, data, components);
    compare_pooled(name, data, components);
  }
}

}  // namespace

void add_benchmarks() {
  compare("survey 20000 x 16", std::make_shared<const Dataset>(survey(20'000, 16, 9)), 9);
  const auto words = std::make_shared<const Dataset>(corpus(2'000, 130, 10'000, 50));
  compare("corpus 2000 x 130", words, 50);
  compare_pooled("corpus 2000 x 130", words, 50);
  if (const char* folder = std::getenv("MEDLEY_BENCH_DATA")) {
    for (const char* name : {"ap", "20news"}) compare_corpus(folder, name);
  }
}

}  // namespace medley::bench
