// SPDX-License-Identifier: Apache-2.0
// Model files: what is saved comes back bit by bit, and whatever is wrong with a file is said in
// words with the file's name.
#include "model/model_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include <nlohmann/json.hpp>

#include "core/rng.hpp"
#include "medley/error.hpp"
#include "medley/evaluate.hpp"
#include "medley/fit.hpp"
#include "medley/report.hpp"
#include "support/files.hpp"
#include "support/quick.hpp"
#include "support/toy.hpp"

namespace medley::model {
namespace {

using ::testing::HasSubstr;

Model fitted(const std::string& name, std::size_t components = 3) {
  FitOptions options;
  options.model = name;
  options.components = components;
  options.threads = 1;
  options.max_iterations = 20;
  options.restarts = 2;
  return fit(test::survey_and_corpus(60), options).renamed(1, "second");
}

const core::TensorFile& original() {
  static const core::TensorFile file = to_tensors(fitted("mmnb").parts());
  return file;
}

// What is said about the file after `spoil`; empty if it is accepted.
std::string refusal(const std::function<void(core::TensorFile&)>& spoil,
                    const core::TensorFile& good = original()) {
  core::TensorFile file = good;
  file.origin = "spoilt.medley";
  spoil(file);
  try {
    (void)from_tensors(file);
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr("spoilt.medley"));
    return e.what();
  }
  return "";
}

std::vector<double>& doubles(core::TensorFile& file, const std::string& name) {
  return std::get<std::vector<double>>(file.tensors.at(name).values);
}

void replace_in(core::TensorFile& file, const std::string& key, const std::string& from,
                const std::string& to) {
  std::string& text = file.metadata.at(key);
  const std::size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from << " in " << text;
  text.replace(at, from.size(), to);
}

TEST(ModelFile, SavedAndLoadedIsTheSameBits) {
  for (const char* name : {"mmnb", "fast-mmnb", "mnb"}) {
    const Model model = fitted(name);
    const std::string bytes = core::serialise_tensors(to_tensors(model.parts()));
    const Model loaded(from_tensors(core::parse_tensors(bytes, "memory")));
    EXPECT_EQ(core::serialise_tensors(to_tensors(loaded.parts())), bytes) << name;
    EXPECT_EQ(loaded.export_json(), model.export_json()) << name;
    EXPECT_EQ(loaded.prior(), model.prior());
    EXPECT_EQ(loaded.sizes(), model.sizes());
    EXPECT_EQ(loaded.names(), model.names());
    EXPECT_EQ(loaded.summary().bound, model.summary().bound);
    EXPECT_EQ(loaded.summary().warnings, model.summary().warnings);
    ASSERT_EQ(loaded.summary().restarts.size(), 2U);
    EXPECT_EQ(loaded.summary().restarts[1].bound, model.summary().restarts[1].bound);
    const Dataset data = test::survey_and_corpus(60);
    EXPECT_EQ(transform(loaded, data).share, transform(model, data).share) << name;
  }
}

TEST(ModelFile, ALoadedModelReadsNewDataByItsSchema) {
  const testing::TemporaryFolder folder;
  fitted("mmnb").save(folder / "m.medley");
  const Model loaded = Model::load(folder / "m.medley");
  EXPECT_EQ(to_toml(loaded.schema()), to_toml(test::survey_and_corpus(60).schema));
}

// One column per family of numbers, named after it, and one of levels.
Dataset numbers(std::size_t rows) {
  ReadOptions options;
  std::string text = "colour";
  for (const auto* entry : families::registry()) {
    if (entry->encoding != Encoding::real) continue;
    options.family[entry->name] = entry->name;
    text += ',' + std::string(entry->name);
  }
  core::Rng rng(2, 3);
  for (std::size_t row = 0; row < rows; ++row) {
    text += row % 3 == 0 ? "\nred" : "\nblue";
    for (const auto* entry : families::registry()) {
      if (entry->encoding == Encoding::real)
        text += ',' + std::to_string(test::random_number(*entry, rng));
    }
  }
  return test::read_file("numbers.csv", text + '\n', options);
}

TEST(ModelFile, EveryFamilyOfNumbersSurvivesTheFile) {
  const Dataset data = numbers(50);
  FitOptions options;
  options.components = 2;
  options.threads = 1;
  options.max_iterations = 10;
  const Model model = fit(data, options);
  const core::TensorFile good = to_tensors(model.parts());
  const std::string bytes = core::serialise_tensors(good);
  const Model loaded(from_tensors(core::parse_tensors(bytes, "memory")));
  EXPECT_EQ(core::serialise_tensors(to_tensors(loaded.parts())), bytes);
  EXPECT_EQ(loaded.export_json(), model.export_json());
  EXPECT_EQ(evaluate(loaded, data, {}).log_likelihood, evaluate(model, data, {}).log_likelihood);
  // Every number of every table, references included, is looked at.
  for (std::size_t b = 0; b < model.parts().blocks.size(); ++b) {
    for (const char* table : {".table", ".marginal"}) {
      const std::string name = "block." + std::to_string(b) + table;
      core::TensorFile copy = good;
      for (std::size_t i = 0; i < doubles(copy, name).size(); ++i) {
        EXPECT_NE(refusal([&](core::TensorFile& f) { doubles(f, name)[i] = -1e200; }, good), "")
            << name << " " << i;
      }
    }
  }
}

TEST(ModelFile, EverythingRequiredIsMissedWhenAbsent) {
  for (const auto& [key, value] : original().metadata) {
    if (key == "library_version") continue;  // for messages only
    EXPECT_NE(refusal([&](core::TensorFile& f) { f.metadata.erase(key); }), "") << key;
  }
  for (const auto& [name, tensor] : original().tensors) {
    EXPECT_NE(refusal([&](core::TensorFile& f) { f.tensors.erase(name); }), "") << name;
  }
}

TEST(ModelFile, EveryKeyOfItsDescriptionIsRequired) {
  for (const char* key : {"options", "summary"}) {
    const auto all = nlohmann::json::parse(original().metadata.at(key));
    for (const auto& item : all.items()) {
      // Keys that files of earlier versions do not have.
      if (item.key() == "why_inference" || item.key().starts_with("log_likelihood") ||
          item.key() == "label" || item.key() == "estimate" || item.key() == "steps" ||
          item.key() == "training_bound" || item.key() == "tried" || item.key() == "variance_floor")
        continue;
      auto some = all;
      some.erase(item.key());
      EXPECT_NE(refusal([&](core::TensorFile& f) { f.metadata[key] = some.dump(); }), "")
          << key << " without " << item.key();
      some[item.key()] = nlohmann::json::object();
      EXPECT_NE(refusal([&](core::TensorFile& f) { f.metadata[key] = some.dump(); }), "")
          << key << " with an object as " << item.key();
    }
  }
}

// What is cast to a size must be one: a cast of -1 or 1e308 is undefined.
TEST(ModelFile, CountsThatAreNoneAreRefused) {
  for (const char* name : {"summary", "options"}) {
    const auto good = nlohmann::json::parse(original().metadata.at(name));
    std::size_t counts = 0;
    for (const auto& [key, value] : good.items()) {
      if (!value.is_number_unsigned()) continue;
      ++counts;
      for (const nlohmann::json& hostile : {nlohmann::json(-1), nlohmann::json(-1e308),
                                            nlohmann::json(1e308), nlohmann::json(2.5)}) {
        nlohmann::json changed = good;
        changed[key] = hostile;
        EXPECT_NE(refusal([&](core::TensorFile& f) { f.metadata[name] = changed.dump(); }), "")
            << key << " " << hostile;
      }
    }
    EXPECT_GT(counts, 2U) << name;
  }
}

TEST(ModelFile, FilesOfEarlierVersionsCanBeRead) {
  EXPECT_EQ(refusal([](core::TensorFile& f) {
              auto summary = nlohmann::json::parse(f.metadata.at("summary"));
              summary.erase("why_inference");
              summary.erase("log_likelihood");
              summary.erase("log_likelihood_error");
              f.metadata["summary"] = summary.dump();
            }),
            "");
}

// Before floors of variances were kept with them: K rows fewer in a table, one fewer in a marginal.
TEST(ModelFile, TablesWithoutFloorsCanBeRead) {
  FitOptions options;
  options.components = 2;
  options.threads = 1;
  const Model model =
      fit(test::dataset({test::random_block(families::gaussian_family, 40, 3, 0)}), options);
  core::TensorFile file = to_tensors(model.parts());
  const std::size_t columns = model.parts().blocks[0].shape.slots(), rows = 4 * columns;
  doubles(file, "block.0.table").resize(rows * 2);
  file.tensors.at("block.0.table").shape = {rows, 2};
  doubles(file, "block.0.marginal").resize(rows);
  file.tensors.at("block.0.marginal").shape = {rows, 1};
  const auto parts = from_tensors(file);
  const auto& family = *parts->blocks[0].family;
  const auto table = family.parameters();
  for (std::size_t f = 0; f < columns; ++f)  // rows: mu, var, mean, variance
    EXPECT_EQ(table[(rows + f) * family.padded()], 1e-3 * table[(4 * f + 3) * family.padded()]);
}

TEST(ModelFile, FilesWithoutPosteriorsSayMap) {
  core::TensorFile file = original();
  auto options = nlohmann::json::parse(file.metadata.at("options"));
  EXPECT_EQ(options.at("estimate"), "map");
  options.erase("estimate");
  file.metadata["options"] = options.dump();
  EXPECT_EQ(from_tensors(file)->options.estimate, Estimate::map);
}

TEST(ModelFile, StrengthsOfPosteriorsComeBackAndAreChecked) {
  FitOptions options;
  options.components = 3;
  options.threads = 1;
  options.estimate = Estimate::vb;
  options.max_iterations = 10;
  const Model model = fit(test::survey_and_corpus(60), options);
  const core::TensorFile good = to_tensors(model.parts());
  const std::string bytes = core::serialise_tensors(good);
  const Model loaded(from_tensors(core::parse_tensors(bytes, "memory")));
  EXPECT_EQ(core::serialise_tensors(to_tensors(loaded.parts())), bytes);
  ASSERT_FALSE(model.parts().blocks.empty());
  for (std::size_t b = 0; b < model.parts().blocks.size(); ++b) {
    EXPECT_EQ(loaded.parts().blocks[b].strengths, model.parts().blocks[b].strengths);
    EXPECT_EQ(loaded.parts().clone()->blocks[b].strengths, model.parts().blocks[b].strengths);
    const std::string name = "block." + std::to_string(b) + ".strengths";
    for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL, 1e200}) {
      EXPECT_THAT(refusal([&](core::TensorFile& f) { doubles(f, name).back() = bad; }, good),
                  HasSubstr(name));
    }
    EXPECT_NE(refusal([&](core::TensorFile& f) { doubles(f, name).pop_back(); }, good), "");
    EXPECT_NE(refusal([&](core::TensorFile& f) { doubles(f, name).push_back(1); }, good), "");
    EXPECT_EQ(refusal([&](core::TensorFile& f) { f.tensors.erase(name); }, good), "");
  }
}

