// SPDX-License-Identifier: Apache-2.0
#include "fit_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <vector>

#include "checks.hpp"
#include "label_options.hpp"
#include "medley/catalogue.hpp"
#include "medley/error.hpp"
#include "suggest.hpp"

namespace medley::cli {
namespace {

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) names.push_back(preset.name);
  return names;
}

std::vector<std::string> names_of(const std::vector<CatalogueEntry>& entries,
                                  std::vector<std::string> before = {}) {
  for (const CatalogueEntry& entry : entries) before.push_back(entry.name);
  return before;
}

void add_model_options(Command& command, FitOptions& fit, Auto& choose) {
  const auto group = "Model";
  add_size_option(command, fit, choose).group(group);
  command
      .add_option("--model", fit.model,
                  "a preset: `medley models` lists them; default lda for words, else mmnb")
      .type_name("PRESET")
      .group(group)
      .check(one_of(preset_names()));
  command
      .add_option("--membership", fit.membership,
                  "mixed (each row a blend of profiles), single, infinite, gamma,\n"
                  "correlated; `medley models` explains")
      .type_name("KIND")
      .group(group)
      .check(one_of(names_of(list_memberships())));
  command
      .add_option("--inference", fit.inference,
                  "standard, fast, collapsed (words and answers in long rows), exact (the\n"
                  "likelihood itself, for short rows), monte-carlo, gibbs (draws of all\n"
                  "parameters), or auto: the best that is affordable; default auto for\n"
                  "tables, with --model as the preset says")
      .type_name("KIND")
      .group(group)
      .check(one_of(names_of(list_inferences(), {"auto"})));
  command.add_option("--alpha", fit.alpha, "fitted, symmetric or fixed:VALUE (0.1, 50/K)")
      .type_name("HOW")
      .group(group)
      .check(alpha_choice());
  command
      .add_option("--estimate", fit.estimate,
                  "map (tables are points) or vb (posteriors, variational Bayes);\n"
                  "default map, with --model as the preset says")
      .type_name("HOW")
      .group(group)
      .check(one_of(names_of(list_estimates())));
  command
      .add_option_function(
          "--smoothing",
          [&fit](const std::string& text) {
            fit.fit_smoothing = text == "fitted";
            if (fit.fit_smoothing) return std::string();
            std::string wrong = number_from_zero()(text);
            if (wrong.empty()) fit.smoothing = std::stod(text);
            return wrong;
          },
          "pseudo-count of every answer or word, or fitted (--inference collapsed,\n"
          "--estimate vb); default 0.01, online-lda 0.05, gom-bayes and dp-mixture 1,\n"
          "with collapsed inference fitted")
      .type_name("EPS")
      .group(group);
  command
      .add_option("--shrink", fit.shrink,
                  "pull every profile towards the population by this many imagined\n"
                  "observations of each column; default 20 for ratings, else 0")
      .type_name("C")
      .group(group)
      .check(number_from_zero());
  command
      .add_option("--variance-floor", fit.variance_floor,
                  "gaussian, lognormal: no variance of a profile is below this share of the\n"
                  "column's, outliers left out; 1e-9 to 1, default 0.001")
      .type_name("SHARE")
      .group(group)
      .check(number_above_zero());
}

void add_rate_options(Command& command, RateOptions& rates) {
  const auto group = "Gamma and correlated membership";
  const auto add = [&](const char* name, double& value, const char* type, const char* help) {
    command.add_option(name, value, help).type_name(type).group(group).check(number_above_zero());
  };
  add("--a0", rates.a0, "A", "shape of a row's weights; default 1/K");
  add("--b0", rates.b0, "B", "their rate; default 1/K");
  add("--c0", rates.c0, "C",
      "how sure the components' scales are of being 1; default smoothing x words");
  command
      .add_option("--dimension", rates.dimension,
                  "correlated: of the locations; default 100, or K if that is less")
      .type_name("Q")
      .group(group)
      .check(whole_number(1));
  add("--sigma2", rates.sigma2, "S",
      "correlated: variance of topic locations; default 1/dimension");
}

