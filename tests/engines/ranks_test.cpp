// SPDX-License-Identifier: Apache-2.0
// Rows spread over several ranks (core/reducer.hpp) give the fit of all rows in one place: columns
// as they are observed, starts, every iteration, the end. Ranks here are threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "data/select_rows.hpp"
#include "engines/conditional.hpp"
#include "engines/fit_share.hpp"
#include "engines/multistart.hpp"
#include "engines/registry.hpp"
#include "engines/starts.hpp"
#include "engines/stochastic_em.hpp"
#include "medley/error.hpp"
#include "model/model.hpp"
#include "support/em.hpp"
#include "support/ranks.hpp"
#include "support/toy.hpp"

namespace medley::engines {
namespace {

constexpr std::size_t kRows = 168, kComponents = 3;
// Rows settle in groups of eight (decision 0022), which ranks do not cut.
const std::vector<std::vector<std::size_t>> kSplits = {{0, 72, kRows}, {0, 16, 16, 128, kRows}};

struct Way {
  const EngineEntry* engine;
  const memberships::MembershipEntry* membership;
};

std::vector<Way> ways() {
  std::vector<Way> out;
  for (const EngineEntry* engine : registry()) {
    if (!engine->spreads) continue;
    for (const auto* membership : memberships::registry()) {
      const auto offered = model::offered(*membership);
      if (!membership->located && std::ranges::count(offered, engine->inference) > 0)
        out.push_back({engine, membership});
    }
  }
  return out;
}

// A block of every family, some cells missing, rows weighted.
Dataset all_families(bool with_posteriors = false) {
  std::vector<Block> blocks;
  for (const auto* entry : families::registry()) {
    if (entry->posterior || !with_posteriors)
      blocks.push_back(test::random_block(*entry, kRows, 7, 0.2));
  }
  Dataset data = test::dataset(std::move(blocks));
  for (std::size_t row = 0; row < kRows; ++row) data.row_weight.push_back(row % 4 == 0 ? 2.0 : 1.0);
  return data;
}

Dataset some_rows(const Dataset& data, std::size_t first, std::size_t end) {
  std::vector<std::size_t> rows;
  for (std::size_t row = first; row < end; ++row) rows.push_back(row);
  return data::select_rows(data, rows);
}

std::vector<double> parameters(const EmModel& model, double objective = 0) {
  std::vector<double> out{objective};
  out.insert(out.end(), model.membership->parameters().begin(),
             model.membership->parameters().end());
  for (const auto& family : model.families) {
    out.insert(out.end(), family->parameters().begin(), family->parameters().end());
    out.insert(out.end(), family->strengths().begin(), family->strengths().end());
  }
  if (model.head) out.insert(out.end(), model.head->eta().begin(), model.head->eta().end());
  return out;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected,
                 double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] == expected[i]) continue;
    ASSERT_NEAR(found[i], expected[i], tolerance * std::max(1.0, std::abs(expected[i]))) << i;
  }
}

// What a fit says of itself, again and again: first a number that is a sum over all rows, or 0,
// then its parameters.
using Trace = std::vector<std::vector<double>>;
using Fit = std::function<Trace(const EmData&)>;

// How near objective and parameters have to be. What has no inner iteration differs by the order of
// sums alone. Rows that are inferred sweep by sweep settle in float, where the last bit of a double
// is now and then one of a float (6e-8 of a cell), or makes a row end a sweep earlier.
struct Nearness {
  double objective = 1e-10, parameters = 1e-8;
};
constexpr Nearness kExact{1e-12, 1e-11}, kUsual{}, kLoose{1e-8, 1e-6};

// The traces of all ranks against that of one place.
void expect_same_fit(const Dataset& data, const Fit& fit, const Nearness& near = kUsual) {
  const Trace expected = fit(prepare(data, 1));
  for (const auto& split : kSplits) {
    SCOPED_TRACE(std::to_string(split.size() - 1) + " ranks");
    std::vector<Trace> found(split.size() - 1);
    test::run_ranks(split.size() - 1, [&](test::RankOf& rank) {
      const Dataset own = some_rows(data, split[rank.rank()], split[rank.rank() + 1]);
      found[rank.rank()] = fit(prepare(own, 1, rank));
      EXPECT_GT(rank.sums(), 0U);
    });
    for (const Trace& trace : found) {
      EXPECT_EQ(trace, found[0]);  // the same bits on every rank
      ASSERT_EQ(trace.size(), expected.size());
      for (std::size_t i = 0; i < trace.size(); ++i) {
        SCOPED_TRACE("step " + std::to_string(i));
        const double objective = expected[i].at(0);
        EXPECT_NEAR(trace[i].at(0), objective, near.objective * std::max(1.0, std::abs(objective)));
        expect_near(trace[i], expected[i], near.parameters);
      }
    }
  }
}

