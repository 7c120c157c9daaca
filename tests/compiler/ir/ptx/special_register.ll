; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A read of a special register becomes a call of a position function.
; RUN: %cohort=cohort-inline-ptx %s | FileCheck %s
define i32 @f() {
; CHECK-LABEL: @f(
; CHECK-NEXT: [[Y:%.+]] = call i32 @cohort_thread_index(i32 1)
; CHECK-NEXT: ret i32 [[Y]]
  %d = call i32 asm "mov.u32 $0, %tid.y;", "=r"()
  ret i32 %d
}
