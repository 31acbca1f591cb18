// SPDX-License-Identifier: Apache-2.0
#include "generated.hpp"

#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <vector>

#include "core/rng.hpp"
#include "families/registry.hpp"

namespace medley::bench {
namespace {

constexpr std::uint64_t kSeed = 1;
enum class Purpose : std::uint64_t { tables, rows };

core::Rng stream(Purpose purpose, std::size_t index = 0) {
  return {kSeed, static_cast<std::uint64_t>(purpose), index};
}

/// A row's proportions, Dirichlet(0.2), from which components are drawn.
class Proportions {
 public:
  Proportions(core::Rng& rng, std::size_t components) : rng_(rng), upto_(components) {
    for (double& share : upto_) share = rng.gamma(0.2);
    std::partial_sum(upto_.begin(), upto_.end(), upto_.begin());
  }
  std::size_t draw() {
    const double at = rng_.uniform() * upto_.back();
    std::size_t k = 0;
    while (k + 1 < upto_.size() && upto_[k] < at) ++k;
    return k;
  }

 private:
  core::Rng& rng_;
  std::vector<double> upto_;
};

Dataset with_block(std::size_t rows, Block block) {
  Dataset data;
  data.rows = rows;
  data.blocks.push_back(std::move(block));
  return data;
}

const std::string& answer(const Block& block, std::size_t cell) {
  const std::size_t slot = block.slot[cell];
  return block.features[slot / 2].levels[slot % 2];
}

}  // namespace

Dataset survey(std::size_t rows, std::size_t items, std::size_t components) {
  Block block;
  block.name = "items";
  block.family = families::bernoulli_family.name;
  block.encoding = Encoding::levels;
  block.first_slot = {0};
  for (std::size_t item = 0; item < items; ++item) {
    block.features.push_back({"q" + std::to_string(item + 1), {"no", "yes"}});
    block.first_slot.push_back(static_cast<std::uint32_t>(2 * (item + 1)));
  }
  core::Rng tables = stream(Purpose::tables);
  std::vector<double> yes(items * components);
  for (double& p : yes) p = tables.uniform();
  for (std::size_t row = 0; row < rows; ++row) {
    core::Rng rng = stream(Purpose::rows, row);
    Proportions proportions(rng, components);
    for (std::size_t item = 0; item < items; ++item) {
      const bool is_yes = rng.uniform() < yes[item * components + proportions.draw()];
      block.slot.push_back(static_cast<std::uint32_t>(2 * item + (is_yes ? 1 : 0)));
    }
    block.row_start.push_back(block.slot.size());
  }
  return with_block(rows, std::move(block));
}

Dataset corpus(std::size_t documents, std::size_t words, std::size_t vocabulary,
               std::size_t components) {
  Block block;
  block.name = "words";
  block.family = families::tokens_family.name;
  block.encoding = Encoding::tokens;
  block.first_slot = {0, static_cast<std::uint32_t>(vocabulary)};
  block.features.push_back({"words", {}});
  for (std::size_t word = 0; word < vocabulary; ++word)
    block.features[0].levels.push_back("w" + std::to_string(word));
  for (std::size_t document = 0; document < documents; ++document) {
    core::Rng rng = stream(Purpose::rows, document);
    Proportions proportions(rng, components);
    std::map<std::size_t, float> counts;
    while (counts.size() < words) {
      // P(rank) falls as 1 / rank; each component ranks the words in an order of its own.
      const double rank = std::pow(static_cast<double>(vocabulary), rng.uniform());
      const std::size_t shift = proportions.draw() * (vocabulary / components);
      counts[(static_cast<std::size_t>(rank) * 7919 + shift) % vocabulary] += 1;
    }
    for (const auto& [word, count] : counts) {
      block.slot.push_back(static_cast<std::uint32_t>(word));
      block.weight.push_back(count);
    }
    block.row_start.push_back(block.slot.size());
  }
  return with_block(documents, std::move(block));
}

std::string as_csv(const Dataset& data) {
  const Block& block = data.blocks[0];
  std::string text = "id";
  for (const Feature& feature : block.features) text += ',' + feature.name;
  for (std::size_t row = 0; row < data.rows; ++row) {
    text += '\n' + data.id_of(row);
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c)
      text += ',' + answer(block, c);
  }
  return text + '\n';
}

std::string as_triplets(const Dataset& data) {
  const Block& block = data.blocks[0];
  std::string text = "row,item,value\n";
  for (std::size_t row = 0; row < data.rows; ++row) {
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
      text += data.id_of(row) + ',' + block.features[block.slot[c] / 2].name + ',' +
              answer(block, c) + '\n';
    }
  }
  return text;
}

std::string as_jsonl(const Dataset& data) {
  const Block& block = data.blocks[0];
  std::string text;
  for (std::size_t row = 0; row < data.rows; ++row) {
    text += R"({"id":")" + data.id_of(row) + '"';
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c)
      text += R"(,")" + block.features[block.slot[c] / 2].name + R"(":")" + answer(block, c) + '"';
    text += "}\n";
  }
  return text;
}

namespace {

// ` word:count` of a document, words counted from `first`.
std::string pairs(const Block& block, std::size_t row, std::uint32_t first) {
  std::string text;
  for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
    text += ' ' + std::to_string(block.slot[c] + first) + ':' +
            std::to_string(static_cast<int>(block.weight_of(c)));
  }
  return text;
}

// `document word count` lines, both counted from 1.
std::string entries(const Dataset& data) {
  const Block& block = data.blocks[0];
  std::string text;
  for (std::size_t row = 0; row < data.rows; ++row) {
    for (std::uint64_t c = block.row_start[row]; c < block.row_start[row + 1]; ++c) {
      text += std::to_string(row + 1) + ' ' + std::to_string(block.slot[c] + 1) + ' ' +
              std::to_string(static_cast<int>(block.weight_of(c))) + '\n';
    }
  }
  return text;
}

}  // namespace

std::string as_ldac(const Dataset& data) {
  const Block& block = data.blocks[0];
  std::string text;
  for (std::size_t row = 0; row < data.rows; ++row) {
    text += std::to_string(block.row_start[row + 1] - block.row_start[row]) + pairs(block, row, 0) +
            '\n';
  }
  return text;
}

std::string as_svmlight(const Dataset& data) {
  std::string text;
  for (std::size_t row = 0; row < data.rows; ++row)
    text += std::to_string(row % 2) + pairs(data.blocks[0], row, 1) + '\n';
  return text;
}

std::string as_docword(const Dataset& data) {
  const Block& block = data.blocks[0];
  return std::to_string(data.rows) + '\n' + std::to_string(block.slots()) + '\n' +
         std::to_string(block.cells()) + '\n' + entries(data);
}

std::string as_matrix_market(const Dataset& data) {
  const Block& block = data.blocks[0];
  return "%%MatrixMarket matrix coordinate integer general\n" + std::to_string(data.rows) + ' ' +
         std::to_string(block.slots()) + ' ' + std::to_string(block.cells()) + '\n' + entries(data);
}

}  // namespace medley::bench
