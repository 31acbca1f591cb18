// SPDX-License-Identifier: Apache-2.0
#include "engines/starts.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <string>

#include "core/rng.hpp"
#include "core/task.hpp"
#include "core/text.hpp"
#include "kernels/lanes.hpp"
#include "medley/error.hpp"
#include "memberships/registry.hpp"
#include "model/marginal.hpp"
#include "model/model.hpp"

namespace medley::engines {
namespace {

core::Rng generator(StartSeed seed, Purpose purpose, std::size_t index = 0) {
  const std::uint64_t stream =
      (static_cast<std::uint64_t>(seed.restart) << 8U) | static_cast<std::uint64_t>(purpose);
  return {seed.seed, stream, index};
}

// A random order of the rows that have something observed: their numbers among all.
std::vector<std::size_t> shuffled_rows(const Share& share, core::Rng& rng) {
  const Dataset& data = *share.data;
  std::vector<double> here;  // numbers, exact up to 2^53
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::stop_if_asked();
    if (data.observed(row) > 0) here.push_back(static_cast<double>(share.first_row + row));
  }
  std::vector<std::size_t> rows;
  for (const double row : share.across->gather(here)) rows.push_back(integer_of<std::size_t>(row));
  for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[rng.below(i)]);
  return rows;
}

// Where a row of that number is among ours, if it is.
std::optional<std::size_t> place_of(const Share& share, std::size_t row) {
  if (row < share.first_row || row >= share.first_row + share.data->rows) return std::nullopt;
  return row - share.first_row;
}

// The least of what the ranks say.
std::size_t least_of(const EmData& em, std::size_t own) {
  const auto number = static_cast<double>(own);
  return integer_of<std::size_t>(std::ranges::min(em.across->gather({&number, 1})));
}

// Hard memberships: rows x padded K with a single 1.
std::vector<double> one_hot(const std::vector<std::size_t>& assigned, std::size_t components) {
  const std::size_t width = kernels::padded(components);
  std::vector<double> result(assigned.size() * width, 0.0);
  for (std::size_t row = 0; row < assigned.size(); ++row) result[row * width + assigned[row]] = 1.0;
  return result;
}

// Which rows a component may hold: those of one class, and those whose class is not known. Without
// a label all are of class 0.
struct Homes {
  std::vector<std::size_t> of_component;
  std::vector<std::int32_t> of_row;

  [[nodiscard]] bool may(std::size_t row, std::size_t component) const {
    return of_row[row] < 0 || static_cast<std::size_t>(of_row[row]) == of_component[component];
  }
  [[nodiscard]] bool is_home(std::size_t row, std::size_t component) const {
    return of_row[row] >= 0 && may(row, component);
  }
};

// One component for every class that has rows, then each to the class with the most rows for the
// components it has (D'Hondt). The classes of the components, ascending; empty if there are too
// few.
std::vector<std::size_t> deal_out(const std::vector<double>& rows, std::size_t components) {
  std::vector<std::size_t> dealt(rows.size(), 0);
  std::size_t given = 0;
  for (std::size_t h = 0; h < rows.size(); ++h) given += dealt[h] = rows[h] > 0 ? 1 : 0;
  if (given == 0 || given > components) return {};
  for (; given < components; ++given) {
    std::size_t best = 0;
    const auto per_component = [&](std::size_t h) {
      return rows[h] / static_cast<double>(dealt[h] + 1);
    };
    for (std::size_t h = 1; h < rows.size(); ++h)
      if (per_component(h) > per_component(best)) best = h;
    ++dealt[best];
  }
  std::vector<std::size_t> classes;
  for (std::size_t h = 0; h < rows.size(); ++h) classes.insert(classes.end(), dealt[h], h);
  return classes;
}

Homes homes(Engine& em) {
  const Dataset& data = *em.data().data;
  const std::size_t components = em.model().membership->components();
  Homes out{std::vector<std::size_t>(components, 0), std::vector<std::int32_t>(data.rows, 0)};
  if (!em.model().head) return out;
  std::vector<double> rows(em.model().head->classes(), 0.0);
  const auto label = em.data().label;
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::stop_if_asked();
    if (label[row] >= 0 && data.observed(row) > 0)
      rows[static_cast<std::size_t>(label[row])] += data.weight_of(row);
  }
  em.data().across->sum(rows);
  const auto classes = deal_out(rows, components);
  if (!classes.empty()) out = {classes, {label.begin(), label.end()}};
  return out;
}

