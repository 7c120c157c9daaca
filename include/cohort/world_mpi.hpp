// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// <cohort/world.hpp> for programs of several processes, over MPI. Link the CMake target cohort::mpi, or compile with
// the flags of mpicxx. world::open() then connects the processes that mpirun, srun or `cohort run` started.
//
// While a launch over a world runs, several OS threads call MPI, one at a time. A program that calls MPI itself
// initialises it with MPI_THREAD_SERIALIZED, or with MPI_THREAD_MULTIPLE if it does so during a launch.
#pragma once

#include "base/user_macros/off.hpp"

#include "launch/world/mpi_opener.hpp"
#include "world.hpp"

namespace cohort {

/// Opens the world of the processes of a communicator. MPI stays the program's own: closing the world does not end it.
/// Collective over `comm`.
/// @param w     a world that is not open
/// @param comm  the processes; duplicated
/// @return error_initialization_error (3) if MPI refuses
inline error open_world(world& w, MPI_Comm comm) {
  detail::world_calls::network network{};
  if (const int failed = detail::mpi_network::open(comm, false, &network)) return error(failed);
  return detail::world_access::open(w, network);
}

}  // namespace cohort

#include "base/user_macros/on.hpp"
