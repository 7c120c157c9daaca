// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills of up to three dimensions: the common part of all cudaMemcpy and cudaMemset calls.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda_runtime_api.h"
#include "runtime/state/stream.hpp"

namespace cohort::runtime {

// The extent of a copy or fill: `depth` slices of `height` rows of `width` bytes.
struct box {
  size_t width = 0;
  size_t height = 1;
  size_t depth = 1;

  bool empty() const { return width == 0 || height == 0 || depth == 0; }
};

inline char* bytes_of(const void* memory) { return static_cast<char*>(const_cast<void*>(memory)); }

// The memory of a box: its first byte, and the distances in bytes of two rows (`pitch`) and of two slices (`slice`).
struct place {
  char* first = nullptr;
  size_t pitch = 0;
  size_t slice = 0;

  // Number of bytes from the first to the last byte of the box. SIZE_MAX if it exceeds size_t. pre: the box is not
  // empty
  size_t span(const box& b) const {
    size_t slices = 0;
    size_t rows = 0;
    size_t sum = 0;
    const bool too_large = __builtin_mul_overflow(b.depth - 1, slice, &slices) ||
                           __builtin_mul_overflow(b.height - 1, pitch, &rows) ||
                           __builtin_add_overflow(slices, rows, &sum) || __builtin_add_overflow(sum, b.width, &sum);
    return too_large ? SIZE_MAX : sum;
  }
};

struct copy_request {
  place to;
  place from;
  box extent;
  cudaMemcpyKind kind;
};

struct fill_request {
  place to;
  box extent;
  uint32_t value;              // only the low `element_bytes` bytes are used
  unsigned element_bytes = 1;  // 1, 2 or 4; the width is a multiple of it
};

// When a request is to be executed.
enum class request_time : unsigned char {
  now,    // in the order of a stream; memory of a graph must be allocated at this time
  later,  // when a graph is launched
};

// Whose call makes a request. Only kernels may name memory of their heap.
enum class requester : unsigned char { host, kernel };

// Returns the error with which CUDA refuses the copy: both sides are compared with `kind`. pre: within a device_call,
// without the scheduler's lock
cudaError_t check_copy(const copy_request& request, request_time time, requester by = requester::host);
// Returns cudaErrorInvalidValue for memory that is no allocation of the runtime. pre: within a device_call, without the
// scheduler's lock
cudaError_t check_fill(const fill_request& request, request_time time, requester by = requester::host);

// When a copy reads its source.
enum class source_access : unsigned char {
  in_stream,
  during_call,  // during the call: the source may change afterwards, and no earlier work of the stream writes it
};

// Checks the copy, then makes it in the order of `s`. Waits for the copy if `wait` is true or if CUDA's call would
// wait. pre: within a device_call
cudaError_t copy(stream& s, const copy_request& request, bool wait, source_access access = source_access::in_stream);

// Checks the fill, then makes it in the order of `s`. pre: within a device_call
cudaError_t fill(stream& s, const fill_request& request);

// The copy that the parameters describe, apart from the checks of its memory. cudaErrorInvalidValue for a range that
// leaves an array, and for a side that is both array and pointer.
cudaError_t to_copy_request(const cudaMemcpy3DParms& parameters, copy_request* request);

}  // namespace cohort::runtime
