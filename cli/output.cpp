// SPDX-License-Identifier: Apache-2.0
#include "output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "medley/error.hpp"
#include "medley/report.hpp"
#include "signals.hpp"
#include "terminal.hpp"

namespace medley::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBuffer = std::size_t{1} << 16;

bool is_stdout(const std::string& path) {
  return path.empty() || path == "-";
}

/// The file a path leads to, through symbolic links; the path itself if there is none yet.
std::string resolved(const std::string& path) {
  std::error_code ignored;
  const fs::path real = fs::weakly_canonical(path, ignored);
  return ignored || real.empty() ? path : real.string();
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return fs::equivalent(a, b, ignored) || resolved(a) == resolved(b);
}

/// What is wrong with writing to this place at all; empty if nothing.
std::string objection(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return fmt::format("\"{}\" is a folder", path);
  fs::path folder = fs::path(resolved(path)).parent_path();
  if (folder.empty()) folder = ".";
  if (!fs::is_directory(folder, ignored))
    return fmt::format("there is no folder \"{}\"", folder.string());
  if (access(folder.c_str(), W_OK) != 0 && !fs::exists(path, ignored)) {
    return fmt::format("the folder \"{}\" may not be written to", folder.string());
  }
  return "";
}

}  // namespace

Output::Output(const std::string& path, Text text) {
  if (is_stdout(path)) {
    descriptor_ = STDOUT_FILENO;
    make_safe_ = text == Text::as_in_files && isatty(STDOUT_FILENO) != 0;
    return;
  }
  path_ = path;
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail(errno);
    return;
  }
  file_ = std::make_unique<WholeFile>(path);
  remove_if_killed(file_->temporary());
}

Output::~Output() {
  if (path_.empty()) return;
  if (descriptor_ >= 0) ::close(descriptor_);
  file_.reset();
  remove_if_killed("");
}

void Output::fail(int cause) {
  if (cause == EPIPE) throw PipeClosed{};
  throw RunError(fmt::format("could not write {}: {}",
                             path_.empty() ? "to standard output" : "\"" + path_ + "\"",
                             std::strerror(cause)));
}

void Output::write(std::string_view text) {
  if (make_safe_) {
    buffer_ += printable(text, true);
  } else {
    buffer_ += text;
  }
  if (buffer_.size() >= kBuffer) flush();
}

void Output::flush() {
  write_out(buffer_);
  buffer_.clear();
}

void Output::write_out(std::string_view text) {
  if (file_ != nullptr) {
    file_->write(text);
    return;
  }
  while (!text.empty()) {
    if (stop_asked()) throw Interrupted();
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Output::commit() {
  flush();
  if (path_.empty()) return;
  if (file_ != nullptr) {
    file_->commit();
    return;
  }
  if (::close(std::exchange(descriptor_, -1)) != 0) fail(errno);
}

void write_text(const std::string& path, std::string_view text, Text kind) {
  Output output(path, kind);
  output.write(text);
  output.commit();
}

void check_destinations(const std::vector<Destination>& destinations,
                        const std::vector<std::string>& inputs) {
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < destinations.size(); ++i) {
    const auto& [option, path] = destinations[i];
    if (is_stdout(path)) continue;
    const std::string reason = objection(path);
    if (!reason.empty())
      problems.push_back({option, reason, "give the name of a file in a folder that exists"});
    for (const std::string& input : inputs) {
      if (!is_stdout(input) && same_file(path, input)) {
        problems.push_back(
            {option, fmt::format("\"{}\" is read by this command", path), "choose another file"});
        break;
      }
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (!is_stdout(destinations[j].path) && same_file(path, destinations[j].path)) {
        problems.push_back(
            {option, fmt::format("\"{}\" is also the file of {}", path, destinations[j].option),
             "choose another file"});
      }
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace medley::cli
