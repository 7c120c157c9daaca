; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An access of device code gets a call of the checker.
; RUN: %cohort=cohort-instrument-accesses %s | FileCheck %s
define void @f(ptr %p) {
; CHECK-LABEL: @f(
; CHECK: call void @__tsan_write4(ptr %p)
; CHECK: store i32 1, ptr %p
  store i32 1, ptr %p
  ret void
}
!cohort.options = !{!0}
!0 = !{!"check=race"}
