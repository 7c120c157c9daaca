// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stream and event calls of the driver API. Handles are those of the runtime API, whose calls do the work.
#include <memory>

#include "runtime/driver/call.hpp"
#include "runtime/state/stream.hpp"
#include "runtime/stream/device_event.hpp"

namespace cohort::runtime {

namespace {

struct driver_callback {
  CUstreamCallback function;
  void* data;

  static void run(cudaStream_t stream, cudaError_t status, void* made) {
    const std::unique_ptr<driver_callback> self(static_cast<driver_callback*>(made));
    self->function(stream, to_result(status), self->data);
  }
};

CUresult on_whole_context(CUcontext handle, CUevent event,
                          cudaError_t (*body)(cudaEvent_t, device_state&, green_context*)) {
  return context_call([&]() -> CUresult {
    context* c = nullptr;
    const CUresult error = handle ? find_context(handle, &c) : CUDA_ERROR_INVALID_CONTEXT;
    return error != CUDA_SUCCESS ? error : on_whole_context(*c, event, body);
  });
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuStreamCreate(CUstream* made, unsigned int flags) {
  return runtime_call([&] { return cudaStreamCreateWithFlags(made, flags); });
}

CUresult cuStreamCreateWithPriority(CUstream* made, unsigned int flags, int priority) {
  return runtime_call([&] { return cudaStreamCreateWithPriority(made, flags, priority); });
}

CUresult cuStreamDestroy(CUstream stream) {
  return runtime_call([&] { return cudaStreamDestroy(stream); });
}

CUresult cuStreamSynchronize(CUstream stream) {
  return runtime_call([&] { return cudaStreamSynchronize(stream); });
}

CUresult cuStreamQuery(CUstream stream) {
  return runtime_call([&] { return cudaStreamQuery(stream); });
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
  return runtime_call([&] { return cudaStreamWaitEvent(stream, event, flags); });
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback function, void* data, unsigned int flags) {
  return runtime_call([&] {
    if (!function) return cudaErrorInvalidValue;
    auto made = std::make_unique<driver_callback>(driver_callback{function, data});
    const cudaError_t error = cudaStreamAddCallback(stream, &driver_callback::run, made.get(), flags);
    if (error == cudaSuccess) (void)made.release();
    return error;
  });
}

CUresult cuStreamGetFlags(CUstream stream, unsigned int* flags) {
  return runtime_call([&] { return cudaStreamGetFlags(stream, flags); });
}

CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  return runtime_call([&] { return cudaStreamGetPriority(stream, priority); });
}

CUresult cuStreamSetAttribute(CUstream stream, CUstreamAttrID attribute, const CUstreamAttrValue* value) {
  return runtime_call([&] {
    return cudaStreamSetAttribute(stream, static_cast<cudaLaunchAttributeID>(attribute),
                                  reinterpret_cast<const cudaLaunchAttributeValue*>(value));
  });
}

CUresult cuStreamGetAttribute(CUstream stream, CUstreamAttrID attribute, CUstreamAttrValue* value) {
  return runtime_call([&] {
    return cudaStreamGetAttribute(stream, static_cast<cudaLaunchAttributeID>(attribute),
                                  reinterpret_cast<cudaLaunchAttributeValue*>(value));
  });
}

CUresult cuStreamCopyAttributes(CUstream to, CUstream from) {
  return runtime_call([&] { return cudaStreamCopyAttributes(to, from); });
}

CUresult cuStreamGetId(CUstream stream, unsigned long long* id) {
  return runtime_call([&] { return cudaStreamGetId(stream, id); });
}

CUresult cuStreamGetDevice(CUstream stream, CUdevice* device) {
  return runtime_call([&] { return cudaStreamGetDevice(stream, device); });
}

CUresult cuEventCreate(CUevent* made, unsigned int flags) {
  return runtime_call([&] { return cudaEventCreateWithFlags(made, flags); });
}

CUresult cuEventDestroy(CUevent event) {
  return runtime_call([&] { return cudaEventDestroy(event); });
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  return runtime_call([&] { return cudaEventRecord(event, stream); });
}

CUresult cuCtxRecordEvent(CUcontext handle, CUevent event) { return on_whole_context(handle, event, record_on_device); }

CUresult cuCtxWaitEvent(CUcontext handle, CUevent event) { return on_whole_context(handle, event, wait_on_device); }

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags) {
  return runtime_call([&] { return cudaEventRecordWithFlags(event, stream, flags); });
}

CUresult cuEventQuery(CUevent event) {
  return runtime_call([&] { return cudaEventQuery(event); });
}

CUresult cuEventSynchronize(CUevent event) {
  return runtime_call([&] { return cudaEventSynchronize(event); });
}

CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return runtime_call([&] { return cudaEventElapsedTime(milliseconds, start, end); });
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  return runtime_call([&] { return cudaLaunchHostFunc(stream, function, data); });
}

CUresult cuLaunchHostFunc_v2(CUstream stream, CUhostFn function, void* data, unsigned int mode) {
  return runtime_call([&] { return cudaLaunchHostFunc_v2(stream, function, data, mode); });
}

}  // extern "C"
