// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches as function calls, with arguments that are checked and converted.
//
//   void scale(float* data, float factor) {        // in CUDA sources: __global__
//     const auto i = cohort::this_grid().thread_rank();
//     data[i] *= factor;
//   }
//   cohort::error e = cohort::launch(blocks, threads, scale, data, 2.0f);
//   if (e) std::fprintf(stderr, "%s\n", cohort::message(e));
//
// Plain C++ (no CUDA compiler, no plugin; link with cohort::cpu): a kernel is a function or a callable object; the call
// returns when the kernel has ended, and its result also tells what went wrong inside.
// CUDA sources: a kernel is a __global__ function. As with <<<>>>, the call returns when the launch is in its stream,
// what goes wrong inside shows when the stream is waited for, and cudaGetLastError() knows an error that is returned.
#pragma once

#include "base/config.hpp"
#include "base/cuda_error.hpp"
#include "base/dim3.hpp"
#include "group/grid_workspace.hpp"
#include "launch/config.hpp"
#include "launch/error.hpp"
#include "launch/parameters.hpp"
#include "launch/prepare.hpp"

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

// Runs `kernel` for each thread of the grid. Each thread gets copies of the arguments, converted to the parameters'
// types. Called by host code, from any OS thread. The result is a CUDA error number; a failure inside the kernel
// (deadlock, misuse, stack overflow, exception, illegal address) also prints a report to stderr.
template <class... P, class... A>
error launch(const config& c, void (*kernel)(P...), A&&... arguments) {
  return detail::launch_function<false>(c, kernel, static_cast<A&&>(arguments)...);
}
template <class... P, class... A>
error launch(dim3 grid, dim3 block, void (*kernel)(P...), A&&... arguments) {
  return detail::launch_function<false>(config{grid, block}, kernel, static_cast<A&&>(arguments)...);
}

// The same as a cooperative launch: all blocks are resident at once and this_grid().sync() works. One block more than
// the device holds is refused with error 720 (cudaErrorCooperativeLaunchTooLarge) before anything runs, and message()
// says how many fit; with `largest_grid` as the grid, so many are launched.
// A kernel whose first parameter is a cohort::grid_workspace gets one that belongs to this launch; the arguments are
// those of the other parameters.
template <class... P, class... A>
error launch_cooperative(const config& c, void (*kernel)(P...), A&&... arguments) {
  return detail::launch_function<true>(c, kernel, static_cast<A&&>(arguments)...);
}
template <class... P, class... A>
error launch_cooperative(dim3 grid, dim3 block, void (*kernel)(P...), A&&... arguments) {
  return detail::launch_function<true>(config{grid, block}, kernel, static_cast<A&&>(arguments)...);
}

// One cooperative launch of this shape on each of the devices 0 .. devices - 1 (0: on all), which begin and end
// together; in the kernel this_multi_grid() is all of them, and grid_rank() is the number of the device. Returns when
// all grids have ended. An argument per_device(values) is values[i] on device i; a grid_workspace is each grid's own.
// Error 101: there are not so many devices, or the config names one.
template <class... P, class... A>
error launch_multi_device(int devices, const config& c, void (*kernel)(P...), const A&... arguments) {
  if (!kernel) return error(error_invalid_device_function);
  return detail::launch_on_devices(devices, c, kernel, arguments...);
}

#if !COHORT_CUDA_SOURCE
// The same for a callable object (a lambda), which all threads share, as const.
template <class Kernel, class... A, class = decltype(&Kernel::operator())>
error launch(const config& c, const Kernel& kernel, A&&... arguments) {
  static_assert(!detail::takes_workspace_v<typename detail::parameters_of<Kernel>::type>,
                "cohort::launch: a kernel that takes a grid_workspace is launched by cohort::launch_cooperative");
  return detail::launch_one(false, c, kernel, static_cast<A&&>(arguments)...);
}
template <class Kernel, class... A, class = decltype(&Kernel::operator())>
error launch(dim3 grid, dim3 block, const Kernel& kernel, A&&... arguments) {
  return launch(config{grid, block}, kernel, static_cast<A&&>(arguments)...);
}
template <class Kernel, class... A, class = decltype(&Kernel::operator())>
error launch_cooperative(const config& c, const Kernel& kernel, A&&... arguments) {
  return detail::launch_one(true, c, kernel, static_cast<A&&>(arguments)...);
}
template <class Kernel, class... A, class = decltype(&Kernel::operator())>
error launch_cooperative(dim3 grid, dim3 block, const Kernel& kernel, A&&... arguments) {
  return launch_cooperative(config{grid, block}, kernel, static_cast<A&&>(arguments)...);
}
template <class Kernel, class... A, class = decltype(&Kernel::operator())>
error launch_multi_device(int devices, const config& c, const Kernel& kernel, const A&... arguments) {
  return detail::launch_on_devices(devices, c, kernel, arguments...);
}
#endif

}  // namespace cohort
