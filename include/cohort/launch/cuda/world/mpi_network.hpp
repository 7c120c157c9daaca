// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Connects the processes of an MPI communicator whose GPUs form a world. MPI transports the id and ends the job; the
// GPUs communicate without it.
#pragma once

#include "../../../base/cuda_error.hpp"
#include "../../mpi/mpi_abort.hpp"
#include "../../mpi/mpi_header.hpp"
#include "process_world.hpp"

namespace cohort {
namespace detail {

class mpi_network {
 public:
  // Makes a network of the processes of `comm`. Returns an error number; `owns_mpi`: MPI ends with this object.
  static int open(MPI_Comm comm, bool owns_mpi, gpu_network* table) {
    MPI_Comm all = MPI_COMM_NULL, host = MPI_COMM_NULL;
    int process = 0, processes = 1, on_host = 1;
    if (MPI_Comm_dup(comm, &all) != MPI_SUCCESS) return error_initialization_error;
    MPI_Comm_rank(all, &process);
    MPI_Comm_size(all, &processes);
    MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, process, MPI_INFO_NULL, &host);
    MPI_Comm_size(host, &on_host);
    MPI_Comm_free(&host);
    int smallest = on_host;
    MPI_Allreduce(&on_host, &smallest, 1, MPI_INT, MPI_MIN, all);
    if (smallest != processes) {
      MPI_Comm_free(&all);
      print_world_report("rank " + std::to_string(process) + " of " + std::to_string(processes) + " runs on " +
                         host_place::here().describe() + " with " + std::to_string(on_host - 1) + " of the others; " +
                         host_place::rule);
      if (owns_mpi) MPI_Finalize();
      return error_not_supported;
    }
    *table = {};
    table->process = static_cast<uint32_t>(process);
    table->processes = static_cast<uint32_t>(processes);
    int failed = process == 0 && ncclGetUniqueId(&table->id) != ncclSuccess ? 1 : 0;
    MPI_Bcast(&failed, 1, MPI_INT, 0, all);
    MPI_Bcast(&table->id, sizeof table->id, MPI_BYTE, 0, all);
    if (failed != 0) return error_initialization_error;
    table->state = new mpi_network(all, owns_mpi);
    table->abort = abort_all;
    table->close = close;
    return error_none;
  }

 private:
  mpi_network(MPI_Comm all, bool owns_mpi) : all_(all), owns_mpi_(owns_mpi) {}

  static void abort_all(void* state) { abort_in_turn(static_cast<mpi_network*>(state)->all_); }
  static void close(void* state) {
    mpi_network* const n = static_cast<mpi_network*>(state);
    MPI_Comm_free(&n->all_);
    if (n->owns_mpi_) MPI_Finalize();
    delete n;
  }

  MPI_Comm all_;
  bool owns_mpi_;
};

}  // namespace detail
}  // namespace cohort
