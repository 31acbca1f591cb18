// SPDX-License-Identifier: Apache-2.0
// A fit in shards has the same bits wherever the shards are. The processes here are threads that
// send each other messages.
#include "engines/shards.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <numeric>
#include <thread>

#include "families/registry.hpp"
#include "medley/fit.hpp"
#include "medley/model.hpp"
#include "support/em.hpp"
#include "support/files.hpp"
#include "support/quick.hpp"
#include "support/toy.hpp"

namespace medley::engines {
namespace {

using Bytes = std::vector<std::byte>;

// Where threads leave messages for each other.
class Post {
 public:
  explicit Post(std::size_t processes) : size_(processes), letters_(processes * processes) {}
  [[nodiscard]] std::size_t size() const { return size_; }

  void put(std::size_t from, std::size_t to, std::span<const std::byte> bytes) {
    const std::scoped_lock locked(lock_);
    letters_[from * size_ + to].emplace_back(bytes.begin(), bytes.end());
    sent_ += bytes.size();
    changed_.notify_all();
  }
  Bytes take(std::size_t from, std::size_t to) {
    std::unique_lock locked(lock_);
    auto& box = letters_[from * size_ + to];
    changed_.wait(locked, [&] { return closed_ || !box.empty(); });
    if (box.empty()) throw RunError("a process has ended");
    Bytes out = std::move(box.front());
    box.pop_front();
    return out;
  }
  // A process has failed: nobody is to wait for it.
  void close() {
    const std::scoped_lock locked(lock_);
    closed_ = true;
    changed_.notify_all();
  }
  [[nodiscard]] std::size_t sent() const { return sent_; }
  [[nodiscard]] bool empty() const {
    return std::ranges::all_of(letters_, [](const auto& box) { return box.empty(); });
  }

 private:
  std::size_t size_;
  std::vector<std::deque<Bytes>> letters_;
  std::mutex lock_;
  std::condition_variable changed_;
  bool closed_ = false;
  std::size_t sent_ = 0;
};

class Process final : public Communicator {
 public:
  Process(Post& post, std::size_t number) : post_(post), number_(number) {}
  [[nodiscard]] std::size_t rank() const override { return number_; }
  [[nodiscard]] std::size_t size() const override { return post_.size(); }
  void send(std::size_t to, std::span<const std::byte> bytes) override {
    post_.put(number_, to, bytes);
  }
  [[nodiscard]] Bytes receive(std::size_t from) override { return post_.take(from, number_); }