EmModel new_model(const EmData& data, const Way& way, bool posterior = false) {
  EmModel model = make_model(data, *way.membership, *way.engine->inference, kComponents);
  model.smoothing = {0.1, 0.5, posterior};
  return model;
}

// Objective and parameters, after the start and after every iteration.
Trace iterations(Engine& engine, std::size_t count) {
  Trace out{parameters(engine.model())};
  for (std::size_t i = 0; i < count; ++i) {
    const double objective = engine.iterate();
    out.push_back(parameters(engine.model(), objective));
  }
  return out;
}

TEST(Ranks, ColumnsAreObservedAsInOnePlace) {
  const Way way{&standard_engine, &memberships::mixed_membership};
  expect_same_fit(
      all_families(),
      [&](const EmData& data) {
        EmModel model = new_model(data, way);
        const std::vector<double> observed = parameters(model);
        maximise_families(Statistics(model),
                          model);  // the shares of a column show in its smoothing
        return Trace{observed, parameters(model)};
      },
      kExact);
}

TEST(Ranks, EveryWayTakesTheStepsOfOnePlace) {
  ASSERT_GE(ways().size(), 5U);
  for (const bool posterior : {false, true}) {
    const Dataset data = all_families(posterior);
    for (const Way& way : ways()) {
      SCOPED_TRACE(std::string(way.membership->name) + " " + way.engine->inference->name +
                   (posterior ? " posterior" : ""));
      expect_same_fit(
          data,
          [&](const EmData& rows) {
            const auto engine = way.engine->make(rows, new_model(rows, way, posterior), 1);
            engine->start_from(sampled_memberships(rows, kComponents, {1, 0}));
            return iterations(*engine, 8);
          },
          way.membership->sole ? kExact
          : posterior          ? kLoose
                               : kUsual);
    }
  }
}

TEST(Ranks, StartsAreThoseOfOnePlace) {
  Dataset data = all_families();
  test::add_label(data, 2);
  const Way single{&standard_engine, &memberships::single_membership};
  const std::function<std::vector<double>(Engine&)> starts[] = {
      [](Engine& e) { return random_rows(e.data(), kComponents, {3, 1}); },
      [](Engine& e) { return from_labels(e.data(), kComponents, {3, 0}); },
      [](Engine& e) { return kmeans(e, {3, 0}, 4); },
      [](Engine& e) {
        e.model().head = std::make_unique<heads::Softmax>(kComponents, 2, heads::Bound::lse, 1, 0);
        return kmeans(e, {5, 0});
      },
  };
  for (const auto& start : starts) {
    expect_same_fit(
        data,
        [&](const EmData& rows) {
          VariationalEm engine(rows, new_model(rows, single));
          const std::vector<double> memberships = start(engine);
          engine.model().head.reset();
          engine.start_from(memberships);
          return Trace{parameters(engine.model()), class_shares(rows, 2)};
        },
        kExact);
  }
}

TEST(Ranks, TheBestOfManyStartsIsThatOfOnePlace) {
  const Way single{&standard_engine, &memberships::single_membership};
  expect_same_fit(all_families(), [&](const EmData& rows) {
    const Multistart found = multistart(rows, new_model(rows, single), {6, 2, 1}, {1, 0},
                                        [](Engine& e, StartSeed seed) { return kmeans(e, seed); });
    Trace out;
    for (std::size_t i = 0; i < found.parameters.size(); ++i) {
      EmModel model = new_model(rows, single);
      restore_parameters(found.parameters[i], "", model);
      out.push_back(parameters(model));
      out.back().push_back(static_cast<double>(found.number[i]));
    }
    return out;
  });
}

