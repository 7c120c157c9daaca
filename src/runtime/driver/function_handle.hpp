// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of a CUfunction or a CUkernel.
#pragma once

#include "runtime/driver/call.hpp"
#include "runtime/module/symbol_table.hpp"

namespace cohort::runtime {

// Calls `body(function&)`. CUDA_ERROR_INVALID_HANDLE for an unknown kernel. pre: within a call of call.hpp
template <class Body>
CUresult with_function(const void* handle, Body&& body) {
  function* f = nullptr;
  const cudaError_t error = symbol_table::instance().find_function(handle, &f);
  return error != cudaSuccess ? to_result(error) : body(*f);
}

}  // namespace cohort::runtime
