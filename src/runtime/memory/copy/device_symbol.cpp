// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that copy to and from device variables. Host code names them by their shadow variables.
#include "runtime/memory/copy/copy_and_fill.hpp"
#include "runtime/module/symbol_table.hpp"
#include "runtime/schedule/api_call.hpp"
#include "runtime/schedule/stream_table.hpp"
#include "runtime/state/operation_listener.hpp"

namespace cohort::runtime {

namespace {

cudaError_t copy_symbol(const void* symbol, const void* other, size_t bytes, size_t offset, cudaMemcpyKind kind,
                        cudaStream_t handle, bool to_symbol, bool wait) {
  return device_call([&] {
    const cudaMemcpyKind wrong_way = to_symbol ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice;
    if (kind == wrong_way || kind == cudaMemcpyHostToHost) return cudaErrorInvalidMemcpyDirection;
    stream* s = nullptr;
    if (const cudaError_t error = find_stream(handle, &s); error != cudaSuccess) return error;
    variable v;
    const cudaError_t error = symbol_table::instance().find_variable(symbol, s->device->index, &v);
    if (error != cudaSuccess) return error;
    const place inside{static_cast<char*>(v.address) + offset, bytes, bytes};
    if (offset > v.bytes || bytes > v.bytes - offset) {
      if (installed_operation_listener) installed_operation_listener->requests(inside.first, bytes, to_symbol, false);
      return cudaErrorInvalidValue;
    }
    const place outside{bytes_of(other), bytes, bytes};
    return copy(*s, {to_symbol ? inside : outside, to_symbol ? outside : inside, {bytes, 1, 1}, kind}, wait);
  });
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaGetSymbolAddress(void** address, const void* symbol) {
  return device_call([&] {
    if (!address) return cudaErrorInvalidValue;
    variable v;
    const cudaError_t error = symbol_table::instance().find_variable(symbol, current_device().index, &v);
    if (error == cudaSuccess) *address = v.address;
    return error;
  });
}

cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  return device_call([&] {
    if (!bytes) return cudaErrorInvalidValue;
    variable v;
    const cudaError_t error = symbol_table::instance().find_variable(symbol, current_device().index, &v);
    if (error == cudaSuccess) *bytes = v.bytes;
    return error;
  });
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return copy_symbol(symbol, from, bytes, offset, kind, cudaStreamLegacy, true, true);
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return copy_symbol(symbol, to, bytes, offset, kind, cudaStreamLegacy, false, true);
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_symbol(symbol, from, bytes, offset, kind, stream, true, false);
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
  return copy_symbol(symbol, to, bytes, offset, kind, stream, false, false);
}

}  // extern "C"
