// SPDX-License-Identifier: Apache-2.0
#include "evaluate/absolute_fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "core/rng.hpp"
#include "core/task.hpp"
#include "data/weights.hpp"
#include "evaluate/feature_columns.hpp"
#include "evaluate/patterns.hpp"
#include "evaluate/purposes.hpp"
#include "evaluate/residuals.hpp"
#include "evaluate/topic_quality.hpp"
#include "math/descriptive.hpp"
#include "math/special.hpp"
#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "model/model_on_data.hpp"

namespace medley::evaluation {
namespace {

constexpr double kMostDraws = 1e9;  // a quarter of a minute on two cores
// Below the 5 % promised, because the tails of variances are longer than the normal's.
constexpr double kFalseChecks = 0.02;
constexpr double kLargest = 1e300;  // where a figure overflows
constexpr std::uint32_t kNotChecked = std::numeric_limits<std::uint32_t>::max();

// Mean and variance of weighted numbers in one pass (West 1979), and the weight of zeros.
struct NumberSums {
  double weight = 0, mean = 0, squares = 0, zeros = 0;
  void add(double value, double w) {
    if (!(w > 0)) return;
    weight += w;
    const double off = value - mean;
    mean += off * w / weight;
    squares += w * off * (value - mean);
    if (value == 0) zeros += w;
  }
};

struct WordSums {
  double documents = 0, counts = 0, squares = 0;
  void add(double count, double w) {
    documents += w;
    counts += w * count;
    squares += w * count * count;
  }
};

// What is looked at in one block of words.
struct CheckedWords {
  std::vector<std::uint32_t> slot;
  std::vector<std::uint32_t> place;  // per slot of the block: where in `slot`, or kNotChecked
  std::vector<double> below;         // K x words: their probabilities summed up

  // Where in `slot` a word drawn from the component is; nearly all are not looked at, and cost
  // nothing more.
  [[nodiscard]] std::uint32_t drawn(std::size_t component, core::Rng& rng) const {
    const double* begin = below.data() + component * slot.size();
    const double* end = begin + slot.size();
    const double at = rng.uniform();
    if (at >= *(end - 1)) return kNotChecked;
    return static_cast<std::uint32_t>(std::upper_bound(begin, end, at) - begin);
  }
};

// The sums of one data set, block by block of the model.
struct DataSums {
  std::vector<std::vector<NumberSums>> numbers;  // per block, per feature
  std::vector<std::vector<WordSums>> words;      // per block, per checked word
  std::vector<double> documents;                 // per block: weight of those with words
};

// A figure of the data. `grain`: a share's smallest step, one row; else 0.
struct Checked {
  PredictiveCheck check;
  double grain = 0;
};

class Checker {
 public:
  Checker(const model::Parts& parts, const Dataset& data, const AbsoluteFitOptions& options)
      : parts_(parts), data_(data), seed_(options.seed), words_(data.blocks.size()) {
    double draws = 0;
    for (std::size_t b = 0; b < data.blocks.size(); ++b) {
      const Block& block = data.blocks[b];
      if (block.encoding == Encoding::real) draws += static_cast<double>(block.cells());
      if (block.encoding != Encoding::tokens || !whole_counts(block)) continue;
      choose_words(b, options.top);
      for (std::size_t c = 0; c < block.cells(); ++c)
        draws += static_cast<double>(block.weight_of(c));
    }
    draws *= static_cast<double>(options.replicates);
    step_ = nearest_integer_of<std::size_t>(std::ceil(std::max(1.0, draws / kMostDraws)));
  }

  [[nodiscard]] std::size_t rows_used() const { return (data_.rows + step_ - 1) / step_; }

