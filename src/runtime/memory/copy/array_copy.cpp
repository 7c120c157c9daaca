// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies to and from CUDA arrays in one and two dimensions; cuda_memcpy.cpp has those in three.
#include "runtime/memory/copy/array_place.hpp"
#include "runtime/schedule/api_call.hpp"
#include "runtime/schedule/stream_table.hpp"

namespace cohort::runtime {

namespace {

// One side of a copy: a place in an array, or memory with a pitch.
struct array_side {
  cudaArray_const_t array;
  size_t x, y;  // bytes, rows
};

// Calls `copies(const cudaArray*, const cudaArray*)`, which makes the request of a copy, for live arrays; a null handle
// stays null.
template <class Make>
cudaError_t copy_arrays(cudaArray_const_t to, cudaArray_const_t from, cudaStream_t handle, bool wait, Make&& make) {
  return device_call([&] {
    const cudaArray* const to_array = array_table::instance().find(to);
    const cudaArray* const from_array = array_table::instance().find(from);
    if ((to && !to_array) || (from && !from_array)) return cudaErrorInvalidValue;
    copy_request request{};
    stream* s = nullptr;
    cudaError_t error = make(to_array, from_array, &request) ? cudaSuccess : cudaErrorInvalidValue;
    if (error == cudaSuccess) error = find_stream(handle, &s);
    return error != cudaSuccess ? error : copy(*s, request, wait);
  });
}

cudaError_t to_array(const array_side& to, const void* from, size_t from_pitch, const box& b, cudaMemcpyKind kind,
                     cudaStream_t stream, bool wait) {
  if (!to.array) return remember(cudaErrorInvalidValue);
  return copy_arrays(to.array, nullptr, stream, wait,
                     [&](const cudaArray* array, const cudaArray*, copy_request* request) {
                       *request = {{}, {bytes_of(from), from_pitch, 0}, b, kind};
                       return find_place_of_bytes(*array, {to.x, to.y, 0}, b, &request->to);
                     });
}

cudaError_t from_array(void* to, size_t to_pitch, const array_side& from, const box& b, cudaMemcpyKind kind,
                       cudaStream_t stream, bool wait) {
  if (!from.array) return remember(cudaErrorInvalidValue);
  return copy_arrays(nullptr, from.array, stream, wait,
                     [&](const cudaArray*, const cudaArray* array, copy_request* request) {
                       *request = {{bytes_of(to), to_pitch, 0}, {}, b, kind};
                       return find_place_of_bytes(*array, {from.x, from.y, 0}, b, &request->from);
                     });
}

// Rows of an array follow each other without gaps, so bytes from a place on are one row of a box. False if they leave
// the array's first slice.
bool find_run(const cudaArray& array, const array_side& side, size_t bytes, place* p) {
  if (side.x > array.pitch() || side.y > texels_of(array.extent).height) return false;
  const size_t offset = side.y * array.pitch() + side.x;
  if (offset > array.slice() || bytes > array.slice() - offset) return false;
  *p = {array.first + offset, bytes, bytes};
  return true;
}

cudaError_t bytes_to_array(const array_side& to, const void* from, size_t bytes, cudaMemcpyKind kind,
                           cudaStream_t stream, bool wait) {
  if (!to.array) return remember(cudaErrorInvalidValue);
  return copy_arrays(to.array, nullptr, stream, wait,
                     [&](const cudaArray* array, const cudaArray*, copy_request* request) {
                       *request = {{}, {bytes_of(from), bytes, bytes}, {bytes, 1, 1}, kind};
                       return find_run(*array, to, bytes, &request->to);
                     });
}

cudaError_t bytes_from_array(void* to, const array_side& from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream,
                             bool wait) {
  if (!from.array) return remember(cudaErrorInvalidValue);
  return copy_arrays(nullptr, from.array, stream, wait,
                     [&](const cudaArray*, const cudaArray* array, copy_request* request) {
                       *request = {{bytes_of(to), bytes, bytes}, {}, {bytes, 1, 1}, kind};
                       return find_run(*array, from, bytes, &request->from);
                     });
}

cudaError_t between_arrays(const array_side& to, const array_side& from, const box& b, cudaMemcpyKind kind,
                           cudaStream_t stream) {
  if (!to.array || !from.array) return remember(cudaErrorInvalidValue);
  return copy_arrays(to.array, from.array, stream, true,
                     [&](const cudaArray* to_array, const cudaArray* from_array, copy_request* request) {
                       *request = {{}, {}, b, kind};
                       return find_place_of_bytes(*to_array, {to.x, to.y, 0}, b, &request->to) &&
                              find_place_of_bytes(*from_array, {from.x, from.y, 0}, b, &request->from);
                     });
}

cudaError_t bytes_between_arrays(const array_side& to, const array_side& from, size_t bytes, cudaMemcpyKind kind,
                                 cudaStream_t stream) {
  if (!to.array || !from.array) return remember(cudaErrorInvalidValue);
  return copy_arrays(to.array, from.array, stream, true,
                     [&](const cudaArray* to_array, const cudaArray* from_array, copy_request* request) {
                       *request = {{}, {}, {bytes, 1, 1}, kind};
                       return find_run(*to_array, to, bytes, &request->to) &&
                              find_run(*from_array, from, bytes, &request->from);
                     });
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                size_t height, cudaMemcpyKind kind) {
  return to_array({to, x, y}, from, pitch, {width, height, 1}, kind, cudaStreamLegacy, true);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return to_array({to, x, y}, from, pitch, {width, height, 1}, kind, stream, false);
}

cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                  size_t height, cudaMemcpyKind kind) {
  return from_array(to, pitch, {from, x, y}, {width, height, 1}, kind, cudaStreamLegacy, true);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                       size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return from_array(to, pitch, {from, x, y}, {width, height, 1}, kind, stream, false);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return bytes_to_array({to, x, y}, from, bytes, kind, cudaStreamLegacy, true);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t stream) {
  return bytes_to_array({to, x, y}, from, bytes, kind, stream, false);
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
  return bytes_from_array(to, {from, x, y}, bytes, kind, cudaStreamLegacy, true);
}

cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return bytes_from_array(to, {from, x, y}, bytes, kind, stream, false);
}

// Copies between arrays. The per-thread form (_ptds) has a body of its own, because CUDA has no call with a stream
// argument.
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
                                     size_t from_y, size_t width, size_t height, cudaMemcpyKind kind) {
  return between_arrays({to, to_x, to_y}, {from, from_x, from_y}, {width, height, 1}, kind, cudaStreamLegacy);
}

cudaError_t cudaMemcpy2DArrayToArray_ptds(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                          size_t from_x, size_t from_y, size_t width, size_t height,
                                          cudaMemcpyKind kind) {
  return between_arrays({to, to_x, to_y}, {from, from_x, from_y}, {width, height, 1}, kind, cudaStreamPerThread);
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
                                   size_t from_y, size_t bytes, cudaMemcpyKind kind) {
  return bytes_between_arrays({to, to_x, to_y}, {from, from_x, from_y}, bytes, kind, cudaStreamLegacy);
}

cudaError_t cudaMemcpyArrayToArray_ptds(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
                                        size_t from_y, size_t bytes, cudaMemcpyKind kind) {
  return bytes_between_arrays({to, to_x, to_y}, {from, from_x, from_y}, bytes, kind, cudaStreamPerThread);
}

}  // extern "C"
