// SPDX-License-Identifier: Apache-2.0
// The quality of topics and profiles, two models side by side, and the misfit between data and
// model, as text.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "medley/evaluate.hpp"
#include "medley/report.hpp"
#include "report/layout.hpp"
#include "report/numbers.hpp"

namespace medley {

// Topics and profiles, one line each, then their problems in sentences.

namespace {

using report::percent;

constexpr std::size_t kTitle = 24, kQualityNumber = 9, kQualityWords = 44;

std::string component_title(const Model& model, std::size_t component) {
  return report::left(report::shortened(printable(model.title(component)), kTitle), kTitle);
}

std::string cells(const std::vector<std::string>& values) {
  std::string out;
  for (const std::string& value : values) out += "  " + report::right(value, kQualityNumber);
  return out;
}

std::string profile_table(const Quality& quality, const Model& model) {
  std::string out =
      report::left("", kTitle) + cells({"size", "first in", "distance"}) + "  nearest other\n";
  for (std::size_t k = 0; k < quality.profile.size(); ++k) {
    const ProfileScores& p = quality.profile[k];
    const bool alone = p.nearest == k;
    out += component_title(model, k) + cells({percent(p.size), percent(p.top_of_rows),
                                              alone ? "-" : fmt::format("{:.3f}", p.distance)});
    out += alone ? "\n" : "  " + printable(model.title(p.nearest)) + '\n';
  }
  out += fmt::format(
      "\nsize: share of all memberships; first in: rows of which it has the largest share ({});\n"
      "distance: 0 the same, 1 nothing in common (Hellinger, mean over the columns).\n",
      report::count(quality.rows, "row"));
  out += fmt::format(
      "By size they count as {:.1f} equal ones; a row typically holds {:.1f} of them. The smallest "
      "is "
      "{}\nwith {}.\n",
      quality.effective_profiles, quality.profiles_per_row,
      printable(model.title(quality.smallest)), percent(quality.profile[quality.smallest].size));
  return out;
}

std::string copies_text(const Quality& quality, const Model& model) {
  constexpr std::size_t kMost = 10;
  std::string out;
  for (std::size_t i = 0; i < std::min(kMost, quality.copies.size()); ++i) {
    const NearCopies& pair = quality.copies[i];
    out += fmt::format(
        "warning: {} and {} are near copies: a typical row hardly tells them apart (overlap "
        "{:.2f}).\n",
        printable(model.title(pair.a)), printable(model.title(pair.b)), pair.overlap);
  }
  if (quality.copies.size() > kMost)
    out += fmt::format("warning: and {} pairs more.\n", quality.copies.size() - kMost);
  if (!out.empty()) out += "Fewer profiles, or more `restarts`, may do as well.\n";
  return out.empty() ? out : '\n' + out;
}

std::string topic_table(const TopicTable& table, const Model& model) {
  std::string out = fmt::format("\nTop words of \"{}\" in {} documents\n", printable(table.block),
                                report::grouped(table.documents, 0));
  out += report::left("", kTitle) + cells({"NPMI", "UMass", "exclusive"}) + "  words\n";
  std::size_t absent = 0;
  for (std::size_t k = 0; k < table.topic.size(); ++k) {
    const TopicScores& t = table.topic[k];
    const bool scored = t.pairs > 0;
    std::string words;
    for (const std::string& word : t.words) words += (words.empty() ? "" : " ") + printable(word);
    out += component_title(model, k) +
           cells({scored ? fmt::format("{:.3f}", t.npmi) : "-",
                  scored ? fmt::format("{:.3f}", t.umass) : "-", percent(t.exclusivity)}) +
           "  " + report::shortened(words, kQualityWords) + '\n';
    absent += t.absent;
  }
  const bool scored = table.scored > 0;
  out += report::left("mean", kTitle) +
         cells({scored ? fmt::format("{:.3f}", table.npmi) : "-",
                scored ? fmt::format("{:.3f}", table.umass) : "-", percent(table.exclusivity)}) +
         fmt::format("  {} of the top words are different\n", percent(table.diversity));
  if (absent > 0)
    out += fmt::format("{} in no document of this file: left out of NPMI and UMass.\n",
                       report::count(absent, "top word"));
  return out;
}

}  // namespace

std::string describe(const Quality& quality, const Model& model) {
  std::string out = profile_table(quality, model) + copies_text(quality, model);
  for (const TopicTable& table : quality.topics) out += topic_table(table, model);
  if (!quality.topics.empty()) {
    out +=
        "\nNPMI: 1 words that only occur together, 0 unrelated, -1 never together. UMass: log of "
        "the "
        "share of\ndocuments with one word that hold the other, nearer 0 is better. exclusive: the "
        "topic's share among\nall topics.\n";
  }
  return out;
}

// Two models side by side, pair by pair.

namespace {

constexpr std::size_t kComparisonName = 40;
// Features closer than this are practically equal and get no line.
constexpr double kSmallDistance = 0.05;

std::string named(const Model& model, std::size_t component) {
  return fmt::format("{} ({})", printable(model.title(component)),
                     report::percent(model.sizes()[component]));
}

std::string difference(const ComparedFeature& f) {
  const std::string name = printable(f.level.empty() ? f.feature : f.feature + " = " + f.level);
  const std::string values =
      f.level.empty()
          ? fmt::format("mean {:.4g} against {:.4g} (sd {:.3g}, {:.3g})", f.a, f.b, f.sd_a, f.sd_b)
          : report::percent(f.a) + " against " + report::percent(f.b);
  return fmt::format("    {}  {:.3f}  {}\n",
                     report::left(report::shortened(name, kComparisonName), kComparisonName),
                     f.distance, values);
}

std::string pair_text(const ComparedPair& pair, const Model& a, const Model& b) {
  std::string out = fmt::format("A {}  =  B {}:  distance {:.3f}\n", named(a, pair.a),
                                named(b, pair.b), pair.distance);
  std::size_t small = 0;
  for (const ComparedFeature& feature : pair.largest) {
    if (feature.distance < kSmallDistance) {
      ++small;
    } else {
      out += difference(feature);
    }
  }
  if (small > 0 && small == pair.largest.size())
    out += "    no feature differs by more than 0.05\n";
  return out;
}

std::string unmatched(const char* which, const std::vector<std::size_t>& components,
                      const Model& model) {
  std::string out;
  for (const std::size_t k : components)
    out += fmt::format("{} {} has no partner\n", which, named(model, k));
  return out;
}

}  // namespace

std::string describe(const Comparison& comparison, const Model& a, const Model& b) {
  std::string out;
  for (const ComparedPair& pair : comparison.pairs) out += pair_text(pair, a, b) + '\n';
  out += unmatched("A", comparison.only_a, a) + unmatched("B", comparison.only_b, b);
  out += fmt::format("Mean distance {:.3f} over {}: 0 the same, 1 nothing in common (Hellinger).\n",
                     comparison.distance, report::count(comparison.features, "feature"));
  if (!comparison.left_out.empty()) {
    out += fmt::format("Not compared, in one model only: {}", printable(comparison.left_out[0]));
    const std::size_t shown = std::min<std::size_t>(comparison.left_out.size(), 10);
    for (std::size_t i = 1; i < shown; ++i) out += ", " + printable(comparison.left_out[i]);
    if (comparison.left_out.size() > shown)
      out += fmt::format(" and {} more", comparison.left_out.size() - shown);
    out += '\n';
  }
  return out;
}

std::string describe(const MembershipAgreement& agreement, const Comparison& comparison,
                     const Model& a, const Model& b) {
  std::string out = fmt::format(
      "Shares of {}: overlap {:.3f} (1 the same, 0 nothing in common); the largest "
      "profile is the same in {}.\n",
      report::count(agreement.rows, "row"), agreement.overlap, report::percent(agreement.same_top));
  for (std::size_t i = 0; i < comparison.pairs.size(); ++i) {
    const ComparedPair& pair = comparison.pairs[i];
    out += fmt::format("    A {}  =  B {}:  correlation {:.3f}\n", named(a, pair.a),
                       named(b, pair.b), agreement.correlation[i]);
  }
  return out;
}

// The misfit between data and model: patterns, pairs and figures that the model cannot explain.

namespace {

using Figure = PredictiveCheck::Figure;
using report::grouped;

constexpr std::size_t kPattern = 44, kFitName = 26, kFitNumber = 11, kRange = 25;

std::string name(const std::string& text, std::size_t width = kFitName) {
  return report::left(report::shortened(printable(text), width), width);
}

std::string fit_cell(const std::string& text) {
  return report::right(text, kFitNumber);
}

// "0110" where every level is one character, else "yes/no/often".
std::string one_line(const std::vector<std::string>& levels) {
  const bool tight = std::ranges::all_of(
      levels, [](const std::string& level) { return report::width_of(level) <= 1; });
  std::string out;
  for (const std::string& level : levels) out += (tight || out.empty() ? "" : "/") + level;
  return out;
}

std::string rows_left(const PatternFit& fit) {
  return fit.incomplete == 0 ? ""
                             : fmt::format(" ({} with missing answers left out)",
                                           report::count(fit.incomplete, "row"));
}

// The legend of the patterns: which position is which question.
std::string order_of_columns(const std::vector<std::string>& features) {
  constexpr std::size_t kMost = 40, kWidth = 100;
  if (features.size() > kMost) return "";
  std::vector<std::string> words = {"Columns:"};
  for (const std::string& feature : features) words.push_back(printable(feature) + ",");
  words.back().back() = '.';
  std::string out;
  for (const std::string& line : report::wrapped(words, kWidth)) out += line + '\n';
  return out;
}

std::string patterns_text(const PatternFit& fit) {
  if (fit.features.empty()) return "";
  if (fit.distinct == 0) {
    return fmt::format("Answer patterns: no row answers {}.\n\n",
                       report::count(fit.features.size(), "question"));
  }
  if (fit.pattern.empty()) {
    return fmt::format("Answer patterns: none of {} occurs {} times in {} complete rows{}.\n\n",
                       grouped(fit.distinct), grouped(fit.least_count, 0), grouped(fit.rows, 0),
                       rows_left(fit));
  }
  std::string out =
      fmt::format("Answer patterns: {} of {} occur at least {} times in {} complete rows{}\n",
                  fit.pattern.size(), grouped(fit.distinct), grouped(fit.least_count, 0),
                  grouped(fit.rows, 0), rows_left(fit));
  const bool sampled = fit.estimator == Estimator::importance;
  out += name("", kPattern) + fit_cell("observed") + fit_cell("expected") + fit_cell("residual") +
         '\n';
  for (const AnswerPattern& p : fit.pattern) {
    out += name(one_line(p.levels), kPattern) + fit_cell(grouped(p.observed, 0)) +
           fit_cell(grouped(p.expected, 1)) + fit_cell(fmt::format("{:.2f}", p.residual)) +
           (sampled ? fmt::format("  +- {:.1f}", p.expected_error) : "") + '\n';
  }
  out += name("all others", kPattern) + fit_cell(grouped(fit.rest_observed, 0)) +
         fit_cell(grouped(fit.rest_expected, 1)) + '\n';
  out += fmt::format(
      "Sum of |residuals| {:.2f}, of squares {:.2f}; furthest off: {}.\n"
      "By chance one residual in twenty is beyond 2. {}\n\n",
      fit.sum_absolute, fit.sum_squares,
      report::shortened(printable(one_line(fit.pattern[fit.worst].levels)), kPattern),
      sampled ? "Expected counts are sampled: +- is a standard error."
              : "Expected counts are exact.");
  out.pop_back();
  return out + order_of_columns(fit.features) + '\n';
}

std::string verdict(std::size_t beyond, std::size_t all, const char* what) {
  return beyond == 0 ? fmt::format("none of {} {} is off by more than chance", grouped(all), what)
                     : fmt::format("{} of {} {} {} off by more than chance (*)", grouped(beyond),
                                   grouped(all), what, beyond == 1 ? "is" : "are");
}

std::string star(bool beyond) {
  return beyond ? " *" : "  ";
}

std::string level_pairs_text(const PairFit& fit) {
  if (fit.levels.empty()) return "";
  std::string out =
      "Pairs of answers: " + verdict(fit.level_pairs_beyond, fit.level_pairs, "pairs") + '\n';
  out +=
      name("") + "  " + name("") + fit_cell("residual") + "    furthest off: observed, expected\n";
  for (const LevelPair& p : fit.levels) {
    out += name(p.a) + "  " + name(p.b) + fit_cell(fmt::format("{:.2f}", p.residual)) +
           star(p.beyond_chance) +
           fmt::format("  {} and {}: {}, {}\n", report::shortened(printable(p.level_a), 14),
                       report::shortened(printable(p.level_b), 14), grouped(p.observed, 0),
                       grouped(p.expected, 1));
  }
  out += "residual: X2 of the two-way table per degree of freedom; about 1 by chance.\n\n";
  return out;
}

std::string number_pairs_text(const PairFit& fit) {
  if (fit.numbers.empty()) return "";
  std::string out =
      "Correlations: " + verdict(fit.number_pairs_beyond, fit.number_pairs, "pairs") + '\n';
  out += name("") + "  " + name("") + fit_cell("observed") + fit_cell("model") +
         fit_cell("std. error") + '\n';
  for (const NumberPair& p : fit.numbers) {
    out += name(p.a) + "  " + name(p.level.empty() ? p.b : p.b + " = " + p.level) +
           fit_cell(fmt::format("{:.3f}", p.observed)) +
           fit_cell(fmt::format("{:.3f}", p.expected)) +
           fit_cell(fmt::format("{:.3f}", p.standard_error)) + star(p.beyond_chance) + '\n';
  }
  return out + '\n';
}

const char* figure_name(Figure figure) {
  switch (figure) {
    case Figure::mean:
      return "mean";
    case Figure::variance:
      return "variance";
    case Figure::zero_share:
      return "zeros";
    case Figure::absent_share:
      return "documents without it";
    case Figure::count_variance:
      return "variance of its count";
  }
  return "";
}

std::string value(const PredictiveCheck& check, double number) {
  const bool share = check.figure == Figure::zero_share || check.figure == Figure::absent_share;
  return share ? fmt::format("{:.1f} %", 100 * number) : fmt::format("{:.4g}", number);
}

std::string check_line(const PredictiveCheck& check) {
  return name(check.word.empty() ? check.feature : check.word) +
         report::left(figure_name(check.figure), 22) + fit_cell(value(check, check.observed)) +
         fit_cell(value(check, check.mean)) +
         report::right(value(check, check.low) + " to " + value(check, check.high), kRange) +
         report::right(fmt::format("{:.2g}", check.p), 7) + star(check.beyond_chance) +
         (check.beyond_chance ? " " + in_words(check) : "") + '\n';
}

// Words are always bursty: there are too many to list, and they all say the same.
std::string words_in_short(const PredictiveFit& fit) {
  std::size_t words = 0, absent = 0, bursts = 0;
  for (const PredictiveCheck& check : fit.check) {
    if (check.figure == Figure::absent_share) ++words;
    if (!check.beyond_chance || check.observed <= check.mean) continue;
    absent += check.figure == Figure::absent_share ? 1 : 0;
    bursts += check.figure == Figure::count_variance ? 1 : 0;
  }
  if (words == 0) return "";
  return fmt::format(
      "Of {} top words, {} are absent from more documents and the counts of {} vary more than the\n"
      "model expects: words come in bursts, which no topic model of this kind explains.\n",
      words, absent, bursts);
}

std::string checks_text(const PredictiveFit& fit, std::size_t top) {
  if (fit.check.empty()) return "";
  const auto beyond =
      static_cast<std::size_t>(std::ranges::count_if(fit.check, &PredictiveCheck::beyond_chance));
  std::string out = fmt::format("Figures beside {} drawn from the model: {}\n",
                                report::count(fit.replicates, "data set"),
                                verdict(beyond, fit.check.size(), "figures"));
  out += name("") + report::left("", 22) + fit_cell("observed") + fit_cell("drawn") +
         report::right("90 % of them", kRange) + report::right("p", 7) + '\n';
  constexpr std::size_t kFewMore = 3;  // not worth a line that says they are left out
  const std::size_t shown = fit.check.size() <= top + kFewMore ? fit.check.size() : top;
  for (std::size_t i = 0; i < shown; ++i) out += check_line(fit.check[i]);
  if (shown < fit.check.size())
    out += fmt::format("and {} more, nearer to the model (`top=N` shows more, `json` all)\n",
                       fit.check.size() - shown);
  return out + words_in_short(fit) + '\n';
}

}  // namespace

std::string in_words(const PredictiveCheck& check) {
  if (check.observed >= check.low && check.observed <= check.high) return "as the model expects";
  const bool more = check.observed > check.mean;
  switch (check.figure) {
    case Figure::mean:
      return more ? "higher than the model expects" : "lower than the model expects";
    case Figure::zero_share:
      return more ? "more zeros than the model expects" : "fewer zeros than the model expects";
    case Figure::absent_share:
      return more ? "in fewer documents than the model expects"
                  : "in more documents than the model expects";
    case Figure::variance:
    case Figure::count_variance:
      return more ? "varies more than the model expects" : "varies less than the model expects";
  }
  return "";
}

std::string describe(const AbsoluteFit& fit, std::size_t top) {
  std::string out = patterns_text(fit.patterns) + level_pairs_text(fit.pairs) +
                    number_pairs_text(fit.pairs) + checks_text(fit.checks, top);
  for (const std::string& note : fit.notes) out += "note: " + note + ".\n";
  if (out.ends_with("\n\n")) out.pop_back();
  return out;
}

}  // namespace medley
