; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An operation with a total order is a fence for other memory, and one of 16 bytes is no single access: both stay.
; RUN: %cohort=cohort-mark-block-atomics %s | FileCheck %s
; CHECK-NOT: cohort.block
declare ptr @cohort_static_shared()
define void @f() {
  %shared = call ptr @cohort_static_shared()
  %a = atomicrmw add ptr %shared, i32 1 seq_cst
  %b = cmpxchg ptr %shared, i128 0, i128 1 monotonic monotonic
  ret void
}