// "A,B": two numbers.
std::string set_two(const std::string& text, double& first, double& second) {
  char rest = 0;
  if (std::sscanf(text.c_str(), "%lf,%lf%c", &first, &second, &rest) != 2 || !(first > 0) ||
      !(second > 0))
    return fmt::format("\"{}\" is not two numbers above 0 with a comma between them", text);
  return "";
}

// VALUE or gamma:SHAPE,RATE.
std::string set_concentration(const std::string& text, ChainOptions& chains) {
  constexpr std::string_view kPrior = "gamma:";  // not a family
  if (text.starts_with(kPrior))
    return set_two(text.substr(kPrior.size()), chains.concentration_shape,
                   chains.concentration_rate);
  if (std::string wrong = number_above_zero()(text); !wrong.empty()) return wrong;
  chains.concentration = std::stod(text);
  return "";
}

void add_chain_options(Command& command, ChainOptions& chains) {
  const auto group = "Sampling (--model gom-bayes, dp-mixture)";
  const auto add = [&](const char* name, std::size_t& value, const char* help) {
    command.add_option(name, value, help).type_name("N").group(group).check(whole_number(1));
  };
  add("--chains", chains.chains, "side by side, each from its own start; default 4");
  add("--sweeps", chains.sweeps, "of every chain after its burn-in; default 1000");
  add("--burn-in", chains.burn_in, "sweeps before; default as many as --sweeps");
  add("--draws", chains.draws, "kept of every chain; default 100, fewer if tables are large");
  add_prior_options(command, chains, group);
  command
      .add_option("--starts", chains.starts,
                  "clusters that the chains begin with, such as 1,10,40; more than rows:\n"
                  "every row alone; default 1,10,40 and every row alone")
      .type_name("K,...")
      .delimiter(',')
      .group(group);
}

void add_search_options(Command& command, FitOptions& fit) {
  const auto group = "Search";
  command
      .add_option("--init", fit.init,
                  "random, kmeans, single, labels, sample, noise, collapsed or a model file;\n"
                  "default single for tables, sample for words, with --model lda collapsed")
      .type_name("START")
      .group(group);
  command
      .add_option("--tries", fit.tries,
                  "short starts, of which the best goes on; default 16 for single membership,\n"
                  "48 for exact and monte-carlo inference, else 1")
      .type_name("N")
      .group(group)
      .check(whole_number(1));
  command.add_option("--restarts", fit.restarts, "independent fits, the best is kept; default 1")
      .type_name("N")
      .group(group)
      .check(whole_number(1));
  command
      .add_option("--seed", fit.seed, "same seed, same model, at any number of threads; default 1")
      .type_name("S")
      .group(group)
      .check(whole_number(0));
  command.add_option("--threads", fit.threads, "default: all cores that it may use")
      .type_name("T")
      .group(group)
      .check(whole_number(1));
  command.add_option("--tolerance", fit.tolerance, "relative growth at which to stop; default 1e-6")
      .type_name("TOL")
      .group(group)
      .check(number_above_zero());
  command
      .add_option("--limit", fit.limit,
                  "refuse exact inference that would take longer; default 3600")
      .type_name("SECONDS")
      .group(group)
      .check(number_above_zero());
  command.add_option("--max-iterations", fit.max_iterations, "default 500")
      .type_name("N")
      .group(group)
      .check(whole_number(1));
}

void add_batch_options(Command& command, FitOptions& fit) {
  const auto group = "Minibatches";
  command
      .add_option("--batch", fit.batch,
                  "learn from N rows at a time (stochastic inference); a stream file\n"
                  "of `medley convert` may then be larger than memory; online-lda 500")
      .type_name("N")
      .group(group)
      .check(whole_number(1));
  command
      .add_option("--t0", fit.t0,
                  "step t weighs (T0 + t)^-KAPPA; default 1 below 10 minibatches a pass,\n"
                  "16 from 30 on, in between in between")
      .type_name("T0")
      .group(group)
      .check(number_from_zero());
  command.add_option("--kappa", fit.kappa, "above 0.5, at most 1; default 0.7")
      .type_name("KAPPA")
      .group(group)
      .check(number_above_zero());
  command
      .add_option("--passes", fit.passes,
                  "over the rows; default 1 for a stream file of 100,000 rows or more, else 5")
      .type_name("N")
      .group(group)
      .check(whole_number(1));
}

