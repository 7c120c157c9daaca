; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A float becomes an int with saturation, and NaN becomes 0.
; RUN: %cohort=cohort-device-arithmetic %s | FileCheck %s
define i32 @f(float %x) {
; CHECK-LABEL: @f(
; CHECK: [[ABOVE:%.+]] = fcmp ogt float %x, 0xC1E0000000000000
; CHECK: [[LEAST:%.+]] = select i1 [[ABOVE]], float %x, float 0xC1E0000000000000
; CHECK: [[RAW:%.+]] = fptosi float [[LEAST]] to i32
; CHECK: fcmp oge float %x, 0x41E0000000000000
; CHECK: select i1 {{%.+}}, i32 2147483647, i32
; CHECK: [[NAN:%.+]] = fcmp uno float %x, %x
; CHECK: %y = select i1 [[NAN]], i32 0, i32
  %y = fptosi float %x to i32
  ret i32 %y
}
