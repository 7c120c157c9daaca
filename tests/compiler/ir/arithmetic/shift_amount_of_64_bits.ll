; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The amount of a 64-bit shift has 32 bits.
; RUN: %cohort=cohort-device-arithmetic %s | FileCheck %s
define i64 @f(i64 %x, i64 %n) {
; CHECK-LABEL: @f(
; CHECK: [[LOW:%.+]] = and i64 %n, 4294967295
; CHECK: icmp ult i64 [[LOW]], 64
; CHECK: lshr i64 %x, [[LOW]]
  %y = lshr i64 %x, %n
  ret i64 %y
}
