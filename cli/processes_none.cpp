// SPDX-License-Identifier: Apache-2.0
// The program without MPI is alone. Several copies of it that mpirun started would all do the same
// work and write the same file, so they are refused.
#include <array>
#include <cstdlib>
#include <string>

#include "medley/error.hpp"
#include "processes.hpp"

namespace medley::cli {

MpiSession::MpiSession(int& /*argc*/, char**& /*argv*/) {
  // What the launchers of MPICH and Open MPI say of the number of processes.
  static constexpr std::array<const char*, 2> kSizes = {"PMI_SIZE", "OMPI_COMM_WORLD_SIZE"};
  for (const char* name : kSizes) {
    const char* text = std::getenv(name);
    if (text != nullptr && std::string(text) != "1")
      throw InputError({"mpirun", "this program does not know of other processes",
                        "start medley-mpi, which -DMEDLEY_MPI=ON builds"});
  }
}

MpiSession::~MpiSession() = default;

int MpiSession::end(int code) {
  return code;
}

Communicator* processes() {
  return nullptr;
}

bool has_mpi() {
  return false;
}

bool first_process() {
  return true;
}

void let_first_speak() {}

void wait_at_most(double /*seconds*/) {}

}  // namespace medley::cli