TEST(Ranks, LabelsAreLearntAsInOnePlace) {
  Dataset data = all_families();
  test::add_label(data, 3);
  for (const heads::Bound bound : {heads::Bound::lse, heads::Bound::paper}) {
    for (const Way& way : ways()) {
      if (way.membership->counts || (bound == heads::Bound::paper && way.membership->sole))
        continue;
      SCOPED_TRACE(std::string(way.membership->name) + " " + way.engine->inference->name);
      expect_same_fit(
          data,
          [&](const EmData& rows) {
            EmModel model = new_model(rows, way);
            model.head = std::make_unique<heads::Softmax>(kComponents, 3, bound, 1, 0.1);
            VariationalEm engine(rows, std::move(model));
            engine.start_from(from_labels(rows, kComponents, {1, 0}));
            Trace out = iterations(engine, 6);
            engine.finish_fit();  // alpha and head, to rows inferred afresh
            out.push_back(parameters(engine.model()));
            return out;
          },
          way.membership->sole ? kExact : kLoose);
    }
  }
}

TEST(Ranks, FineTunesAsInOnePlace) {
  Dataset data = test::dataset({test::random_block(families::gaussian_family, kRows, 3, 0.3),
                                test::random_block(families::categorical_family, kRows, 4, 0.3)});
  test::add_label(data, 3);
  const Way way{&standard_engine, &memberships::single_membership};
  expect_same_fit(
      data,
      [&](const EmData& rows) {
        EmModel model = new_model(rows, way);
        model.head = std::make_unique<heads::Softmax>(kComponents, 3, heads::Bound::lse, 1, 0.1);
        VariationalEm engine(rows, std::move(model));
        engine.start_from(from_labels(rows, kComponents, {1, 0}));
        iterations(engine, 3);
        const auto result = fine_tune(rows, rows.label, engine.model(), *engine.model().head,
                                      {.pull = 1, .max_iterations = 5});
        Trace out{parameters(engine.model())};
        out.push_back({0, result.before, result.after});
        return out;
      },
      kLoose);  // a line search multiplies rounding
}

TEST(Ranks, MinibatchesTeachWhatTheyDoInOnePlace) {
  const Dataset data = all_families();
  std::vector<Way> all = ways();
  all.push_back({&collapsed_engine, &memberships::mixed_membership});
  for (const Way& way : all) {
    SCOPED_TRACE(std::string(way.membership->name) + " " + way.engine->inference->name);
    // One set of responsibilities for a whole row: that it ends a sweep earlier shows the most
    // here.
    const bool swept = way.engine == &fast_engine && !way.membership->sole;
    const bool tables = way.engine == &collapsed_engine;
    const Dataset words = test::dataset({test::random_block(families::tokens_family, kRows, 1, 0.2),
                                         test::large_token_block(kRows, 2)});
    expect_same_fit(
        tables ? words : data,
        [&](const EmData& rows) {
          StochasticEm engine(new_model(rows, way), 1, *rows.across);
          // Minibatches are those of one place: rows 0-55, 56-111, 112-167, of which
          // each rank has what it has.
          Trace out;
          for (std::size_t t = 0; t < 6; ++t) {
            const std::size_t first = t % 3 * 56, end = first + 56;
            const auto here = [&](std::size_t row) {
              return std::clamp(row, rows.first_row, rows.first_row + rows.data->rows) -
                     rows.first_row;
            };
            const Dataset batch = some_rows(*rows.data, here(first), here(end));
            if (t == 0) engine.init_average_from(batch, 3);
            const double bound = engine.step(batch, {0.5, 3, true});
            out.push_back(parameters(engine.model(), bound));
          }
          return out;
        },
        swept ? Nearness{1e-6, 1e-5} : kUsual);
  }
}

FitOptions options(const std::string& membership, const std::string& init) {
  FitOptions o;
  o.components = kComponents;
  o.membership = membership;
  o.inference = "standard";
  o.init = init;
  o.threads = 1;
  o.max_iterations = 12;
  o.smoothing = 0.05;
  return o;
}

