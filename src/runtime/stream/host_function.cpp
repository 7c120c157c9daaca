// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host functions that streams call: cudaLaunchHostFunc, cudaStreamAddCallback.
#include "runtime/stream/host_function.hpp"

#include "runtime/schedule/api_call.hpp"
#include "runtime/schedule/stream_table.hpp"

namespace cohort::runtime {

operation_ref host_function_operation::again() const {
  return std::make_shared<host_function_operation>(device_, function_, data_);
}

// CUDA does not call the function if the device has a fatal error.
cudaError_t host_function_operation::execute() {
  if (device_.fatal_error.load() == cudaSuccess) function_(data_);
  return cudaSuccess;
}

namespace {

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
    return scheduler::instance().submit(*s, std::make_shared<host_function_operation>(*s->device, function, data));
  });
}

cudaError_t cudaLaunchHostFunc_v2(cudaStream_t stream, cudaHostFn_t function, void* data, unsigned int mode) {
  const bool known = mode == cudaHostTaskBlocking || mode == cudaHostTaskSpinWait;
  return known ? cudaLaunchHostFunc(stream, function, data) : remember(cudaErrorInvalidValue);
}

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback, void* data, unsigned int flags) {
  return device_call([&] {
    if (!callback || flags != 0) return cudaErrorInvalidValue;
    stream* s = nullptr;
    if (const cudaError_t error = find_stream(handle, &s); error != cudaSuccess) return error;
    if (s->recorder) return permit_stream_wait(*s);
    return scheduler::instance().submit(*s, std::make_shared<callback_operation>(*s->device, handle, callback, data));
  });
}

}  // extern "C"