 private:
  Post& post_;
  std::size_t number_;
};

// work(process) for so many processes at once; rethrows the first failure.
void in_processes(std::size_t count, const std::function<void(Process&)>& work,
                  std::size_t* sent = nullptr) {
  Post post(count);
  std::mutex lock;
  std::exception_ptr failure;
  std::vector<std::thread> threads;
  for (std::size_t number = 0; number < count; ++number) {
    threads.emplace_back([&, number] {
      Process own(post, number);
      try {
        work(own);
      } catch (...) {
        const std::scoped_lock locked(lock);
        if (!failure) failure = std::current_exception();
        post.close();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
  EXPECT_TRUE(post.empty());
  if (sent != nullptr) *sent = post.sent();
}

// The sum as the header defines it.
double tree_sum(const std::vector<double>& numbers, std::size_t first, std::size_t end) {
  if (end - first == 1) return numbers[first];
  const std::size_t middle = first + (end - first) / 2;
  return tree_sum(numbers, first, middle) + tree_sum(numbers, middle, end);
}

TEST(Shards, SumsAreThoseOfTheTreeInAnyNumberOfProcesses) {
  for (std::size_t shards = 1; shards <= 9; ++shards) {
    std::vector<double> numbers;  // of which the order of the sum shows
    for (std::size_t i = 0; i < shards; ++i) numbers.push_back(std::pow(-7.3, double(i)) / 3);
    const double expected = tree_sum(numbers, 0, shards);
    for (std::size_t processes = 1; processes <= shards; ++processes) {
      in_processes(processes, [&](Process& process) {
        run_shards(shards, process, [&](core::Reducer& across) {
          for (int round = 0; round < 3; ++round) {
            std::vector<double> own{numbers[across.rank()], 1.0};
            across.sum(own);
            EXPECT_EQ(own[0], expected) << shards << " shards, " << processes << " processes";
            EXPECT_EQ(own[1], double(shards));
          }
        });
      });
    }
  }
}

TEST(Shards, WhatIsGatheredIsInTheOrderOfShards) {
  for (std::size_t processes = 1; processes <= 4; ++processes) {
    in_processes(processes, [&](Process& process) {
      run_shards(5, process, [&](core::Reducer& across) {
        const std::vector<double> own(across.rank(), double(across.rank()));  // the first has none
        EXPECT_EQ(across.gather(own), (std::vector<double>{1, 2, 2, 3, 3, 3, 4, 4, 4, 4}));
      });
    });
  }
}

TEST(Shards, AFailureOfOneEndsAll) {
  for (const std::size_t failing : {0U, 3U, 7U}) {
    EXPECT_THROW(in_processes(3,
                              [&](Process& process) {
                                run_shards(8, process, [&](core::Reducer& across) {
                                  std::vector<double> own{1.0};
                                  for (int round = 0; round < 5; ++round) {
                                    if (round == 3 && across.rank() == failing)
                                      throw RunError("planted");
                                    across.sum(own);
                                  }
                                });
                              }),
                 RunError);
  }
}

TEST(Shards, HaveAboutAsManyCellsAndBeginAtMultiplesOfEight) {
  Dataset data = test::dataset({test::random_block(families::categorical_family, 400, 5, 0.2)});
  const std::vector<std::size_t> bounds = shard_bounds(data, 4);
  ASSERT_EQ(bounds.size(), 5U);
  EXPECT_EQ(bounds.front(), 0U);
  EXPECT_EQ(bounds.back(), 400U);
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_EQ(bounds[i] % 8, 0U);
    EXPECT_NEAR(double(bounds[i]), 100.0 * double(i), 16);
  }
  const Dataset few = test::dataset({test::random_block(families::categorical_family, 5, 5, 0.2)});
  for (const std::size_t bound : shard_bounds(few, 8)) EXPECT_TRUE(bound == 0 || bound == 5);
}

Dataset mixed_table(std::size_t rows) {
  std::vector<Block> blocks;
  for (const auto* family : {&families::categorical_family, &families::bernoulli_family,
                             &families::gaussian_family, &families::poisson_family})
    blocks.push_back(test::random_block(*family, rows, 6, 0.2));
  return test::dataset(std::move(blocks));
}

Dataset words(std::size_t rows) {
  return test::dataset({test::random_block(families::tokens_family, rows, 1, 0.0)});
}

struct Case {
  const char* name;
  std::function<Dataset()> data;
  FitOptions options;
};

std::vector<Case> cases() {
  FitOptions options;
  options.components = 3;
  options.max_iterations = 15;
  FitOptions single = options, vb = options, restarts = options, fast = options, gamma = options;
  single.membership = "single";
  vb.estimate = Estimate::vb;
  vb.smoothing = 0.1;
  restarts.restarts = 2;
  restarts.init = "random";
  fast.inference = "fast";
  gamma.membership = "gamma";
  options.inference = "standard";
  return {{"mixed", [] { return mixed_table(120); }, options},
          {"single", [] { return mixed_table(120); }, single},
          {"posteriors", [] { return words(90); }, vb},
          {"restarts", [] { return mixed_table(70); }, restarts},
          {"fast", [] { return mixed_table(100); }, fast},
          {"words", [] { return words(100); }, options},
          {"gamma", [] { return words(100); }, gamma},
          {"fewer rows than shards want", [] { return mixed_table(21); }, options}};
}

TEST(Shards, HaveTheSameBitsInAnyNumberOfProcesses) {
  const std::vector<std::size_t> counts =
      test::quick() ? std::vector<std::size_t>{3} : std::vector<std::size_t>{1, 2, 4, 6};
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const Dataset data = c.data();
    FitOptions options = c.options;
    options.shards = 6;
    if (test::quick()) options.max_iterations = 4;
    const std::string expected = fit(data, options).to_bytes();
    for (const std::size_t processes : counts) {
      std::vector<std::string> found(processes);
      in_processes(processes, [&](Process& process) {
        found[process.rank()] = fit(data, options, process).to_bytes();
      });
      for (const std::string& bytes : found) EXPECT_TRUE(bytes == expected) << processes;
    }
  }
}

TEST(Shards, HaveTheSameBitsAtAnyNumberOfThreads) {
  FitOptions options = cases().front().options;
  options.shards = 3;
  const Dataset data = mixed_table(120);
  options.threads = 1;
  const std::string expected = fit(data, options).to_bytes();
  for (const std::size_t threads : {2U, 7U}) {
    options.threads = threads;
    EXPECT_TRUE(fit(data, options).to_bytes() == expected) << threads;
  }
}

// Another order of sums is all that tells a fit in shards from one without.
TEST(Shards, AgreeWithAFitInOnePieceButForRounding) {
  const Dataset data = mixed_table(160);
  FitOptions options = cases().front().options;
  options.init = "random";
  const Model whole = fit(data, options);
  options.shards = 4;
  const Model parts = fit(data, options);
  EXPECT_NEAR(parts.summary().bound, whole.summary().bound,
              1e-10 * std::abs(whole.summary().bound));
  ASSERT_EQ(parts.sizes().size(), whole.sizes().size());
  for (std::size_t k = 0; k < parts.sizes().size(); ++k)
    EXPECT_NEAR(parts.sizes()[k], whole.sizes()[k], 1e-8);
}

TEST(Shards, WhatNeedsAllRowsIsRefused) {
  FitOptions options;
  options.components = 2;
  options.shards = 3;
  const auto refused = [&](const Dataset& data, const FitOptions& wanted) {
    EXPECT_THROW((void)fit(data, wanted), InputError);
  };
  FitOptions exact = options, correlated = options, batch = options;
  exact.inference = "exact";
  refused(mixed_table(50), exact);
  correlated.membership = "correlated";
  refused(words(50), correlated);
  batch.batch = 10;
  refused(words(50), batch);
  in_processes(1, [&](Process& process) {
    FitOptions fewer = options;
    fewer.inference = "standard";
    EXPECT_NO_THROW((void)fit(mixed_table(50), fewer, process));
  });
  FitOptions fewer = options;
  fewer.shards = 2;
  EXPECT_THROW(
      in_processes(3, [&](Process& process) { (void)fit(mixed_table(50), fewer, process); }),
      InputError);
}

// Stopped after some iterations in so many processes; returns whether it was.
bool stopped(const Dataset& data, const FitOptions& options, std::size_t processes,
             std::size_t iterations) {
  std::atomic<bool> was{false};
  in_processes(processes, [&](Process& process) {
    std::atomic<bool> stop{false};
    Hooks hooks;
    hooks.stop = &stop;
    hooks.progress = [&](const Progress& step) {
      if (step.stage == "fit" && step.iteration >= iterations) stop = true;
    };
    if (fit(data, options, process, hooks).summary().termination == Termination::interrupted)
      was = true;
  });
  return was;
}

TEST(Shards, ResumeInAnotherNumberOfProcessesWithTheSameBytes) {
  const medley::testing::TemporaryFolder folder;
  const Dataset data = mixed_table(120);
  FitOptions options = cases().front().options;
  options.shards = 5;
  const std::string expected = fit(data, options).to_bytes();
  options.checkpoint = folder / "kept";
  options.resume = true;
  ASSERT_TRUE(stopped(data, options, 3, 3));
  ASSERT_TRUE(stopped(data, options, 2, 6));
  in_processes(5, [&](Process& process) {
    EXPECT_TRUE(fit(data, options, process).to_bytes() == expected);
  });
}

// A program that dies while shards write leaves some of them a checkpoint behind the others.
TEST(Shards, GoOnFromTheNewestCheckpointThatAllHave) {
  const medley::testing::TemporaryFolder folder;
  const Dataset data = mixed_table(120);
  FitOptions options = cases().front().options;
  options.shards = 3;
  const std::string expected = fit(data, options).to_bytes();
  options.checkpoint = folder / "kept";
  options.checkpoint_seconds = 0;
  options.resume = true;
  ASSERT_TRUE(stopped(data, options, 1, 5));
  for (const char* shard : {"1", "2", "3"}) {
    for (const char* which : {"a", "b"})
      EXPECT_TRUE(std::filesystem::exists(options.checkpoint + ".shard-" + shard + which));
  }
  const auto newer = [&](const std::string& shard) {
    const std::string a = options.checkpoint + ".shard-" + shard + "a";
    const std::string b = options.checkpoint + ".shard-" + shard + "b";
    return std::filesystem::last_write_time(a) > std::filesystem::last_write_time(b) ? a : b;
  };
  std::filesystem::remove(newer("2"));
  EXPECT_TRUE(fit(data, options).to_bytes() == expected);
}

TEST(Shards, AnInterruptEndsAllOfThem) {
  FitOptions options = cases().front().options;
  options.shards = 4;
  options.max_iterations = 100000;
  options.tolerance = 1e-300;
  const Dataset data = mixed_table(120);
  std::atomic<bool> stop{false};
  Hooks hooks;
  hooks.stop = &stop;
  hooks.progress = [&](const Progress& step) { stop = step.iteration >= 3 && step.stage == "fit"; };
  const Model model = fit(data, options, hooks);
  EXPECT_EQ(model.summary().termination, Termination::interrupted);
}

}  // namespace
}  // namespace medley::engines
