// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaLaunchCooperativeKernelMultiDevice, the launch over several GPUs of CUDA 9 to 12. CUDA 13 has removed it: this
// header declares the function, its flags and its list. CUDA 12's own function does not initialise Cohort's
// multi_grid_group, so a macro redirects its name to Cohort's function.
#pragma once

#include "../../cohort/base/user_macros/off.hpp"

#include <cuda_runtime.h>

#include "../../cohort/launch/cuda/multi_gpu/launch_list.hpp"

#if defined(cudaCooperativeLaunchMultiDeviceNoPreSync)

#define cudaLaunchCooperativeKernelMultiDevice cohort::launch_cooperative_kernel_multi_device

#else

#define cudaCooperativeLaunchMultiDeviceNoPreSync 0x01
#define cudaCooperativeLaunchMultiDeviceNoPostSync 0x02

/// One grid of the list. The grids differ only in arguments, device and stream.
struct cudaLaunchParams {
  void* func;           ///< the kernel
  dim3 gridDim;         ///< blocks of the grid
  dim3 blockDim;        ///< threads of a block
  void** args;          ///< the address of each argument
  size_t sharedMem;     ///< bytes of dynamic shared memory
  cudaStream_t stream;  ///< a stream of the grid's device, not a default stream
};

/// Whether a device supports the launch. CUDA 13 declares the attribute as reserved.
inline constexpr cudaDeviceAttr cudaDevAttrCooperativeMultiDeviceLaunch = cudaDevAttrReserved96;

#endif

namespace cohort {

/// Launches one kernel on several devices, a grid on each; this_multi_grid() contains the threads of all grids. Returns
/// when the grids are in their streams. Any host thread may call it; launches that share a device run one after
/// another.
///
/// The grids begin when all earlier work in any of the streams has ended, and later work in any of them begins when all
/// grids have ended.
/// @param list The grids, one for each device.
/// @param count Number of entries of the list.
/// @param flags cudaCooperativeLaunchMultiDeviceNoPreSync and ...NoPostSync limit the order before and after the grids
/// to
///   each grid's own stream.
/// @return An error if nothing has started: cudaErrorInvalidValue (no or too many entries, unknown flags, entries that
///   differ, a device twice, a shape that the device does not support), cudaErrorInvalidResourceHandle (a default
///   stream, no kernel), cudaErrorInvalidDeviceFunction (null), cudaErrorCooperativeLaunchTooLarge (on the device that
///   holds the fewest blocks), cudaErrorPeerAccessUnsupported, cudaErrorNotSupported,
///   cudaErrorStreamCaptureUnsupported.
template <class Unused = void>
cudaError_t launch_cooperative_kernel_multi_device(cudaLaunchParams* list, unsigned int count, unsigned int flags = 0) {
  return detail::launch_list<Unused>(list, count, flags);
}

}  // namespace cohort

#if !defined(cudaLaunchCooperativeKernelMultiDevice)
/// CUDA's name of cohort::launch_cooperative_kernel_multi_device().
template <class Unused = void>
cudaError_t cudaLaunchCooperativeKernelMultiDevice(cudaLaunchParams* list, unsigned int count, unsigned int flags = 0) {
  return cohort::launch_cooperative_kernel_multi_device<Unused>(list, count, flags);
}
#endif

#include "../../cohort/base/user_macros/on.hpp"
