// SPDX-License-Identifier: Apache-2.0
// Models of data that no file was read for: they fit, save, load and score rows like any other; the
// same data from a file and from memory give the same bytes; one model serves several threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <thread>

#include "core/temporary_folder.hpp"
#include "medley/medley.hpp"
#include "support/files.hpp"
#include "support/hand_data.hpp"
#include "support/memory_tables.hpp"

namespace medley {
namespace {

using test::one_source;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::put_content;
using ::testing::SizeIs;
using testing::TemporaryFolder;

FitOptions quick_fit(std::size_t components = 2) {
  FitOptions options;
  options.components = components;
  options.max_iterations = 30;
  options.threads = 1;
  return options;
}

std::vector<MemorySource> votes_in_memory(const std::string& path) {
  const TextTable file = read_text_table({"", path}, {});
  MemoryTable table;
  table.rows = file.rows.size();
  for (std::size_t c = 0; c < file.header.size(); ++c) {
    std::vector<std::string> cells;
    for (const auto& row : file.rows) cells.push_back(row[c]);
    table.columns.push_back({file.header[c], test::text_column(cells)});
  }
  return one_source(std::move(table));
}

// Byte for byte, whatever the names of the files.
TEST(DataInMemory, TheVotesGiveTheModelOfTheFile) {
  const std::string path = MEDLEY_DATA "/house-votes-1984.csv";
  for (const char* label : {"", "party"}) {
    ReadOptions options;
    options.label = label;
    const Dataset file = read({{"", path}}, options);
    const Dataset memory = dataset(votes_in_memory(path), options);
    EXPECT_TRUE(fit(file, quick_fit(3)).to_bytes() == fit(memory, quick_fit(3)).to_bytes());
  }
}

TEST(DataInMemory, AMixedTableGivesTheModelOfTheFile) {
  const test::MixedTable mixed = test::mixed_table(120);
  ReadOptions options = test::mixed_options();
  const Dataset file = test::read_file("mixed.jsonl", mixed.json, options);
  const Dataset memory = dataset(one_source(mixed.table), options);
  const Model of_file = fit(file, quick_fit()), of_memory = fit(memory, quick_fit());
  EXPECT_TRUE(of_file.to_bytes() == of_memory.to_bytes());
  // New rows, by the schema of the model.
  const test::MixedTable more = test::mixed_table(40, 9);
  options.schema = of_file.schema();
  EXPECT_EQ(transform(of_file, test::read_file("more.jsonl", more.json, options)).share,
            transform(of_memory, dataset(one_source(more.table), options)).share);
}

TEST(DataInMemory, RatingsAndWordsGiveTheModelsOfTheirFiles) {
  const test::Ratings ratings = test::ratings(60);
  ReadOptions options;
  options.format = Format::triplets;
  EXPECT_TRUE(fit(test::read_file("r.csv", ratings.csv, options), quick_fit()).to_bytes() ==
              fit(dataset(one_source(ratings.triplets)), quick_fit()).to_bytes());
  const test::Corpus corpus = test::word_counts(60, 20);
  const TemporaryFolder folder;
  put_content(folder / "c.ldac", corpus.ldac);
  put_content(folder / "c_vocab.txt", corpus.words);
  EXPECT_TRUE(fit(read({{"", folder / "c.ldac"}}, {}), quick_fit()).to_bytes() ==
              fit(dataset(one_source(corpus.counts)), quick_fit()).to_bytes());
}

TEST(DataInMemory, AStreamOfPiecesGivesTheModelOfTheWhole) {
  const TemporaryFolder folder;
  MemoryTable table = test::mixed_table(150).table;
  table.columns.erase(table.columns.begin() + 6);  // its vocabulary leaves words out of pieces
  ReadOptions options = test::mixed_options();
  options.weight.clear();
  options.label.clear();
  options.keep = {"kind"};
  SchemaBuilder builder(options);
  for (std::size_t begin = 0; begin < table.rows; begin += 7)
    builder.add(one_source(test::rows_of(table, begin, std::min(table.rows, begin + 7))));
  ReadOptions reading = options;
  reading.schema = builder.finish();
  StreamWriter writer(folder / "x.stream");
  for (std::size_t begin = 0; begin < table.rows; begin += 7)
    writer.append(
        dataset(one_source(test::rows_of(table, begin, std::min(table.rows, begin + 7))), reading));
  writer.finish(*reading.schema);
  write_stream(dataset(one_source(table), options), folder / "whole.stream");
  FitOptions fitting = quick_fit();
  fitting.batch = 16;
  fitting.passes = 2;
  EXPECT_TRUE(fit(*open_stream(folder / "x.stream"), fitting).to_bytes() ==
              fit(*open_stream(folder / "whole.stream"), fitting).to_bytes());
}

TEST(HandMadeData, ModelsSaveLoadAndScore) {
  const TemporaryFolder folder;
  const Dataset data = test::hand_data(60);
  const Model model = fit(data, quick_fit());
  model.save(folder / "m.medley");
  const Model loaded = Model::load(folder / "m.medley");
  EXPECT_EQ(transform(model, data).share, transform(loaded, data).share);
  EXPECT_TRUE(loaded.to_bytes() == model.to_bytes());
  // The two kinds of rows are found.
  const Memberships shares = transform(loaded, data);
  const bool swapped = shares.row(0)[0] < 0.5;
  for (std::size_t row = 0; row < data.rows; ++row)
    EXPECT_GT(shares.row(row)[(row % 2 == 0) == swapped ? 1 : 0], 0.5) << row;
  EXPECT_EQ(evaluate(model, data, {}).log_likelihood, evaluate(loaded, data, {}).log_likelihood);
}

TEST(HandMadeData, ItsModelReadsFilesOfTheSameColumns) {
  Dataset data;
  data.rows = 40;
  data.blocks = {test::answers(40)};
  const Model model = fit(data, quick_fit());
  ReadOptions options;
  options.schema = Model::from_bytes(model.to_bytes()).schema();
  const Dataset file =
      test::read_file("answers.csv", "q0,q1,q2\nlow,low,middle\nhigh,,high\n", options);
  ASSERT_EQ(file.rows, 2U);
  const Memberships shares = transform(model, file);
  EXPECT_NE(shares.row(0)[0] > 0.5, shares.row(1)[0] > 0.5);
}

TEST(HandMadeData, EveryKindOfModelCanBeSaved) {
  struct Case {
    const char* preset;
    Dataset data;
  };
  Dataset answers, words, counts;
  answers.rows = words.rows = counts.rows = 40;
  answers.blocks = {test::answers(40)};
  words.blocks = {test::words(40)};
  counts.blocks = {test::sizes(40, "poisson")};
  for (double& value : counts.blocks[0].value) value = std::floor(value);
  for (const Case& one : {Case{"", answers}, Case{"gom", answers}, Case{"mnb", answers},
                          Case{"lda", words}, Case{"", words}, Case{"", counts}}) {
    FitOptions options = quick_fit();
    options.model = one.preset;
    const Model model = fit(one.data, options);
    EXPECT_TRUE(Model::from_bytes(model.to_bytes()).to_bytes() == model.to_bytes()) << one.preset;
  }
}

TEST(HandMadeData, TheSchemaMustDescribeTheBlocks) {
  Dataset data = test::hand_data(20);
  ColumnSpec& column = data.schema.sources.emplace_back().columns.emplace_back();
  column.name = "other";
  column.family = "categorical";
  column.levels = {"a", "b"};
  try {
    (void)fit(data, quick_fit());
    FAIL() << "taken";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("does not describe the blocks"));
  }
}

TEST(HandMadeData, StreamsAndFilesOfItCanBeReadAgain) {
  const TemporaryFolder folder;
  const Dataset data = test::hand_data(30);
  write_stream(data, folder / "x.stream");
  const Dataset back = read({{"", folder / "x.stream"}}, {});
  ASSERT_EQ(back.blocks.size(), 3U);
  for (std::size_t b = 0; b < 3; ++b) {
    EXPECT_EQ(back.blocks[b].slot, data.blocks[b].slot);
    EXPECT_EQ(back.blocks[b].value, data.blocks[b].value);
  }
  EXPECT_EQ(back.ids, data.ids);
}

TEST(ModelViews, AreTheParametersOfTheModel) {
  const Dataset data = test::hand_data(60);
  const Model model = fit(data, quick_fit(3));
  ASSERT_EQ(model.blocks().size(), 3U);
  EXPECT_EQ(model.blocks()[0]->name, "answers");
  EXPECT_THAT(model.blocks()[0]->features[1].levels, ElementsAre("low", "middle", "high"));
  EXPECT_EQ(model.blocks()[1]->family, "tokens");
  for (const std::size_t b : {0U, 1U}) {
    const TableView table = model.table(b);
    const Block& block = *model.blocks()[b];
    ASSERT_EQ(table.rows, block.slots());
    EXPECT_EQ(table.components, 3U);
    EXPECT_GE(table.stride, 3U);
    ASSERT_THAT(model.totals(b), SizeIs(table.rows));
    ASSERT_EQ(model.marginal(b).rows, table.rows);
    EXPECT_EQ(model.marginal(b).components, 1U);
    for (std::size_t f = 0; f < block.features.size(); ++f) {
      for (std::size_t k = 0; k < 3; ++k) {
        double sum = 0, whole = 0;
        for (std::size_t s = block.first_slot[f]; s < block.first_slot[f + 1]; ++s) {
          sum += table(s, k);
          whole += model.marginal(b)(s, 0);
        }
        EXPECT_NEAR(sum, 1, 1e-12);
        EXPECT_NEAR(whole, 1, 1e-12);
      }
    }
  }
  // Totals are what the data hold, by weight.
  double observed = 0;
  for (std::size_t row = 0; row < data.rows; ++row)
    observed += data.row_weight[row] * static_cast<double>(data.blocks[0].row_start[row + 1] -
                                                           data.blocks[0].row_start[row]);
  const auto totals = model.totals(0);
  EXPECT_NEAR(std::accumulate(totals.begin(), totals.end(), 0.0), observed, 1e-9);
  EXPECT_EQ(model.draws(), 0U);
  EXPECT_EQ(model.label_weights().rows, 0U);
  EXPECT_THROW((void)model.table(3), std::out_of_range);
  EXPECT_THROW((void)model.draw(0), std::out_of_range);
}

TEST(ModelViews, ShowTheDrawsOfASampledModel) {
  Dataset data;
  data.rows = 30;
  data.blocks = {test::answers(30)};
  FitOptions options = quick_fit();
  options.model = "gom-bayes";
  options.chains.chains = 2;
  options.chains.sweeps = 20;
  options.chains.burn_in = 10;
  options.chains.draws = 6;
  const Model model = fit(data, options);
  ASSERT_GT(model.draws(), 0U);
  const DrawView draw = model.draw(model.draws() - 1);
  EXPECT_EQ(draw.chain, 1U);
  EXPECT_THAT(draw.prior, SizeIs(2));
  ASSERT_THAT(draw.tables, SizeIs(1));
  ASSERT_EQ(draw.tables[0].rows, 9U);
  for (std::size_t k = 0; k < 2; ++k)
    EXPECT_NEAR(draw.tables[0](0, k) + draw.tables[0](1, k) + draw.tables[0](2, k), 1, 1e-9);
  EXPECT_EQ(draw.onto.rows, 2U);
  EXPECT_NEAR(draw.onto(0, 0) + draw.onto(0, 1), 1, 1e-9);
  ASSERT_FALSE(model.traces().empty());
  EXPECT_THAT(model.traces().front().chains, SizeIs(2));
}

TEST(ModelBytes, AreWhatSaveWritesAndAreChecked) {
  const TemporaryFolder folder;
  const Model model = fit(test::hand_data(30), quick_fit());
  model.save(folder / "m.medley");
  const std::string bytes = model.to_bytes();
  EXPECT_TRUE(bytes == testing::content_of(folder / "m.medley"));
  EXPECT_THROW((void)Model::from_bytes(""), InputError);
  EXPECT_THROW((void)Model::from_bytes(bytes.substr(0, bytes.size() / 2)), InputError);
  EXPECT_THROW((void)Model::from_bytes(bytes + "x"), InputError);
}

TEST(ModelBytes, AMovedFromModelIsStillAModel) {
  Model model = fit(test::hand_data(30), quick_fit());
  const Model other = std::move(model);
  EXPECT_EQ(model.components(), 2U);  // NOLINT(bugprone-use-after-move): that is the question
  EXPECT_TRUE(model.to_bytes() == other.to_bytes());
}

// Under the thread sanitizer: what a model prepares for its first user must not disturb others.
TEST(OneModel, ServesSeveralThreadsWithTheSameBits) {
  const Dataset data = test::hand_data(40);
  for (const char* inference : {"", "fast"}) {
    FitOptions options = quick_fit(3);
    options.inference = inference;
    const std::string bytes = fit(data, options).to_bytes();
    const std::vector<double> alone = transform(Model::from_bytes(bytes), data, 1).share;
    const double score = evaluate(Model::from_bytes(bytes), data, {}).log_likelihood;
    const Model shared = Model::from_bytes(bytes);  // nothing of it is prepared
    std::vector<std::vector<double>> share(8);
    std::vector<double> scores(8);
    std::vector<std::vector<CellPrediction>> cells(8);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 8; ++t) {
      threads.emplace_back([&, t] {
        share[t] = transform(shared, data, 1 + t % 2).share;
        scores[t] = evaluate(shared, data, {}).log_likelihood;
        cells[t] = predict_cells(shared, data, {{t, 0, 1}, {t, 2, 0}}, {});
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_THAT(share, Each(alone)) << inference;
    EXPECT_THAT(scores, Each(score)) << inference;
    for (std::size_t t = 0; t < 8; ++t) {
      const auto expected =
          predict_cells(Model::from_bytes(bytes), data, {{t, 0, 1}, {t, 2, 0}}, {});
      EXPECT_EQ(cells[t][0].probability, expected[0].probability);
      EXPECT_EQ(cells[t][1].mean, expected[1].mean);
    }
  }
}

}  // namespace
}  // namespace medley
