; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The place of each wait is noted for the checker.
; RUN: %cohort=cohort-instrument-waits %s | FileCheck %s
declare void @cohort_wait_block()
define void @f() {
; CHECK-LABEL: @f(
; CHECK-NEXT: call void @cohort_check_{{.*}}
; CHECK: call void @cohort_wait_block()
  call void @cohort_wait_block()
  ret void
}
!cohort.options = !{!0}
!0 = !{!"check=race"}
