// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills in the streams of kernels.
#include <memory>

#include <cohort/machine/cpu/port.hpp>

#include "runtime/device_runtime/kernel_call.hpp"
#include "runtime/memory/copy/copy_operation.hpp"

namespace cohort::runtime {

namespace {

// True if the side lies in the running thread's local memory or its block's shared memory, which end before the copy
// runs.
bool is_private(const place& p) { return cohort_private_memory(p.first) != 0; }

cudaError_t submit_copy(grid_work& work, const copy_request& request, cudaStream_t stream) {
  if (request.extent.empty()) return cudaSuccess;
  if (is_private(request.to) || is_private(request.from)) return cudaErrorInvalidValue;
  const cudaError_t error = check_copy(request, request_time::now, requester::kernel);
  if (error != cudaSuccess) return error;
  return work.submit(stream, this_device_thread(), std::make_shared<copy_operation>(request));
}

cudaError_t submit_fill(grid_work& work, const fill_request& request, cudaStream_t stream) {
  if (request.extent.empty()) return cudaSuccess;
  if (is_private(request.to)) return cudaErrorInvalidValue;
  const cudaError_t error = check_fill(request, request_time::now, requester::kernel);
  if (error != cudaSuccess) return error;
  return work.submit(stream, this_device_thread(), std::make_shared<fill_operation>(request));
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

int cohort_runtime_copy(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                        int kind, void* stream) {
  return grid_call([&](grid_work& work) {
    const copy_request request{{bytes_of(to), to_pitch, 0},
                               {bytes_of(from), from_pitch, 0},
                               {width, height, 1},
                               static_cast<cudaMemcpyKind>(kind)};
    return submit_copy(work, request, static_cast<cudaStream_t>(stream));
  });
}

int cohort_runtime_copy_volume(const void* parameters, void* stream) {
  return grid_call([&](grid_work& work) {
    copy_request request{};
    if (!parameters) return cudaErrorInvalidValue;
    const cudaError_t error = to_copy_request(*static_cast<const cudaMemcpy3DParms*>(parameters), &request);
    return error != cudaSuccess ? error : submit_copy(work, request, static_cast<cudaStream_t>(stream));
  });
}

int cohort_runtime_fill(void* memory, size_t pitch, size_t slice, int value, size_t width, size_t height, size_t depth,
                        void* stream) {
  return grid_call([&](grid_work& work) {
    const fill_request request{{bytes_of(memory), pitch, slice}, {width, height, depth}, static_cast<uint32_t>(value)};
    return submit_fill(work, request, static_cast<cudaStream_t>(stream));
  });
}

}  // extern "C"
