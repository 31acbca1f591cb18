// SPDX-License-Identifier: Apache-2.0
// The published models by name: each is one point of the grid, so a preset is a line in this table.
#include <algorithm>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "families/registry.hpp"
#include "medley/options.hpp"
#include "memberships/registry.hpp"
#include "model/inference.hpp"

namespace medley {
namespace {

// "a", "a and b", "a, b and c", or with another last conjunction.
std::string listed_names(const std::vector<std::string>& names, const std::string& last = "and") {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += i + 1 < names.size() ? ", " : " " + last + " ";
    out += names[i];
  }
  return out;
}

// The memberships that support an inference, unless nearly all do: "mixed and infinite: ".
std::string offering(const model::Inference& inference) {
  std::vector<std::string> names;
  for (const auto* entry : memberships::registry()) {
    if (inference.offered_for(*entry)) names.emplace_back(entry->name);
  }
  if (names.size() + 1 >= memberships::registry().size()) return "";
  return listed_names(names) + (names.size() == 1 ? " only: " : ": ");
}

// The inferences with that need, as options: `inference="exact"` or monte-carlo.
std::string needing(model::Need need) {
  std::vector<std::string> names;
  for (const model::Inference* inference : model::inferences()) {
    if (inference->needs(need)) names.emplace_back(inference->name);
  }
  if (!names.empty()) names.front() = core::setting("inference", names.front());
  return listed_names(names, "or");
}

}  // namespace

const std::vector<Preset>& presets() {
  static const std::vector<Preset> list = {
      {"lda", "latent Dirichlet allocation: topics of a corpus", "mixed", "standard", "fitted",
       "tokens", false, false, Estimate::map, 0.05},
      {"fast-lda", "LDA with one set of responsibilities per document", "mixed", "fast", "fitted",
       "tokens", false, false, Estimate::map, 0.05},
      {"online-lda", "LDA learnt in minibatches, with posteriors of the topics", "mixed",
       "standard", "fitted", "tokens", false, false, Estimate::vb, 0.05, 500},
      {"gom", "grade of membership: profiles of a survey", "mixed", "standard", "fitted", "levels"},
      {"gom-bayes", "grade of membership with everything uncertain: draws of all parameters",
       "mixed", "gibbs", "fitted", "any", false, false, Estimate::map, 1},
      {"dp-mixture", "Dirichlet-process mixture: latent classes, as many as the data asks for",
       "infinite", "gibbs", "", "any", false, false, Estimate::map, 1},
      {"mmnb", "mixed-membership naive Bayes: any columns", "mixed", "standard", "fitted", "any"},
      {"fast-mmnb", "MMNB with one set of responsibilities per row", "mixed", "fast", "fitted",
       "any"},
      {"ld-cnb", "latent Dirichlet conditional naive Bayes; the same model as mmnb", "mixed",
       "standard", "fitted", "any"},
      {"mnb", "marginal naive Bayes: latent classes over observed cells", "single", "standard", "",
       "any"},
      {"cnb", "conditional naive Bayes; the same model as mnb", "single", "standard", "", "any"},
      {"nb", "naive Bayes with missing as a level of its own", "single", "standard", "", "levels",
       true},
      {"text-references", "words and references sharing topics, one common alpha", "mixed",
       "standard", "symmetric", "tokens"},
      {"bayesian-nmf", "gamma-Poisson factorisation of word counts", "gamma", "standard", "",
       "tokens", false, false, Estimate::vb, 0.05},
      {"correlated-nmf", "the same with topics that tend to occur together", "correlated",
       "standard", "", "tokens", false, false, Estimate::vb, 0.05},
      {"dlda", "discriminative LDA: topics that predict a label", "mixed", "standard", "fitted",
       "tokens", false, true},
      {"fast-dlda", "dlda with one set of responsibilities per document", "mixed", "fast", "fitted",
       "tokens", false, true},
      {"dmnb", "discriminative MMNB: profiles of any columns that predict a label", "mixed",
       "standard", "fitted", "any", false, true},
      {"fast-dmnb", "dmnb with one set of responsibilities per row", "mixed", "fast", "fitted",
       "any", false, true},
  };
  return list;
}

bool finds_components(const std::string& model, const std::string& membership) {
  const auto preset = std::ranges::find(presets(), model, &Preset::name);
  const bool given = !membership.empty() || preset == presets().end();
  const auto* entry = memberships::find(given ? membership : preset->membership);
  return entry != nullptr && entry->infers_k;
}

std::vector<CatalogueEntry> list_families() {
  std::vector<CatalogueEntry> result;
  for (const auto* entry : families::registry()) result.push_back({entry->name, entry->summary});
  return result;
}

std::vector<CatalogueEntry> list_memberships() {
  std::vector<CatalogueEntry> result;
  for (const auto* entry : memberships::registry()) result.push_back({entry->name, entry->summary});
  return result;
}

std::vector<CatalogueEntry> list_inferences() {
  std::vector<CatalogueEntry> result;
  for (const model::Inference* inference : model::inferences())
    result.push_back({inference->name, offering(*inference) + inference->summary});
  return result;
}

std::vector<CatalogueEntry> list_estimates() {
  return {{"map", "tables are points: the maximum of likelihood and smoothing"},
          {"vb", "tables are posteriors (variational Bayes); reports show their means"}};
}

std::vector<CatalogueEntry> list_not_offered() {
  using model::Need;
  return {
      {needing(Need::no_label) + " with a label",
       "their sums leave the label out: use standard or fast, or `head=\"none\"`"},
      {needing(Need::points) + " with `estimate=\"vb\"`",
       "posteriors are those of variational Bayes: use standard or fast"},
      {needing(Need::all_rows) + " with `batch`",
       "they look at all rows in every step: use standard, fast or collapsed"},
      {needing(Need::dirichlet_tables) + " with numbers",
       "it integrates tables of words, levels and answers out: use standard"},
      {needing(Need::conjugate) + " for a gamma column",
       "its shape has no conjugate prior: use lognormal or exponential for the column"},
      {"`inference=\"gibbs\"` with `restarts`", "it has chains: use `chains`"},
      {"`inference=\"exact\"` on long rows",
       "the sum over counts grows too fast: use monte-carlo, or standard for documents"},
      {"`estimate=\"vb\"` with a label",
       "use `estimate=\"map\"`, or set the label aside with `head=\"none\"`"},
      {"`estimate=\"vb\"` for a gamma column",
       "its shape has no conjugate posterior: use lognormal or exponential for the column"},
      {"`smoothing=\"fitted\"` with `estimate=\"map\"` and an inference other than collapsed, or "
       "`shrink`",
       "a table that is a point has no best prior: use `inference=\"collapsed\"` or "
       "`estimate=\"vb\"`"},
      {"`membership=\"single\"` `inference=\"fast\"`",
       "single membership is exact already: leave out `inference`"},
      {"`membership=\"single\"` `alpha` ...",
       "single membership has class shares, always fitted: leave out `alpha`"},
      {"`membership=\"gamma\"` or correlated with a label",
       "their rows are amounts, not proportions: use mixed or single"},
      {"nb on words", "a word that is absent is not a missing answer: use mnb"},
      {"lda on a table",
       "words have one vocabulary, a table has one set of levels per column: use mmnb or gom"},
  };
}

}  // namespace medley
