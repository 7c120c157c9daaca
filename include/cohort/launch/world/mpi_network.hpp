// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A network of MPI processes, for any MPI of version 3.1 or later. It only moves bytes: the library combines values in
// the written order, never by an MPI_Op. Compiled in the program, because each MPI has its own binary interface.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <vector>

#include "../../base/cuda_error.hpp"
#include "../../machine/cpu/world_port.hpp"
#include "../mpi/mpi_abort.hpp"
#include "../mpi/mpi_header.hpp"
#if defined(OPEN_MPI) && OPEN_MPI
#include <mpi-ext.h>
#endif

namespace cohort {
namespace detail {

class mpi_network {
 public:
  // Connects to the processes of `comm`. `owns_mpi`: MPI ends with this object.
  static int open(MPI_Comm comm, bool owns_mpi, cohort_network* table) {
    auto* n = new mpi_network(owns_mpi);
    if (n->connect(comm) != MPI_SUCCESS) return error_initialization_error;
    *table = {n,
              static_cast<uint32_t>(n->process_),
              static_cast<uint32_t>(n->processes_),
              gather,
              gather_varying,
              swap,
              test,
              allocate,
              release,
              abort_all,
              close};
    return 0;
  }

 private:
  // Symmetric memory of one allocation.
  struct allocation {
    MPI_Win window;
  };

  explicit mpi_network(bool owns_mpi) : owns_mpi_(owns_mpi) {}
  static mpi_network& of(void* state) { return *static_cast<mpi_network*>(state); }

  // Makes communicators of its own, so no message of the program is mistaken for one of a world.
  int connect(MPI_Comm comm) {
    int failed = MPI_Comm_dup(comm, &all_);
    if (failed == MPI_SUCCESS) failed = MPI_Comm_set_errhandler(all_, MPI_ERRORS_RETURN);
    if (failed == MPI_SUCCESS) failed = MPI_Comm_rank(all_, &process_);
    if (failed == MPI_SUCCESS) failed = MPI_Comm_size(all_, &processes_);
    if (failed == MPI_SUCCESS) failed = connect_host();
    if (failed == MPI_SUCCESS) failed = MPI_Type_contiguous(cohort_network_unit, MPI_BYTE, &unit_);
    if (failed == MPI_SUCCESS) failed = MPI_Type_commit(&unit_);
    counts_.resize(4 * static_cast<size_t>(processes_));
    return failed;
  }

  // Connects the processes that share memory with this one. COHORT_WORLD_SHARED=0: none, as if each were on a separate
  // host.
  int connect_host() {
    const int failed = cohort_world_shares_memory() != 0
                           ? MPI_Comm_split_type(all_, MPI_COMM_TYPE_SHARED, process_, MPI_INFO_NULL, &host_)
                           : MPI_Comm_split(all_, process_, 0, &host_);
    if (failed != MPI_SUCCESS) return failed;
    int size = 0;
    MPI_Comm_size(host_, &size);
    host_processes_.resize(static_cast<size_t>(size));
    return MPI_Allgather(&process_, 1, MPI_INT, host_processes_.data(), 1, MPI_INT, host_);
  }

  static int gather(void* state, const void* mine, void* all, size_t bytes) {
    mpi_network& n = of(state);
    const int count = static_cast<int>(bytes);
    return MPI_Iallgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, n.all_, &n.request_);
  }

  // Writes counts and displacements in units to `counts`: first all counts, then all displacements.
  int* in_units(const size_t* bytes, int* counts) const {
    size_t sum = 0;
    for (int p = 0; p < processes_; ++p) {
      counts[p] = static_cast<int>(bytes[p] / cohort_network_unit);
      counts[processes_ + p] = static_cast<int>(sum);
      sum += bytes[p] / cohort_network_unit;
    }
    return counts;
  }

  static int gather_varying(void* state, const void* mine, void* all, const size_t* bytes) {
    mpi_network& n = of(state);
    const int* const counts = n.in_units(bytes, n.counts_.data());
    return MPI_Iallgatherv(mine, counts[n.process_], n.unit_, all, counts, counts + n.processes_, n.unit_, n.all_,
                           &n.request_);
  }

  static int swap(void* state, const void* mine, const size_t* to, void* all, const size_t* from) {
    mpi_network& n = of(state);
    const int* const sent = n.in_units(to, n.counts_.data());
    const int* const taken = n.in_units(from, n.counts_.data() + 2 * static_cast<size_t>(n.processes_));
    return MPI_Ialltoallv(mine, sent, sent + n.processes_, n.unit_, all, taken, taken + n.processes_, n.unit_, n.all_,
                          &n.request_);
  }

