// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's functions that have a name and no body, for programs that look functions up.
#pragma once

namespace cohort::runtime {

using function_at = int (*)();

// The function of that name, which names itself on stderr at its first call and returns "not supported", whatever its
// arguments are. Null: the name is none of functions_without_body.inc.
function_at find_without_body(const char* name);

}  // namespace cohort::runtime

// The body of the names in libcuda.so.1 and libcudart.so.13. Returns CUDA_ERROR_NOT_SUPPORTED, which has the number of
// cudaErrorNotSupported.
extern "C" int cohort_call_without_body(const char* name);
