; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Two divisions by one divisor become products with its reciprocal; a single one stays.
; RUN: %cohort=cohort-relaxed-arithmetic %s | FileCheck %s
define float @two(float %a, float %b, float %d) {
; CHECK-LABEL: @two(
; CHECK-NEXT: %reciprocal = fdiv float 1.000000e+00, %d
; CHECK-NEXT: %x = fmul float %a, %reciprocal
; CHECK-NEXT: %y = fmul float %b, %reciprocal
  %x = fdiv arcp float %a, %d
  %y = fdiv arcp float %b, %d
  %s = fadd float %x, %y
  ret float %s
}
define float @one(float %a, float %d) {
; CHECK-LABEL: @one(
; CHECK-NEXT: %x = fdiv float %a, %d
  %x = fdiv arcp float %a, %d
  ret float %x
}