// Of every row: its best component among those that may hold it.
std::vector<std::size_t> likeliest(const std::vector<double>& scores, const Homes& homes) {
  const std::size_t components = homes.of_component.size();
  std::vector<std::size_t> result(scores.size() / components);
  for (std::size_t row = 0; row < result.size(); ++row) {
    core::stop_if_asked();
    std::size_t best = components;
    for (std::size_t k = 0; k < components; ++k) {
      if (!homes.may(row, k)) continue;
      if (best == components || scores[row * components + k] > scores[row * components + best])
        best = k;
    }
    result[row] = best == components ? 0 : best;  // a row of a class that has nothing observed
  }
  return result;
}

// What the likeliest values of a row's columns would score: 0 for cells with probabilities; for
// numbers, whose densities have units, the highest density that any cell of the column has under
// the column's marginal.
std::vector<double> ceilings(const EmData& em, double smoothing) {
  const Dataset& data = *em.data;
  std::vector<double> result(data.rows, 0.0);
  for (const Block& block : data.blocks) {
    if (block.encoding != Encoding::real) continue;
    const auto marginal = model::fit_marginal(data, block, smoothing, *em.across);
    marginal->prepare(true);
    std::vector<double> highest(block.slots(), -std::numeric_limits<double>::infinity());
    std::vector<double> row_logs;
    for (std::size_t row = 0; row < data.rows; ++row) {
      core::stop_if_asked();
      row_logs.resize((block.row_start[row + 1] - block.row_start[row]) * marginal->padded());
      marginal->log_rows(block, row, row_logs.data());
      for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
        const double log = row_logs[(c - block.row_start[row]) * marginal->padded()];
        highest[block.slot[c]] = std::max(highest[block.slot[c]], log);
      }
    }
    const std::vector<double> of_ranks = em.across->gather(highest);
    for (std::size_t i = 0; i < of_ranks.size(); ++i)
      highest[i % highest.size()] = std::max(highest[i % highest.size()], of_ranks[i]);
    for (std::size_t row = 0; row < data.rows; ++row) {
      core::stop_if_asked();
      for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c)
        result[row] += static_cast<double>(block.weight_of(c)) * highest[block.slot[c]];
    }
  }
  return result;
}

// The first row in that order which is at home in component k.
std::size_t first_at_home(const EmData& em, const std::vector<std::size_t>& rows,
                          const Homes& homes, std::size_t k) {
  std::size_t at = 0;
  for (; at < rows.size(); ++at) {
    const auto row = place_of(em, rows[at]);
    if (row && homes.is_home(*row, k)) break;
  }
  return rows[least_of(em, at)];
}

// Any of the rows that are at home in component k.
std::size_t draw_at_home(const EmData& em, const std::vector<std::size_t>& rows, const Homes& homes,
                         std::size_t k, core::Rng& rng) {
  std::vector<double> is_home(rows.size(), 0.0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto row = place_of(em, rows[i]);
    if (row && homes.is_home(*row, k)) is_home[i] = 1;
  }
  em.across->sum(is_home);
  std::vector<std::size_t> home;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (is_home[i] > 0) home.push_back(rows[i]);
  }
  return home[rng.below(home.size())];
}

// The number of the row at which the sum of weights, given as sums up to each of our rows, goes
// beyond `share` of what it is in all; nothing where all is 0.
std::optional<std::size_t> row_at(const EmData& em, const std::vector<double>& cumulative,
                                  core::Rng& rng) {
  const double own = cumulative.empty() ? 0.0 : cumulative.back();
  const std::vector<double> of_rank = em.across->gather({&own, 1});
  double before = 0, all = 0;
  for (std::size_t rank = 0; rank < of_rank.size(); ++rank) {
    if (rank == em.across->rank()) before = all;
    all += of_rank[rank];
  }
  if (!(all > 0)) return std::nullopt;
  const double at = rng.uniform() * all - before;
  const auto found = std::upper_bound(cumulative.begin(), cumulative.end(), at);
  const bool here = at >= 0 && found != cumulative.end();
  const std::size_t row = em.first_row + static_cast<std::size_t>(found - cumulative.begin());
  return std::min(least_of(em, here ? row : em.all_rows), em.all_rows - 1);
}

