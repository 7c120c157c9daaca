; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; In a difference the subtrahend is negated: the addend, or a factor.
; RUN: %cohort=cohort-relaxed-arithmetic %s | FileCheck %s
target triple = "aarch64-unknown-linux-gnu"
define float @minus_addend(float %a, float %b, float %c) {
; CHECK-LABEL: @minus_addend(
; CHECK-NEXT: [[NEG:%.+]] = fneg float %c
; CHECK-NEXT: %s = call float @llvm.fma.f32(float %a, float %b, float [[NEG]])
  %p = fmul contract float %a, %b
  %s = fsub contract float %p, %c
  ret float %s
}
define float @minus_product(float %a, float %b, float %c) {
; CHECK-LABEL: @minus_product(
; CHECK-NEXT: [[NEG:%.+]] = fneg float %a
; CHECK-NEXT: %s = call float @llvm.fma.f32(float [[NEG]], float %b, float %c)
  %p = fmul contract float %a, %b
  %s = fsub contract float %c, %p
  ret float %s
}