TEST(ModelFile, WrongSizesAreRefused) {
  for (const auto& [name, tensor] : original().tensors) {
    if (!std::holds_alternative<std::vector<double>>(tensor.values)) continue;
    if (name.starts_with("trace.")) continue;  // as long as the fit was
    EXPECT_NE(refusal([&](core::TensorFile& f) { doubles(f, name).push_back(0.5); }), "") << name;
    EXPECT_NE(refusal([&](core::TensorFile& f) { doubles(f, name).pop_back(); }), "") << name;
    EXPECT_NE(refusal([&](core::TensorFile& f) { doubles(f, name).clear(); }), "") << name;
  }
  EXPECT_NE(refusal([](core::TensorFile& f) { f.put_strings("names", {"a", "b"}); }), "");
}

TEST(ModelFile, AnotherNumberOfComponentsThanTheOptionsSayIsRefused) {
  EXPECT_THAT(refusal([](core::TensorFile& f) {
                replace_in(f, "options", "\"components\":3", "\"components\":4");
              }),
              HasSubstr("components"));
}

TEST(ModelFile, NumbersOutOfRangeAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const auto& [name, tensor] : original().tensors) {
    if (!std::holds_alternative<std::vector<double>>(tensor.values)) continue;
    for (const double bad : {nan, infinity}) {
      EXPECT_NE(refusal([&](core::TensorFile& f) { doubles(f, name)[0] = bad; }), "")
          << name << " " << bad;
    }
    if (name.starts_with("trace.")) continue;
    EXPECT_NE(refusal([&](core::TensorFile& f) { doubles(f, name)[0] = -0.25; }), "") << name;
  }
  EXPECT_THAT(refusal([](core::TensorFile& f) { doubles(f, "block.0.table")[0] = 1.5; }),
              HasSubstr("not between 0 and 1"));
  EXPECT_THAT(refusal([](core::TensorFile& f) { doubles(f, "block.0.table")[0] *= 0.9; }),
              HasSubstr("sum to 1"));
  EXPECT_NE(refusal([](core::TensorFile& f) { doubles(f, "prior")[2] = 0; }), "");
}

