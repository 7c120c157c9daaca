; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A comparison writes a predicate, and selp selects by it.
; RUN: %cohort=cohort-inline-ptx %s | FileCheck %s
define i32 @f(i32 %a, i32 %b) {
; CHECK-LABEL: @f(
; CHECK: [[P:%.+]] = icmp slt i32 %a, %b
; CHECK: [[D:%.+]] = select i1 [[P]], i32 %a, i32 %b
; CHECK: ret i32 [[D]]
  %d = call i32 asm "{ .reg .pred p; setp.lt.s32 p, $1, $2; selp.b32 $0, $1, $2, p; }", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %d
}
