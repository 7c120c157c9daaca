// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host functions that streams call: cudaLaunchHostFunc, cudaStreamAddCallback.
#include "../schedule/api_call.hpp"
#include "../schedule/stream_table.hpp"

namespace cohort::runtime {

namespace {

class host_function_operation : public operation {
 public:
  host_function_operation(device_state& device, cudaHostFn_t function, void* data)
      : operation(operation_kind::host_function), device_(device), function_(function), data_(data) {}

 protected:
  // CUDA does not call the function if the device has a fatal error.
  cudaError_t execute() override {
    if (device_.fatal_error.load() == cudaSuccess) function_(data_);
    return cudaSuccess;
  }

 private:
  device_state& device_;
  cudaHostFn_t function_;
  void* data_;
};

class callback_operation : public operation {
 public:
  callback_operation(device_state& device, cudaStream_t stream, cudaStreamCallback_t callback, void* data)
      : operation(operation_kind::host_function), device_(device), stream_(stream), callback_(callback), data_(data) {}

 protected:
  cudaError_t execute() override {
    callback_(stream_, device_.fatal_error.load(), data_);
    return cudaSuccess;
  }

 private:
  device_state& device_;
  cudaStream_t stream_;
  cudaStreamCallback_t callback_;
  void* data_;
};

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* data) {
  return device_call([&] {
    if (!function) return cudaErrorInvalidValue;
    stream* s = nullptr;
    if (const cudaError_t error = find_stream(handle, &s); error != cudaSuccess) return error;
    scheduler::instance().submit(*s, std::make_shared<host_function_operation>(*s->device, function, data));
    return cudaSuccess;
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback, void* data, unsigned int flags) {
  return device_call([&] {
    if (!callback || flags != 0) return cudaErrorInvalidValue;
    stream* s = nullptr;
    if (const cudaError_t error = find_stream(handle, &s); error != cudaSuccess) return error;
    scheduler::instance().submit(*s, std::make_shared<callback_operation>(*s->device, handle, callback, data));
    return cudaSuccess;
  });
}

}  // extern "C"
