// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// world: the processes of a job, for the host's side of a program.
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "../../base/cuda_error.hpp"
#include "../../base/types.hpp"
#include "../error.hpp"
#include "network.hpp"

namespace cohort {

namespace detail {
struct world_access;
}

/// The action after a process of a world was lost: it was killed, has stopped, or cannot be reached.
enum class loss {
  abort,  ///< the loss is reported and all processes end; the default
  keep    ///< the loss is reported, and the launch returns an error. The world can no longer be used.
};

/// The processes that a launcher started together, or this process alone. Each device of each process is a rank;
/// usually a process has one device (COHORT_DEVICES), on GPUs always: open() makes it current. One world at a time is
/// open in a process.
///
/// Functions marked as collective are called by all processes in the same order. A process that does not come within
/// COHORT_TIMEOUT seconds is reported as lost.
class world {
  using calls = detail::world_calls;

 public:
  world() = default;
  world(const world&) = delete;
  world& operator=(const world&) = delete;
  /// Closes the world: collective. Frees its symmetric memory.
  ~world() { static_cast<void>(close()); }

  /// Opens the world of the processes that the launcher started. Without a launcher this process is alone, and no
  /// network is needed. Collective.
  /// @param w  a world that is not open
  /// @return error_not_supported (801) if a launcher started several processes and the program has no network: it
  ///         must include <cohort/world_mpi.hpp> and link cohort::mpi. On GPUs processes can also meet over a file,
  ///         which COHORT_WORLD_FILE names (docs/world.md)
  static error open(world& w) {
    if (w.handle_ != nullptr) return error(error_invalid_value);
    calls::network network{};
    bool made = false;
    if (const detail::network_opener opener = detail::registered_opener()) {
      if (const int failed = opener(&network, &made)) return error(failed);
    } else if (calls::launched_processes() > 1) {
      ::fprintf(stderr,
                "cohort: world: %u processes were started together, but the program has no network: include "
                "<cohort/world_mpi.hpp> and link cohort::mpi\n",
                calls::launched_processes());
      return error(error_not_supported);
    }
    return error(calls::open(made ? &network : nullptr, &w.handle_));
  }

  /// Closes the world, if it is open. Collective.
  /// @return an error if another process does something else, or was lost
  error close() {
    calls::world* const open = handle_;
    handle_ = nullptr;
    return error(open != nullptr ? calls::close(open) : 0);
  }

  /// The first rank of this process; 0 if the world is not open.
  int rank() const { return handle_ == nullptr ? 0 : static_cast<int>(calls::first_rank(handle_)); }
  /// Number of ranks of all processes.
  int size() const { return handle_ == nullptr ? 0 : static_cast<int>(calls::ranks(handle_)); }
  /// Number of ranks of each process: its devices.
  int local_size() const { return handle_ == nullptr ? 0 : static_cast<int>(calls::local_ranks(handle_)); }
  /// Whether a process was lost. The world can then no longer be used.
  bool is_lost() const { return handle_ != nullptr && calls::is_lost(handle_) != 0; }
  /// Sets what happens after the loss of a process.
  void on_loss(loss action) {
    if (handle_ != nullptr) calls::keep_after_loss(handle_, action == loss::keep ? 1 : 0);
  }

  /// Allocates symmetric memory: zero-filled, for each rank the same number of elements. Collective.
  /// @param p  becomes the memory of this process's first rank, 64-byte aligned. Kernels find that of other ranks with
  ///           world_group::on() and write to it with put().
  /// @param n  number of elements, the same in all processes
  /// @tparam T  a type of plain bytes
  template <class T>
  error allocate(T*& p, size_t n) {
    static_assert(detail::is_trivially_copyable_v<T>, "world::allocate: symmetric memory holds plain bytes");
    p = nullptr;
    if (handle_ == nullptr || n > static_cast<size_t>(-1) / 2 / sizeof(T)) return error(error_invalid_value);
    void* memory = nullptr;
    const int failed = calls::allocate(handle_, n * sizeof(T), &memory);
    p = static_cast<T*>(memory);
    return error(failed);
  }
  /// Frees symmetric memory. Collective.
  /// @param p  the result of allocate(); becomes null
  template <class T>
  error free(T*& p) {
    T* const memory = p;
    p = nullptr;
    return error(handle_ != nullptr ? calls::free(handle_, memory) : static_cast<int>(error_invalid_value));
  }

  /// Finds the location of `p` in the symmetric memory of a rank.
  /// @param p  an address in the symmetric memory of a rank of this process
  /// @param rank  the rank
  /// @return the address; null for a rank on another host, and for other memory. On GPUs it is memory of a device: the
  ///         host copies from and to it with cudaMemcpy.
  template <class T>
  T* on(T* p, int rank) const {
    if (handle_ == nullptr || rank < 0) return nullptr;
    return static_cast<T*>(calls::on(handle_, p, static_cast<uint32_t>(rank)));
  }

 private:
  friend struct detail::world_access;
  calls::world* handle_ = nullptr;
};

namespace detail {

// The library's access to the private members of a world.
struct world_access {
  static world_calls::world* handle(const world& w) { return w.handle_; }
  // Opens the world of a given network.
  static error open(world& w, const world_calls::network& network) {
    return error(w.handle_ != nullptr ? static_cast<int>(error_invalid_value)
                                      : world_calls::open(&network, &w.handle_));
  }
};

}  // namespace detail
}  // namespace cohort
