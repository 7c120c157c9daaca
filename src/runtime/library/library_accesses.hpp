// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory that a running library call accesses: checked, and reported to the race checker.
#pragma once

#include <cstddef>

#include "cuda_runtime_api.h"

namespace cohort::runtime {

// Rows of memory that are the operand `argument` of a call.
struct library_operand {
  const char* argument;
  const void* first;
  size_t row_bytes;
  size_t pitch;
  size_t rows;
  bool writes;

  size_t span() const { return (rows - 1) * pitch + row_bytes; }
};

class library_accesses {
 public:
  explicit library_accesses(const char* call) : call_(call) {}
  // cudaErrorIllegalAddress with a report if the operand exceeds live memory. Memory that no call of CUDA has allocated
  // is not checked, except null pointers.
  cudaError_t note(const library_operand& operand);

 private:
  // Legal ranges of this call, which batches and columns access again: a search of the tables takes 50 ns.
  struct range {
    const char* first = nullptr;
    const char* end = nullptr;
    bool writes = false;
  };
  bool is_known(const library_operand& operand) const;
  const char* find_illegal(const library_operand& operand);
  void report(const library_operand& operand, const void* illegal) const;

  const char* const call_;
  range known_[4];
  size_t next_ = 0;
};

// The accesses of the call that this thread executes; null outside of calls.
inline thread_local library_accesses* running_library_accesses = nullptr;

}  // namespace cohort::runtime
