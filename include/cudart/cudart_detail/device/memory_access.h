// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores with a cache hint. A CPU has one coherent cache, so the hints have no effect. Only __ldcv loads and
// __stwt stores at each call, as volatile accesses do.
#pragma once

#include <stddef.h>

#include "macros.h"

#define COHORT_HINTED_LOAD(name)                    \
  template <class T>                                \
  COHORT_DEVICE_FUNCTION T name(const T* address) { \
    return *address;                                \
  }
#define COHORT_HINTED_STORE(name)                         \
  template <class T>                                      \
  COHORT_DEVICE_FUNCTION void name(T* address, T value) { \
    *address = value;                                     \
  }

COHORT_HINTED_LOAD(__ldg)
COHORT_HINTED_LOAD(__ldca)
COHORT_HINTED_LOAD(__ldcg)
COHORT_HINTED_LOAD(__ldcs)
COHORT_HINTED_LOAD(__ldlu)
COHORT_HINTED_STORE(__stwb)
COHORT_HINTED_STORE(__stcg)
COHORT_HINTED_STORE(__stcs)
#undef COHORT_HINTED_LOAD
#undef COHORT_HINTED_STORE

// The widest word that can move a type of this alignment.
template <size_t Alignment>
struct cohort_memory_word {
  typedef unsigned long long __attribute__((may_alias)) type;
};
template <>
struct cohort_memory_word<4> {
  typedef unsigned int __attribute__((may_alias)) type;
};
template <>
struct cohort_memory_word<2> {
  typedef unsigned short __attribute__((may_alias)) type;
};
template <>
struct cohort_memory_word<1> {
  typedef unsigned char type;
};

template <class T>
COHORT_DEVICE_FUNCTION T __ldcv(const T* address) {
  using word = typename cohort_memory_word<alignof(T)>::type;
  T value;
  for (size_t i = 0; i < sizeof(T) / sizeof(word); ++i)
    reinterpret_cast<word*>(&value)[i] = reinterpret_cast<const volatile word*>(address)[i];
  return value;
}
template <class T>
COHORT_DEVICE_FUNCTION void __stwt(T* address, T value) {
  using word = typename cohort_memory_word<alignof(T)>::type;
  for (size_t i = 0; i < sizeof(T) / sizeof(word); ++i)
    reinterpret_cast<volatile word*>(address)[i] = reinterpret_cast<const word*>(&value)[i];
}
