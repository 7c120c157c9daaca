// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The connection of the processes of a world on GPUs: their number, and the id under which NCCL joins them.
#pragma once

#include <stdint.h>

#include "nccl.hpp"

namespace cohort {
namespace detail {

// The NCCL network of a world. id_file.hpp and <cohort/world_mpi.hpp> open it. `abort` and `close` may be null.
struct gpu_network {
  void* state;
  uint32_t process;    // number of this process
  uint32_t processes;  // number of processes in the world
  ncclUniqueId id;
  void (*abort)(void* state);      // ends all processes of the world; may return
  void (*connected)(void* state);  // called once all processes have used the id
  void (*close)(void* state);      // frees the network. Collective; may block
};

}  // namespace detail
}  // namespace cohort
