// SPDX-License-Identifier: Apache-2.0
// The processes that mpirun started, by MPI. Every message says first how many bytes
// follow, because MPI counts in int. Nothing waits for ever: a process that hears nothing from
// another for so long throws, and then all are ended.
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <thread>
#include <vector>

#include "medley/error.hpp"
#include "processes.hpp"

namespace medley::cli {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 28;  // bytes of one call of MPI
constexpr int kTag = 7;
double patience = 600;  // seconds
bool several = false;

class Mpi final : public Communicator {
 public:
  Mpi() {
    int number = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    rank_ = static_cast<std::size_t>(number);
    MPI_Comm_size(MPI_COMM_WORLD, &number);
    size_ = static_cast<std::size_t>(number);
  }
  [[nodiscard]] std::size_t rank() const override { return rank_; }
  [[nodiscard]] std::size_t size() const override { return size_; }

  void send(std::size_t to, std::span<const std::byte> bytes) override {
    std::uint64_t length = bytes.size();
    MPI_Request request{};
    MPI_Isend(&length, 1, MPI_UINT64_T, static_cast<int>(to), kTag, MPI_COMM_WORLD, &request);
    finish(request, to);
    for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
      const auto piece = static_cast<int>(std::min(kPiece, bytes.size() - at));
      MPI_Isend(bytes.data() + at, piece, MPI_BYTE, static_cast<int>(to), kTag, MPI_COMM_WORLD,
                &request);
      finish(request, to);
    }
  }

  [[nodiscard]] std::vector<std::byte> receive(std::size_t from) override {
    std::uint64_t length = 0;
    MPI_Request request{};
    MPI_Irecv(&length, 1, MPI_UINT64_T, static_cast<int>(from), kTag, MPI_COMM_WORLD, &request);
    finish(request, from);
    std::vector<std::byte> out(length);
    for (std::size_t at = 0; at < out.size(); at += kPiece) {
      const auto piece = static_cast<int>(std::min(kPiece, out.size() - at));
      MPI_Irecv(out.data() + at, piece, MPI_BYTE, static_cast<int>(from), kTag, MPI_COMM_WORLD,
                &request);
      finish(request, from);
    }
    return out;
  }

 private:
  // Waits, at first without a pause (a sum of small tables takes microseconds), then with short
  // ones.
  static void finish(MPI_Request& request, std::size_t other) {
    using Clock = std::chrono::steady_clock;
    const auto begun = Clock::now();
    for (int done = 0; MPI_Test(&request, &done, MPI_STATUS_IGNORE), done == 0;) {
      const std::chrono::duration<double> waited = Clock::now() - begun;
      if (waited.count() > patience)
        throw RunError(
            fmt::format("process {} has not answered for {:.0f} s (--wait SECONDS waits longer)",
                        other, patience));
      if (waited.count() > 1e-3) std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }

  std::size_t rank_ = 0, size_ = 1;
};

Mpi* all = nullptr;

}  // namespace

MpiSession::MpiSession(int& argc, char**& argv) {
  int given = 0;
  // Shards are threads, of which one at a time speaks for all.
  if (MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &given) != MPI_SUCCESS ||
      given < MPI_THREAD_SERIALIZED)
    throw RunError("this MPI does not allow calls from several threads");
  all = new Mpi;
  several = all->size() > 1;
}

MpiSession::~MpiSession() {
  int finalised = 0;
  MPI_Finalized(&finalised);
  if (finalised == 0) MPI_Finalize();
  delete all;
  all = nullptr;
}

int MpiSession::end(int code) {
  if (several && code != 0) MPI_Abort(MPI_COMM_WORLD, code);  // the others wait for this one
  return code;
}

Communicator* processes() {
  return several ? all : nullptr;
}

bool has_mpi() {
  return true;
}

bool first_process() {
  return all == nullptr || all->rank() == 0;
}

void let_first_speak() {
  if (!first_process()) std::this_thread::sleep_for(std::chrono::milliseconds(500));
}

void wait_at_most(double seconds) {
  patience = seconds;
}

}  // namespace medley::cli
