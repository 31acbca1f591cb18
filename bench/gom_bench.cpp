// SPDX-License-Identifier: Apache-2.0
// One sweep of a grade-of-membership chain over a survey, memberships and all cell probabilities
// included, by two threads and by one; and what of it the components of single observations take,
// which is the least that any Gibbs sampler has to do.
#include <memory>
#include <vector>

#include "comparison.hpp"
#include "core/rng.hpp"
#include "generated.hpp"
#include "model/row_chain.hpp"
#include "samplers/gom_chain.hpp"

namespace medley::bench {
namespace {

struct Chain {
  Chain(std::size_t people, std::size_t items, std::size_t components)
      : data(survey(people, items, components)),
        model(data, options(components)),
        chain(model, 0),
        probability(model.cell_code().size()) {
    for (int i = 0; i < 50; ++i) chain.sweep(true, 2);
  }
  static samplers::GomOptions options(std::size_t components) {
    samplers::GomOptions out;
    out.components = components;
    return out;
  }
  void sweep(std::size_t threads) {
    chain.sweep(false, threads);
    benchmark::DoNotOptimize(chain.look(probability, threads));
  }
  void observations() {
    model::RowChain rows(chain.likelihoods(), chain.alpha());
    std::vector<std::uint16_t> z = chain.z();
    for (std::size_t person = 0; person < model.people(); ++person) {
      const auto first = model.start()[person], count = model.start()[person + 1] - first;
      core::Rng rng(1, 1, person);
      rows.sweep(model.code().subspan(first, count), rng, std::span(z).subspan(first, count), 0, 0,
                 nullptr);
    }
    benchmark::DoNotOptimize(z.data());
  }

  Dataset data;
  samplers::GomModel model;
  samplers::GomChain chain;
  std::vector<double> probability;
};

}  // namespace

void add_benchmarks() {
  constexpr std::size_t kPeople = 20'000, kItems = 16, kComponents = 9;
  const auto chain = std::make_shared<Chain>(kPeople, kItems, kComponents);
  const Comparison alone{"survey 20000 x 16 K=9 Gibbs", kPeople * kItems * kComponents,
                         "ns per cell x K"};
  Comparison threads = alone;
  threads.what += " threads";
  threads.threads = true;
  measured(alone, "sweep", [chain] { chain->sweep(1); });
  against(alone, "observations alone", [chain] { chain->observations(); });
  measured(threads, "2 threads", [chain] { chain->sweep(2); });
  against(threads, "1 thread", [chain] { chain->sweep(1); });
}

}  // namespace medley::bench
