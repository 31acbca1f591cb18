// SPDX-License-Identifier: Apache-2.0
// Damaged data, many thousand times over: each is refused with an InputError, or fits a model that
// saves, loads and scores. Under the sanitizers a wrong index shows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/temporary_folder.hpp"
#include "medley/medley.hpp"
#include "support/hand_data.hpp"
#include "support/memory_tables.hpp"
#include "support/mutate.hpp"
#include "support/quick.hpp"

namespace medley {
namespace {

using ::testing::HasSubstr;

const std::size_t kMutations = test::quick() ? 4000 : 100'000;

// How often each way out was taken: a test that refuses everything tests nothing.
struct Outcomes {
  std::size_t refused = 0, taken = 0;
};

// What is done with data that nobody refused.
void use(const Dataset& data, core::Rng& rng) {
  FitOptions options;
  options.components = 1 + rng.below(2);
  options.max_iterations = 3;
  options.threads = 1;
  const char* inferences[] = {"", "", "fast", "exact"};
  options.inference = inferences[rng.below(4)];
  if (rng.below(10) == 0) options.membership = "single";
  if (rng.below(10) == 0) {
    options.batch = 4;
    options.passes = 1;
  }
  const Model model = Model::from_bytes(fit(data, options).to_bytes());
  (void)transform(model, data, 1);
  if (rng.below(4) == 0) (void)evaluate(model, data, {});
  if (rng.below(8) == 0) (void)describe(data);
  if (rng.below(8) == 0) (void)inspect(model, {});
  if (rng.below(8) == 0) (void)quality(model, data, {});
  if (rng.below(16) == 0) (void)predict_cells(model, data, missing_cells(data, 1000), {});
}

template <class Try>
void count(const Try& attempt, Outcomes& outcomes) {
  try {
    attempt();
    ++outcomes.taken;
  } catch (const InputError& error) {
    ++outcomes.refused;
    for (const Problem& problem : error.problems()) EXPECT_FALSE(problem.what.empty());
  }
}

TEST(HostileData, DamagedDataSetsAreRefusedOrFitted) {
  Outcomes outcomes;
  for (std::size_t i = 0; i < kMutations; ++i) {
    SCOPED_TRACE("mutation " + std::to_string(i));
    core::Rng rng(17, 1, i);
    Dataset data = test::hand_data(8);
    if (rng.below(2) == 0) {  // one block, and perhaps a label to learn
      const std::size_t keep = rng.below(3);
      data.blocks = {data.blocks[keep]};
    }
    if (rng.below(4) == 0) {
      SourceSpec& source = data.schema.sources.emplace_back();
      ColumnSpec& label = source.columns.emplace_back();
      label.name = "kind";
      label.role = Role::label;
      label.levels = {"even", "odd"};
    }
    test::Mutator mutator(rng);
    for (std::uint64_t changes = 1 + rng.below(3); changes > 0; --changes) mutator.change(data);
    count([&] { use(data, rng); }, outcomes);
  }
  EXPECT_GT(outcomes.taken, kMutations / 20);
  EXPECT_GT(outcomes.refused, kMutations / 4);
}

TEST(HostileData, DamagedSourcesAreRefusedOrFitted) {
  Outcomes outcomes;
  const test::MixedTable mixed = test::mixed_table(24);
  const test::Ratings ratings = test::ratings(8);
  const test::Corpus corpus = test::word_counts(10, 12);
  for (std::size_t i = 0; i < kMutations; ++i) {
    SCOPED_TRACE("mutation " + std::to_string(i));
    core::Rng rng(17, 2, i);
    std::vector<MemorySource> sources(1);
    ReadOptions options;
    switch (rng.below(4)) {
      case 0:
        sources[0].content = ratings.triplets;
        break;
      case 1:
        sources[0].content = corpus.counts;
        break;
      default: {
        MemoryTable table = mixed.table;
        for (std::size_t c = 0; c < table.columns.size(); ++c)
          table.columns[c].name = std::string(1, static_cast<char>('a' + c));
        options.id = "a";
        options.weight = "e";
        if (rng.below(2) == 0) options.label = "f";
        sources[0].content = std::move(table);
      }
    }
    test::Mutator mutator(rng);
    for (std::uint64_t changes = 1 + rng.below(3); changes > 0; --changes) mutator.change(sources);
    if (rng.below(3) == 0) mutator.change(options);
    count(
        [&] {
          if (rng.below(8) == 0) {
            SchemaBuilder builder(options);
            builder.add(sources);
            builder.add(sources);
            (void)builder.finish();
          }
          use(dataset(sources, options), rng);
        },
        outcomes);
  }
  EXPECT_GT(outcomes.taken, kMutations / 20);
  EXPECT_GT(outcomes.refused, kMutations / 4);
}

TEST(HostileData, RowsOfASourceAreCheckedBatchByBatch) {
  class Hostile : public RowSource {
   public:
    explicit Hostile(std::size_t wrong) : wrong_(wrong) {
      shape_ = test::hand_data(0);
      shape_.ids.clear();
    }
    [[nodiscard]] std::size_t rows() const override { return 64; }
    [[nodiscard]] const Dataset& shape() const override { return shape_; }
    [[nodiscard]] Dataset batch(std::span<const RowRange> ranges) const override {
      std::size_t rows = 0;
      for (const RowRange& range : ranges) rows += range.end - range.begin;
      Dataset out = test::hand_data(rows);
      if (wrong_ == 1) out.blocks[0].slot.back() = 1000;
      if (wrong_ == 2) out.blocks.pop_back();
      if (wrong_ == 3) out = test::hand_data(rows + 1);
      if (wrong_ == 4) out.blocks[1].row_start.back() = 1000000;
      return out;
    }
    [[nodiscard]] std::string fingerprint() const override { return "hostile"; }

   private:
    std::size_t wrong_;
    Dataset shape_;
  };
  FitOptions options;
  options.components = 2;
  options.batch = 8;
  options.passes = 1;
  EXPECT_EQ(fit(Hostile(0), options).components(), 2U);
  for (std::size_t wrong = 1; wrong <= 4; ++wrong)
    EXPECT_THROW((void)fit(Hostile(wrong), options), InputError) << wrong;
}

// Every public function that is given data looks at it first.
TEST(HostileData, EveryDoorIsGuarded) {
  const Dataset good = test::hand_data(20);
  FitOptions fitting;
  fitting.components = 2;
  fitting.max_iterations = 3;
  const Model model = fit(good, fitting);
  Dataset bad = good;
  bad.blocks[0].slot[5] = 4000000000;
  const testing::TemporaryFolder folder;
  const auto refuses = [&](const char* name, const std::function<void()>& call) {
    try {
      call();
      ADD_FAILURE() << name << " took it";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("slot 4000000000")) << name;
    }
  };
  refuses("check", [&] { check(bad); });
  refuses("fit", [&] { (void)fit(bad, fitting); });
  refuses("fit from", [&] { (void)fit(bad, fitting, model); });
  FitOptions batches = fitting;
  batches.batch = 4;
  refuses("fit batches", [&] { (void)fit(bad, batches); });
  refuses("update", [&] { (void)update(model, bad, {}); });
  refuses("transform", [&] { (void)transform(model, bad); });
  refuses("evaluate", [&] { (void)evaluate(model, bad, {}); });
  refuses("entropy_quintiles", [&] { (void)entropy_quintiles({}, bad); });
  refuses("cross_validate", [&] { (void)cross_validate(bad, fitting, {}); });
  refuses("describe", [&] { (void)describe(bad); });
  refuses("missing_cells", [&] { (void)missing_cells(bad, 1000); });
  refuses("predict_cells", [&] { (void)predict_cells(model, bad, {{0, 0, 0}}, {}); });
  refuses("recommend", [&] { (void)recommend(model, bad, {0}, {}); });
  refuses("hide_cells", [&] { (void)hide_cells(bad, 0.5, 1); });
  refuses("holdout_cells", [&] { (void)holdout_cells(model, bad, {}); });
  refuses("holdout_fit", [&] { (void)holdout_fit(bad, fitting, {}); });
  refuses("quality", [&] { (void)quality(model, bad, {}); });
  refuses("absolute_fit", [&] { (void)absolute_fit(model, bad, {}); });
  refuses("write_data", [&] { (void)write_data(bad, {{"", folder / "x.csv"}}); });
  refuses("treated", [&] { (void)treated(bad, {}); });
  refuses("usual_criteria", [&] { (void)usual_criteria(bad); });
  SelectOptions select_options;
  select_options.components = {2};
  select_options.fitting = fitting;
  select_options.folder = folder / "selection";
  refuses("select", [&] { (void)select(bad, select_options); });
  const std::size_t rows[] = {0};
  refuses("similar", [&] { (void)similar(model, bad, rows, {}); });
  refuses("membership_intervals", [&] { (void)membership_intervals(model, bad, 0.9); });
  GroupOptions by;
  by.by = "kind";
  refuses("group_means", [&] { (void)group_means(model, bad, by); });
  refuses("bootstrap", [&] { (void)bootstrap(model, bad, {}); });
  refuses("diagnose", [&] { (void)diagnose(model, bad); });
  refuses("component_correlations", [&] { (void)component_correlations(model, bad); });
  refuses("predict_classes", [&] { (void)predict_classes(model, bad); });
  refuses("explain_classes", [&] { (void)explain_classes(model, bad, 3); });
  refuses("write_stream", [&] { write_stream(bad, folder / "x.stream"); });
  refuses("StreamWriter", [&] { StreamWriter(folder / "y.stream").append(bad); });
  refuses("report_data", [&] { (void)report_data({model, &bad}, {}); });
  refuses("selftest", [&] { (void)selftest(bad, fitting, {}); });
}

}  // namespace
}  // namespace medley