  [[nodiscard]] DataSums observed() const {
    DataSums sums = empty();
    for (std::size_t row = 0; row < data_.rows; row += step_) {
      core::stop_if_asked();
      for (std::size_t b = 0; b < data_.blocks.size(); ++b) {
        const Block& block = data_.blocks[b];
        const std::uint64_t begin = block.row_start[row], end = block.row_start[row + 1];
        const double w = data_.weight_of(row);
        if (block.encoding == Encoding::real) {
          for (std::uint64_t c = begin; c < end; ++c)
            sums.numbers[b][block.slot[c]].add(block.value[c],
                                               w * static_cast<double>(block.weight_of(c)));
        } else if (!words_[b].slot.empty() && begin < end) {
          sums.documents[b] += w;
          for (std::uint64_t c = begin; c < end; ++c) {
            const std::uint32_t place = words_[b].place[block.slot[c]];
            if (place != kNotChecked)
              sums.words[b][place].add(static_cast<double>(block.weight_of(c)), w);
          }
        }
      }
    }
    return sums;
  }

  [[nodiscard]] DataSums replicate(std::size_t number) const {
    DataSums sums = empty();
    std::vector<double> below(parts_.components());
    std::vector<std::uint32_t> drawn;
    for (std::size_t row = 0; row < data_.rows; row += step_) {
      core::stop_if_asked();
      core::Rng rng(seed_, purpose(Purpose::replicate, number), row);
      parts_.membership->draw(rng, below);
      for (std::size_t k = 1; k < below.size(); ++k) below[k] += below[k - 1];
      for (std::size_t b = 0; b < data_.blocks.size(); ++b) {
        if (data_.blocks[b].encoding == Encoding::real) {
          redraw_numbers(b, row, below, rng, sums.numbers[b]);
        } else if (!words_[b].slot.empty()) {
          redraw_words(b, row, below, rng, drawn, sums);
        }
      }
    }
    return sums;
  }

  // The figures of a data set; `checks` becomes what they are, if it is given.
  [[nodiscard]] std::vector<double> figures(const DataSums& sums,
                                            std::vector<Checked>* checks) const {
    using Figure = PredictiveCheck::Figure;
    std::vector<double> out;
    const auto note = [&](Figure figure, const std::string& feature, const std::string& word,
                          double value, double weight) {
      out.push_back(std::isfinite(value) ? value : kLargest);
      const bool share = figure == Figure::zero_share || figure == Figure::absent_share;
      if (checks != nullptr)
        checks->push_back({{figure, feature, word, out.back()}, share ? 1 / weight : 0.0});
    };
    for (std::size_t b = 0; b < data_.blocks.size(); ++b) {
      const std::vector<Feature>& features = data_.blocks[b].features;
      for (std::size_t f = 0; f < sums.numbers[b].size(); ++f) {
        const NumberSums& of = sums.numbers[b][f];
        const double weight = std::max(of.weight, 1e-300);
        note(Figure::mean, features[f].name, "", of.mean, weight);
        note(Figure::variance, features[f].name, "", of.squares / weight, weight);
        note(Figure::zero_share, features[f].name, "", of.zeros / weight, weight);
      }
      const double documents = std::max(sums.documents[b], 1e-300);
      for (std::size_t i = 0; i < sums.words[b].size(); ++i) {
        const WordSums& of = sums.words[b][i];
        const std::string& word = features[0].levels[words_[b].slot[i]];
        const double mean = of.counts / documents;
        note(Figure::absent_share, data_.blocks[b].name, word, 1 - of.documents / documents,
             documents);
        note(Figure::count_variance, data_.blocks[b].name, word,
             std::max(0.0, of.squares / documents - mean * mean), documents);
      }
    }
    return out;
  }

 private:
  void choose_words(std::size_t b, std::size_t top) {
    CheckedWords& words = words_[b];
    words.place.assign(data_.blocks[b].slots(), kNotChecked);
    for (std::size_t k = 0; k < parts_.components(); ++k) {
      for (const std::uint32_t slot : top_slots(parts_.blocks[b], k, top)) {
        if (words.place[slot] != kNotChecked) continue;
        words.place[slot] = static_cast<std::uint32_t>(words.slot.size());
        words.slot.push_back(slot);
      }
    }
    for (std::size_t k = 0; k < parts_.components(); ++k) {
      double sum = 0;
      for (const std::uint32_t slot : words.slot)
        words.below.push_back(sum += parts_.blocks[b].probability(slot, k));
    }
  }

