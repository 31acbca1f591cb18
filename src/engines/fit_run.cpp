// SPDX-License-Identifier: Apache-2.0
#include "engines/fit_run.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/files.hpp"
#include "core/task.hpp"
#include "engines/checkpoint.hpp"
#include "medley/error.hpp"
#include "medley/io.hpp"

namespace medley::engines {
namespace {

// Seconds that the checkpoint of a fit that was asked to stop may take: all is to be over in two.
constexpr std::chrono::duration<double> kMayTake(1.0);
constexpr const char* kNumber = "checkpoint.number";

}  // namespace

FitRun::FitRun(const FitOptions& options, const Hooks& hooks, core::Reducer& across)
    : hooks_(hooks),
      across_(across),
      path_(options.checkpoint),
      resume_(options.resume),
      every_(options.checkpoint_seconds) {
  if (!keeps()) return;
  remove_abandoned(file_of(0));
  if (!across_.alone()) remove_abandoned(file_of(1));
}

void FitRun::identify(const std::function<std::string()>& fingerprint) {
  if (keeps()) fingerprint_ = fingerprint();
}

double FitRun::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
}

void FitRun::tell(Progress progress) const {
  if (!heard()) return;
  progress.seconds = seconds();
  hooks_.progress(progress);
}

std::string FitRun::file_of(std::size_t number) const {
  if (across_.alone()) return path_;
  return path_ + ".shard-" + std::to_string(across_.rank() + 1) + (number % 2 == 0 ? "a" : "b");
}

bool FitRun::resumes() const {
  return keeps() && resume_ && std::filesystem::exists(path_);
}

std::string FitRun::resumed_file() {
  if (across_.alone()) return resumes() ? path_ : "";
  if (!keeps() || !resume_) return "";
  std::array<double, 2> own{-1, -1};  // the numbers of our files; below 0: there is none
  for (std::size_t which = 0; which < own.size(); ++which) {
    if (!std::filesystem::exists(file_of(which))) continue;
    const core::TensorFile file = load_checkpoint(file_of(which), fingerprint_);
    own[which] = static_cast<double>(file.integers(kNumber, 1).front());
  }
  const std::vector<double> all = across_.gather(own);
  // The newest that every rank has.
  double newest = -1;
  for (const double number : own) {
    bool everywhere = true;
    for (std::size_t rank = 0; rank < across_.ranks(); ++rank)
      everywhere = everywhere && (all[2 * rank] == number || all[2 * rank + 1] == number);
    if (everywhere) newest = std::max(newest, number);
  }
  if (newest < 0) return "";
  number_ = integer_of<std::size_t>(newest) + 1;
  return file_of(number_ - 1);
}

bool FitRun::due() const {
  if (!keeps()) return false;
  const bool now = seconds() - written_ > every_;
  return across_.alone() ? now : core::any_of(across_, now);
}

void FitRun::keep(const std::function<core::TensorFile()>& make) {
  if (!keeps()) return;
  const core::Haste haste(hooks_.stop, kMayTake);
  const auto failed = [&](const std::exception& error) {
    if (hooks_.stop != nullptr && hooks_.stop->load()) return true;
    if (hooks_.warn && !failing_)
      hooks_.warn(std::string("the fit goes on without a checkpoint: ") + error.what());
    failing_ = true;
    return false;
  };
  try {
    const std::size_t number = number_++;  // also where it cannot be written: ranks count alike
    core::TensorFile file = make();
    if (!across_.alone())
      file.put(kNumber, std::vector<std::int64_t>{static_cast<std::int64_t>(number)});
    save_checkpoint(file_of(number), fingerprint_, std::move(file));
    failing_ = false;
    whole_ = seconds();
  } catch (const core::OutOfTime&) {
    if (hooks_.warn) hooks_.warn(too_large());
  } catch (const RunError& error) {
    if (failed(error)) throw;
  } catch (const InputError& error) {  // the folder has gone
    if (failed(error)) throw;
  }
  written_ = seconds();
}

std::string FitRun::too_large() const {
  std::string text = "the state of the fit is too large to be written in time: ";
  if (!whole_) return text + "there is no checkpoint of this run";
  const auto ago = nearest_integer_of<long long>(std::round(seconds() - *whole_));
  return text + "the checkpoint is that of " + std::to_string(ago) + " s ago";
}

// One rank must not stop while others wait for it: all look at the same time.
void FitRun::stop_if_asked() const {
  if (across_.alone()) return core::stop_if_asked();
  const bool asked = hooks_.stop != nullptr && hooks_.stop->load();
  if (core::any_of(across_, asked)) throw Interrupted();
}

void FitRun::summarise(FitSummary& summary) const {
  summary.seconds = seconds();
  summary.peak_bytes = core::peak_memory();
}

}  // namespace medley::engines
