// SPDX-License-Identifier: Apache-2.0
// Every published model resolves and fits on data it is meant for; and every point of the grid
// either fits or is refused in words.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "families/registry.hpp"
#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "medley/fit.hpp"
#include "medley/options.hpp"
#include "memberships/registry.hpp"
#include "model/inference.hpp"
#include "support/missing_level.hpp"
#include "support/quick.hpp"
#include "support/toy.hpp"

namespace medley {
namespace {

FitOptions quick(std::size_t components = 2) {
  FitOptions o;
  o.components = components;
  o.threads = 1;
  o.max_iterations = 5;
  o.chains.chains = 2;
  o.chains.sweeps = 5;
  return o;
}

bool meant_for(const Preset& preset, const families::FamilyEntry& family) {
  const bool draws = model::find_inference(preset.inference)->draws;
  if (draws && family.conjugate == nullptr) return false;
  if (preset.missing_as_category && family.support == families::Support::two_levels) return false;
  if (preset.encoding == "any") return true;
  return family.encoding == (preset.encoding == "tokens" ? Encoding::tokens : Encoding::levels);
}

TEST(Presets, NamesAreUniqueAndEverythingIsSaid) {
  std::set<std::string> names;
  for (const Preset& preset : presets()) {
    EXPECT_TRUE(names.insert(preset.name).second) << preset.name;
    EXPECT_FALSE(preset.summary.empty());
    const auto* membership = memberships::find(preset.membership);
    ASSERT_NE(membership, nullptr) << preset.name;
    EXPECT_NE(model::find_inference(preset.inference, *membership), nullptr) << preset.name;
    EXPECT_EQ(preset.alpha.empty(), std::string(membership->parameter) != "alpha") << preset.name;
  }
  for (const char* published : {"lda", "gom", "mmnb", "fast-mmnb", "ld-cnb", "mnb", "cnb", "nb"})
    EXPECT_TRUE(names.contains(published)) << published;
}

TEST(Presets, EachFitsTheDataItIsMeantForAndRefusesOther) {
  for (const Preset& preset : presets()) {
    for (const auto* family : families::registry()) {
      Dataset data = test::dataset({test::random_block(*family, 30, 3, 0.1)});
      if (preset.missing_as_category) test::take_missing_as_level(data);
      if (preset.label) test::add_label(data, 2);
      FitOptions o = quick();
      o.model = preset.name;
      if (memberships::find(preset.membership)->infers_k) o.components = 0;
      if (!meant_for(preset, *family)) {
        EXPECT_THROW((void)fit(data, o), InputError) << preset.name << " on " << family->name;
        continue;
      }
      const Model model = fit(data, o);
      EXPECT_EQ(model.preset(), preset.name);
      EXPECT_EQ(model.membership(), preset.membership);
      EXPECT_EQ(model.inference(), preset.inference);
      EXPECT_TRUE(std::isfinite(model.summary().bound)) << preset.name << " on " << family->name;
    }
  }
}

TEST(Catalogue, ListsEveryMemberOfEachAxis) {
  EXPECT_EQ(list_families().size(), families::registry().size());
  EXPECT_EQ(list_memberships().size(), memberships::registry().size());
  std::set<std::string> modes, listed;
  for (const auto* entry : memberships::registry()) {
    for (const model::Inference* mode : model::offered(*entry)) modes.insert(mode->name);
  }
  for (const auto& entry : list_inferences()) listed.insert(entry.name);
  EXPECT_EQ(listed, modes);
  for (const auto& entry : list_not_offered()) EXPECT_FALSE(entry.summary.empty()) << entry.name;
}

// A combination that the registries and the rule "alpha belongs to mixed" allow.
// For draws: "the family has a conjugate prior, alpha is drawn or given"; collapsed: "no numbers".
bool offered(const families::FamilyEntry& family, const memberships::MembershipEntry& membership,
             const std::string& inference, const std::string& alpha) {
  const auto* mode = model::find_inference(inference, membership);
  if (mode == nullptr || (!alpha.empty() && !membership.dirichlet)) return false;
  if (mode->needs(model::Need::dirichlet_tables)) return family.encoding != Encoding::real;
  return !mode->draws || (family.conjugate != nullptr && alpha != "symmetric");
}

TEST(Grid, EveryCombinationFitsOrIsRefusedInWords) {
  for (const auto* family : families::registry()) {
    const Dataset data = test::dataset({test::random_block(*family, 25, 8, 0.2)});
    for (const auto* membership : memberships::registry()) {
      for (const auto& inference : list_inferences()) {
        for (const char* alpha : {"", "fitted", "symmetric", "fixed:0.1", "fixed:50/K"}) {
          for (const std::size_t components : {1U, 3U}) {
            if (test::quick() && components == 1 && *alpha != 0) continue;
            FitOptions o = quick(membership->infers_k ? 0 : components);
            o.membership = membership->name;
            o.inference = inference.name;
            o.alpha = alpha;
            const std::string where = std::string(family->name) + " " + membership->name + " " +
                                      inference.name + " alpha " + alpha;
            const bool possible = offered(*family, *membership, inference.name, alpha);
            try {
              const Model model = fit(data, o);
              EXPECT_TRUE(possible) << where;
              EXPECT_TRUE(std::isfinite(model.summary().bound)) << where;
              EXPECT_TRUE(std::isfinite(evaluate(model, data, {}).log_likelihood)) << where;
              EXPECT_FALSE(model.export_json().empty());
            } catch (const InputError& e) {
              EXPECT_FALSE(possible) << where << ": " << e.what();
              for (const Problem& p : e.problems())
                EXPECT_FALSE(p.where.empty() || p.what.empty() || p.remedy.empty()) << where;
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace medley
