// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory orders, thread scopes and fences of <cuda/atomic>. On the CPU all threads share one memory, so a fence of any
// scope is a fence for all threads.
#pragma once

#include <cohort/base/config.hpp>
#include <cohort/base/scope.hpp>

namespace cuda {

using cohort::thread_scope;
using cohort::thread_scope_block;
using cohort::thread_scope_device;
using cohort::thread_scope_system;
using cohort::thread_scope_thread;

namespace std {

enum class memory_order : int {
  relaxed = __ATOMIC_RELAXED,
  consume = __ATOMIC_CONSUME,
  acquire = __ATOMIC_ACQUIRE,
  release = __ATOMIC_RELEASE,
  acq_rel = __ATOMIC_ACQ_REL,
  seq_cst = __ATOMIC_SEQ_CST
};
inline constexpr memory_order memory_order_relaxed = memory_order::relaxed;
inline constexpr memory_order memory_order_consume = memory_order::consume;
inline constexpr memory_order memory_order_acquire = memory_order::acquire;
inline constexpr memory_order memory_order_release = memory_order::release;
inline constexpr memory_order memory_order_acq_rel = memory_order::acq_rel;
inline constexpr memory_order memory_order_seq_cst = memory_order::seq_cst;

COHORT_ANY_SIDE void atomic_thread_fence(memory_order order) { __atomic_thread_fence(static_cast<int>(order)); }
COHORT_ANY_SIDE void atomic_signal_fence(memory_order order) { __atomic_signal_fence(static_cast<int>(order)); }

}  // namespace std

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

COHORT_ANY_SIDE void atomic_thread_fence(memory_order order, thread_scope = thread_scope_system) {
  std::atomic_thread_fence(order);
}
COHORT_ANY_SIDE void atomic_signal_fence(memory_order order) { std::atomic_signal_fence(order); }

}  // namespace cuda
