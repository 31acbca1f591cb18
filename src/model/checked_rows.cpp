// SPDX-License-Identifier: Apache-2.0
#include "model/checked_rows.hpp"

#include <algorithm>

#include "data/check_dataset.hpp"
#include "medley/error.hpp"
#include "model/family_catalogue.hpp"
#include "model/model.hpp"
#include "model/resolve.hpp"

namespace medley::model {

CheckedRows::CheckedRows(const RowSource& rows) : rows_(rows) {
  const Dataset& shape = rows.shape();
  if (shape.rows != 0) throw InputError({"shape", "must hold no rows", "it has what all share"});
  check(shape);
  static_cast<void>(schema_of(shape));
}

Dataset CheckedRows::batch(std::span<const RowRange> ranges) const {
  std::size_t wanted = 0;
  for (const RowRange& range : ranges) wanted += range.end - range.begin;
  Dataset out = rows_.batch(ranges);
  if (out.rows != wanted)
    throw InputError(
        {"rows",
         "are " + std::to_string(out.rows) + ", and " + std::to_string(wanted) + " were asked for",
         "a source of rows hands out those it is asked for"});
  if (!std::ranges::equal(out.blocks, rows_.shape().blocks, same_shape))
    throw InputError({"rows", "have other blocks than the shape of their source",
                      "all rows of a source have the same blocks"});
  data::check_cells(out, &family_catalogue());
  return out;
}

}  // namespace medley::model
