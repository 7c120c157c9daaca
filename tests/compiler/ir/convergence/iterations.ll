; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A site in a loop passes the count of iterations.
; RUN: %cohort=cohort-converging-sites %s | FileCheck %s
declare i32 @cohort_wait_converged()
define void @f(i32 %n) {
; CHECK-LABEL: @f(
; CHECK: %iterations = alloca [1 x i32]
; CHECK: loop:
; CHECK: %iteration = phi i32 [ [[NEXT:%.+]], %loop ], [ 0, %entry ]
; CHECK: store i32 %iteration, ptr
; CHECK: call i32 @cohort_wait_converged_at(ptr %path)
; CHECK: [[NEXT]] = add i32 %iteration, 1
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %m = call i32 @cohort_wait_converged()
  %j = add i32 %i, 3
  %again = icmp ult i32 %j, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
