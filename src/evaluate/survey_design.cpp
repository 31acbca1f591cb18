// SPDX-License-Identifier: Apache-2.0
#include "evaluate/survey_design.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "core/problems.hpp"
#include "core/rng.hpp"
#include "core/task.hpp"
#include "core/text.hpp"
#include "evaluate/purposes.hpp"

namespace medley::evaluation {
namespace {

// The column of a design option, or null if it is not used.
const KeptColumn* design_column(const Dataset& data, const std::string& option,
                                const std::string& name, core::Problems& problems) {
  if (name.empty()) return nullptr;
  const KeptColumn* column = data.kept_column(name);
  if (column == nullptr) {
    problems.add(option, "the data has no column " + core::quoted(name),
                 "name a column of the file");
    return nullptr;
  }
  std::size_t missing = 0, first = 0;
  for (std::size_t row = data.rows; row > 0; --row) {
    if (column->code[row - 1] >= 0 || data.weight_of(row - 1) <= 0) continue;
    ++missing;
    first = row - 1;
  }
  if (missing > 0) {
    problems.add(option,
                 std::to_string(missing) + " rows have no value in " + core::quoted(name) +
                     ", the first is " + core::quoted(data.id_of(first)),
                 "every row belongs to the design: fill the column in, or leave these rows out of "
                 "the file");
  }
  return column;
}

}  // namespace

double SurveyDesign::units() const {
  return std::accumulate(units_in.begin(), units_in.end(), 0.0);
}

std::size_t SurveyDesign::lonely() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(units_in, [](double units) { return units < 2; }));
}

double SurveyDesign::degrees_of_freedom() const {
  return std::max(1.0, units() - static_cast<double>(strata()));
}

double SurveyDesign::variance(std::span<const double> u) const {
  const double all = units();
  if (all < 2) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> total(stratum.size(), 0.0), in_stratum(strata(), 0.0);
  for (std::size_t row = 0; row < u.size(); ++row) {
    core::stop_if_asked();
    if (unit[row] == kLeftOut) continue;
    total[unit[row]] += u[row];
    in_stratum[stratum[unit[row]]] += u[row];
  }
  const double mean = std::accumulate(total.begin(), total.end(), 0.0) / all;
  double sum = 0;
  for (std::size_t c = 0; c < total.size(); ++c) {
    const double n = units_in[stratum[c]];
    const bool alone = n < 2;
    const double off = total[c] / copies[c] - (alone ? mean : in_stratum[stratum[c]] / n);
    sum += copies[c] * off * off * (alone ? 1.0 : n / (n - 1));
  }
  return sum;
}

SurveyDesign survey_design(const Dataset& data, const std::string& strata,
                           const std::string& cluster) {
  core::Problems problems;
  const KeptColumn* strata_column = design_column(data, "`strata`", strata, problems);
  const KeptColumn* cluster_column = design_column(data, "`cluster`", cluster, problems);
  problems.throw_if_any();
  SurveyDesign design;
  design.given = strata_column != nullptr || cluster_column != nullptr;
  design.clustered = cluster_column != nullptr;
  const bool counts = data.schema.frequency_weights && !design.clustered;
  std::map<std::int32_t, std::uint32_t> stratum_of;
  std::map<std::pair<std::uint32_t, std::int32_t>, std::uint32_t> unit_of;
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::stop_if_asked();
    if (data.weight_of(row) <= 0) {
      design.unit.push_back(SurveyDesign::kLeftOut);
      continue;
    }
    const auto stratum = stratum_of
                             .try_emplace(strata_column == nullptr ? 0 : strata_column->code[row],
                                          static_cast<std::uint32_t>(stratum_of.size()))
                             .first->second;
    const auto next = static_cast<std::uint32_t>(design.stratum.size());
    const auto unit =
        cluster_column == nullptr
            ? next
            : unit_of.try_emplace({stratum, cluster_column->code[row]}, next).first->second;
    design.unit.push_back(unit);
    if (unit < next) continue;
    design.stratum.push_back(stratum);
    design.copies.push_back(counts ? data.weight_of(row) : 1.0);
    design.units_in.resize(stratum_of.size(), 0.0);
    design.units_in[stratum] += design.copies.back();
  }
  return design;
}

namespace {

// Draws from units by how many copies of each there are.
class Urn {
 public:
  void add(std::uint32_t unit, double copies) {
    unit_.push_back(unit);
    below_.push_back((below_.empty() ? 0.0 : below_.back()) + copies);
  }
  [[nodiscard]] double size() const { return below_.empty() ? 0.0 : below_.back(); }
  [[nodiscard]] std::uint32_t draw(core::Rng& rng) const {
    const auto found = std::ranges::upper_bound(below_, rng.uniform() * size());
    const auto at = static_cast<std::size_t>(found - below_.begin());
    return unit_[std::min(at, unit_.size() - 1)];
  }

 private:
  std::vector<std::uint32_t> unit_;
  std::vector<double> below_;
};

}  // namespace

std::vector<double> resampled(const SurveyDesign& design, std::uint64_t seed,
                              std::size_t replicate) {
  std::vector<Urn> urns(design.strata());
  for (std::size_t c = 0; c < design.stratum.size(); ++c)
    urns[design.stratum[c]].add(static_cast<std::uint32_t>(c), design.copies[c]);
  core::Rng rng(seed, purpose(Purpose::resample), replicate);
  std::vector<double> drawn(design.stratum.size(), 0.0);
  for (const Urn& urn : urns) {
    const double n = urn.size();
    const bool rescaled = design.given && n >= 2;
    const double draws = rescaled ? n - 1 : n;
    for (double i = 0; i < draws; ++i) drawn[urn.draw(rng)] += n / draws;
  }
  std::vector<double> factor;
  for (const std::uint32_t unit : design.unit) {
    factor.push_back(unit == SurveyDesign::kLeftOut ? 0.0 : drawn[unit] / design.copies[unit]);
  }
  return factor;
}

}  // namespace medley::evaluation
