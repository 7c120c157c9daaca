; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Only the first of equal accesses between two synchronisations keeps its check.
; RUN: %cohort=cohort-instrument-accesses %s | FileCheck %s
declare void @cohort_wait_block()
define void @f(ptr %p) {
; CHECK-LABEL: @f(
; CHECK: call void @__tsan_write4(ptr %p)
; CHECK-NOT: __tsan_write
; CHECK: invoke void @cohort_wait_block()
; CHECK: call void @__tsan_write4(ptr %p)
  store i32 1, ptr %p
  store i32 2, ptr %p
  call void @cohort_wait_block()
  store i32 3, ptr %p
  ret void
}
!cohort.options = !{!0}
!0 = !{!"check=race"}
