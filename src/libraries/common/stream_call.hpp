// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library call as an operation of a stream: in the order of the stream, in graphs, traces and reports of races.
#pragma once

#include <cudart_detail/library/library_call.h>

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace cohort::libraries {

// Rows of memory that a call reads or writes. A column-major matrix has its columns as rows.
struct memory_rows {
  const void* first = nullptr;
  size_t row_bytes = 0;
  size_t pitch = 0;  // bytes from the start of one row to that of the next
  size_t rows = 1;
};

inline memory_rows bytes_at(const void* first, size_t bytes) { return {first, bytes, bytes, 1}; }

// The work of a call reports its accesses here before it makes them: operands, scalars in device memory, arrays of
// pointers. Keeps the first error.
class memory_accesses {
 public:
  // False after an error, and with a report where the rows exceed live memory: the work then returns error() and
  // accesses nothing. `argument`: the name of the operand in the function's declaration, a string literal.
  bool reads(const memory_rows& m, const char* argument = "an operand") { return note(m, argument, false); }
  bool writes(const memory_rows& m, const char* argument = "an operand") { return note(m, argument, true); }
  cudaError_t error() const { return error_; }

 private:
  bool note(const memory_rows& m, const char* argument, bool writes) {
    if (error_ != cudaSuccess) return false;
    error_ = cohort_note_library_access(argument, m.first, m.row_bytes, m.pitch, m.rows, writes);
    return error_ == cudaSuccess;
  }

  cudaError_t error_ = cudaSuccess;
};

struct stream_call_options {
  const char* name;       // the public function's name: a string literal
  bool is_short = false;  // takes microseconds: the calling thread runs it where the stream is idle
  bool waits = false;     // the result goes to host memory: returns after the work
};

// Appends `work(memory_accesses&)`, which returns a cudaError_t, to a stream. The work holds copies of all that the
// caller may change after the call. Launches of a graph may run it several times, so it is called as const.
template <class Work>
cudaError_t stream_call(cudaStream_t stream, const stream_call_options& options, Work&& work) {
  using stored = const std::decay_t<Work>;
  auto data = std::make_unique<stored>(std::forward<Work>(work));
  const auto run = [](void* at) {
    memory_accesses memory;
    return (*static_cast<stored*>(at))(memory);
  };
  const auto release = [](void* at) { delete static_cast<stored*>(at); };
  const cohort_library_call call{
      options.name, run, release, const_cast<std::decay_t<Work>*>(data.release()), options.is_short, options.waits};
  return cohort_submit_library_call(stream, &call);
}

// Operations up to this number of multiplications take up to 20 us; a change of threads takes 5 to 10 us.
inline constexpr double short_work = 1 << 20;

// Appends `work(memory_accesses&)`, whose only errors are those of its accesses and of missing memory.
template <class Work>
cudaError_t stream_work(cudaStream_t stream, const stream_call_options& options, Work&& work) {
  return stream_call(stream, options, [work = std::forward<Work>(work)](memory_accesses& memory) {
    try {
      work(memory);
    } catch (const std::bad_alloc&) {
      return cudaErrorMemoryAllocation;
    }
    return memory.error();
  });
}

}  // namespace cohort::libraries
