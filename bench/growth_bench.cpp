// SPDX-License-Identifier: Apache-2.0
// How the cost of one EM iteration grows with rows, cells, components and words: each series
// changes one of them and is held against its own smallest. bench/page.py fits the slope of log
// time over log size: 1 is linear. The work of an iteration is cells x K x sweeps as long as every
// sweep goes over every component; as fits do it, over a row's active components, it is less, and
// grows more slowly. Sizes are those of corpora: what a row or a table takes by itself is little
// beside its cells.
#include <memory>
#include <string>
#include <vector>

#include "comparison.hpp"
#include "engines/starts.hpp"
#include "engines/variational_em.hpp"
#include "generated.hpp"
#include "memberships/registry.hpp"

namespace medley::bench {
namespace {

struct Size {
  std::size_t documents = 2'000, words = 200, vocabulary = 5'000, components = 64;
  bool every_component = true;
};

struct Fit {
  explicit Fit(const Size& size)
      : limits{0.0, 20, size.every_component},
        data(corpus(size.documents, size.words, size.vocabulary, 20)),
        prepared(engines::prepare(data, 1)) {
    const auto& membership = memberships::mixed_membership;
    engines::EmModel model = engines::make_model(
        prepared, membership, model::usual_inference(membership), size.components);
    model.smoothing = 0.01;
    em = std::make_unique<engines::VariationalEm>(prepared, std::move(model));
    em->start_from(engines::random_rows(data, size.components, {1, 0}));
  }
  void iterate() { benchmark::DoNotOptimize(em->iterate(limits)); }

  memberships::Limits limits;  // never close enough: always all sweeps
  Dataset data;
  engines::EmData prepared;
  std::unique_ptr<engines::VariationalEm> em;
};

void series(const std::string& name, std::size_t Size::* which,
            const std::vector<std::size_t>& values, bool every_component) {
  for (const std::size_t value : values) {
    const Comparison comparison{
        "growth with " + name + (every_component ? "" : ", active components"), 1,
        "ns per iteration"};
    Size size;
    size.every_component = every_component;
    size.*which = value;
    const auto body = [size, fit = std::shared_ptr<Fit>()]() mutable {
      if (!fit) fit = std::make_shared<Fit>(size);
      fit->iterate();
    };
    measured(comparison, std::to_string(value), body);
    if (value == values.front()) against(comparison, std::to_string(value), body);
  }
}

}  // namespace

void add_benchmarks() {
  for (const bool every_component : {true, false}) {
    series("rows", &Size::documents, {1'000, 2'000, 4'000, 8'000}, every_component);
    series("cells of a row", &Size::words, {200, 400, 800, 1'600}, every_component);
    series("K", &Size::components, {64, 128, 256, 512}, every_component);
    series("words", &Size::vocabulary, {5'000, 10'000, 20'000, 40'000}, every_component);
  }
}

}  // namespace medley::bench
