// SPDX-License-Identifier: Apache-2.0
// What it takes to add a membership and an inference: the two lines below, and a file each. They
// are listed, offered and refused by what they declare, fitted, saved, loaded and used like those
// of the library. The memberships' own tests (tests/memberships/conformance_test.cpp) are part of
// this program too.
#include "toys/toys.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "medley/fit.hpp"
#include "medley/options.hpp"
#include "model/model.hpp"
#include "support/toy.hpp"

namespace medley {
namespace {

const bool kAdded = [] {
  memberships::add(test::shared_membership);
  engines::add(test::hard_engine);
  return true;
}();

constexpr std::size_t kItems = 12, kRowsOfEach = 60;

// Rows of two kinds: of the first, 9 in 10 answers are 1, of the second 1 in 10.
Dataset two_kinds(double missing = 0) {
  core::Rng rng(5, 1);
  std::vector<std::vector<int>> codes;
  for (std::size_t row = 0; row < 2 * kRowsOfEach; ++row) {
    auto& code = codes.emplace_back();
    for (std::size_t j = 0; j < kItems; ++j) {
      const bool one = rng.uniform() < (row < kRowsOfEach ? 0.9 : 0.1);
      code.push_back(rng.uniform() < missing ? -1 : (one ? 1 : 0));
    }
  }
  return test::dataset(
      {test::level_block("bernoulli", codes, std::vector<std::size_t>(kItems, 2))});
}

FitOptions options(const std::string& membership, const std::string& inference) {
  FitOptions o;
  o.components = 2;
  o.membership = membership;
  o.inference = inference;
  o.threads = 1;
  o.smoothing = 0.01;
  return o;
}

std::string listed_as(const std::vector<CatalogueEntry>& list, const std::string& name) {
  for (const CatalogueEntry& entry : list) {
    if (entry.name == name) return entry.summary;
  }
  return "not listed";
}

std::string refusal(const Dataset& data, const FitOptions& o) {
  try {
    (void)fit(data, o);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

class SavedModel {
 public:
  explicit SavedModel(const Model& model)
      : path_(std::filesystem::temp_directory_path() /
              ("toys-" + std::to_string(getpid()) + ".medley")) {
    model.save(path_);
  }
  ~SavedModel() { std::filesystem::remove(path_); }
  SavedModel(const SavedModel&) = delete;
  SavedModel& operator=(const SavedModel&) = delete;
  [[nodiscard]] Model load() const { return Model::load(path_); }

 private:
  std::filesystem::path path_;
};

// What a row is most of, in the shares that a model gives.
std::vector<std::size_t> kinds(const Memberships& shares) {
  std::vector<std::size_t> out;
  for (std::size_t row = 0; row < shares.rows(); ++row)
    out.push_back(shares.row(row)[0] > shares.row(row)[1] ? 0 : 1);
  return out;
}

TEST(Toys, AreListed) {
  ASSERT_TRUE(kAdded);
  EXPECT_EQ(listed_as(list_memberships(), "shared"), test::shared_membership.summary);
  EXPECT_EQ(listed_as(list_inferences(), "hard"), "every row is given whole to one component");
  EXPECT_EQ(listed_as(list_inferences(), "collapsed").substr(0, 11), "mixed only:");
  bool with_label = false;
  for (const CatalogueEntry& entry : list_not_offered())
    with_label |= entry.name.ends_with("gibbs or hard with a label");
  EXPECT_TRUE(with_label);
}

TEST(Toys, AreRefusedByWhatTheyNeed) {
  const Dataset data = two_kinds();
  EXPECT_NE(refusal(data, options("shared", "fast")).find("offered: standard, hard"),
            std::string::npos);
  FitOptions o = options("infinite", "hard");
  o.components = 0;
  EXPECT_NE(refusal(data, o).find("offered: gibbs"), std::string::npos);
  o = options("single", "hard");
  o.estimate = Estimate::vb;
  EXPECT_NE(refusal(data, o).find("gives no posteriors"), std::string::npos);
  o = options("mixed", "hard");
  o.batch = 10;
  EXPECT_NE(refusal(data, o).find("cannot be learnt in minibatches"), std::string::npos);
}

TEST(Toys, AreChosenWhereTheySuitBest) {
  FitOptions o = options("mixed", "auto");
  EXPECT_EQ(fit(two_kinds(), o).inference(), "exact");
  const Dataset pairs = test::dataset({test::level_block(
      "bernoulli", {{0, 0}, {0, 0}, {1, 1}, {1, 1}, {0, 1}}, std::vector<std::size_t>(2, 2))});
  const Model model = fit(pairs, o);
  EXPECT_EQ(model.inference(), "hard");
  EXPECT_EQ(model.summary().why_inference, "Rows have two answers.");
}

// In its optimum every table is the average of the rows that are given to it, here added up by
// hand, and every row is given to the component under which it is most probable.
TEST(Toys, ClassificationEmEndsInItsOptimum) {
  const Dataset data = two_kinds(0.1);
  const SavedModel saved(fit(data, options("single", "hard")));
  const Model model = saved.load();
  EXPECT_EQ(model.inference(), "hard");
  EXPECT_EQ(model.summary().termination, Termination::converged);
  const std::vector<std::size_t> kind = kinds(transform(model, data, 1));
  const Block& block = data.blocks[0];
  std::vector<double> ones(2 * kItems, 0.01), all(2 * kItems, 0.02);
  for (std::size_t row = 0; row < data.rows; ++row) {
    EXPECT_EQ(kind[row], row < kRowsOfEach ? kind.front() : kind.back()) << row;
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
      const std::size_t item = block.slot[c] / 2;
      ones[2 * item + kind[row]] += block.slot[c] % 2;
      all[2 * item + kind[row]] += 1;
    }
  }
  for (std::size_t item = 0; item < kItems; ++item) {
    for (const std::size_t k : {0U, 1U})
      EXPECT_NEAR(model.parts().blocks[0].probability(2 * item + 1, k),
                  ones[2 * item + k] / all[2 * item + k], 1e-9);
  }
}

// Not "correlated": only iterate() finds where a row stands among the components, and
// classification EM never calls it, so the components move to where all rows then are, in the
// middle. Its tables are right, memberships are all alike.
TEST(Toys, EngineFitsEveryMembershipWithAGivenK) {
  for (const char* membership : {"mixed", "gamma", "shared"}) {
    const Model model = fit(two_kinds(), options(membership, "hard"));
    const std::vector<std::size_t> kind = kinds(transform(model, two_kinds(), 1));
    EXPECT_NE(kind.front(), kind.back()) << membership;
  }
}

// log p(x) = sum over cells of log sum_k pi_k l_k, here from the export.
TEST(Toys, SharedMembershipScoresAsItsFormulaSays) {
  const Dataset data = two_kinds(0.1);
  const SavedModel saved(fit(data, options("shared", "standard")));
  const Model model = saved.load();
  EXPECT_EQ(model.membership(), "shared");
  const std::vector<double> pi = model.prior();
  EXPECT_NEAR(pi[0] + pi[1], 1, 1e-9);
  double expected = 0;
  for (const std::uint32_t slot : data.blocks[0].slot) {
    double p = 0;
    for (const std::size_t k : {0U, 1U}) p += pi[k] * model.parts().blocks[0].probability(slot, k);
    expected += std::log(p);
  }
  const Evaluation found = evaluate(model, data, {});
  EXPECT_EQ(model.summary().termination, Termination::converged);
  EXPECT_NEAR(model.summary().bound, expected, 1e-6 * std::abs(expected));
  EXPECT_TRUE(std::isfinite(found.log_likelihood));
}

TEST(Toys, SharedMembershipLearnsInMinibatchesAndIsUpdated) {
  const Dataset data = two_kinds();
  FitOptions o = options("shared", "standard");
  o.batch = 40;
  const Model model = fit(data, o);
  EXPECT_EQ(model.membership(), "shared");
  EXPECT_TRUE(std::isfinite(model.summary().bound));
}

}  // namespace
}  // namespace medley
