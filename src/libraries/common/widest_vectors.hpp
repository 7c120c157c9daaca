// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops compiled for several widths of vector instructions, from which the CPU of the moment takes the widest.
#pragma once

namespace cohort::libraries {

#if defined(__x86_64__)
// `flatten` inlines the body, so that its loops are compiled for the attribute's instructions. Files that need results
// without fused multiply-add are compiled with -ffp-contract=off. The body is passed by value: a loop's stores might
// change the captures of a body passed by reference, which keeps compilers from vectorizing the loop.
template <class Body>
[[gnu::target("avx2"), gnu::flatten, gnu::noinline]] void with_avx2(Body body) {
  body();
}
template <class Body>
[[gnu::target("avx2,avx512f,avx512bw,avx512dq,avx512vl"), gnu::flatten, gnu::noinline]] void with_avx512(Body body) {
  body();
}

enum class vector_width { plain, avx2, avx512 };

inline vector_width widest_of_cpu() {
  const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return has_avx512 ? vector_width::avx512 : __builtin_cpu_supports("avx2") ? vector_width::avx2 : vector_width::plain;
}
#endif

/// Runs `body()`, which captures by value what its loops use. Results are the same on each CPU.
template <class Body>
void with_widest_vectors(Body body) {
#if defined(__x86_64__)
  static const vector_width width = widest_of_cpu();
  if (width == vector_width::avx512) return with_avx512(body);
  if (width == vector_width::avx2) return with_avx2(body);
#endif
  body();
}

}  // namespace cohort::libraries