TEST(ModelFile, ClassSharesThatDoNotSumToOneAreRefused) {
  const core::TensorFile single = to_tensors(fitted("mnb").parts());
  EXPECT_EQ(refusal([](core::TensorFile&) {}, single), "");
  EXPECT_THAT(refusal([](core::TensorFile& f) { doubles(f, "prior")[0] += 0.1; }, single),
              HasSubstr("sum to 1"));
}

TEST(ModelFile, UnknownNamesAndVersionsAreRefused) {
  EXPECT_THAT(refusal([](core::TensorFile& f) { f.metadata["format"] = "a cake"; }),
              HasSubstr("a cake"));
  EXPECT_THAT(refusal([](core::TensorFile& f) { f.metadata["format_version"] = "99"; }),
              HasSubstr("model format 99"));
  EXPECT_NE(refusal([](core::TensorFile& f) {
              replace_in(f, "schema", "\"family\":\"bernoulli\"", "\"family\":\"martian\"");
            }),
            "");
  EXPECT_THAT(refusal([](core::TensorFile& f) {
                replace_in(f, "options", "\"membership\":\"mixed\"", "\"membership\":\"lifelong\"");
              }),
              HasSubstr("lifelong"));
  EXPECT_NE(refusal([](core::TensorFile& f) {
              replace_in(f, "options", "\"inference\":\"standard\"", "\"inference\":\"guess\"");
            }),
            "");
  for (const char* key : {"schema", "options", "summary"}) {
    for (const char* text : {"", "{", "[]", "null", "7", "{}"}) {
      EXPECT_NE(refusal([&](core::TensorFile& f) { f.metadata[key] = text; }), "") << key << text;
    }
  }
}

