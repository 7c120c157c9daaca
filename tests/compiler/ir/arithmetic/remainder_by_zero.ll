; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A signed remainder by 0 or by -1 divides by 1 instead, and by 0 gives all ones.
; RUN: %cohort=cohort-device-arithmetic %s | FileCheck %s
define i32 @f(i32 %x, i32 %d) {
; CHECK-LABEL: @f(
; CHECK: [[ZERO:%.+]] = icmp eq i32 [[D:%.+]], 0
; CHECK: [[NEXT:%.+]] = add i32 [[D]], 1
; CHECK: [[EITHER:%.+]] = icmp ule i32 [[NEXT]], 1
; CHECK: [[SAFE:%.+]] = select i1 [[EITHER]], i32 1, i32 [[D]]
; CHECK: [[R:%.+]] = srem i32 %x, [[SAFE]]
; CHECK: %y = select i1 [[ZERO]], i32 -1, i32 [[R]]
  %y = srem i32 %x, %d
  ret i32 %y
}
