// SPDX-License-Identifier: Apache-2.0
// Every engine there is: for each inference (model/inference.hpp) what fits a model by it. To add
// one: describe the inference, declare the entry here and list it in registry.cpp
// (docs/adding-an-inference.md).
#pragma once

#include <cstdint>
#include <memory>

#include "engines/engine.hpp"
#include "medley/fit.hpp"
#include "model/resolve.hpp"

namespace medley::engines {

/// A member of the registry. Of `make` and `sample` there is one.
struct EngineEntry {
  const model::Inference* inference;
  /// An engine for the data, which have what engine_data() gave; the seed is that of its random
  /// numbers, if it draws any.
  std::unique_ptr<Engine> (*make)(const EmData& data, EmModel model, std::uint64_t seed) = nullptr;
  /// What the engine makes of the data for itself. Throws InputError if the data are not for it, or
  /// it would take longer than FitOptions::limit. May be null.
  std::shared_ptr<const EngineData> (*prepare_data)(const EmData& data,
                                                    const FitOptions& options) = nullptr;
  /// The E-step of some rows, begun afresh: what they, and those of the other processes, add up to
  /// under the model; of the tables only slots that have cells need be set. The bound may be what
  /// takes its place. Null: it needs all rows (Need::all_rows).
  void (*estep)(const EmData& rows, const memberships::Limits& limits, EmModel& model,
                Statistics& into) = nullptr;
  /// Whether the rows may be spread over several processes: all that it knows of rows other than
  /// its own are sums (core/reducer.hpp).
  bool spreads = false;
  /// The whole fit, of an inference whose models are draws (Inference::draws).
  Model (*sample)(const Dataset& data, const model::Resolved& resolved,
                  const Hooks& hooks) = nullptr;
};

extern const EngineEntry standard_engine;
extern const EngineEntry fast_engine;
extern const EngineEntry exact_engine;
extern const EngineEntry monte_carlo_engine;
extern const EngineEntry collapsed_engine;
extern const EngineEntry gibbs_engine;

[[nodiscard]] std::span<const EngineEntry* const> registry();
/// Of an inference that is in the registry.
[[nodiscard]] const EngineEntry& engine_of(const model::Inference& inference);
/// For an engine from outside of the library, with its inference. Both must outlive every use of
/// them. To be called before any other thread reads the registry.
void add(const EngineEntry& entry);

/// For EmData::own.
[[nodiscard]] std::shared_ptr<const EngineData> engine_data(const EmData& data,
                                                            const model::Inference& inference,
                                                            const FitOptions& options);
/// The engine of the model's inference.
[[nodiscard]] std::unique_ptr<Engine> make_engine(const EmData& data, EmModel model,
                                                  std::uint64_t seed);

}  // namespace medley::engines