// The row to seed component k with, among those at home there: drawn in proportion to the square of
// how far below its ceiling the best seed so far explains it, per observation.
std::size_t draw_badly_explained(const EmData& em, const std::vector<double>& best,
                                 const std::vector<double>& ceiling,
                                 const std::vector<std::size_t>& rows, const Homes& homes,
                                 std::size_t k, core::Rng& rng) {
  constexpr double kMostSurprise = 1e100;  // its square must stay finite
  const Dataset& data = *em.data;
  std::vector<double> cumulative(data.rows);
  double total = 0;
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::stop_if_asked();
    const double m = data.observed(row);
    const double gap = m > 0 && homes.is_home(row, k) ? (ceiling[row] - best[row]) / m : 0.0;
    const double surprise = std::clamp(gap, 0.0, kMostSurprise);
    cumulative[row] = total += data.weight_of(row) * surprise * surprise;
  }
  const auto drawn = row_at(em, cumulative, rng);
  return drawn ? *drawn : draw_at_home(em, rows, homes, k, rng);  // all are explained
}

// Memberships in which component k is one seed row before a faint background of all rows.
std::vector<double> seed_memberships(const EmData& em, const std::vector<std::size_t>& seeds,
                                     std::size_t components) {
  constexpr double kBackground = 1.0;  // the background weighs as much as the seed row
  const std::size_t width = kernels::padded(components);
  const double faint = kBackground / static_cast<double>(em.all_rows);
  std::vector<double> result(em.data->rows * width, 0.0);
  for (std::size_t row = 0; row < em.data->rows; ++row)
    std::fill_n(&result[row * width], components, faint);
  for (std::size_t k = 0; k < seeds.size(); ++k) {
    if (const auto row = place_of(em, seeds[k])) result[*row * width + k] += 1.0;
  }
  return result;
}

// Every row in one component, and what that explains.
struct Grouping {
  std::vector<std::size_t> of_row;
  std::vector<double> scores = {};  // rows x K, of the tables that the rows of a component give
  double explained = -std::numeric_limits<double>::infinity();
};

// Rounds of assigning every row to its likeliest component.
void settle_groups(Engine& em, const Homes& home, int rounds, Grouping& grouping) {
  const Dataset& data = *em.data().data;
  const std::size_t components = home.of_component.size();
  for (int round = 0; round < rounds; ++round) {
    em.start_from(one_hot(grouping.of_row, components));
    grouping.scores = em.component_log_likelihoods();
    auto next = likeliest(grouping.scores, home);
    if (!core::any_of(*em.data().across, next != grouping.of_row)) break;
    grouping.of_row = std::move(next);
  }
  grouping.explained = 0;
  for (std::size_t row = 0; row < data.rows; ++row)
    grouping.explained +=
        data.weight_of(row) * grouping.scores[row * components + grouping.of_row[row]];
  grouping.explained = core::sum_of(*em.data().across, grouping.explained);
}

// Of every row: its best component but its own, or K if there is none.
std::vector<std::size_t> second_best(const Grouping& grouping, const Homes& home) {
  const std::size_t components = home.of_component.size();
  std::vector<std::size_t> second(grouping.of_row.size(), components);
  for (std::size_t row = 0; row < second.size(); ++row) {
    core::stop_if_asked();
    const double* scores = &grouping.scores[row * components];
    for (std::size_t k = 0; k < components; ++k) {
      if (k == grouping.of_row[row] || !home.may(row, k)) continue;
      if (second[row] == components || scores[k] > scores[second[row]]) second[row] = k;
    }
  }
  return second;
}

// Gives up the component whose rows lose least by going elsewhere, and begins it anew with a row
// that is badly explained and those that it explains better. False: no component can be given up.
bool swap_group(Engine& em, const std::vector<double>& ceiling,
                const std::vector<std::size_t>& rows, const Homes& home, core::Rng& rng,
                Grouping& grouping) {
  if (rows.empty()) return false;
  const Dataset& data = *em.data().data;
  const std::size_t components = home.of_component.size();
  const auto second = second_best(grouping, home);
  std::vector<double> loss(components, 0.0), best(data.rows);
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::stop_if_asked();
    const double* scores = &grouping.scores[row * components];
    const std::size_t own = grouping.of_row[row];
    best[row] = scores[own];
    loss[own] += second[row] == components
                     ? std::numeric_limits<double>::infinity()
                     : data.weight_of(row) * (best[row] - scores[second[row]]);
  }
  em.data().across->sum(loss);
  const auto out = static_cast<std::size_t>(std::ranges::min_element(loss) - loss.begin());
  if (!std::isfinite(loss[out])) return false;
  const std::size_t seed = draw_badly_explained(em.data(), best, ceiling, rows, home, out, rng);
  em.start_from(
      seed_memberships(em.data(), std::vector<std::size_t>(components, seed), components));
  const auto of_seed = em.component_log_likelihoods();
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::stop_if_asked();
    std::size_t& own = grouping.of_row[row];
    if (own == out) own = second[row];
    const std::size_t at = row * components;
    if (home.may(row, out) && of_seed[at + out] > grouping.scores[at + own]) own = out;
  }
  if (const auto row = place_of(em.data(), seed)) grouping.of_row[*row] = out;
  return true;
}

}  // namespace