// Numbers of a model that readers see.
std::vector<double> numbers_of(const Model& model) {
  const model::Parts& parts = model.parts();
  const FitSummary& summary = parts.summary;
  std::vector<double> out = parts.sizes;
  out.insert(out.end(), parts.membership->parameters().begin(),
             parts.membership->parameters().end());
  for (const model::ModelBlock& block : parts.blocks) {
    out.insert(out.end(), block.family->parameters().begin(), block.family->parameters().end());
    out.insert(out.end(), block.marginal->parameters().begin(), block.marginal->parameters().end());
    out.insert(out.end(), block.total.begin(), block.total.end());
  }
  out.insert(out.end(), {summary.bound, summary.penalised_bound, summary.observations});
  out.insert(out.end(), {static_cast<double>(summary.rows), static_cast<double>(summary.empty_rows),
                         static_cast<double>(summary.iterations)});
  for (const double bound : summary.restarts.at(0).bound) out.push_back(bound);
  return out;
}

// Every rank fits its share; the others' options may be others.
std::vector<std::vector<double>> shares_fitted(const Dataset& data, const FitOptions& o,
                                               const FitOptions& of_last) {
  const auto& split = kSplits[1];
  std::vector<std::vector<double>> out(split.size() - 1);
  test::run_ranks(out.size(), [&](test::RankOf& rank) {
    const Dataset own = some_rows(data, split[rank.rank()], split[rank.rank() + 1]);
    const bool last = rank.rank() + 1 == out.size();
    const model::Resolved resolved = model::resolve(data, last ? of_last : o);
    out[rank.rank()] = numbers_of(fit_share(own, resolved, {}, rank));
  });
  return out;
}

TEST(Ranks, AWholeFitIsThatOfOnePlace) {
  const Dataset data = all_families();
  for (const auto& o : {options("mixed", "sample"), options("mixed", "kmeans"),
                        options("single", "kmeans"), options("gamma", "random")}) {
    SCOPED_TRACE(o.membership + " from " + o.init);
    const std::vector<double> expected = numbers_of(fit(data, o));
    for (const auto& found : shares_fitted(data, o, o)) expect_near(found, expected, 1e-8);
  }
}

std::string refusal(const FitOptions& o, const FitOptions& of_last) {
  const Dataset data = test::dataset({test::random_block(families::categorical_family, kRows, 1, 0),
                                      test::random_block(families::bernoulli_family, kRows, 2, 0)});
  try {
    (void)shares_fitted(data, o, of_last);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Ranks, WhatDoesNotAddUpIsRefusedInWords) {
  using testing::HasSubstr;
  for (const char* inference : {"collapsed", "exact", "monte-carlo", "gibbs"}) {
    FitOptions o = options("mixed", "sample");
    o.inference = inference;
    o.limit = 1e9;
    EXPECT_THAT(refusal(o, o), HasSubstr("needs all rows in one process")) << inference;
  }
  FitOptions o = options("correlated", "sample");
  EXPECT_THAT(refusal(o, o), HasSubstr("keeps records of rows"));
  o = options("mixed", "collapsed");
  EXPECT_THAT(refusal(o, o), HasSubstr("`init=\"collapsed\"`"));
  o = options("mixed", "sample");
  FitOptions other = o;
  other.seed = 2;
  EXPECT_THAT(refusal(o, other), HasSubstr("do not fit the same model"));
  other = o;
  other.batch = 20;
  EXPECT_THAT(refusal(other, other), HasSubstr("`batch`"));
}

// One is asked to stop, in its first iteration; all do after it, and all have the same tables.
TEST(Ranks, AllStopWhenOneIsAskedTo) {
  const Dataset data = all_families();
  const auto& split = kSplits[0];
  std::vector<Model> models(2, fit(data, options("mixed", "sample")));
  test::run_ranks(2, [&](test::RankOf& rank) {
    const Dataset own = some_rows(data, split[rank.rank()], split[rank.rank() + 1]);
    std::atomic<bool> stop{false};
    Hooks hooks{.stop = &stop};
    if (rank.rank() == 1) hooks.progress = [&](const Progress& p) { stop = p.iteration == 3; };
    models[rank.rank()] = fit_share(own, options("mixed", "sample"), hooks, rank);
  });
  for (const Model& model : models) {
    EXPECT_EQ(model.summary().termination, Termination::interrupted);
    EXPECT_EQ(model.summary().iterations, 3U);
    EXPECT_TRUE(std::ranges::equal(model.parts().blocks[0].family->parameters(),
                                   models[0].parts().blocks[0].family->parameters()));
  }
}

}  // namespace
}  // namespace medley::engines
