; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Labels and branches become basic blocks: a loop in an asm statement is a loop of IR.
; RUN: %cohort=cohort-inline-ptx -passes=cohort-inline-ptx %s | FileCheck %s
define i32 @f(i32 %n) {
; CHECK-LABEL: @f(
; CHECK: br label %[[LOOP:.+]]
; CHECK: [[LOOP]]:
; CHECK-NEXT: [[I:%.+]] = phi i32
; CHECK: add i32 [[I]], 1
; CHECK: br i1 {{%.+}}, label %[[LOOP]], label
  %d = call i32 asm "{ .reg .pred p; mov.u32 $0, 0; again: add.u32 $0, $0, 1; setp.lt.u32 p, $0, $1; @p bra again; }", "=&r,r"(i32 %n)
  ret i32 %d
}
