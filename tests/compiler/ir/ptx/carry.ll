; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; .cc leaves a carry that addc adds.
; RUN: %cohort=cohort-inline-ptx %s | FileCheck %s
define { i32, i32 } @f(i32 %a, i32 %b, i32 %c, i32 %d) {
; CHECK-LABEL: @f(
; CHECK: [[SUM:%.+]] = add i64 {{%.+}}, 0
; CHECK: [[HIGH:%.+]] = lshr i64 [[SUM]], 32
; CHECK: [[CARRY:%.+]] = trunc i64 [[HIGH]] to i1
; CHECK: [[ONE:%.+]] = zext i1 [[CARRY]] to i64
; CHECK: add i64 {{%.+}}, [[ONE]]
; CHECK: ret
  %r = call { i32, i32 } asm "add.cc.u32 $0, $2, $3; addc.u32 $1, $4, $5;", "=r,=r,r,r,r,r"(i32 %a, i32 %b, i32 %c, i32 %d)
  ret { i32, i32 } %r
}
