// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The atomics of plain C++ kernels: with -fsanitize=thread, g++ and clang call these functions in place of the atomic
// instructions (the interface of ThreadSanitizer's runtime). In device code of cohortcc the plugin's calls stand beside
// the instructions instead. Each scope is the system's, which is C++'s own.
#include <cstdint>

#include "check/entries/atomics.hpp"
#include "check/memory/record.hpp"

using namespace cohort::check;

namespace {

constexpr uint32_t reads_and_writes = reads_value | writes_value;

uint32_t order_facts(int order) {
  const bool is_release = order == __ATOMIC_RELEASE || order >= __ATOMIC_ACQ_REL;
  const bool is_acquire = order == __ATOMIC_CONSUME || order == __ATOMIC_ACQUIRE || order >= __ATOMIC_ACQ_REL;
  return (is_release ? uint32_t{releases} : 0) | (is_acquire ? uint32_t{acquires} : 0);
}

// Executes `operation`, which may be ordered more strictly than `order`: that hides outcomes and adds none.
template <class T, class Operation>
__attribute__((always_inline)) inline T surround(const volatile T* location, uint32_t facts, int order,
                                                 const Operation& operation) {
  const void* const place = __builtin_return_address(0);
  const void* const address = const_cast<const T*>(location);
  const uint32_t all = facts | order_facts(order) | static_cast<uint32_t>(scope::system);
  let_others_run(place);
  begin_atomic(address, sizeof(T), all, place);
  const T result = operation();
  if (!(facts & reads_value)) return result;
  // In CUDA programs using the result of an addition or exchange orders it; in C++ only its memory order does.
  cohort_check_enter((facts & compares) ? takes_lock : only_releases);
  end_atomic(address, sizeof(T), all, place);
  cohort_check_leave();
  return result;
}

template <class T>
__attribute__((always_inline)) inline bool compare_exchange(volatile T* location, T* expected, T desired, int order) {
  const T wanted = *expected;
  const T found = surround(location, reads_and_writes | compares | updates, order, [&] {
    T value = wanted;
    __atomic_compare_exchange_n(location, &value, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return value;
  });
  if (found == wanted) return true;
  *expected = found;
  return false;
}

}  // namespace

extern "C" {

#define COHORT_UPDATE(bits, T, name)                                                    \
  T __tsan_atomic##bits##_fetch_##name(volatile T* a, T value, int order) {             \
    return surround(a, reads_and_writes | updates, order,                               \
                    [&] { return __atomic_fetch_##name(a, value, __ATOMIC_SEQ_CST); }); \
  }
#define COHORT_ATOMICS(bits, T)                                                                                   \
  T __tsan_atomic##bits##_load(const volatile T* a, int order) {                                                  \
    return surround(a, reads_value, order, [&] { return __atomic_load_n(a, __ATOMIC_SEQ_CST); });                 \
  }                                                                                                               \
  void __tsan_atomic##bits##_store(volatile T* a, T value, int order) {                                           \
    surround(a, writes_value | stores_only, order, [&] {                                                          \
      __atomic_store_n(a, value, __ATOMIC_SEQ_CST);                                                               \
      return value;                                                                                               \
    });                                                                                                           \
  }                                                                                                               \
  T __tsan_atomic##bits##_exchange(volatile T* a, T value, int order) {                                           \
    return surround(a, reads_and_writes, order, [&] { return __atomic_exchange_n(a, value, __ATOMIC_SEQ_CST); }); \
  }                                                                                                               \
  COHORT_UPDATE(bits, T, add)                                                                                     \
  COHORT_UPDATE(bits, T, sub)                                                                                     \
  COHORT_UPDATE(bits, T, and)                                                                                     \
  COHORT_UPDATE(bits, T, or)                                                                                      \
  COHORT_UPDATE(bits, T, xor)                                                                                     \
  COHORT_UPDATE(bits, T, nand)                                                                                    \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile T* a, T* expected, T desired, int order, int) {      \
    return compare_exchange(a, expected, desired, order);                                                         \
  }                                                                                                               \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile T* a, T* expected, T desired, int order, int) {        \
    return compare_exchange(a, expected, desired, order);                                                         \
  }                                                                                                               \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T* a, T expected, T desired, int order, int) {            \
    compare_exchange(a, &expected, desired, order);                                                               \
    return expected;                                                                                              \
  }
COHORT_ATOMICS(8, uint8_t)
COHORT_ATOMICS(16, uint16_t)
COHORT_ATOMICS(32, uint32_t)
COHORT_ATOMICS(64, uint64_t)

void __tsan_atomic_thread_fence(int) {
  cohort_check_fence();
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

}  // extern "C"
