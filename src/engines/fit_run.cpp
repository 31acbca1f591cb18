// SPDX-License-Identifier: Apache-2.0
#include "engines/fit_run.hpp"

#include <cmath>
#include <filesystem>
#include <utility>

#include "core/files.hpp"
#include "core/task.hpp"
#include "engines/checkpoint.hpp"
#include "medley/error.hpp"
#include "medley/io.hpp"

namespace medley::engines {
namespace {

// Seconds that the checkpoint of a fit that was asked to stop may take: all is to be over in two.
constexpr std::chrono::duration<double> kMayTake(1.0);

}  // namespace

FitRun::FitRun(const FitOptions& options, const Hooks& hooks, core::Reducer& across)
    : hooks_(hooks),
      across_(across),
      path_(options.checkpoint),
      resume_(options.resume),
      every_(options.checkpoint_seconds) {
  if (keeps()) remove_abandoned(path_);
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

bool FitRun::resumes() const {
  return keeps() && resume_ && std::filesystem::exists(path_);
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
    save_checkpoint(path_, fingerprint_, make());
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
