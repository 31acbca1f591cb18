// SPDX-License-Identifier: Apache-2.0
// Fits that are stopped from another thread at any moment: in the middle of an iteration, of the
// start, of what follows the last iteration, of scoring.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <optional>
#include <ostream>
#include <random>
#include <string>
#include <thread>

#include "core/safetensors.hpp"
#include "medley/error.hpp"
#include "medley/fit.hpp"
#include "model/model.hpp"
#include "model/model_file.hpp"
#include "support/files.hpp"
#include "support/quick.hpp"

namespace medley::engines {
namespace {

using std::chrono::microseconds;

std::string tensors_of(const Model& model) {
  return core::serialise_tensors(model::to_tensors(model.parts()));
}

// Sets a flag after a while.
class Alarm {
 public:
  explicit Alarm(microseconds after)
      : thread_([this, after] {
          const auto until = std::chrono::steady_clock::now() + after;
          while (!over_ && std::chrono::steady_clock::now() < until)
            std::this_thread::sleep_for(microseconds(20));
          flag_ = true;
        }) {}
  ~Alarm() {
    over_ = true;
    thread_.join();
  }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;
  [[nodiscard]] const std::atomic<bool>* flag() const { return &flag_; }

 private:
  std::atomic<bool> flag_{false}, over_{false};
  std::thread thread_;
};

struct Kind {
  const char* name;
  bool words;
  void (*set)(FitOptions&);
};

void PrintTo(const Kind& kind, std::ostream* out) {
  *out << kind.name;
}

class Interrupting : public ::testing::TestWithParam<Kind> {
 public:
  Interrupting() {
    options.components = 3;
    options.threads = 2;
    options.max_iterations = 60;
    GetParam().set(options);
  }
  Dataset data = GetParam().words ? test::corpus(200) : test::survey(120);
  FitOptions options;
};

// What is interrupted again and again, and taken up each time, ends with the same bytes; whatever
// is returned on the way can be saved and loaded.
TEST_P(Interrupting, AnywhereItLosesNothing) {
  const medley::testing::TemporaryFolder folder;
  const auto begun = std::chrono::steady_clock::now();
  const std::string straight = tensors_of(fit(data, options));
  const auto took =
      std::chrono::duration_cast<microseconds>(std::chrono::steady_clock::now() - begun);
  options.checkpoint = folder / "checkpoint";
  options.resume = true;
  std::mt19937_64 random(7);
  const std::size_t repeats = test::quick() ? 3 : 12;
  for (std::size_t repeat = 0; repeat < repeats; ++repeat) {
    std::filesystem::remove(options.checkpoint);
    std::string end;
    // Each turn is given more time, so that it ends at last.
    for (std::size_t turn = 1; end.empty(); ++turn) {
      const auto most = static_cast<std::uint64_t>(took.count()) * turn / 4 + 100;
      const Alarm alarm(microseconds(random() % most));
      Hooks hooks;
      hooks.stop = alarm.flag();
      std::optional<Model> model;
      try {
        model = fit(data, options, hooks);
      } catch (const Interrupted&) {
        continue;  // before there was anything
      }
      if (model->summary().termination != Termination::interrupted) {
        end = tensors_of(*model);
        break;
      }
      EXPECT_TRUE(std::isnan(model->summary().bound));
      double sizes = 0;
      for (const double size : model->sizes()) sizes += size;
      EXPECT_NEAR(sizes, 1, 1e-6);
      model->save(folder / "so-far.medley");
      EXPECT_NO_THROW((void)Model::load(folder / "so-far.medley"));
    }
    ASSERT_TRUE(end == straight) << GetParam().name << ", repeat " << repeat;
  }
}

// Without a checkpoint too the tables are sound.
TEST_P(Interrupting, ReturnsAModelThatCanBeUsed) {
  const auto begun = std::chrono::steady_clock::now();
  (void)fit(data, options);
  const auto took =
      std::chrono::duration_cast<microseconds>(std::chrono::steady_clock::now() - begun);
  std::mt19937_64 random(11);
  for (std::size_t repeat = 0; repeat < 8; ++repeat) {
    const Alarm alarm(microseconds(random() % (static_cast<std::uint64_t>(took.count()) + 1)));
    Hooks hooks;
    hooks.stop = alarm.flag();
    try {
      const Model model = fit(data, options, hooks);
      const std::string bytes = tensors_of(model);
      const auto parts = model::from_tensors(core::parse_tensors(bytes, "memory"));
      EXPECT_EQ(parts->schema.sources.size(), data.schema.sources.size());
    } catch (const Interrupted&) {
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Fits, Interrupting,
    ::testing::Values(Kind{"gom", false, [](FitOptions& o) { o.model = "gom"; }},
                    Kind{"standard, restarts", false,
                         [](FitOptions& o) {
                           o.model = "gom";
                           o.inference = "standard";
                           o.restarts = 2;
                         }},
                    Kind{"fast", true, [](FitOptions& o) { o.inference = "fast"; }},
                    Kind{"standard words", true,
                         [](FitOptions& o) {
                           o.inference = "standard";
                           o.init = "sample";
                         }},
                    Kind{"posterior", true,
                         [](FitOptions& o) {
                           o.inference = "standard";
                           o.estimate = Estimate::vb;
                         }},
                    Kind{"exact", false,
                         [](FitOptions& o) {
                           o.model = "gom";
                           o.inference = "exact";
                         }},
                    Kind{"monte-carlo", false,
                         [](FitOptions& o) {
                           o.model = "gom";
                           o.inference = "monte-carlo";
                           o.max_iterations = 40;
                         }},
                    Kind{"collapsed", true, [](FitOptions& o) { o.inference = "collapsed"; }},
                    Kind{"after collapsed", true,
                         [](FitOptions& o) {
                           o.inference = "standard";
                           o.init = "collapsed";
                         }},
                    Kind{"single", false, [](FitOptions& o) { o.model = "mnb"; }},
                    Kind{"correlated", true,
                         [](FitOptions& o) {
                           o.membership = "correlated";
                           o.max_iterations = 25;
                         }},
                    Kind{"gamma", true,
                         [](FitOptions& o) {
                           o.membership = "gamma";
                           o.max_iterations = 25;
                         }},
                    Kind{"minibatches", true, [](FitOptions& o) { o.batch = 40; }},
                    Kind{"collapsed minibatches", true,
                         [](FitOptions& o) {
                           o.batch = 40;
                           o.inference = "collapsed";
                         }},
                    Kind{"gom-bayes", false,
                         [](FitOptions& o) {
                           o.model = "gom-bayes";
                           o.chains.chains = 2;
                           o.chains.sweeps = 60;
                         }},
                    Kind{"dp-mixture", false, [](FitOptions& o) {
                           o.model = "dp-mixture";
                           o.components = 0;
                           o.chains.chains = 2;
                           o.chains.sweeps = 60;
                         }}));

}  // namespace
}  // namespace medley::engines
