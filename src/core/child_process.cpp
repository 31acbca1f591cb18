// SPDX-License-Identifier: Apache-2.0
#include "core/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <new>
#include <system_error>
#include <utility>

#include "core/task.hpp"
#include "medley/error.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MEDLEY_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define MEDLEY_SANITIZED 1
#endif
#endif

namespace medley::core {

#ifdef MEDLEY_SANITIZED
const bool kChildMemoryIsLimited = false;
#else
const bool kChildMemoryIsLimited = true;
#endif

namespace {

constexpr std::size_t kPipePiece = std::size_t{1} << 16;
// Exit codes of the child.
constexpr int kWorkFailed = 1, kNoMemory = 2, kNobodyReads = 3;
// The child may open a few more files: character sets are loaded from files when they are needed.
constexpr rlim_t kMoreFiles = 8;

/// The child's end of the pipe.
class PipeWriter final : public FileWriter {
 public:
  explicit PipeWriter(int pipe) : pipe_(pipe) {}
  using FileWriter::write;
  void write(std::span<const std::byte> bytes) override {
    while (!bytes.empty()) {
      const ssize_t written = ::write(pipe_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) ::_exit(kNobodyReads);
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }

 private:
  int pipe_;
};

/// Bytes of address space of this process, 0 if unknown.
std::size_t address_space() {
  std::ifstream file("/proc/self/statm");
  std::size_t pages = 0;
  file >> pages;
  const long page = ::sysconf(_SC_PAGESIZE);
  return file && page > 0 ? pages * static_cast<std::size_t>(page) : 0;
}

void set_limit(decltype(RLIMIT_AS) what, rlim_t soft, rlim_t hard) {
  struct rlimit old{};
  // The hard limit may already be lower; it cannot be raised.
  if (::getrlimit(what, &old) == 0) hard = std::min(hard, old.rlim_max);
  const struct rlimit limit{std::min(soft, hard), hard};
  ::setrlimit(what, &limit);
}

void set_limits(const ChildLimits& limits, std::size_t in_use, int highest_file) {
  if (kChildMemoryIsLimited && in_use > 0) {
    const rlim_t memory = in_use + std::min(limits.memory, RLIM_INFINITY / 2 - in_use);
    set_limit(RLIMIT_AS, memory, memory);
  }
  // Past the soft limit the kernel sends SIGXCPU; if that is blocked, SIGKILL a second later.
  set_limit(RLIMIT_CPU, limits.processor_seconds, limits.processor_seconds + 1);
  set_limit(RLIMIT_CORE, 0, 0);
  set_limit(RLIMIT_FSIZE, 0, 0);
  set_limit(RLIMIT_NPROC, 0, 0);
  const rlim_t files = static_cast<rlim_t>(highest_file) + 1 + kMoreFiles;
  set_limit(RLIMIT_NOFILE, files, files);
}

/// Resets signal handling in the child: the parent's handlers must not run here, and a crash must
/// end the child at once by its own signal. Ctrl-C and SIGHUP reach both processes; the parent
/// decides, and if it exits the child exits.
void reset_signals(pid_t parent) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU, SIGPIPE, SIGTERM})
    std::signal(signal, SIG_DFL);
  for (const int signal : {SIGINT, SIGHUP}) std::signal(signal, SIG_IGN);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kNobodyReads);  // it was gone before the line above
}

/// Standard streams become /dev/null; everything else but `first` and `second` is closed.
void let_go_of_files(int first, int second) {
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (standard == first || standard == second) continue;
    if (nowhere >= 0) {
      ::dup2(nowhere, standard);
    } else {
      ::close(standard);
    }
  }
  const auto close_between = [](int low, int high) {  // both exclusive
    low = std::max(low, STDERR_FILENO);
    if (low + 1 < high)
      ::close_range(static_cast<unsigned>(low + 1), static_cast<unsigned>(high - 1), 0);
  };
  close_between(STDERR_FILENO, std::min(first, second));
  close_between(std::min(first, second), std::max(first, second));
  ::close_range(static_cast<unsigned>(std::max({first, second, STDERR_FILENO})) + 1, ~0U, 0);
}

