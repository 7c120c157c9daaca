// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a program's world finds a network: world_mpi.hpp registers one.
#pragma once

#include "../../base/config.hpp"
#if COHORT_ON_GPU
#include "../cuda/world/world_calls.hpp"
#else
#include "../engine/world_calls.hpp"
#endif

namespace cohort {
namespace detail {

// Connects this process to the others that its launcher started. `made` stays false in a single process. Returns an
// error number.
using network_opener = int (*)(world_calls::network* network, bool* made);

// The opener of this program. Without <cohort/world_mpi.hpp> it is null on CPUs; on GPUs it is open_file_network(), by
// which processes connect through a file.
inline network_opener& registered_opener() {
#if COHORT_ON_GPU
  static network_opener opener = open_file_network;
#else
  static network_opener opener = nullptr;
#endif
  return opener;
}

}  // namespace detail
}  // namespace cohort
