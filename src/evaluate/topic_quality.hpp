// SPDX-License-Identifier: Apache-2.0
// Coherence, exclusivity and diversity of the topics of one block of words, by their top words in
// some documents; the formulas are in medley/evaluate.hpp. Of each top word the list of its
// documents is kept, and lists are intersected pair by pair within a topic: the rest of the
// vocabulary costs one look at each cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "medley/data.hpp"
#include "medley/evaluate.hpp"
#include "model/model.hpp"

namespace medley::evaluation {

/// The slots likeliest under a component, likeliest first; equally likely ones in slot order.
[[nodiscard]] std::vector<std::uint32_t> top_slots(const model::ModelBlock& block,
                                                   std::size_t component, std::size_t top);

/// `documents` has the slots of the block; `row_weight` is empty where every row counts once.
[[nodiscard]] TopicTable topic_quality(const model::ModelBlock& block, const Block& documents,
                                       std::span<const double> row_weight, std::size_t top);

}  // namespace medley::evaluation