std::vector<double> random_rows(const Share& share, std::size_t components, StartSeed seed) {
  constexpr std::size_t kMostSeeds = 20;
  const std::size_t width = kernels::padded(components);
  core::Rng rng = generator(seed, Purpose::random);
  const auto rows = shuffled_rows(share, rng);
  const std::size_t each = std::clamp<std::size_t>(rows.size() / components, 1, kMostSeeds);
  // All noise together weighs half of the seed rows.
  const double faint =
      static_cast<double>(each) / static_cast<double>(std::max<std::size_t>(1, share.all_rows));
  std::vector<double> result(share.data->rows * width, 0.0);
  for (std::size_t row = 0; row < share.data->rows; ++row) {
    core::stop_if_asked();
    core::Rng noise = generator(seed, Purpose::random, share.first_row + row + 1);
    for (std::size_t k = 0; k < components; ++k) result[row * width + k] = faint * noise.uniform();
  }
  for (std::size_t i = 0; i < each * components && !rows.empty(); ++i) {
    if (const auto row = place_of(share, rows[i % rows.size()]))
      result[*row * width + i % components] += 1.0;
  }
  return result;
}

std::vector<double> sampled_memberships(const Share& share, std::size_t components,
                                        StartSeed seed) {
  const std::size_t width = kernels::padded(components);
  std::vector<double> result(share.data->rows * width, 0.0);
  for (std::size_t row = 0; row < share.data->rows; ++row) {
    core::stop_if_asked();
    core::Rng rng = generator(seed, Purpose::sample, share.first_row + row);
    double total = 0;
    std::vector<double> draw(components);
    for (double& v : draw) total += v = rng.gamma(1.0);
    for (std::size_t k = 0; k < components; ++k) result[row * width + k] = draw[k] / total;
  }
  return result;
}

Statistics start_from_noise(StartSeed seed, EmModel& model) {
  constexpr double kShape = 100;
  Statistics noise(model);
  for (std::size_t b = 0; b < model.families.size(); ++b) {
    families::Family& family = *model.families[b];
    const std::span<double> statistics = noise.table(b);
    for (std::size_t slot = 0; slot * family.padded() < statistics.size(); ++slot) {
      core::Rng rng(seed.seed + seed.restart, static_cast<std::uint64_t>(Purpose::noise) + (b << 8),
                    slot);
      for (std::size_t k = 0; k < family.components(); ++k)
        statistics[slot * family.padded() + k] = rng.gamma(kShape) / kShape;
    }
    family.maximise(statistics, model.smoothing);
  }
  return noise;
}

std::vector<double> kmeans(Engine& em, StartSeed seed, std::size_t swaps) {
  constexpr int kRounds = 10, kSwapRounds = 4;
  const Dataset& data = *em.data().data;
  const std::size_t components = em.model().membership->components();
  core::Rng rng = generator(seed, Purpose::kmeans);
  std::vector<std::size_t> seeds;
  std::vector<double> best(data.rows, -std::numeric_limits<double>::infinity());
  const auto rows = shuffled_rows(em.data(), rng);
  const auto ceiling = ceilings(em.data(), em.model().smoothing.each);
  const Homes home = homes(em);
  while (seeds.size() < components && !rows.empty()) {
    const std::size_t k = seeds.size();
    const bool first = k == 0 || home.of_component[k] != home.of_component[k - 1];
    seeds.push_back(first ? first_at_home(em.data(), rows, home, k)
                          : draw_badly_explained(em.data(), best, ceiling, rows, home, k, rng));
    em.start_from(seed_memberships(em.data(), seeds, components));
    const auto scores = em.component_log_likelihoods();
    for (std::size_t row = 0; row < data.rows; ++row) {
      core::stop_if_asked();
      if (home.is_home(row, k)) best[row] = std::max(best[row], scores[row * components + k]);
    }
  }
  Grouping grouping{.of_row = likeliest(em.component_log_likelihoods(), home)};
  settle_groups(em, home, kRounds, grouping);
  for (std::size_t i = 0; i < swaps; ++i) {
    Grouping swapped = grouping;
    if (!swap_group(em, ceiling, rows, home, rng, swapped)) break;
    settle_groups(em, home, kSwapRounds, swapped);
    if (swapped.explained > grouping.explained) grouping = std::move(swapped);
  }
  return one_hot(grouping.of_row, components);
}

