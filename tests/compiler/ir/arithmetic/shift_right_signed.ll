; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A signed shift to the right clamps its amount, so that a large one gives the sign.
; RUN: %cohort=cohort-device-arithmetic %s | FileCheck %s
define i32 @f(i32 %x, i32 %n) {
; CHECK-LABEL: @f(
; CHECK: [[AMOUNT:%.+]] = call i32 @llvm.umin.i32(i32 %n, i32 31)
; CHECK: %y = ashr i32 %x, [[AMOUNT]]
  %y = ashr i32 %x, %n
  ret i32 %y
}
