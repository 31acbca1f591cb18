// SPDX-License-Identifier: Apache-2.0
#include "medley/evaluate.hpp"

#include "core/task.hpp"
#include "evaluate/profile_quality.hpp"
#include "evaluate/topic_quality.hpp"

namespace medley {

Quality quality(const Model& model, const Dataset& data, const QualityOptions& options,
                const Hooks& hooks) {
  const core::Task task(hooks);
  const Memberships memberships = transform(model, data, options.threads);
  const model::Parts& parts = model.parts();
  Quality out;
  evaluation::profile_quality(parts, data, memberships, out);
  for (std::size_t b = 0; b < parts.blocks.size(); ++b) {
    if (parts.blocks[b].shape.encoding == Encoding::tokens) {
      out.topics.push_back(
          evaluation::topic_quality(parts.blocks[b], data.blocks[b], data.row_weight, options.top));
    }
  }
  return out;
}

}  // namespace medley
