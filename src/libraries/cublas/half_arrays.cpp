// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/cublas/half_arrays.hpp"

#include <cuda_fp16.h>

namespace cohort::cublas {

namespace {

[[gnu::always_inline]] inline void load_each(const __half* from, float* to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) to[i] = computed<__half>::load(from[i]);
}
[[gnu::always_inline]] inline void store_each(const float* from, __half* to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) to[i] = computed<__half>::store(from[i]);
}

#if defined(__x86_64__)
[[gnu::target("avx2,f16c")]] void load_by_instruction(const __half* from, float* to, int64_t count) {
  load_each(from, to, count);
}
[[gnu::target("avx2,f16c")]] void store_by_instruction(const float* from, __half* to, int64_t count) {
  store_each(from, to, count);
}
bool has_instructions() {
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c");
  return has;
}
#endif

}  // namespace

void load_array(const __half* from, float* to, int64_t count) {
#if defined(__x86_64__)
  if (has_instructions()) return load_by_instruction(from, to, count);
#endif
  load_each(from, to, count);
}

void store_array(const float* from, __half* to, int64_t count) {
#if defined(__x86_64__)
  if (has_instructions()) return store_by_instruction(from, to, count);
#endif
  store_each(from, to, count);
}

}  // namespace cohort::cublas
