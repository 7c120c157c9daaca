; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A guarded statement runs in a branch; if it does not run, its result keeps the old value.
; RUN: %cohort=cohort-inline-ptx %s | FileCheck %s
define i32 @f(i32 %a) {
; CHECK-LABEL: @f(
; CHECK: [[P:%.+]] = icmp eq i32 %a, 0
; CHECK: %3 = xor i1 [[P]], true
; CHECK: br i1 %3, label %[[THEN:.+]], label %[[NEXT:.+]]
; CHECK: [[THEN]]:
; CHECK-NEXT: br label %[[NEXT]]
; CHECK: [[D:%.+]] = phi i32 [ 5, %[[THEN]] ], [ %a, %0 ]
; CHECK: ret i32 [[D]]
  %d = call i32 asm "{ .reg .pred p; setp.eq.u32 p, $1, 0; mov.u32 $0, $1; @!p mov.u32 $0, 5; }", "=r,r"(i32 %a)
  ret i32 %d
}
