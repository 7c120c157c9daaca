// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens worlds over MPI: starts MPI if the program has not, and registers itself with world::open().
#pragma once

#include <stdio.h>

#include "../../base/config.hpp"
#include "../../base/cuda_error.hpp"
#include "../mpi/mpi_header.hpp"
#include "network.hpp"
#if COHORT_ON_GPU
#include "../cuda/world/mpi_network.hpp"
#else
#include "mpi_network.hpp"
#endif

namespace cohort {
namespace detail {

// Starts MPI unless the program has done so, and connects the processes of MPI_COMM_WORLD. A single process needs no
// MPI, and does not start it.
inline int open_mpi_network(world_calls::network* network, bool* made) {
  int started = 0, ended = 0, provided = MPI_THREAD_SINGLE;
  MPI_Initialized(&started);
  MPI_Finalized(&ended);
  *made = false;
  if (started == 0 && world_calls::launched_processes() <= 1) return 0;
  if (ended != 0) {
    ::fprintf(stderr, "cohort: world: MPI has ended in this process (MPI_Finalize), and cannot start again\n");
    return error_initialization_error;
  }
  if (started == 0) {
    if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS) {
      return error_initialization_error;
    }
  } else {
    MPI_Query_thread(&provided);
  }
  if (provided < MPI_THREAD_SERIALIZED) {
    ::fprintf(stderr,
              "cohort: world: several threads call MPI, one at a time: initialise it with MPI_Init_thread and "
              "MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE\n");
    return error_not_supported;
  }
  *made = true;
  return mpi_network::open(MPI_COMM_WORLD, started == 0, network);
}

inline const bool mpi_is_registered = (registered_opener() = open_mpi_network) != nullptr;

}  // namespace detail
}  // namespace cohort