  [[nodiscard]] DataSums empty() const {
    DataSums sums;
    sums.documents.resize(data_.blocks.size(), 0.0);
    for (std::size_t b = 0; b < data_.blocks.size(); ++b) {
      const Block& block = data_.blocks[b];
      sums.numbers.emplace_back(block.encoding == Encoding::real ? block.features.size() : 0);
      sums.words.emplace_back(words_[b].slot.size());
    }
    return sums;
  }

  // `below`: the shares summed up.
  [[nodiscard]] static std::size_t component(const std::vector<double>& below, core::Rng& rng) {
    const double at = rng.uniform() * below.back();
    return static_cast<std::size_t>(std::upper_bound(below.begin(), below.end() - 1, at) -
                                    below.begin());
  }

  void redraw_numbers(std::size_t b, std::size_t row, const std::vector<double>& below,
                      core::Rng& rng, std::vector<NumberSums>& into) const {
    const Block& block = data_.blocks[b];
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
      const double value =
          parts_.blocks[b].family->draw(block.slot[c], component(below, rng), rng).value;
      into[block.slot[c]].add(value,
                              data_.weight_of(row) * static_cast<double>(block.weight_of(c)));
    }
  }

  void redraw_words(std::size_t b, std::size_t row, const std::vector<double>& below,
                    core::Rng& rng, std::vector<std::uint32_t>& drawn, DataSums& into) const {
    const Block& block = data_.blocks[b];
    double length = 0;
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c)
      length += static_cast<double>(block.weight_of(c));
    if (!(length > 0)) return;
    drawn.clear();
    for (auto left = integer_of<std::size_t>(length); left > 0; --left) {
      const std::uint32_t place = words_[b].drawn(component(below, rng), rng);
      if (place != kNotChecked) drawn.push_back(place);
    }
    into.documents[b] += data_.weight_of(row);
    std::ranges::sort(drawn);
    for (std::size_t i = 0; i < drawn.size();) {
      std::size_t end = i;
      while (end < drawn.size() && drawn[end] == drawn[i]) ++end;
      into.words[b][drawn[i]].add(static_cast<double>(end - i), data_.weight_of(row));
      i = end;
    }
  }

  const model::Parts& parts_;
  const Dataset& data_;
  std::uint64_t seed_;
  std::vector<CheckedWords> words_;  // per block; empty where nothing is looked at
  std::size_t step_ = 1;             // every so many rows one is used
};

// Fills in the replicates. Returns how many standard normal deviations the data are off.
double compare_with_replicates(Checked& checked, std::vector<double> replicates) {
  PredictiveCheck& check = checked.check;
  std::ranges::sort(replicates);
  const auto count = static_cast<double>(replicates.size());
  double squares = 0;
  for (const double value : replicates) check.mean += value / count;
  for (const double value : replicates) squares += (value - check.mean) * (value - check.mean);
  check.low = math::quantile(replicates, 0.05);
  check.high = math::quantile(replicates, 0.95);
  // sums over rows in another order differ in their last digits
  const double slack = 1e-12 * std::max(std::abs(check.observed), std::abs(check.mean));
  double below = 1, above = 1;
  for (const double value : replicates) {
    if (value <= check.observed + slack) ++below;
    if (value >= check.observed - slack) ++above;
  }
  check.p = std::min(1.0, 2 * std::min(below, above) / (count + 1));
  const double off = std::abs(check.observed - check.mean);
  if (off <= slack) return 0;
  const double free = std::max(1.0, count - 1);
  const double sd = std::sqrt((1 + 1 / count) * squares / free);
  const double t = std::min(off / std::max(sd + checked.grain, 1e-300), 1e150);
  return math::normal_deviate(t, free);
}