std::vector<double> from_labels(const Share& share, std::size_t components, StartSeed seed) {
  const Dataset& data = *share.data;
  const KeptColumn* label = data.label();
  if (label == nullptr) {
    throw InputError(
        {"`init=\"labels\"`", "the data has no label column", "name it with `label=\"COLUMN\"`"});
  }
  const std::size_t classes = label->levels.size();
  if (components < classes) {
    throw InputError({"`init=\"labels\"`",
                      "K = " + std::to_string(components) + " is less than the " +
                          std::to_string(classes) + " classes of \"" + label->name + "\"",
                      "use " + core::setting("k", classes) + " or more, or another `init`"});
  }
  // Component k serves class k mod C, so that spare components go round the classes; a row of a
  // class with several is given one of them at random.
  const std::size_t width = kernels::padded(components);
  std::vector<double> result(data.rows * width, 0.0);
  for (std::size_t row = 0; row < data.rows; ++row) {
    core::stop_if_asked();
    core::Rng rng = generator(seed, Purpose::labels, share.first_row + row);
    if (label->code[row] < 0) {
      std::fill_n(&result[row * width], components, 1.0 / static_cast<double>(components));
      continue;
    }
    const auto own = static_cast<std::size_t>(label->code[row]);
    const std::size_t copies = (components - own + classes - 1) / classes;
    result[row * width + own + classes * rng.below(copies)] = 1.0;
  }
  return result;
}

std::vector<double> class_shares(const EmData& data, std::size_t classes) {
  // Half a row more of every class.
  std::vector<double> rows(classes, data.across->rank() == 0 ? 0.5 : 0.0);
  double total = 0;
  for (std::size_t row = 0; row < data.data->rows; ++row) {
    if (data.label[row] >= 0)
      rows[static_cast<std::size_t>(data.label[row])] += data.data->weight_of(row);
  }
  data.across->sum(rows);
  for (const double count : rows) total += count;
  for (double& count : rows) count /= total;
  return rows;
}

namespace {

void take_prior(const memberships::Membership& from, memberships::Membership& to) {
  const bool alike =
      &from.entry() == &to.entry() && from.parameters().size() == to.parameters().size();
  if (alike) {
    to.set_parameters(from.parameters());
  } else {
    to.copy_prior_from(from);
  }
}

}  // namespace

void start_from_model(const Model& from, const std::vector<Block>& shapes, EmModel& model) {
  const std::string where = "the model to start from";
  const model::Parts& parts = from.parts();
  const std::size_t components = model.membership->components();
  if (parts.components() != components) {
    throw InputError({where,
                      "has " + std::to_string(parts.components()) + " components, `k` asks for " +
                          std::to_string(components),
                      "use " + core::setting("k", parts.components())});
  }
  for (std::size_t b = 0; b < shapes.size(); ++b) {
    const auto found = std::ranges::find_if(parts.blocks, [&](const model::ModelBlock& block) {
      return model::same_shape(block.shape, shapes[b]);
    });
    if (found == parts.blocks.end()) {
      throw InputError(
          {where, "has no block with the columns, levels and family of \"" + shapes[b].name + "\"",
           "start from a model of the same columns; read the data with its schema (`schema`)"});
    }
    const std::vector<double> observed(model.families[b]->parameters().begin(),
                                       model.families[b]->parameters().end());
    model.families[b]->set_parameters(found->family->parameters());
    // Of this data, as its options say; a posterior has no floor.
    families::VarianceFloors* floors = model.families[b]->floors();
    if (!model.smoothing.posterior && floors != nullptr) floors->take_floors(observed);
    if (model.smoothing.posterior && !found->strengths.empty())
      model.families[b]->set_strengths(found->strengths);
  }
  take_prior(*parts.membership, *model.membership);
}

}  // namespace medley::engines
