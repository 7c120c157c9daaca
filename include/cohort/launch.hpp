// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches as function calls, with arguments that are checked and converted. cohort.hpp, the kernel side of the
// library, does not include this header: a source that launches includes it, too.
//
//   void scale(float* data, float factor) {        // in CUDA sources: __global__
//     const auto i = cohort::this_grid().thread_rank();
//     data[i] *= factor;
//   }
//   cohort::error e = cohort::launch(blocks, threads, scale, data, 2.0f);
//   if (e) std::fprintf(stderr, "%s\n", cohort::message(e));
//
// Plain C++ (no CUDA compiler and no plugin; link with cohort::cpu): a kernel is a function or a callable object. The
// call returns when the kernel has ended, and its result includes errors of the kernel.
// CUDA sources: a kernel is a __global__ function. As with <<<>>>, the call returns when the launch is in its stream.
// Errors of the kernel appear when the stream is synchronised. cudaGetLastError() returns what the call returned.
#pragma once

#include "base/user_macros/off.hpp"

#include "base/config.hpp"
#include "base/cuda_error.hpp"
#include "base/dim3.hpp"
#include "group/grid_workspace.hpp"
#include "launch/config.hpp"
#include "launch/error.hpp"
#include "launch/parameters.hpp"
#include "launch/start/prepare.hpp"

