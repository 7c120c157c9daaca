// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queries by kernels: errors, devices, limits, attributes of kernels.
#include "runtime/device_runtime/kernel_call.hpp"
#include "runtime/launch/function_attributes.hpp"
#include "runtime/module/symbol_table.hpp"

using namespace cohort::runtime;

extern "C" {

int cohort_runtime_last_error(int clears) {
  grid_work* const work = grid_work::of_running_grid();
  return work ? work->error_of(this_device_thread(), clears != 0) : cudaSuccess;
}

int cohort_runtime_remember(int error) { return remember_in_kernel(static_cast<cudaError_t>(error)); }

int cohort_runtime_device_count(int* count) {
  return kernel_call([&] { return cudaGetDeviceCount(count); });
}

int cohort_runtime_device_attribute(int* value, int attribute, int device) {
  return kernel_call([&] { return cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device); });
}

int cohort_runtime_limit(size_t* value, int limit) {
  return kernel_call([&] { return cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)); });
}

int cohort_runtime_function_attributes(void* attributes, const void* stub) {
  return kernel_call([&] {
    if (!attributes) return cudaErrorInvalidValue;
    function* found = nullptr;
    const cudaError_t error = symbol_table::instance().find_device_function(stub, &found);
    if (error != cudaSuccess) return error;
    *static_cast<cudaFuncAttributes*>(attributes) = describe_function(*found, current_device().index);
    return cudaSuccess;
  });
}

int cohort_runtime_occupancy(int* blocks, const void* stub, int threads, size_t dynamic_bytes, unsigned int flags) {
  return kernel_call([&] {
    function* found = nullptr;
    const cudaError_t error = symbol_table::instance().find_device_function(stub, &found);
    if (error != cudaSuccess) return error;
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, found, threads, dynamic_bytes, flags);
  });
}

}  // extern "C"
