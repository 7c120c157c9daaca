; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An atomic operation on shared memory gets the scope of the block; on global memory it keeps its own.
; RUN: %cohort=cohort-mark-block-atomics %s | FileCheck %s
declare ptr @cohort_static_shared()
declare ptr @cohort_cluster_map(ptr, i32)
define void @f(ptr %global) {
; CHECK: atomicrmw add ptr %place, i32 1 syncscope("cohort.block") monotonic
; CHECK: cmpxchg ptr %far, i32 0, i32 1 syncscope("cohort.block") acquire monotonic
; CHECK: atomicrmw add ptr %global, i32 1 monotonic
  %shared = call ptr @cohort_static_shared()
  %place = getelementptr i8, ptr %shared, i64 8
  %far = call ptr @cohort_cluster_map(ptr %shared, i32 1)
  %a = atomicrmw add ptr %place, i32 1 monotonic
  %b = cmpxchg ptr %far, i32 0, i32 1 acquire monotonic
  %c = atomicrmw add ptr %global, i32 1 monotonic
  ret void
}
