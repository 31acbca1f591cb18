// SPDX-License-Identifier: Apache-2.0
// medley models: what can be fitted, and the defaults.
#include <fmt/format.h>

#include <algorithm>

#include "command.hpp"
#include "medley/catalogue.hpp"
#include "medley/options.hpp"
#include "output.hpp"

namespace medley::cli {
namespace {

constexpr const char* kModelsHelp =
    R"(What can be fitted: the grid, presets, defaults, and what is not offered.

Example:
  medley models)";

std::string section(const std::string& title, const std::vector<CatalogueEntry>& entries) {
  std::size_t width = 0;
  for (const CatalogueEntry& entry : entries) width = std::max(width, entry.name.size());
  std::string out = title + "\n";
  for (const CatalogueEntry& entry : entries)
    out += fmt::format("  {:<{}}  {}\n", entry.name, width, entry.summary);
  return out + "\n";
}

std::string preset_table() {
  std::string out = fmt::format("Presets (--model)\n  {:<16} {:<11} {:<10} {:<10} {:<7}  {}\n",
                                "name", "membership", "inference", "alpha", "data", "what it is");
  for (const Preset& preset : presets()) {
    out += fmt::format("  {:<16} {:<11} {:<10} {:<10} {:<7}  {}\n", preset.name, preset.membership,
                       preset.inference, preset.alpha.empty() ? "-" : preset.alpha, preset.encoding,
                       preset.summary);
  }
  return out + "\n";
}

std::string defaults() {
  const FitOptions d;
  const Preset& usual = presets().front();
  return section(
      "Defaults of medley fit",
      {{"--k", "none: it must be given, or auto with --label"},
       {"--model", "that of lda for words alone, else of mmnb, with inference chosen by the rows"},
       {"--membership", "as the preset says"},
       {"--inference",
        "as the preset says; without --model auto for tables (the best that is affordable), "
        "collapsed for words"},
       {"--alpha", "as the preset says"},
       {"--estimate", "map; online-lda, bayesian-nmf and correlated-nmf vb"},
       {"--smoothing",
        fmt::format("{}; online-lda, bayesian-nmf and correlated-nmf 0.05, gom-bayes and "
                    "dp-mixture 1; with collapsed inference fitted",
                    usual.smoothing)},
       {"--chains", fmt::format("{} (gom-bayes and dp-mixture)", d.chains.chains)},
       {"--sweeps, --burn-in", "1000 each, of every chain"},
       {"--draws", "100 of every chain; fewer if they took more than 64 MB"},
       {"--alpha-prior", fmt::format("{},{}", d.chains.alpha_shape, d.chains.alpha_rate)},
       {"--concentration", fmt::format("{}", d.chains.concentration)},
       {"--starts", "1, 10, 40 clusters and every row alone"},
       {"--a0, --b0", "1/K (gamma and correlated membership)"},
       {"--c0", "smoothing x words"},
       {"--dimension", "100, or K if less (correlated membership)"},
       {"--sigma2", "1/dimension"},
       {"--shrink", "20 for ratings, else 0"},
       {"--variance-floor",
        fmt::format("{} of the column's usual variance (gaussian, lognormal)", d.variance_floor)},
       {"--init",
        "single for tables, kmeans with single membership; words: sample with collapsed inference "
        "and in minibatches, collapsed with --model lda, else random"},
       {"--head", "softmax where there is a label"},
       {"--label-bound", "lse; the presets of the papers paper"},
       {"--label-weight", "as often as a row has observations; the presets of the papers 1"},
       {"--label-smoothing", fmt::format("{}", d.label.smoothing)},
       {"--objective", "joint"},
       {"--pull", "10 (conditional objective)"},
       {"--eta-start", "from the shares of the classes in the start"},
       {"--batch", "all rows at once; online-lda 500"},
       {"--t0", "1 below 10 minibatches a pass, 16 from 30 on"},
       {"--kappa", fmt::format("{}", d.kappa)},
       {"--passes", "5; 1 for 100,000 streamed rows or more"},
       {"--tries", "16 for single membership, 48 for exact and monte-carlo inference, else 1"},
       {"--restarts", fmt::format("{}", d.restarts)},
       {"--seed", fmt::format("{}", d.seed)},
       {"--threads", "all cores that it may use"},
       {"--tolerance", fmt::format("{}", d.tolerance)},
       {"--limit", fmt::format("{:g} s (exact inference)", d.limit)},
       {"--max-iterations", fmt::format("{}", d.max_iterations)},
       {"--checkpoint", "MODEL.checkpoint"},
       {"--checkpoint-every", fmt::format("{:g} s", d.checkpoint_seconds)},
       {"--weights", "sampling"},
       {"--duplicates", "error"},
       {"--format", "auto: by file name, then by content"}});
}

int run_models() {
  write_text("", preset_table() + section("Memberships (--membership)", list_memberships()) +
                     section("Inference (--inference)", list_inferences()) +
                     section("Estimates (--estimate)", list_estimates()) +
                     section("Families (--column NAME=FAMILY)", list_families()) + defaults() +
                     section("Not offered", list_not_offered()));
  return kDone;
}

}  // namespace

void add_models(CommandLine& app, Program& program) {
  app.add_command("models", kModelsHelp).callback([&program] { program.run = run_models; });
}

}  // namespace medley::cli
