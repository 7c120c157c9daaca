; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Equal waits in two arms of a branch stay two.
; RUN: %cohort=cohort-keep-equal-waits %s | FileCheck %s
; CHECK: call void @cohort_wait_block() [[KEPT:#[0-9]+]]
; CHECK: attributes [[KEPT]] = { convergent nomerge }
declare void @cohort_wait_block() convergent
define void @f() {
  call void @cohort_wait_block() convergent
  ret void
}
!cohort.options = !{!0}
!0 = !{!"check=race"}
