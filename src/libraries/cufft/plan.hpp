// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans and their handles.
#pragma once

#include <cufftXt.h>

#include <cstddef>
#include <memory>
#include <optional>

#include "libraries/cufft/transform.hpp"

namespace cohort::cufft {

struct plan {
  int device = 0;
  cudaStream_t stream = nullptr;
  std::shared_ptr<const transform> made;  // null before cufftMakePlan*()
  bool allocates = true;
  void* work_area = nullptr;
  std::optional<size_t> work_limit;  // set by cufftXtSetWorkAreaPolicy()
  long long patient = 0;
  long long host_threads = 32;
};

// The plan of a handle; null if there is none.
std::shared_ptr<plan> find_plan(cufftHandle handle);
// Makes a plan of the calling thread's device and sets `handle`.
cufftResult create_plan(cufftHandle* handle);
bool destroy_plan(cufftHandle handle);

// The work area that a GPU needs at least in most cases: one more operand. Transforms on a CPU do not use it.
size_t work_size(const transform& t);
size_t work_size(const plan& p);

// Prints why a call is refused. Returns CUFFT_NOT_IMPLEMENTED.
cufftResult refuse(const char* name, const char* reason);

}  // namespace cohort::cufft
