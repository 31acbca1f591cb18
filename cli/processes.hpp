// SPDX-License-Identifier: Apache-2.0
// The processes of `mpirun -n R medley-mpi ...`, of which this is one. The program medley, and
// medley-mpi without mpirun, are alone.
#pragma once

#include "medley/fit.hpp"

namespace medley::cli {

/// Begins and ends what MPI needs; one for the whole run of the program.
class MpiSession {
 public:
  MpiSession(int& argc, char**& argv);
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  /// How the program ends: with several processes a failure of one ends them all.
  [[nodiscard]] int end(int code);
};

/// All of them; null: this process is alone.
[[nodiscard]] Communicator* processes();
/// Whether there can be several.
[[nodiscard]] bool has_mpi();
/// Whether this process speaks and writes for all.
[[nodiscard]] bool first_process();
/// What is wrong on all processes is to be said once: the others wait a moment, in which the first
/// speaks and ends them.
void let_first_speak();
/// How long a process waits for another before it gives up.
void wait_at_most(double seconds);

}  // namespace medley::cli
