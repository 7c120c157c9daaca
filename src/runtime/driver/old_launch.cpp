// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches as before CUDA 4: a function keeps its block shape, its dynamic shared memory and its parameters.
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "runtime/driver/function_handle.hpp"
#include "runtime/driver/kernel_parameters.hpp"

namespace cohort::runtime {

namespace {

constexpr size_t most_parameter_bytes = 32764;

struct kept_launch {
  dim3 block{1, 1, 1};
  unsigned shared_bytes = 0;
  std::vector<char> parameters;
};

struct kept_launches {
  std::mutex mutex;
  std::map<CUfunction, kept_launch> all;
};

kept_launches& kept() {
  static kept_launches* const all = new kept_launches;
  return *all;
}

// Calls `body(kept_launch&)` under the lock of all functions. CUDA_ERROR_INVALID_HANDLE for an unknown function.
template <class Body>
CUresult with_launch(CUfunction handle, Body&& body) {
  return context_call([&] {
    return with_function(handle, [&](function& f) {
      const std::lock_guard lock(kept().mutex);
      return body(kept().all[reinterpret_cast<CUfunction>(&f)]);
    });
  });
}

CUresult set_bytes(CUfunction function, int offset, const void* data, size_t bytes) {
  return with_launch(function, [&](kept_launch& launch) {
    if (offset < 0 || !data) return CUDA_ERROR_INVALID_VALUE;
    const size_t end = static_cast<size_t>(offset) + bytes;
    if (end > most_parameter_bytes) return CUDA_ERROR_INVALID_VALUE;
    if (launch.parameters.size() < end) launch.parameters.resize(end);
    std::memcpy(launch.parameters.data() + offset, data, bytes);
    return CUDA_SUCCESS;
  });
}

CUresult launch(CUfunction function, int width, int height, CUstream stream) {
  return with_launch(function, [&](kept_launch& kept) {
    if (width <= 0 || height <= 0) return CUDA_ERROR_INVALID_VALUE;
    kernel_parameters parameters;
    const CUresult error = parameters.take_buffer(function, kept.parameters.data(), kept.parameters.size());
    if (error != CUDA_SUCCESS) return error;
    return to_result(cudaLaunchKernel(function, dim3(static_cast<unsigned>(width), static_cast<unsigned>(height)),
                                      kept.block, parameters.chosen, kept.shared_bytes, stream));
  });
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z) {
  return with_launch(function, [&](kept_launch& launch) {
    if (x <= 0 || y <= 0 || z <= 0) return CUDA_ERROR_INVALID_VALUE;
    launch.block = dim3(static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z));
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncSetSharedSize(CUfunction function, unsigned int bytes) {
  return with_launch(function, [&](kept_launch& launch) {
    launch.shared_bytes = bytes;
    return CUDA_SUCCESS;
  });
}

CUresult cuParamSetSize(CUfunction function, unsigned int bytes) {
  return with_launch(function, [&](kept_launch& launch) {
    if (bytes > most_parameter_bytes) return CUDA_ERROR_INVALID_VALUE;
    launch.parameters.resize(bytes);
    return CUDA_SUCCESS;
  });
}

CUresult cuParamSeti(CUfunction function, int offset, unsigned int value) {
  return set_bytes(function, offset, &value, sizeof value);
}

CUresult cuParamSetf(CUfunction function, int offset, float value) {
  return set_bytes(function, offset, &value, sizeof value);
}

CUresult cuParamSetv(CUfunction function, int offset, void* data, unsigned int bytes) {
  return set_bytes(function, offset, data, bytes);
}

CUresult cuLaunch(CUfunction function) { return launch(function, 1, 1, nullptr); }

CUresult cuLaunchGrid(CUfunction function, int width, int height) { return launch(function, width, height, nullptr); }

CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream) {
  return launch(function, width, height, stream);
}

}  // extern "C"