  static int test(void* state, char* why, size_t size) {
    mpi_network& n = of(state);
    int done = 0;
    const int failed = MPI_Test(&n.request_, &done, MPI_STATUS_IGNORE);
    if (failed == MPI_SUCCESS) return done != 0 ? 1 : 0;
    if (!n.describe_failed_process(why, size)) {
      char text[MPI_MAX_ERROR_STRING];
      int length = 0;
      MPI_Error_string(failed, text, &length);
      ::snprintf(why, size, "MPI reports an error: %s", text);
    }
    return -1;
  }

  // Names a process that has failed, if MPI has fault tolerance (ULFM).
  bool describe_failed_process(char* why, size_t size) const {
#if defined(OMPI_HAVE_MPI_EXT_FTMPI)
    MPI_Group failed = MPI_GROUP_NULL, everyone = MPI_GROUP_NULL;
    int count = 0, first = 0, process = MPI_UNDEFINED;
    if (MPIX_Comm_failure_ack(all_) != MPI_SUCCESS) return false;
    if (MPIX_Comm_failure_get_acked(all_, &failed) != MPI_SUCCESS) return false;
    MPI_Group_size(failed, &count);
    if (count == 0) return false;
    MPI_Comm_group(all_, &everyone);
    MPI_Group_translate_ranks(failed, 1, &first, everyone, &process);
    ::snprintf(why, size, "MPI reports that process %d of %d has ended", process, processes_);
    return true;
#else
    static_cast<void>(why);
    static_cast<void>(size);
    return false;
#endif
  }

  static void* allocate(void* state, size_t bytes, void** of_process) {
    mpi_network& n = of(state);
    auto* made = new allocation{MPI_WIN_NULL};
    void* mine = nullptr;
    // Allocates one more unit than needed, so that each process can align its memory.
    if (MPI_Win_allocate_shared(static_cast<MPI_Aint>(bytes + cohort_network_unit), 1, MPI_INFO_NULL, n.host_, &mine,
                                &made->window) != MPI_SUCCESS) {
      delete made;
      return nullptr;
    }
    for (size_t p = 0; p < n.host_processes_.size(); ++p) {
      MPI_Aint size = 0;
      int unit = 0;
      void* begin = nullptr;
      MPI_Win_shared_query(made->window, static_cast<int>(p), &size, &unit, &begin);
      of_process[n.host_processes_[p]] = begin;
    }
    return n.align(of_process, made);
  }

  // Processes may map the memory at addresses of different alignment, so each uses its own offset.
  void* align(void** of_process, allocation* made) {
    const uintptr_t begin = reinterpret_cast<uintptr_t>(of_process[process_]);
    const int mine = static_cast<int>((cohort_network_unit - begin % cohort_network_unit) % cohort_network_unit);
    std::vector<int> offsets(host_processes_.size());
    MPI_Allgather(&mine, 1, MPI_INT, offsets.data(), 1, MPI_INT, host_);
    for (size_t p = 0; p < host_processes_.size(); ++p) {
      void*& address = of_process[host_processes_[p]];
      address = static_cast<char*>(address) + offsets[p];
    }
    return made;
  }

  static void release(void*, void* handle) {
    auto* const made = static_cast<allocation*>(handle);
    MPI_Win_free(&made->window);
    delete made;
  }

  static void abort_all(void* state) { abort_in_turn(of(state).all_); }

  static void close(void* state) {
    mpi_network* const n = &of(state);
    MPI_Type_free(&n->unit_);
    MPI_Comm_free(&n->host_);
    MPI_Comm_free(&n->all_);
    if (n->owns_mpi_) MPI_Finalize();
    delete n;
  }

  bool owns_mpi_;
  MPI_Comm all_ = MPI_COMM_NULL;
  MPI_Comm host_ = MPI_COMM_NULL;  // the processes that share memory with this one
  std::vector<int> host_processes_;
  int process_ = 0, processes_ = 1;
  MPI_Datatype unit_ = MPI_DATATYPE_NULL;
  MPI_Request request_ = MPI_REQUEST_NULL;
  std::vector<int> counts_;  // counts and displacements, in units, of the sent and the received data
};

}  // namespace detail
}  // namespace cohort
