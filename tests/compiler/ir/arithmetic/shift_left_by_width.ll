; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A shift to the left by the width or more gives 0.
; RUN: %cohort=cohort-device-arithmetic %s | FileCheck %s
define i32 @f(i32 %x, i32 %n) {
; CHECK-LABEL: @f(
; CHECK: [[FITS:%.+]] = icmp ult i32 %n, 32
; CHECK: [[SHIFTED:%.+]] = shl i32 %x, %n
; CHECK: %y = select i1 [[FITS]], i32 [[SHIFTED]], i32 0
; CHECK: ret i32 %y
  %y = shl i32 %x, %n
  ret i32 %y
}
