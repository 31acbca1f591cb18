// SPDX-License-Identifier: Apache-2.0
// An update is a fit in minibatches with the options of the model, its tables as the start, and the
// rows that it was learnt from counted in.
#include "medley/fit.hpp"

#include <algorithm>

#include "core/problems.hpp"
#include "data/memory_rows.hpp"
#include "data/stream_layout.hpp"
#include "engines/stochastic_fit.hpp"
#include "medley/error.hpp"
#include "model/model.hpp"
#include "model/read.hpp"

namespace medley {
namespace engines {
namespace {

constexpr std::size_t kUsualBatch = 1000;
constexpr std::size_t kRowsLookedAt = 4096;

FitOptions options_for(const model::Parts& parts, const UpdateOptions& asked, std::size_t rows) {
  FitOptions o = parts.options;
  const bool in_batches = o.batch > 0;
  if (!in_batches) o.passes = 0;
  if (asked.passes > 0) o.passes = asked.passes;
  o.batch = asked.batch > 0 ? asked.batch : std::min(in_batches ? o.batch : kUsualBatch, rows);
  if (!in_batches) o.t0.reset();
  if (asked.t0) o.t0 = asked.t0;
  o.kappa = asked.kappa.value_or(o.kappa);
  o.seed = asked.seed.value_or(o.seed);
  o.threads = asked.threads;
  o.checkpoint = asked.checkpoint;
  o.checkpoint_seconds = asked.checkpoint_seconds;
  o.resume = asked.resume;
  o.restarts = 1;
  o.init.clear();  // may name a file that is gone
  // Other inferences need all rows at once.
  if (!parts.inference().updates)
    o.inference = model::usual_inference(parts.membership->entry()).name;
  o.fit_smoothing = o.fit_smoothing && o.estimate == Estimate::vb;
  return o;
}

bool anything_observed(const RowSource& rows) {
  for (std::size_t at = 0; at < rows.rows(); at += kRowsLookedAt) {
    const Dataset some = rows.batch(at, std::min(rows.rows(), at + kRowsLookedAt));
    for (std::size_t row = 0; row < some.rows; ++row) {
      if (some.observed(row) > 0) return true;
    }
  }
  return false;
}

bool same_columns(const model::Parts& parts, const Dataset& shape) {
  return std::ranges::equal(
      parts.blocks, shape.blocks,
      [](const model::ModelBlock& a, const Block& b) { return model::same_shape(a.shape, b); });
}

void check_update(const model::Parts& parts, const RowSource& rows) {
  core::Problems problems;
  if (!same_columns(parts, rows.shape()))
    throw InputError({"DATA", "has other columns, levels, words or families than the model",
                      "read it by the model's schema"});
  if (parts.head != nullptr)
    problems.add("MODEL", "has learnt a label, and a label is not learnt from minibatches",
                 "fit a model to all rows with `fit()`");
  if (rows.rows() == 0) {
    problems.add("DATA", "holds no rows: there is nothing to learn from", "give new rows");
  } else if (!anything_observed(rows)) {
    problems.add("DATA",
                 "holds nothing that the model knows: none of its columns, levels, items or words "
                 "has a value there",
                 "check that it is a file like the one the model was fitted to (`inspect(MODEL)`)");
  }
  problems.throw_if_any();
}

template <class T>
std::string mark_of(std::span<const T> values) {
  return "-" + std::to_string(data::checksum(values.data(), values.size_bytes()));
}

std::string mark_of(const model::Parts& parts) {
  std::string out = "update" + mark_of(parts.membership->parameters());
  for (const model::ModelBlock& block : parts.blocks) out += mark_of(block.family->parameters());
  return out + "-" + std::to_string(parts.summary.steps);
}

Model update(const Model& model, const RowSource& rows, const UpdateOptions& options,
             const Hooks& hooks, bool streamed) {
  const model::Parts& parts = model.parts();
  check_update(parts, rows);
  return fit_in_minibatches(rows, options_for(parts, options, rows.rows()), hooks,
                            {.streamed = streamed, .before = &model, .mark = mark_of(parts)});
}

}  // namespace
}  // namespace engines

Model update(const Model& model, const RowSource& rows, const UpdateOptions& options,
             const Hooks& hooks) {
  return engines::update(model, model::CheckedRows(rows), options, hooks, true);
}

Model update(const Model& model, const Dataset& rows, const UpdateOptions& options,
             const Hooks& hooks) {
  check(rows);
  return engines::update(model, data::MemoryRows(rows), options, hooks, false);
}

}  // namespace medley
