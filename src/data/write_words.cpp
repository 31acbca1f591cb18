// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "core/task.hpp"

#include "core/files.hpp"
#include "core/problems.hpp"
#include "core/text.hpp"
#include "data/formats/csv_text.hpp"
#include "data/write_source.hpp"

namespace medley::data {
namespace {

// A word list has one word per line, trimmed when it is read.
void check_words(const std::vector<std::string>& words) {
  core::Problems problems;
  for (const std::string& word : words) {
    if (!word.empty() && core::trimmed(word) == word &&
        word.find_first_of("\r\n") == std::string::npos)
      continue;
    problems.add(core::quoted(word), "cannot stand on a line of a word list",
                 "rename it: no line ends, no blanks at its ends");
  }
  problems.throw_if_any();
}

}  // namespace

std::string vocabulary_beside(const std::string& path) {
  return std::filesystem::path(path).replace_extension().string() + "_vocab.txt";
}

void write_words(const Dataset& data, const SourceSpec& source, const std::string& path) {
  const PlacedColumn placed = place_of(data, source, source.columns.front());
  const Block& block = *placed.block;
  const std::vector<std::string>& words = block.features[placed.feature].levels;
  check_words(words);
  core::write_atomically(vocabulary_beside(path), [&](core::FileWriter& file) {
    for (const std::string& word : words) file.write(word + '\n');
  });
  const double factor = block_factor(data, block);
  core::write_atomically(path, [&](core::FileWriter& file) {
    std::string line;
    for (std::size_t row = 0; row < data.rows; ++row) {
      core::stop_if_asked();
      line = std::to_string(block.row_start[row + 1] - block.row_start[row]);
      for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
        line += ' ';
        line += std::to_string(block.slot[c]);
        line += ':';
        append_number(line, static_cast<double>(block.weight_of(c)) / factor);
      }
      file.write(line += '\n');
    }
  });
}

}  // namespace medley::data
