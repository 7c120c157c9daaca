; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An unsigned division by zero gives all ones; the divisor is frozen, so both tests of it agree.
; RUN: %cohort=cohort-device-arithmetic %s | FileCheck %s
define i32 @f(i32 %x, i32 %d) {
; CHECK-LABEL: @f(
; CHECK: [[D:%.+]] = freeze i32 %d
; CHECK: [[ZERO:%.+]] = icmp eq i32 [[D]], 0
; CHECK: [[SAFE:%.+]] = select i1 [[ZERO]], i32 1, i32 [[D]]
; CHECK: [[Q:%.+]] = udiv i32 %x, [[SAFE]]
; CHECK: %y = select i1 [[ZERO]], i32 -1, i32 [[Q]]
  %y = udiv i32 %x, %d
  ret i32 %y
}
