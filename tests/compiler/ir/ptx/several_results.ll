; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An asm statement with several outputs returns a structure.
; RUN: %cohort=cohort-inline-ptx %s | FileCheck %s
define { i32, i32 } @f(i32 %a) {
; CHECK-LABEL: @f(
; CHECK: [[NOT:%.+]] = xor i32 %a, -1
; CHECK: [[FIRST:%.+]] = insertvalue { i32, i32 } poison, i32 [[NOT]], 0
; CHECK: insertvalue { i32, i32 } [[FIRST]], i32 %a, 1
  %d = call { i32, i32 } asm "not.b32 $0, $2; mov.u32 $1, $2;", "=r,=r,r"(i32 %a)
  ret { i32, i32 } %d
}