/// A start that is neither a known word nor a file is most likely a typing mistake.
void object_to_start(const std::string& init, std::vector<Problem>& problems) {
  const std::vector<std::string> starts = {"random", "kmeans", "single",   "labels",
                                           "sample", "noise",  "collapsed"};
  std::error_code ignored;
  if (init.empty() || std::find(starts.begin(), starts.end(), init) != starts.end()) return;
  if (std::filesystem::exists(init, ignored)) return;
  const std::string hint = did_you_mean(init, starts);
  problems.push_back({"--init",
                      fmt::format("\"{}\" is none of random, kmeans, single, labels, sample, "
                                  "noise, collapsed, and no file",
                                  init),
                      hint.empty() ? "give one of these or a model file" : hint});
}

}  // namespace

void add_prior_options(Command& command, ChainOptions& chains, const std::string& group) {
  const auto setter = [&](const char* name, const char* type, const char* help, auto set) {
    command
        .add_option_function(
            name, [set, &chains](const std::string& text) { return set(text, chains); }, help)
        .type_name(type)
        .group(group);
  };
  setter("--alpha-prior", "SHAPE,RATE",
         "of the sum of alpha, a gamma distribution; default 2,10",  // not a family
         [](const std::string& text, ChainOptions& c) {
           return set_two(text, c.alpha_shape, c.alpha_rate);
         });
  setter("--concentration", "A",
         "of the Dirichlet process: a number, or gamma:SHAPE,RATE; default 1",  // not a family
         set_concentration);
}

void add_output_options(Command& command, FitArguments& a) {
  const auto group = "Output";
  command.add_option("-o,--output", a.model_file, "the model file to write (required)")
      .type_name("MODEL")
      .group(group);
  command.add_option("--trace", a.trace, "write one line per iteration or minibatch")
      .type_name("FILE.csv")
      .group(group);
  command
      .add_option("--checkpoint", a.fit.checkpoint,
                  "where an interrupted fit is kept; default MODEL.checkpoint")
      .type_name("FILE")
      .group(group);
  command
      .add_option("--checkpoint-every", a.fit.checkpoint_seconds,
                  "seconds between checkpoints; default 60")
      .type_name("SECONDS")
      .group(group)
      .check(number_from_zero());
  command.add_flag("--resume", a.fit.resume, "continue from the checkpoint").group(group);
  command.add_flag("--json", a.json, "the summary as one JSON object").group(group);
  command.add_flag("--quiet", a.quiet, "no progress").group(group);
  command.add_flag("--strict", a.strict, "exit with 4 if not converged or degenerate").group(group);
}

void add_model_and_search_options(Command& command, FitOptions& fit, Auto& choose) {
  add_model_options(command, fit, choose);
  add_label_options(command, fit, choose);
  add_rate_options(command, fit.rates);
  add_chain_options(command, fit.chains);
  add_search_options(command, fit);
  add_batch_options(command, fit);
}

void add_fit_options(Command& command, FitArguments& arguments) {
  add_model_and_search_options(command, arguments.fit, arguments.choose);
  add_output_options(command, arguments);
}

void check_start(const FitOptions& fit) {
  std::vector<Problem> problems;
  object_to_start(fit.init, problems);
  if (!problems.empty()) throw InputError(std::move(problems));
}

void complete(FitArguments& arguments) {
  std::vector<Problem> problems;
  const bool found = finds_components(arguments.fit.model, arguments.fit.membership);
  if (arguments.fit.components == 0 && !arguments.choose.components && !found) {
    problems.push_back({"--k", "the number of profiles is missing", "for example --k 3"});
  }
  if (arguments.model_file.empty()) {
    problems.push_back(
        {"-o", "the name of the model file is missing", "for example -o model.medley"});
  }
  object_to_start(arguments.fit.init, problems);
  if (!problems.empty()) throw InputError(std::move(problems));
  if (arguments.fit.checkpoint.empty())
    arguments.fit.checkpoint = arguments.model_file + ".checkpoint";
  complete_choice(arguments.fit, arguments.choose);
}

}  // namespace medley::cli