TEST(ModelFile, AMissingFileAndATextFileAreRefused) {
  const testing::TemporaryFolder folder;
  testing::put_content(folder / "m.medley", "not a model at all\n");
  for (const char* name : {"m.medley", "absent.medley"}) {
    try {
      (void)Model::load(folder / name);
      ADD_FAILURE() << name;
    } catch (const InputError& e) {
      EXPECT_THAT(e.what(), HasSubstr(name));
    }
  }
}

// Loads a damaged file and uses it as far as it goes.
void use(const std::string& bytes, const Dataset& data) {
  try {
    const Model model(from_tensors(core::parse_tensors(bytes, "damaged")));
    EXPECT_FALSE(model.export_json().empty());
    EXPECT_FALSE(inspect(model, {}).empty());
    EXPECT_FALSE(describe(model.summary()).empty());
    const Evaluation e = evaluate(model, data, {});
    EXPECT_TRUE(std::isfinite(e.log_likelihood));
  } catch (const InputError& e) {
    EXPECT_STRNE(e.what(), "");
  }
}

TEST(ModelFile, RandomByteFlipsNeverCrash) {
  const std::string bytes = core::serialise_tensors(original());
  const Dataset data = test::survey_and_corpus(3);
  core::Rng rng(5, 1);
  const int trials = test::quick() ? 1000 : 3000;
  for (int trial = 0; trial < trials; ++trial) {
    std::string damaged = bytes;
    const std::size_t flips = 1 + rng.below(3);
    for (std::size_t flip = 0; flip < flips; ++flip)
      damaged[rng.below(damaged.size())] ^= static_cast<char>(1U << rng.below(8));
    ASSERT_NO_THROW(use(damaged, data)) << "trial " << trial;
  }
}

TEST(ModelFile, EveryTruncationIsRefused) {
  const std::string bytes = core::serialise_tensors(original());
  for (std::size_t size = 0; size < bytes.size(); size += 7) {
    EXPECT_THROW((void)from_tensors(core::parse_tensors(bytes.substr(0, size), "cut")), InputError);
  }
}

}  // namespace
}  // namespace medley::model
