// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The end of a job whose world is lost.
#pragma once

#include <chrono>
#include <thread>

#include "mpi_header.hpp"

namespace cohort {
namespace detail {

// Ends all processes of the job. All ranks find the loss at about the same time, and the launcher of Open MPI 5.0 hangs
// in one of ten cases if several ranks abort at once. So each rank waits 0.1 s for each rank below it.
inline void abort_in_turn(MPI_Comm all) {
  int rank = 0;
  MPI_Comm_rank(all, &rank);
  std::this_thread::sleep_for(std::chrono::milliseconds(100 * (rank < 10 ? rank : 10)));
  MPI_Abort(all, 1);
}

}  // namespace detail
}  // namespace cohort
