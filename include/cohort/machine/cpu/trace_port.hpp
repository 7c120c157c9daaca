// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The border between the trace (COHORT_TRACE) and code outside the engine that adds to it: the CUDA runtime and NVTX.
// Names may hold any bytes. All functions may be called from any OS thread, and do nothing without a trace.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// 1 if COHORT_TRACE names a file that could be opened.
int cohort_trace_is_on(void);
// Nanoseconds since the trace began.
uint64_t cohort_trace_time(void);
// Adds a slice to the calling OS thread's track, from `begin` until now. `arguments`: JSON members, or null.
void cohort_trace_slice(const char* category, const char* name, const char* arguments, uint64_t begin);
// Adds an operation of a stream of a device, from `begin` until now, as a slice of the stream's row. The calling OS
// thread has executed it. `arguments`: JSON members, or null.
void cohort_trace_operation(int device, uint32_t stream, const char* category, const char* name, const char* arguments,
                            uint64_t begin);
// Adds a mark to the calling OS thread's track.
void cohort_trace_mark(const char* category, const char* name, const char* arguments);
// Adds the begin (1) or the end (0), at `time`, of a range that belongs to no thread; `id` joins the two. `arguments`:
// JSON members, or null.
void cohort_trace_range(const char* category, const char* name, const char* arguments, uint64_t id, int begins,
                        uint64_t time);

#ifdef __cplusplus
}
#endif
