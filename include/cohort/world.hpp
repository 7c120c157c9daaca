// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches over several processes, on one host or on several: the host's side. Kernels use cohort::this_world().
//
//   cohort::world w;
//   if (auto e = cohort::world::open(w)) return 1;      // the processes that mpirun started, or this one alone
//   double* x;
//   if (w.allocate(x, n)) return 1;                     // symmetric memory
//   if (cohort::launch_world(w, {blocks, threads}, kernel, x, n)) return 1;
//
// This header has no network in it. A program for several processes includes <cohort/world_mpi.hpp> instead and links
// cohort::mpi. With nvcc each process has a GPU: NCCL connects them, and the program links cohort::nccl. docs/world.md
// is the guide.
#pragma once

#include "base/user_macros/off.hpp"

#include "base/config.hpp"
#include "launch.hpp"
#include "launch/world/launch.hpp"
#include "launch/world/world.hpp"

namespace cohort {

/// Launches `kernel` cooperatively on all ranks of a world, one grid of this shape on each. The grids begin and end
/// together; in the kernel this_world() holds all their threads. Returns when all grids have ended. Collective: all
/// processes launch the same kernel with the same shape.
/// @param w          an open world
/// @param c          shape of each grid; `device` is -1. The blocks of largest_grid are those that fit on every device.
/// @param kernel     the kernel; a grid_workspace parameter is each grid's own
/// @param arguments  converted to the kernel's parameters. Each process passes its own; in a process with several
///                   devices, device i gets `values[i]` of a per_device argument.
/// @return an error in all processes if a process was refused, failed or was lost. Errors are those of
///         launch_multi_device(), and error_launch_failure (719) for a failure of another process, after a report.
/// @snippet examples/14_world_sum/world_sum.cpp launch_world
template <class... P, class... A>
error launch_world(world& w, const config& c, void (*kernel)(P...), const A&... arguments) {
  detail::world_calls::world* const handle = detail::world_access::handle(w);
  if (handle == nullptr) return error(error_invalid_value);
  const detail::all_processes processes(handle);
  if (!kernel) return error(processes.refuse(error_invalid_device_function));
  return detail::launch_on_devices(processes, w.local_size(), c, kernel, arguments...);
}

/// Launches a callable object, such as a lambda, cooperatively on all ranks of a world, in plain C++.
/// @param w          an open world
/// @param c          shape of each grid; `device` is -1
/// @param kernel     the object; the threads of a process share it as const
/// @param arguments  converted to the parameters of its operator()
/// @return as launch_world() of a function
template <class Kernel, class... A, class = decltype(&Kernel::operator())>
error launch_world(world& w, const config& c, const Kernel& kernel, const A&... arguments) {
  detail::world_calls::world* const handle = detail::world_access::handle(w);
  if (handle == nullptr) return error(error_invalid_value);
  return detail::launch_on_devices(detail::all_processes(handle), w.local_size(), c, kernel, arguments...);
}

}  // namespace cohort

#include "base/user_macros/on.hpp"
