// SPDX-License-Identifier: Apache-2.0
#include "core/task.hpp"

#include "medley/error.hpp"

namespace medley::core {
namespace {

thread_local const Task* in_force = nullptr;

constexpr double kTellEvery = 0.1;  // seconds

}  // namespace

Task::Task(const Hooks& hooks) : outer_(in_force), stop_(hooks.stop), hooks_(&hooks) {
  if (stop_ != nullptr && stop_->load()) throw Interrupted();
  in_force = this;
}

Task::Task(const std::atomic<bool>* stop) : outer_(in_force), stop_(stop), hooks_(nullptr) {
  in_force = this;
}

Task::~Task() {
  in_force = outer_;
}

const Task* Task::current() {
  return in_force;
}

bool Task::stopped() const {
  for (const Task* task = this; task != nullptr; task = task->outer_) {
    if (task->stop_ != nullptr && task->stop_->load(std::memory_order_relaxed)) return true;
  }
  return false;
}

bool Task::stoppable() const {
  const Task* task = this;
  while (task != nullptr && task->stop_ == nullptr) task = task->outer_;
  return task != nullptr;
}

const Task* Task::told() {
  const Task* task = in_force;
  while (task != nullptr && task->hooks_ != nullptr && !task->hooks_->progress) task = task->outer_;
  return task != nullptr && task->hooks_ != nullptr ? task : nullptr;
}

bool may_be_stopped() {
  return in_force != nullptr && in_force->stoppable();
}

bool asked_to_stop() {
  return in_force != nullptr && in_force->stopped();
}

void stop_if_asked() {
  if (asked_to_stop()) throw Interrupted();
}

InTask::InTask(const Task* task) : before_(in_force) {
  in_force = task;
}

InTask::~InTask() {
  in_force = before_;
}

Stage::Stage(const char* name, std::size_t rows)
    : name_(name), rows_(rows), begun_(std::chrono::steady_clock::now()) {
  const Task* task = Task::told();
  Stage* none = nullptr;
  if (task == nullptr || !task->stage_.compare_exchange_strong(none, this)) return;
  task_ = task;
  tell(0);
}

Stage::~Stage() {
  if (task_ != nullptr) task_->stage_ = nullptr;
}

void Stage::add(std::size_t rows) {
  if (task_ == nullptr) return;
  done_ += rows;
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
  double told = told_;
  if (seconds - told >= kTellEvery && told_.compare_exchange_strong(told, seconds)) tell(seconds);
}

void advance(std::size_t rows) {
  const Task* task = Task::told();
  Stage* stage = task == nullptr ? nullptr : task->stage_.load();
  if (stage != nullptr) stage->add(rows);
}

void Stage::tell(double seconds) const {
  Progress p;
  p.stage = name_;
  p.rows_seen = done_;
  p.rows_all = rows_;
  p.seconds = seconds;
  if (p.rows_seen > 0 && rows_ > 0) {
    const auto done = static_cast<double>(p.rows_seen);
    p.seconds_left = seconds * (static_cast<double>(rows_) - done) / done;
  }
  const std::scoped_lock lock(task_->telling_);
  task_->hooks_->progress(p);
}

}  // namespace medley::core
