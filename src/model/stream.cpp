// SPDX-License-Identifier: Apache-2.0
// Stream files with the family registry at hand.
#include "medley/stream.hpp"

#include "core/task.hpp"
#include "data/schema_rows.hpp"
#include "data/stream_counts.hpp"
#include "data/stream_file.hpp"
#include "model/family_catalogue.hpp"

namespace medley {

std::unique_ptr<RowSource> open_stream(const std::string& path) {
  return data::open_stream(path, model::family_catalogue());
}

std::unique_ptr<RowSource> open_stream(const std::string& path, const ReadOptions& options) {
  auto rows = open_stream(path);
  data::check_stream_options(rows->shape(), options, path);
  if (!options.schema) return rows;
  return data::rows_under_schema(std::move(rows), *options.schema, path, model::family_catalogue());
}

StreamedData convert_to_stream(const std::vector<Source>& sources, const ReadOptions& options,
                               const std::string& path, const Hooks& hooks) {
  const core::Task task(hooks);
  if (auto streamed = data::stream_counts(sources, options, model::family_catalogue(), path))
    return *streamed;
  const Dataset data = read(sources, options);
  write_stream(data, path);
  std::size_t cells = 0;
  for (const Block& block : data.blocks) cells += block.cells();
  return {data.rows, cells, true, data.warnings};
}

}  // namespace medley
