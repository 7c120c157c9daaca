; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; NaN as an unsigned 64-bit number has the top bit only.
; RUN: %cohort=cohort-device-arithmetic %s | FileCheck %s
define i64 @f(double %x) {
; CHECK-LABEL: @f(
; CHECK: fcmp ogt double %x, 0.000000e+00
; CHECK: fptoui double
; CHECK: [[NAN:%.+]] = fcmp uno double %x, %x
; CHECK: select i1 [[NAN]], i64 -9223372036854775808, i64
  %y = fptoui double %x to i64
  ret i64 %y
}
