// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams and events of kernels. They exist within their grid.
#include "runtime/device_runtime/kernel_call.hpp"

using namespace cohort::runtime;

extern "C" {

// The null stream of a kernel waits for no other stream, so CUDA requires the flag.
int cohort_runtime_create_stream(void** made, unsigned flags) {
  return grid_call([&](grid_work& work) {
    if (!made || flags != cudaStreamNonBlocking) return cudaErrorInvalidValue;
    return work.create_stream(reinterpret_cast<cudaStream_t*>(made));
  });
}

int cohort_runtime_destroy_stream(void* stream) {
  return grid_call([&](grid_work& work) { return work.destroy_stream(static_cast<cudaStream_t>(stream)); });
}

int cohort_runtime_wait_event(void* stream, void* event, unsigned flags) {
  return grid_call([&](grid_work& work) {
    if (flags != 0) return cudaErrorInvalidValue;
    return work.wait_for_event(static_cast<cudaStream_t>(stream), this_device_thread(),
                               static_cast<cudaEvent_t>(event));
  });
}

// Requires cudaEventDisableTiming: in CUDA, events of kernels have no times.
int cohort_runtime_create_event(void** made, unsigned flags) {
  return grid_call([&](grid_work& work) {
    if (!made || flags != cudaEventDisableTiming) return cudaErrorInvalidValue;
    return work.create_event(reinterpret_cast<cudaEvent_t*>(made));
  });
}

int cohort_runtime_destroy_event(void* event) {
  return grid_call([&](grid_work& work) { return work.destroy_event(static_cast<cudaEvent_t>(event)); });
}

int cohort_runtime_record_event(void* event, void* stream, unsigned flags) {
  return grid_call([&](grid_work& work) {
    if (flags != 0) return cudaErrorInvalidValue;
    return work.record_event(static_cast<cudaEvent_t>(event), static_cast<cudaStream_t>(stream), this_device_thread());
  });
}

}  // extern "C"
