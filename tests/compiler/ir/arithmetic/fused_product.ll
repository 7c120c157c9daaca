; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A product with one use and the sum in its block become one operation where the CPU has it.
; RUN: %cohort=cohort-relaxed-arithmetic %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
define float @fused(float %a, float %b, float %c) "target-features"="+fma" {
; CHECK-LABEL: @fused(
; CHECK-NEXT: %s = call float @llvm.fma.f32(float %a, float %b, float %c)
; CHECK-NEXT: ret float %s
  %p = fmul contract float %a, %b
  %s = fadd contract float %p, %c
  ret float %s
}
define float @plain(float %a, float %b, float %c) {
; CHECK-LABEL: @plain(
; CHECK-NEXT: %p = fmul float %a, %b
; CHECK-NEXT: %s = fadd float %p, %c
  %p = fmul contract float %a, %b
  %s = fadd contract float %p, %c
  ret float %s
}