/// Runs the child from start to end. _exit() prevents it from running the parent's exit handlers
/// and from writing the parent's stream buffers.
[[noreturn]] void live(int pipe, int input, const ChildLimits& limits, std::size_t in_use,
                       pid_t parent, const std::function<void(FileWriter&)>& work) noexcept {
  reset_signals(parent);
  let_go_of_files(pipe, input);
  set_limits(limits, in_use, std::max(pipe, input));
  try {
    PipeWriter output(pipe);
    work(output);
  } catch (const std::bad_alloc&) {
    ::_exit(kNoMemory);
  } catch (...) {
    ::_exit(kWorkFailed);
  }
  ::_exit(0);
}

constexpr const char* kDamaged = "the file is damaged or made to do harm; get a fresh copy";

/// The parent's end of the pipe.
class ChildOutput final : public ByteSource {
 public:
  ChildOutput(std::string name, int pipe, const ChildLimits& limits)
      : name_(std::move(name)), pipe_(pipe), limits_(limits), buffer_(kPipePiece, '\0') {}
  ChildOutput(const ChildOutput&) = delete;
  ChildOutput& operator=(const ChildOutput&) = delete;
  ~ChildOutput() override {
    ::close(pipe_);
    if (child_ > 0) end_child();
  }

  /// From now on this object terminates and reaps the child.
  void adopt(pid_t child) { child_ = child; }
  [[nodiscard]] const std::string& name() const override { return name_; }

  std::string_view next() override {
    if (child_ <= 0) return {};
    for (;;) {
      wait_for_bytes();
      const ssize_t got = ::read(pipe_, buffer_.data(), buffer_.size());
      if (got > 0) return {buffer_.data(), static_cast<std::size_t>(got)};
      if (got == 0) break;
      if (errno != EINTR && errno != EAGAIN) fail(in_words(errno), "");
    }
    judge(end_child());
    return {};
  }

 private:
  static std::string in_words(int error) { return std::generic_category().message(error); }

  [[noreturn]] void fail(const std::string& why, const std::string& remedy) const {
    throw InputError({name_, "could not be read: " + why, remedy});
  }

  void wait_for_bytes() {
    struct pollfd waiting{pipe_, POLLIN, 0};
    const int milliseconds = static_cast<int>(std::min(limits_.silent_seconds, 1U << 20U)) * 1000;
    for (;;) {
      stop_if_asked();
      const int ready = ::poll(&waiting, 1, milliseconds);
      if (ready > 0) return;
      if (ready < 0 && errno != EINTR) fail(in_words(errno), "");
      if (ready == 0) {
        end_child();
        fail("the reader was silent for " + std::to_string(limits_.silent_seconds) + " seconds",
             "check that the disk answers; if it does, " + std::string(kDamaged));
      }
    }
  }

  /// Returns the child's status as waitpid() gives it. The signal ends a child that still runs; if
  /// the child closed its end of the pipe by dying, its status is already decided.
  int end_child() {
    const pid_t child = std::exchange(child_, -1);
    ::kill(child, SIGKILL);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0) {
      if (errno != EINTR) return 0;  // someone else waited for it: how it ended is not known
    }
    return status;
  }

  void judge(int status) const {
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    if (WIFEXITED(status) && WEXITSTATUS(status) == kNoMemory) {
      fail("it needs more memory than the " + std::to_string(limits_.memory >> 20U) +
               " MB allowed for parsing it",
           kDamaged);
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
      fail("the reader did not finish within " + std::to_string(limits_.processor_seconds) +
               " seconds",
           kDamaged);
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
      fail("the reader was killed", "perhaps memory ran out; try again with more of it free");
    }
    fail("the reader crashed", kDamaged);
  }

  std::string name_;
  pid_t child_ = -1;  // -1 before it is there and once it is gone
  int pipe_;
  ChildLimits limits_;
  std::string buffer_;
};

}  // namespace

std::unique_ptr<ByteSource> run_in_child(const std::string& name, int input,
                                         const ChildLimits& limits,
                                         const std::function<void(FileWriter& output)>& work) {
  int ends[2] = {-1, -1};  // to read from, to write to
  const auto cannot = [&name](int error) {
    return RunError(name + ": no process could be started to read it: " +
                    std::generic_category().message(error));
  };
  if (::pipe2(ends, O_CLOEXEC) != 0) throw cannot(errno);
  auto output = std::make_unique<ChildOutput>(name, ends[0], limits);
  const std::size_t in_use = address_space();
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) live(ends[1], input, limits, in_use, parent, work);
  const int error = errno;
  ::close(ends[1]);
  if (child < 0) throw cannot(error);
  output->adopt(child);
  return output;
}

}  // namespace medley::core
