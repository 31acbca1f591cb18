// SPDX-License-Identifier: Apache-2.0
#include "core/files.hpp"
#include "core/task.hpp"
#include "data/formats/csv_text.hpp"
#include "data/write_source.hpp"

namespace medley::data {
namespace {

// What to write for each cell of a block, prepared once: ",item,value\n" for every slot of levels,
// ",item," for numbers.
std::vector<std::string> endings(const Block& block) {
  std::vector<std::string> texts;
  texts.reserve(block.slots());
  for (const Feature& feature : block.features) {
    std::string item = ",";
    append_cell(item, feature.name);
    item += ',';
    if (block.encoding == Encoding::real) {
      texts.push_back(item);
      continue;
    }
    for (const std::string& level : feature.levels) {
      std::string text = item;
      append_cell(text, level == kMissingLevel ? "NA" : level);
      texts.push_back(text + '\n');
    }
  }
  return texts;
}

}  // namespace

void write_triplets(const Dataset& data, const SourceSpec& source, const std::string& path) {
  const Block& block = *place_of(data, source, source.columns.front()).block;
  const std::vector<std::string> ending = endings(block);
  std::string nothing = ",";
  append_cell(nothing, block.features.front().name);
  nothing += ",NA\n";
  core::write_atomically(path, [&](core::FileWriter& file) {
    file.write("user,item,value\n");
    std::string user, line;
    for (std::size_t row = 0; row < data.rows; ++row) {
      core::stop_if_asked();
      user.clear();
      append_cell(user, data.id_of(row));
      if (block.row_start[row] == block.row_start[row + 1]) file.write(user + nothing);
      for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
        line = user;
        line += ending[block.slot[c]];
        if (block.encoding == Encoding::real) {
          append_number(line, block.value[c]);
          line += '\n';
        }
        file.write(line);
      }
    }
  });
}

}  // namespace medley::data
