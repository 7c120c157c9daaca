// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page between the runtime and CUDA's libraries: a call of a library as an operation of a stream. Programs do not
// include it.
#pragma once

#include <stddef.h>

#include "driver_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cohort_library_call {
  const char* name;                // the library function's name, for traces and reports; a string literal
  cudaError_t (*run)(void* data);  // the work; each launch of a graph that captured the call runs it again
  void (*release)(void* data);     // called once, after the last run
  void* data;
  int is_short;  // 1: the calling thread runs it where the stream is idle, because a change of threads costs more
  int waits;     // 1: the call returns after the work, and a captured stream refuses it
};

/// Appends a call to a stream, or records it in the graph that captures the stream. Owns `data` from now on, also after
/// an error.
cudaError_t cohort_submit_library_call(cudaStream_t stream, const struct cohort_library_call* call);

/// Reports that the running library call accesses `rows` rows of `row_bytes` bytes, `pitch` bytes apart: the race
/// checker compares them with the accesses of kernels. Called by `run` before the accesses.
/// @param argument  of the library's function, for reports; a string literal
/// @return cudaErrorIllegalAddress, with a report, for a null pointer and for memory of CUDA that is not allocated at
/// this time: freed memory, bytes beyond an allocation, memory of a graph. Other memory of the host is not checked.
cudaError_t cohort_note_library_access(const char* argument, const void* first, size_t row_bytes, size_t pitch,
                                       size_t rows, int writes);

/// Bytes of a device's memory that this process has allocated. Changes nothing: neither the current device nor a
/// context. `device` exists.
size_t cohort_used_device_memory(int device);

#ifdef __cplusplus
}
#endif
