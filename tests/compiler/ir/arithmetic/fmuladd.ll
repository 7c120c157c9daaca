; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; llvm.fmuladd is decided by the CPU: one operation, or two.
; RUN: %cohort=cohort-relaxed-arithmetic %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
define float @fused(float %a, float %b) "target-features"="+avx512f" {
; CHECK-LABEL: @fused(
; CHECK: call float @llvm.fma.f32(float %a, float %b, float %a)
  %s = call float @llvm.fmuladd.f32(float %a, float %b, float %a)
  ret float %s
}
define float @plain(float %a, float %b) {
; CHECK-LABEL: @plain(
; CHECK: [[M:%.+]] = fmul float %a, %b
; CHECK: fadd float [[M]], %a
  %s = call float @llvm.fmuladd.f32(float %a, float %b, float %a)
  ret float %s
}
