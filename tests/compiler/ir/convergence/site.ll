; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A converging site of a kernel, outside of loops, is a constant.
; RUN: %cohort=cohort-converging-sites %s | FileCheck %s
declare i32 @cohort_wait_converged()
; CHECK: @cohort.site = private unnamed_addr constant {{.*}} { i64 77309411328,
; CHECK: @cohort.path = private unnamed_addr constant {{.*}} ptr @cohort.site
define i32 @f() {
; CHECK-LABEL: @f(
; CHECK: call i32 @cohort_wait_converged_at(ptr {{@cohort.path|%path}})
  %m = call i32 @cohort_wait_converged()
  ret i32 %m
}
!cohort.options = !{!0}
!0 = !{!"id=00000012"}
