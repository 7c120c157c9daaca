// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuMemset: fills with values of one, two or four bytes, in one row or several.
#include "runtime/driver/call.hpp"
#include "runtime/memory/copy/copy_and_fill.hpp"
#include "runtime/schedule/stream_table.hpp"

namespace cohort::runtime {

namespace {

// Fills `height` rows of `width` elements. cudaErrorInvalidValue unless the address, and the pitch of several rows, are
// multiples of the element's size.
template <class Element>
CUresult fill_rows(CUdeviceptr to, size_t pitch, Element value, size_t width, size_t height, CUstream handle) {
  return runtime_call([&] {
    constexpr unsigned element_bytes = sizeof(Element);
    size_t bytes = 0;
    if (__builtin_mul_overflow(width, element_bytes, &bytes)) return cudaErrorInvalidValue;
    if (to % element_bytes != 0 || (height > 1 && pitch % element_bytes != 0)) return cudaErrorInvalidValue;
    return device_call([&] {
      stream* s = nullptr;
      const cudaError_t error = find_stream(handle, &s);
      const place at{static_cast<char*>(pointer_of(to)), pitch, 0};
      return error != cudaSuccess ? error : fill(*s, {at, {bytes, height, 1}, value, element_bytes});
    });
  });
}

template <class Element>
CUresult fill_row(CUdeviceptr to, Element value, size_t count, CUstream handle) {
  return fill_rows(to, 0, value, count, 1, handle);
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) {
  return fill_row(to, value, count, CU_STREAM_LEGACY);
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  return fill_row(to, value, count, stream);
}

CUresult cuMemsetD2D8(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height) {
  return fill_rows(to, pitch, value, width, height, CU_STREAM_LEGACY);
}

CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height,
                           CUstream stream) {
  return fill_rows(to, pitch, value, width, height, stream);
}

CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count) {
  return fill_row(to, value, count, CU_STREAM_LEGACY);
}

CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
  return fill_row(to, value, count, stream);
}

CUresult cuMemsetD2D16(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height) {
  return fill_rows(to, pitch, value, width, height, CU_STREAM_LEGACY);
}

CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height,
                            CUstream stream) {
  return fill_rows(to, pitch, value, width, height, stream);
}

CUresult cuMemsetD32(CUdeviceptr to, unsigned int value, size_t count) {
  return fill_row(to, value, count, CU_STREAM_LEGACY);
}

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int value, size_t count, CUstream stream) {
  return fill_row(to, value, count, stream);
}

CUresult cuMemsetD2D32(CUdeviceptr to, size_t pitch, unsigned int value, size_t width, size_t height) {
  return fill_rows(to, pitch, value, width, height, CU_STREAM_LEGACY);
}

CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned int value, size_t width, size_t height,
                            CUstream stream) {
  return fill_rows(to, pitch, value, width, height, stream);
}

}  // extern "C"
