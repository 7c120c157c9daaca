; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A PTX statement with an equivalent IR instruction becomes that instruction.
; RUN: %cohort=cohort-inline-ptx %s | FileCheck %s
define i32 @f(i32 %a, i32 %b) {
; CHECK-LABEL: @f(
; CHECK-NEXT: [[SUM:%.+]] = add i32 %a, %b
; CHECK-NEXT: ret i32 [[SUM]]
  %d = call i32 asm "add.s32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %d
}
