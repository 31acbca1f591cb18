// SPDX-License-Identifier: Apache-2.0
#include "data/schema_rows.hpp"

#include <algorithm>
#include <utility>

#include "core/text.hpp"
#include "data/message_text.hpp"
#include "data/restrict_schema.hpp"
#include "data/source_columns.hpp"
#include "medley/error.hpp"

namespace medley::data {
namespace {

constexpr std::size_t kAtOnce = 4096;

// A file given alone plays the only part of a schema, whatever its name: so with stream files.
void take_name(Dataset& data, const Schema& wanted) {
  if (std::ranges::count_if(wanted.sources, has_features) != 1) return;
  if (std::ranges::count_if(data.schema.sources, has_features) != 1) return;
  const auto theirs = std::ranges::find_if(wanted.sources, has_features);
  const auto ours = std::ranges::find_if(data.schema.sources, has_features);
  // The words of a source are a feature called like it.
  const bool words = ours->kind == SourceKind::tokens && theirs->kind == SourceKind::tokens &&
                     ours->columns.front().name == ours->name &&
                     theirs->columns.front().name == theirs->name;
  for (Block& block : data.blocks) {
    if (words && block.name == ours->name) block.features.front().name = theirs->name;
    if (block.name == ours->name || block.name.starts_with(ours->name + '.'))
      block.name = theirs->name + block.name.substr(ours->name.size());
  }
  if (words) ours->columns.front().name = theirs->name;
  ours->name = theirs->name;
}

bool same_columns(const std::vector<Block>& a, const std::vector<Block>& b) {
  return std::ranges::equal(a, b, [](const Block& x, const Block& y) {
    return x.name == y.name && x.family == y.family && x.first_slot == y.first_slot &&
           std::ranges::equal(x.features, y.features, [](const Feature& f, const Feature& g) {
             return f.name == g.name && f.levels == g.levels && f.shift == g.shift;
           });
  });
}

void check_encoding(const Schema& given, const Schema& wanted, const std::string& path) {
  const std::string remedy = "convert the data again, with the schema of the model (`schema`)";
  if (!std::ranges::equal(given.sources, wanted.sources, {}, &SourceSpec::name, &SourceSpec::name))
    throw InputError({path, "was made of other sources than the model's data", remedy});
  if (given.missing_as_category != wanted.missing_as_category)
    throw InputError({path, "was converted with another `missing` than the model's data", remedy});
  if (given.block_weight != wanted.block_weight)
    throw InputError(
        {path, "was converted with other block weights than the model's data", remedy});
}

class SchemaRows final : public RowSource {
 public:
  SchemaRows(std::unique_ptr<RowSource> rows, const Schema& wanted, const std::string& path,
             const FamilyCatalogue& catalogue)
      : rows_(std::move(rows)), wanted_(wanted) {
    Dataset named = rows_->shape();
    take_name(named, wanted);
    check_encoding(named.schema, wanted, path);
    by_ = make_projection(named, wanted, catalogue);
    same_ = same_columns(named.blocks, by_.shape.blocks);
    shape_ = under(named);
    if (same_) {
      for (std::size_t b = 0; b < shape_.blocks.size(); ++b)
        shape_.blocks[b].unseen = named.blocks[b].unseen;
    } else {
      count(named, path);
    }
  }

  [[nodiscard]] std::size_t rows() const override { return rows_->rows(); }
  [[nodiscard]] const Dataset& shape() const override { return shape_; }
  [[nodiscard]] Dataset batch(std::span<const RowRange> ranges) const override {
    Dataset rows = rows_->batch(ranges);
    take_name(rows, wanted_);
    return under(std::move(rows));
  }
  using RowSource::batch;
  [[nodiscard]] std::string fingerprint() const override { return rows_->fingerprint(); }

 private:
  [[nodiscard]] Dataset under(Dataset rows) const {
    if (!same_) return project_rows(rows, by_);
    rows.schema = by_.shape.schema;
    return rows;
  }

  void count(const Dataset& named, const std::string& path) {
    for (std::size_t b = 0; b < named.blocks.size(); ++b) {
      for (const Feature& feature : lost(named.blocks[b], by_.targets[b], by_.unknown[b]))
        shape_.extra.push_back(feature.name);
    }
    warn_absent(named, path);
    const bool any = std::ranges::any_of(by_.unknown, [](const std::vector<bool>& slots) {
      return std::ranges::find(slots, true) != slots.end();
    });
    if (!any) return;
    std::vector<std::vector<double>> counts;
    std::vector<std::size_t> unseen(shape_.blocks.size(), 0);
    for (std::size_t at = 0; at < rows(); at += kAtOnce) {
      Dataset some = rows_->batch(at, std::min(rows(), at + kAtOnce));
      take_name(some, wanted_);
      count_unknown(some, by_, counts);
      const Dataset passed_rows = project_rows(some, by_);
      for (std::size_t b = 0; b < unseen.size(); ++b) unseen[b] += passed_rows.blocks[b].unseen;
    }
    shape_.unknown = named_unknown(named, counts);
    for (std::size_t b = 0; b < unseen.size(); ++b) {
      shape_.blocks[b].unseen = unseen[b];
      if (unseen[b] > 0)
        shape_.warnings.push_back(path + ": " + counted(unseen[b], "cell") + " of block " +
                                  core::quoted(shape_.blocks[b].name) +
                                  " with levels or words the schema does not know, left out");
    }
  }

  // Columns of the file that the schema does not have: none of their slots goes anywhere.
  static std::vector<Feature> lost(const Block& block, const std::vector<Target>& targets,
                                   const std::vector<bool>& unknown) {
    std::vector<Feature> out;
    for (std::size_t f = 0; f < block.features.size(); ++f) {
      bool goes = false;
      for (std::size_t s = block.first_slot[f]; s < block.first_slot[f + 1]; ++s)
        goes = goes || targets[s].block != Target::kNowhere || unknown[s];
      if (!goes) out.push_back(block.features[f]);
    }
    return out;
  }

  // Columns of the schema that the file does not have.
  void warn_absent(const Dataset& named, const std::string& path) {
    std::vector<std::vector<bool>> reached;
    for (const Block& block : shape_.blocks) reached.emplace_back(block.slots(), false);
    for (const std::vector<Target>& targets : by_.targets) {
      for (const Target& target : targets) {
        if (target.block != Target::kNowhere) reached[target.block][target.slot] = true;
      }
    }
    std::vector<std::string> absent;
    for (std::size_t b = 0; b < shape_.blocks.size(); ++b) {
      const Block& block = shape_.blocks[b];
      for (std::size_t f = 0; f < block.features.size(); ++f) {
        const auto first = reached[b].begin() + block.first_slot[f];
        const auto last = reached[b].begin() + block.first_slot[f + 1];
        if (std::find(first, last, true) == last) absent.push_back(block.features[f].name);
      }
    }
    if (!absent.empty() && !named.blocks.empty())
      shape_.warnings.push_back(path + ": " + counted(absent.size(), "column") +
                                " of the schema absent, taken as missing: " + listed(absent, 10));
  }

  std::unique_ptr<RowSource> rows_;
  Schema wanted_;
  SchemaProjection by_;
  bool same_ = false;
  Dataset shape_;
};

}  // namespace

std::unique_ptr<RowSource> rows_under_schema(std::unique_ptr<RowSource> rows, const Schema& wanted,
                                             const std::string& path,
                                             const FamilyCatalogue& catalogue) {
  return std::make_unique<SchemaRows>(std::move(rows), wanted, path, catalogue);
}

}  // namespace medley::data
