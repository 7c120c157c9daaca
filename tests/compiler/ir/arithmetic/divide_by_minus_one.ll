; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The most negative number divided by -1 wraps around: the quotient by -1 is the negated dividend.
; RUN: %cohort=cohort-device-arithmetic %s | FileCheck %s
define i32 @f(i32 %x, i32 %d) {
; CHECK-LABEL: @f(
; CHECK: [[MINUS:%.+]] = icmp eq i32 {{%.+}}, -1
; CHECK: [[Q:%.+]] = sdiv i32 %x,
; CHECK: [[NEG:%.+]] = sub i32 0, %x
; CHECK: select i1 [[MINUS]], i32 [[NEG]], i32 [[Q]]
  %y = sdiv i32 %x, %d
  ret i32 %y
}
