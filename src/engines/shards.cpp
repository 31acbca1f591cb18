// SPDX-License-Identifier: Apache-2.0
#include "engines/shards.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "core/parallel.hpp"
#include "core/task.hpp"
#include "core/text.hpp"
#include "data/select_rows.hpp"
#include "engines/fit_share.hpp"
#include "engines/registry.hpp"
#include "model/resolve.hpp"

namespace medley::engines {
namespace {

constexpr std::size_t kTogether = 8;  // rows that are inferred side by side

using Numbers = std::vector<double>;

/// Another shard has failed: whoever waits for it ends.
struct OtherFailed : std::exception {
  [[nodiscard]] const char* what() const noexcept override { return "another shard has failed"; }
};

// The first shard of every process, and the number of shards.
std::vector<std::size_t> runs_of(std::size_t shards, std::size_t processes) {
  std::vector<std::size_t> first;
  for (std::size_t p = 0; p <= processes; ++p) first.push_back(p * shards / processes);
  return first;
}

void send_numbers(Communicator& processes, std::size_t to, std::span<const double> numbers) {
  processes.send(to, std::as_bytes(numbers));
}

Numbers receive_numbers(Communicator& processes, std::size_t from) {
  const std::vector<std::byte> bytes = processes.receive(from);
  if (bytes.size() % sizeof(double) != 0)
    throw RunError("the processes of this fit do not run the same program");
  Numbers out(bytes.size() / sizeof(double));
  if (!bytes.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

// Where the shards of this process meet, and through them all processes. One shard, the last to
// come, does for all what has to be done once.
class Meeting {
 public:
  Meeting(std::size_t shards, Communicator& processes)
      : processes_(processes),
        first_of_(runs_of(shards, processes.size())),
        first_(first_of_[processes.rank()]),
        end_(first_of_[processes.rank() + 1]),
        brought_(end_ - first_) {}

  [[nodiscard]] std::size_t shards() const { return first_of_.back(); }
  [[nodiscard]] std::size_t first() const { return first_; }
  [[nodiscard]] std::size_t end() const { return end_; }

  /// The sum of what all shards bring, in place.
  void sum(std::size_t shard, std::span<double> numbers) {
    meet(shard, numbers, [this] {
      std::optional<Numbers> whole = sum_of(0, shards());
      return share(std::move(whole));
    });
    if (result_.size() != numbers.size())
      throw RunError("the shards of this fit do not bring as many numbers each");
    std::ranges::copy(result_, numbers.begin());
    leave_result();
  }

  /// What all shards bring, one after the other.
  [[nodiscard]] Numbers gather(std::size_t shard, std::span<const double> own) {
    meet(shard, own, [this] { return all_in_order(); });
    Numbers out = result_;
    leave_result();
    return out;
  }

  /// Nobody waits for this shard any more.
  void fail() {
    const std::scoped_lock locked(lock_);
    failed_ = true;
    changed_.notify_all();
  }

 private:
  template <class Work>
  void meet(std::size_t shard, std::span<const double> own, Work&& work) {
    std::unique_lock locked(lock_);
    // The result before has been taken by all.
    changed_.wait(locked, [&] { return failed_ || taking_ == 0; });
    if (failed_) throw OtherFailed();
    brought_[shard - first_] = own;
    const std::size_t round = round_;
    if (++here_ == brought_.size()) {
      try {
        result_ = work();
      } catch (...) {
        failed_ = true;
        changed_.notify_all();
        throw;
      }
      here_ = 0;
      taking_ = brought_.size();
      ++round_;
      changed_.notify_all();
      return;
    }
    changed_.wait(locked, [&] { return failed_ || round_ != round; });
    if (round_ == round) throw OtherFailed();
  }

  void leave_result() {
    const std::scoped_lock locked(lock_);
    if (--taking_ == 0) changed_.notify_all();
  }

  [[nodiscard]] std::size_t process_of(std::size_t shard) const {
    const auto after = std::ranges::upper_bound(first_of_, shard);
    return static_cast<std::size_t>(after - first_of_.begin()) - 1;
  }
  [[nodiscard]] bool has_some_of(std::size_t first, std::size_t end) const {
    return first < end_ && first_ < end;
  }

  // The sum of shards [first, end), in the process that has the first of them; the others that have
  // some of them lend a hand, and get nothing.
  std::optional<Numbers> sum_of(std::size_t first, std::size_t end) {
    if (!has_some_of(first, end)) return std::nullopt;
    if (end - first == 1) {
      const std::span<const double> own = brought_[first - first_];
      return Numbers(own.begin(), own.end());
    }
    const std::size_t middle = first + (end - first) / 2;
    const std::size_t home = process_of(first), other = process_of(middle),
                      here = processes_.rank();
    std::optional<Numbers> left = sum_of(first, middle);
    std::optional<Numbers> right = sum_of(middle, end);
    if (home != other) {
      if (here == other) send_numbers(processes_, home, right.value());
      if (here == home) right = receive_numbers(processes_, other);
    }
    if (here != home) return std::nullopt;
    if (left->size() != right->size())
      throw RunError("the shards of this fit do not bring as many numbers each");
    for (std::size_t i = 0; i < left->size(); ++i) (*left)[i] += (*right)[i];
    return left;
  }

  // From process 0 to all, along a binary tree of processes.
  Numbers share(std::optional<Numbers> whole) {
    const std::size_t here = processes_.rank(), all = processes_.size();
    std::size_t step = 1;
    while (step < all) step *= 2;
    for (step /= 2; step > 0; step /= 2) {
      const bool sends = here % (2 * step) == 0, receives = here % (2 * step) == step;
      if (sends && here + step < all) send_numbers(processes_, here + step, whole.value());
      if (receives) whole = receive_numbers(processes_, here - step);
    }
    return std::move(whole).value();
  }

  Numbers all_in_order() {
    Numbers own;
    for (const std::span<const double> some : brought_)
      own.insert(own.end(), some.begin(), some.end());
    if (processes_.rank() != 0) {
      send_numbers(processes_, 0, own);
      return share(std::nullopt);
    }
    for (std::size_t p = 1; p < processes_.size(); ++p) {
      const Numbers more = receive_numbers(processes_, p);
      own.insert(own.end(), more.begin(), more.end());
    }
    return share(std::move(own));
  }

  Communicator& processes_;
  const std::vector<std::size_t> first_of_;
  const std::size_t first_, end_;
  std::vector<std::span<const double>> brought_;
  Numbers result_;
  std::mutex lock_;
  std::condition_variable changed_;
  std::size_t here_ = 0, taking_ = 0, round_ = 0;
  bool failed_ = false;
};

class Shard final : public core::Reducer {
 public:
  Shard(Meeting& meeting, std::size_t number) : meeting_(meeting), number_(number) {}
  [[nodiscard]] std::size_t rank() const override { return number_; }
  [[nodiscard]] std::size_t ranks() const override { return meeting_.shards(); }
  void sum(std::span<double> numbers) override { meeting_.sum(number_, numbers); }
  [[nodiscard]] std::vector<double> gather(std::span<const double> own) override {
    return meeting_.gather(number_, own);
  }

 private:
  Meeting& meeting_;
  const std::size_t number_;
};

class OneProcess final : public Communicator {
 public:
  [[nodiscard]] std::size_t rank() const override { return 0; }
  [[nodiscard]] std::size_t size() const override { return 1; }
  void send(std::size_t /*to*/, std::span<const std::byte> /*bytes*/) override { nobody(); }
  [[nodiscard]] std::vector<std::byte> receive(std::size_t /*from*/) override { nobody(); }

 private:
  [[noreturn]] static void nobody() { throw RunError("there is no other process"); }
};

// What all shards are to do, decided once from all rows: none decides otherwise from its own.
model::Resolved resolve_for_shards(const Dataset& data, const FitOptions& options) {
  const model::Resolved first = model::resolve(data, options);
  FitOptions wanted = options;
  // What nobody asked for must not stand in the way.
  if (options.inference.empty() && !engine_of(*first.inference).spreads)
    wanted.inference = "standard";
  if (options.init.empty() && first.options.init == "collapsed") wanted.init = "sample";
  return model::resolve(data, wanted);
}

}  // namespace

std::vector<std::size_t> shard_bounds(const Dataset& data, std::size_t shards) {
  // A row costs its cells, and a little of its own.
  std::vector<double> cost(data.rows + 1, 0.0);
  for (std::size_t row = 0; row < data.rows; ++row) {
    double cells = 1;
    for (const Block& block : data.blocks)
      cells += static_cast<double>(block.row_start[row + 1] - block.row_start[row]);
    cost[row + 1] = cost[row] + cells;
  }
  std::vector<std::size_t> out{0};
  for (std::size_t shard = 1; shard < shards; ++shard) {
    const double wanted = cost.back() * static_cast<double>(shard) / static_cast<double>(shards);
    const auto at = std::ranges::lower_bound(cost, wanted);
    const auto row = static_cast<std::size_t>(at - cost.begin());
    out.push_back(std::min(data.rows, (row + kTogether / 2) / kTogether * kTogether));
  }
  out.push_back(data.rows);
  return out;
}

void run_shards(std::size_t shards, Communicator& processes,
                const std::function<void(core::Reducer&)>& work) {
  Meeting meeting(shards, processes);
  std::mutex lock;
  std::exception_ptr failure;
  const auto run = [&](std::size_t number) {
    Shard own(meeting, number);
    try {
      work(own);
    } catch (const OtherFailed&) {
      meeting.fail();
    } catch (...) {
      meeting.fail();
      const std::scoped_lock locked(lock);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  try {
    for (std::size_t number = meeting.first(); number < meeting.end(); ++number)
      threads.emplace_back(run, number);
  } catch (const std::system_error&) {
    meeting.fail();
    failure =
        std::make_exception_ptr(RunError("no thread could be made for every shard (use fewer "
                                         "shards, or raise the limit on processes)"));
  }
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

namespace {

Model fit_in(const Dataset& data, const FitOptions& options, const Hooks& hooks,
             Communicator& processes) {
  const std::size_t shards = options.shards;
  if (shards < processes.size())
    throw InputError({core::setting("shards", shards),
                      "is less than the number of processes, " + std::to_string(processes.size()),
                      "a process needs a shard at least"});
  const model::Resolved resolved = resolve_for_shards(data, options);
  const std::vector<std::size_t> bounds = shard_bounds(data, shards);
  const std::vector<std::size_t> runs = runs_of(shards, processes.size());
  const std::size_t first = runs[processes.rank()], here = runs[processes.rank() + 1] - first;
  std::optional<Model> model;
  run_shards(shards, processes, [&](core::Reducer& across) {
    const std::size_t number = across.rank();
    std::vector<std::size_t> rows(bounds[number + 1] - bounds[number]);
    std::iota(rows.begin(), rows.end(), bounds[number]);
    model::Resolved own = resolved;
    own.options.threads = std::max<std::size_t>(1, core::thread_count(options.threads) / here);
    Hooks hooks_here = number == 0 ? hooks : Hooks{{}, hooks.stop};
    Model fitted = fit_share(data::select_rows(data, rows), std::move(own), hooks_here, across);
    if (number == first) model = std::move(fitted);
  });
  return std::move(model).value();
}

}  // namespace

Model fit_shards(const Dataset& data, const FitOptions& options, const Hooks& hooks) {
  OneProcess alone;
  return fit_in(data, options, hooks, alone);
}

}  // namespace medley::engines

namespace medley {

Model fit(const Dataset& data, const FitOptions& options, Communicator& processes,
          const Hooks& hooks) {
  const core::Task task(hooks.stop);
  FitOptions all = options;
  if (all.shards == 0) all.shards = processes.size();
  return engines::fit_in(data, all, hooks, processes);
}

}  // namespace medley
