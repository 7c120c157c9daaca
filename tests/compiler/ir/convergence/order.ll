; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Sites are numbered in the order of the forward edges: both arms of a branch before the join.
; RUN: %cohort=cohort-converging-sites %s | FileCheck %s
; CHECK: @cohort.path = {{.*}} ptr @cohort.site,
; CHECK: @cohort.site.3 = private unnamed_addr constant { i64, ptr, i32, i32 } { i64 2,
; CHECK: @cohort.path.4 = {{.*}} ptr @cohort.site.3,
declare i32 @cohort_wait_converged()
define i32 @f(i1 %c) {
entry:
  br i1 %c, label %a, label %b
join:
; CHECK: join:
; CHECK-NEXT: call i32 @cohort_wait_converged_at(ptr @cohort.path.4)
  %m = call i32 @cohort_wait_converged()
  ret i32 %m
a:
  %x = call i32 @cohort_wait_converged()
  br label %join
b:
  %y = call i32 @cohort_wait_converged()
  br label %join
}
