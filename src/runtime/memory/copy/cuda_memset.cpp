// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaMemset and its forms in one, two and three dimensions. No call waits for the fill, as on a GPU.
#include "runtime/memory/copy/copy_and_fill.hpp"
#include "runtime/schedule/api_call.hpp"
#include "runtime/schedule/stream_table.hpp"

namespace cohort::runtime {

namespace {

cudaError_t fill_in(cudaStream_t handle, void* memory, size_t pitch, size_t slice, const box& extent, int value) {
  return device_call([&] {
    stream* s = nullptr;
    const cudaError_t error = find_stream(handle, &s);
    if (error != cudaSuccess) return error;
    return fill(*s, {{static_cast<char*>(memory), pitch, slice}, extent, static_cast<uint32_t>(value)});
  });
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaMemsetAsync(void* memory, int value, size_t bytes, cudaStream_t stream) {
  return fill_in(stream, memory, bytes, bytes, {bytes, 1, 1}, value);
}

cudaError_t cudaMemset(void* memory, int value, size_t bytes) {
  return cudaMemsetAsync(memory, value, bytes, cudaStreamLegacy);
}

cudaError_t cudaMemset2DAsync(void* memory, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  return fill_in(stream, memory, pitch, 0, {width, height, 1}, value);
}

cudaError_t cudaMemset2D(void* memory, size_t pitch, int value, size_t width, size_t height) {
  return cudaMemset2DAsync(memory, pitch, value, width, height, cudaStreamLegacy);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent, cudaStream_t stream) {
  return fill_in(stream, memory.ptr, memory.pitch, memory.pitch * memory.ysize,
                 {extent.width, extent.height, extent.depth}, value);
}

cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent) {
  return cudaMemset3DAsync(memory, value, extent, cudaStreamLegacy);
}

}  // extern "C"
