; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A result of 8 bits is the low bits of one of 32 bits.
; RUN: %cohort=cohort-device-arithmetic %s | FileCheck %s
define i8 @f(float %x) {
; CHECK-LABEL: @f(
; CHECK: fptosi float {{%.+}} to i32
; CHECK: %y = trunc i32 {{%.+}} to i8
  %y = fptosi float %x to i8
  ret i8 %y
}
