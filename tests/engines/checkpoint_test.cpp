// SPDX-License-Identifier: Apache-2.0
// A checkpoint that is not what was written is refused: a power failure may have cut the write of
// one that a fit left in haste.
#include "engines/checkpoint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/rng.hpp"
#include "core/temporary_folder.hpp"
#include "medley/error.hpp"

namespace medley::engines {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

core::TensorFile some_state() {
  core::TensorFile file;
  std::vector<double> numbers(1000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = 1.0 / static_cast<double>(i + 1);
  file.put("run.numbers", numbers);
  file.put("run.floats", std::vector<float>(333, 0.5F));
  file.put("position", std::vector<std::int64_t>{0, 1, 2, 3});
  file.put_strings("names", {"a", "", "bcd"});
  return file;
}

std::string refusal(const std::string& path) {
  try {
    (void)load_checkpoint(path, "mine");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

class CheckpointFile : public ::testing::Test {
 protected:
  CheckpointFile() {
    save_checkpoint(path, "mine", some_state());
    whole = medley::testing::content_of(path);
  }
  [[nodiscard]] std::string refusal_of(const std::string& content) const {
    medley::testing::put_content(path, content);
    return refusal(path);
  }
  const medley::testing::TemporaryFolder folder;
  const std::string path = folder / "checkpoint";
  std::string whole;
};

TEST_F(CheckpointFile, ComesBackAsItWas) {
  const core::TensorFile read = load_checkpoint(path, "mine");
  EXPECT_EQ(read.doubles("run.numbers"), some_state().doubles("run.numbers"));
  EXPECT_EQ(read.strings("names"), some_state().strings("names"));
  EXPECT_EQ(refusal_of(whole), "");
}

// What the file system may make of pages that never reached the disk.
TEST_F(CheckpointFile, PiecesThatAreZeroAreRefused) {
  for (std::size_t begin = 0; begin < whole.size(); begin += 512) {
    std::string torn = whole;
    for (std::size_t at = begin; at < std::min(begin + 512, torn.size()); ++at) torn[at] = '\0';
    if (torn == whole) continue;
    EXPECT_NE(refusal_of(torn), "") << begin;
  }
  EXPECT_NE(refusal_of(std::string(whole.size(), '\0')), "");
  EXPECT_NE(refusal_of(whole.substr(0, whole.size() / 2)), "");
  EXPECT_NE(refusal_of(""), "");
}

TEST_F(CheckpointFile, EveryByteCounts) {
  core::Rng rng(1, 2, 3);
  for (std::size_t i = 0; i < 200; ++i) {
    std::string changed = whole;
    const std::size_t at = rng.below(changed.size());
    changed[at] = static_cast<char>(changed[at] ^ (1 << rng.below(8)));
    EXPECT_NE(refusal_of(changed), "") << "byte " << at;
  }
}

TEST_F(CheckpointFile, SaysThatItIsDamagedAndWhatToDo) {
  std::string changed = whole;
  changed[changed.size() - 20] = static_cast<char>(changed[changed.size() - 20] ^ 1);
  EXPECT_THAT(refusal_of(changed),
              AllOf(HasSubstr(path), HasSubstr("damaged"), HasSubstr("`resume`")));
}

}  // namespace
}  // namespace medley::engines
