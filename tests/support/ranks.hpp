// SPDX-License-Identifier: Apache-2.0
// Several ranks in one process: a thread for each, which meet at a barrier and add up in the order
// of their numbers.
#pragma once

#include <atomic>
#include <barrier>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "core/reducer.hpp"

namespace medley::test {

/// Where the ranks meet.
class Meeting {
 public:
  explicit Meeting(std::size_t ranks) : here_(ranks), barrier_(std::ptrdiff_t(ranks)) {}

  [[nodiscard]] std::size_t ranks() const { return here_.size(); }

  /// Waits for all, and gives what they have brought.
  [[nodiscard]] std::vector<std::vector<double>> meet(std::size_t rank,
                                                      std::span<const double> own) {
    here_[rank].assign(own.begin(), own.end());
    arrive();
    std::vector<std::vector<double>> all = here_;
    arrive();  // nobody brings the next before all have taken these
    return all;
  }

  /// Nobody waits for this rank any more, and the others fail where they meet next.
  void leave() {
    failed_ = true;
    barrier_.arrive_and_drop();
  }

  struct OtherFailed : std::runtime_error {
    OtherFailed() : std::runtime_error("another rank has failed") {}
  };

 private:
  void arrive() {
    barrier_.arrive_and_wait();
    if (failed_) throw OtherFailed();
  }

  std::vector<std::vector<double>> here_;
  std::barrier<> barrier_;
  std::atomic<bool> failed_{false};
};

class RankOf final : public core::Reducer {
 public:
  RankOf(Meeting& meeting, std::size_t rank) : meeting_(meeting), rank_(rank) {}

  [[nodiscard]] std::size_t rank() const override { return rank_; }
  [[nodiscard]] std::size_t ranks() const override { return meeting_.ranks(); }

  void sum(std::span<double> numbers) override {
    const auto all = meeting_.meet(rank_, numbers);
    for (const auto& own : all) {
      if (own.size() != numbers.size()) throw std::logic_error("ranks bring unlike numbers");
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] = 0;
      for (const auto& own : all) numbers[i] += own[i];
    }
    ++sums_;
    summed_ += numbers.size();
  }

  [[nodiscard]] std::vector<double> gather(std::span<const double> own) override {
    std::vector<double> out;
    for (const auto& some : meeting_.meet(rank_, own))
      out.insert(out.end(), some.begin(), some.end());
    return out;
  }

  /// How often numbers were added up, and how many.
  [[nodiscard]] std::size_t sums() const { return sums_; }
  [[nodiscard]] std::size_t summed() const { return summed_; }

 private:
  Meeting& meeting_;
  std::size_t rank_, sums_ = 0, summed_ = 0;
};

/// Runs work(rank) once for each of so many ranks at the same time. Rethrows the first failure.
inline void run_ranks(std::size_t ranks, const std::function<void(RankOf&)>& work) {
  Meeting meeting(ranks);
  std::mutex lock;
  std::exception_ptr failure;
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      RankOf own(meeting, rank);
      try {
        work(own);
      } catch (const Meeting::OtherFailed&) {
        meeting.leave();
      } catch (...) {
        meeting.leave();
        const std::scoped_lock locked(lock);
        if (!failure) failure = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace medley::test
