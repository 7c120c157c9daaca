// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launch over several GPUs under its name of CUDA 9 to 12. CUDA 13 has no declaration of it any more: here it is,
// with its flags and its list. In CUDA 12 the runtime still has one, whose kernels would not find our
// multi_grid_group's launch: there the name stands for ours.
#pragma once

#include <cuda_runtime.h>

#include "../../cohort/launch/cuda/multi_gpu/launch_list.hpp"

#if defined(cudaCooperativeLaunchMultiDeviceNoPreSync)

#define cudaLaunchCooperativeKernelMultiDevice cohort::launch_cooperative_kernel_multi_device

#else

#define cudaCooperativeLaunchMultiDeviceNoPreSync 0x01
#define cudaCooperativeLaunchMultiDeviceNoPostSync 0x02

// One grid of the list: like the others but for arguments, device and stream.
struct cudaLaunchParams {
  void* func;           // the kernel
  dim3 gridDim;         // blocks
  dim3 blockDim;        // threads of a block
  void** args;          // the address of each argument
  size_t sharedMem;     // bytes of dynamic shared memory
  cudaStream_t stream;  // one that was created, on the grid's device
};

// The attribute that CUDA 13 calls reserved.
inline constexpr cudaDeviceAttr cudaDevAttrCooperativeMultiDeviceLaunch = cudaDevAttrReserved96;

#endif

namespace cohort {

// Launches a kernel over several devices, a grid on each, so that this_multi_grid() is all their threads. Returns when
// all is in the streams. By default the grids begin when all that stood in any of the streams has ended, and what is
// put into any of them later begins when all grids have ended; each flag limits one of these to the grid's own stream.
// Called by any host thread; launches that share a device run one after another. Errors (nothing has started):
// cudaErrorInvalidValue (no or too many entries, unknown flags, unlike entries, a device twice, a shape that the device
// does not have), cudaErrorInvalidResourceHandle (a default stream, no kernel), cudaErrorInvalidDeviceFunction (null),
// cudaErrorCooperativeLaunchTooLarge (on the device where the fewest blocks fit), cudaErrorPeerAccessUnsupported,
// cudaErrorNotSupported, cudaErrorStreamCaptureUnsupported.
template <class Unused = void>
cudaError_t launch_cooperative_kernel_multi_device(cudaLaunchParams* list, unsigned int count, unsigned int flags = 0) {
  return detail::launch_list<Unused>(list, count, flags);
}

}  // namespace cohort

#if !defined(cudaLaunchCooperativeKernelMultiDevice)
template <class Unused = void>
cudaError_t cudaLaunchCooperativeKernelMultiDevice(cudaLaunchParams* list, unsigned int count, unsigned int flags = 0) {
  return cohort::launch_cooperative_kernel_multi_device<Unused>(list, count, flags);
}
#endif