// Compares, furthest off first. `drawn`: replicates x checks.
std::vector<PredictiveCheck> ranked(std::vector<Checked> checks,
                                    const std::vector<std::vector<double>>& drawn) {
  std::vector<double> off(checks.size());
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < checks.size(); ++i) {
    std::vector<double> of_check;
    for (const auto& figures : drawn) of_check.push_back(figures[i]);
    off[i] = compare_with_replicates(checks[i], std::move(of_check));
    const PredictiveCheck& check = checks[i].check;
    const bool zeros = check.figure == PredictiveCheck::Figure::zero_share;
    if (!zeros || check.observed > 0 || check.mean > 0) order.push_back(i);
  }
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return off[a] != off[b] ? off[a] > off[b] : a < b;
  });
  const double outside_all = 2 / static_cast<double>(drawn.size() + 1);
  const auto normal_p = [&](std::size_t i) { return std::erfc(off[i] / std::sqrt(2.0)); };
  std::vector<double> p;
  for (const std::size_t i : order) p.push_back(normal_p(i));
  const double level = math::false_discovery_level(std::move(p), kFalseChecks);
  std::vector<PredictiveCheck> out;
  for (const std::size_t i : order) {
    PredictiveCheck& check = out.emplace_back(std::move(checks[i].check));
    check.beyond_chance = check.p <= outside_all && normal_p(i) <= level;
  }
  return out;
}

}  // namespace

bool whole_counts(const Block& block) {
  return std::ranges::all_of(block.weight, [](float w) { return w == std::floor(w); });
}

PredictiveFit predictive_checks(const model::Parts& parts, const Dataset& data,
                                const AbsoluteFitOptions& options) {
  const Checker checker(parts, data, options);
  std::vector<Checked> checks;
  (void)checker.figures(checker.observed(), &checks);
  PredictiveFit out;
  out.rows = checker.rows_used();
  out.rows_left_out = data.rows - out.rows;
  if (checks.empty() || options.replicates == 0) return out;
  out.replicates = options.replicates;
  std::vector<std::vector<double>> drawn(options.replicates);
  const core::Stage stage("drawing replicates");
  core::parallel_for(drawn.size(), core::thread_count(options.threads),
                     [&](std::size_t r, std::size_t) {
                       core::advance(data.rows);
                       drawn[r] = checker.figures(checker.replicate(r), nullptr);
                     });
  out.check = ranked(std::move(checks), drawn);
  return out;
}

}  // namespace medley::evaluation

namespace medley {

namespace {

constexpr double kMostPairSteps = 4e9;  // some seconds on two cores

PairFit pair_fit(const model::Parts& parts, const Dataset& data,
                 const AbsoluteFitOptions& options) {
  const evaluation::FeatureColumns columns =
      evaluation::feature_columns(data, parts.components(), kMostPairSteps);
  PairFit out;
  out.features = columns.column.size();
  out.features_left_out = columns.left_out;
  evaluation::level_pairs(parts, columns, data.row_weight, options.top, options.threads, out);
  evaluation::number_pairs(parts, columns, data.row_weight, options.top, options.threads, out);
  return out;
}

std::vector<std::string> notes(const AbsoluteFit& fit, const Dataset& data) {
  std::vector<std::string> out;
  for (const Block& block : data.blocks) {
    if (block.encoding == Encoding::tokens && !evaluation::whole_counts(block))
      out.push_back("\"" + block.name + "\": the counts are not whole, so words cannot be drawn");
  }
  if (fit.pairs.features_left_out > 0) {
    out.push_back("pairs of the " + std::to_string(fit.pairs.features) +
                  " most observed columns; " + std::to_string(fit.pairs.features_left_out) +
                  " others would take too long or have one level");
  }
  if (fit.checks.rows_left_out > 0) {
    out.push_back("data sets were drawn for " + std::to_string(fit.checks.rows) + " of " +
                  std::to_string(data.rows) + " rows, evenly spread, to bound the time");
  }
  return out;
}

}  // namespace

AbsoluteFit absolute_fit(const Model& model, const Dataset& data, const AbsoluteFitOptions& options,
                         const Hooks& hooks) {
  const core::Task task(hooks);
  if (medley::data::is_tempered(model.schema())) {
    throw InputError({"`absolute_fit`",
                      "the model has block weights: it is tempered and has no expected counts",
                      "fit without `block_weight`"});
  }
  const model::ModelOnData on_data(model, data);
  AbsoluteFit out;
  out.patterns = evaluation::pattern_fit(on_data, data, options);
  out.pairs = pair_fit(on_data.parts(), data, options);
  on_data.parts().prepare_draws();
  out.checks = evaluation::predictive_checks(on_data.parts(), data, options);
  out.notes = notes(out, data);
  return out;
}

}  // namespace medley
