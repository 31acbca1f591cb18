// SPDX-License-Identifier: Apache-2.0
// Short rows by exact and by Monte-Carlo EM against mean-field EM on the same survey; and new
// documents folded into a fitted model, memberships to a tolerance of 1e-10, against the passes
// that twenty sweeps of them would take.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "comparison.hpp"
#include "core/aligned.hpp"
#include "engines/registry.hpp"
#include "engines/starts.hpp"
#include "generated.hpp"
#include "ideal.hpp"
#include "kernels/lanes.hpp"
#include "medley/evaluate.hpp"
#include "medley/fit.hpp"
#include "memberships/registry.hpp"

namespace medley::bench {
namespace {

// A fit of mixed membership in progress.
class Fit {
 public:
  Fit(std::shared_ptr<const Dataset> data, std::size_t components, const std::string& inference)
      : data_(std::move(data)), prepared_(engines::prepare(*data_, 1)) {
    const auto& membership = memberships::mixed_membership;
    const model::Inference* mode = model::find_inference(inference);
    FitOptions options;
    options.components = components;
    prepared_.own = engines::engine_data(prepared_, *mode, options);
    engines::EmModel model = engines::make_model(prepared_, membership, *mode, components);
    model.smoothing = 0.01;
    engine_ = engines::make_engine(prepared_, std::move(model), 1);
    engine_->start_from(engines::random_rows(*data_, components, {1, 0}));
    for (int i = 0; i < 3; ++i) engine_->iterate();
  }
  void iterate() { benchmark::DoNotOptimize(engine_->iterate()); }

 private:
  std::shared_ptr<const Dataset> data_;
  engines::EmData prepared_;
  std::unique_ptr<engines::Engine> engine_;
};

void compare_inferences(std::size_t components) {
  const auto data = std::make_shared<const Dataset>(survey(5'000, 12, 5));
  const Comparison comparison{"survey 5000 x 12 K=" + std::to_string(components),
                              5'000 * 12 * components, "ns per cell x K, one iteration"};
  const auto body = [=](const char* inference) {
    return [=, fit = std::shared_ptr<Fit>()]() mutable {
      if (!fit) fit = std::make_shared<Fit>(data, components, inference);
      fit->iterate();
    };
  };
  measured(comparison, "exact EM", body("exact"));
  measured(comparison, "Monte-Carlo EM", body("monte-carlo"));
  against(comparison, "mean-field EM", body("standard"));
}

void compare_fold_in(std::size_t components) {
  struct Folding {
    Dataset data;
    Model model;
  };
  constexpr std::size_t kDocuments = 2'000, kWords = 130, kSweeps = 20;
  const Comparison comparison{"fold in documents of 130 words, K=" + std::to_string(components),
                              kDocuments, "ns per document"};
  measured(comparison, "memberships", [=, folding = std::shared_ptr<Folding>()]() mutable {
    if (!folding) {
      Dataset data = corpus(kDocuments, kWords, 10'000, 50);
      FitOptions options;
      options.model = "lda";
      options.components = components;
      options.max_iterations = 10;
      Model model = fit(data, options);
      folding = std::make_shared<Folding>(std::move(data), std::move(model));
    }
    benchmark::DoNotOptimize(transform(folding->model, folding->data, 1));
  });
  const std::size_t padded = kernels::padded(components);
  against(comparison, "passes of twenty sweeps",
          [=, rows = core::AlignedVector<float>(kWords * padded, 0.5F),
           e = core::AlignedVector<float>(padded, 0.5F),
           out = core::AlignedVector<float>(padded)]() mutable {
            for (std::size_t i = 0; i < kDocuments * kSweeps; ++i) {
              ideal_document(rows.data(), kWords, padded, e.data(), out.data());
              benchmark::ClobberMemory();
            }
          });
}

}  // namespace

void add_benchmarks() {
  compare_inferences(3);
  compare_inferences(5);
  compare_fold_in(100);
}

}  // namespace medley::bench
