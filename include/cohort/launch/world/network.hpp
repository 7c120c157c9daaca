// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a program's world finds a network: world_mpi.hpp registers one.
#pragma once

#include "../../machine/cpu/world_port.hpp"

namespace cohort {
namespace detail {

// Connects this process to the others that its launcher started. `made` stays false in a process that is alone.
// Returns an error number.
using network_opener = int (*)(cohort_network* network, bool* made);

// The opener of this program; null without a network.
inline network_opener& registered_opener() {
  static network_opener opener = nullptr;
  return opener;
}

}  // namespace detail
}  // namespace cohort