namespace cohort {

namespace detail {

template <bool Cooperative, class... P, class... A>
error launch_function(const config& c, void (*kernel)(P...), A&&... arguments) {
  static_assert(Cooperative || !takes_workspace_v<type_list<P...>>,
                "cohort::launch: a kernel that takes a grid_workspace is launched by cohort::launch_cooperative");
  if (!kernel) return error(error_invalid_device_function);
  return launch_one(Cooperative, c, kernel, static_cast<A&&>(arguments)...);
}

}  // namespace detail

/// Launches `kernel` for each thread of a grid. Called by host code from any OS thread. In CUDA sources the call
/// returns when the launch is in its stream, in plain C++ when the kernel has ended.
/// @param c          shape, device and stream
/// @param kernel     the kernel
/// @param arguments  converted to the kernel's parameters; each thread gets copies
/// @return CUDA's error for a refused launch; in plain C++ also for a failed kernel (deadlock, misuse, stack overflow,
///         exception, illegal address), which prints a report to stderr
/// @snippet examples/11_plain_cpp/plain_cpp.cpp launch
template <class... P, class... A>
error launch(const config& c, void (*kernel)(P...), A&&... arguments) {
  return detail::launch_function<false>(c, kernel, static_cast<A&&>(arguments)...);
}

/// Launches `kernel` on the current device, in the default stream, without dynamic shared memory.
/// @param grid       extent of the grid in blocks
/// @param block      extent of a block in threads
/// @param kernel     the kernel
/// @param arguments  converted to the kernel's parameters; each thread gets copies
/// @return CUDA's error for a refused launch; in plain C++ also for a failed kernel
template <class... P, class... A>
error launch(dim3 grid, dim3 block, void (*kernel)(P...), A&&... arguments) {
  return detail::launch_function<false>(config{grid, block}, kernel, static_cast<A&&>(arguments)...);
}

/// Launches `kernel` cooperatively: all blocks are resident at once, so this_grid().sync() works. A kernel whose first
/// parameter is a cohort::grid_workspace gets one that belongs to this launch; `arguments` are those of the other
/// parameters.
/// @param c          shape, device and stream; the grid may be largest_grid
/// @param kernel     the kernel
/// @param arguments  converted to the kernel's parameters; each thread gets copies
/// @return error_cooperative_launch_too_large (720) before anything runs if the device holds fewer blocks than the grid
///         has; error::blocks_fitting() and message() give their number. Other errors as in launch().
template <class... P, class... A>
error launch_cooperative(const config& c, void (*kernel)(P...), A&&... arguments) {
  return detail::launch_function<true>(c, kernel, static_cast<A&&>(arguments)...);
}

/// Launches `kernel` cooperatively on the current device, in the default stream, without dynamic shared memory.
/// @param grid       extent of the grid in blocks, or largest_grid
/// @param block      extent of a block in threads
/// @param kernel     the kernel
/// @param arguments  converted to the kernel's parameters, without a first grid_workspace; each thread gets copies
/// @return as launch_cooperative() with a config
template <class... P, class... A>
error launch_cooperative(dim3 grid, dim3 block, void (*kernel)(P...), A&&... arguments) {
  return detail::launch_function<true>(config{grid, block}, kernel, static_cast<A&&>(arguments)...);
}

/// Launches `kernel` cooperatively on several devices, one grid of this shape on each. The grids begin and end
/// together; in the kernel this_multi_grid() holds all their threads, and its grid_rank() is the number of the device.
/// Returns when all grids have ended.
/// @param devices    the launch uses the devices 0 .. devices - 1; 0: all devices
/// @param c          shape of each grid; `device` is -1
/// @param kernel     the kernel; a grid_workspace parameter is each grid's own
/// @param arguments  converted to the kernel's parameters; device i gets `values[i]` of a per_device argument
/// @return error_invalid_device (101) if there are fewer devices, or the config names one.
///         error_peer_access_unsupported (217) if two GPUs cannot access each other's memory. Other errors are those of
///         launch_cooperative().
template <class... P, class... A>
error launch_multi_device(int devices, const config& c, void (*kernel)(P...), const A&... arguments) {
  if (!kernel) return error(error_invalid_device_function);
  return detail::launch_on_devices(detail::one_process(), devices, c, kernel, arguments...);
}

#if !COHORT_CUDA_SOURCE
/// Launches a callable object, such as a lambda, in plain C++. Returns when the kernel has ended.
/// @param c          shape and device
/// @param kernel     the object; all threads share it as const
/// @param arguments  converted to the parameters of its operator(); each thread gets copies
/// @return CUDA's error for a refused launch or a failed kernel
template <class Kernel, class... A, class = decltype(&Kernel::operator())>
error launch(const config& c, const Kernel& kernel, A&&... arguments) {
  static_assert(!detail::takes_workspace_v<typename detail::parameters_of<Kernel>::type>,
                "cohort::launch: a kernel that takes a grid_workspace is launched by cohort::launch_cooperative");
  return detail::launch_one(false, c, kernel, static_cast<A&&>(arguments)...);
}

/// Launches a callable object on device 0, without dynamic shared memory.
/// @param grid       extent of the grid in blocks
/// @param block      extent of a block in threads
/// @param kernel     the object; all threads share it as const
/// @param arguments  converted to the parameters of its operator(); each thread gets copies
/// @return CUDA's error for a refused launch or a failed kernel
template <class Kernel, class... A, class = decltype(&Kernel::operator())>
error launch(dim3 grid, dim3 block, const Kernel& kernel, A&&... arguments) {
  return launch(config{grid, block}, kernel, static_cast<A&&>(arguments)...);
}

/// Launches a callable object cooperatively. Returns when the kernel has ended.
/// @param c          shape and device; the grid may be largest_grid
/// @param kernel     the object; all threads share it as const
/// @param arguments  converted to the parameters of its operator(), without a first grid_workspace
/// @return as launch_cooperative() of a function
template <class Kernel, class... A, class = decltype(&Kernel::operator())>
error launch_cooperative(const config& c, const Kernel& kernel, A&&... arguments) {
  return detail::launch_one(true, c, kernel, static_cast<A&&>(arguments)...);
}

/// Launches a callable object cooperatively on device 0, without dynamic shared memory.
/// @param grid       extent of the grid in blocks, or largest_grid
/// @param block      extent of a block in threads
/// @param kernel     the object; all threads share it as const
/// @param arguments  converted to the parameters of its operator(), without a first grid_workspace
/// @return as launch_cooperative() of a function
template <class Kernel, class... A, class = decltype(&Kernel::operator())>
error launch_cooperative(dim3 grid, dim3 block, const Kernel& kernel, A&&... arguments) {
  return launch_cooperative(config{grid, block}, kernel, static_cast<A&&>(arguments)...);
}

/// Launches a callable object cooperatively on several devices, one grid of this shape on each. Returns when all grids
/// have ended.
/// @param devices    the launch uses the devices 0 .. devices - 1; 0: all devices
/// @param c          shape of each grid; `device` is -1
/// @param kernel     the object; all threads of all devices share it as const
/// @param arguments  converted to the parameters of its operator(); device i gets `values[i]` of a per_device argument
/// @return as launch_multi_device() of a function
template <class Kernel, class... A, class = decltype(&Kernel::operator())>
error launch_multi_device(int devices, const config& c, const Kernel& kernel, const A&... arguments) {
  return detail::launch_on_devices(detail::one_process(), devices, c, kernel, arguments...);
}
#endif

}  // namespace cohort

#include "base/user_macros/on.hpp"
