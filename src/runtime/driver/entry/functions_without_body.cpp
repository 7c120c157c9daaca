// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/entry/functions_without_body.hpp"

#include <atomic>
#include <cstddef>
#include <cstring>
#include <utility>

#include "cuda.h"
#include "runtime/error/log.hpp"

namespace cohort::runtime {

namespace {

struct function_without_body {
  const char* name;
  std::atomic<bool> is_named{false};

  // Logs the function's name at its first call only.
  int refuse() {
    if (!is_named.exchange(true)) {
      const bool of_runtime = std::strncmp(name, "cuda", 4) == 0;
      say(cudaLogLevelError, "%s() is not implemented and returns %s", name,
          of_runtime ? "cudaErrorNotSupported" : "CUDA_ERROR_NOT_SUPPORTED");
    }
    return CUDA_ERROR_NOT_SUPPORTED;
  }
};

function_without_body functions[] = {
#define COHORT_NO_BODY_CU(name) {#name},
#define COHORT_NO_BODY_CUDA(name) {#name},
#include "runtime/driver/entry/functions_without_body.inc"
};
constexpr size_t count = sizeof(functions) / sizeof(functions[0]);

template <size_t Index>
int refuse() {
  return functions[Index].refuse();
}

template <size_t... Index>
function_at function_number(size_t number, std::index_sequence<Index...>) {
  static constexpr function_at all[] = {refuse<Index>...};
  return all[number];
}

}  // namespace

function_at find_without_body(const char* name) {
  for (size_t i = 0; i < count; ++i) {
    if (std::strcmp(functions[i].name, name) == 0) return function_number(i, std::make_index_sequence<count>());
  }
  return nullptr;
}

}  // namespace cohort::runtime

int cohort_call_without_body(const char* name) {
  const auto function = cohort::runtime::find_without_body(name);
  return function ? function() : int{CUDA_ERROR_NOT_SUPPORTED};
}
