; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An output that is also an input begins with the input's value.
; RUN: %cohort=cohort-inline-ptx %s | FileCheck %s
define i32 @f(i32 %a, i32 %b) {
; CHECK-LABEL: @f(
; CHECK: [[SUM:%.+]] = add i32 %a, %b
; CHECK: ret i32 [[SUM]]
  %d = call i32 asm "add.u32 $0, $0, $1;", "=r,r,0"(i32 %b, i32 %a)
  ret i32 %d
}
