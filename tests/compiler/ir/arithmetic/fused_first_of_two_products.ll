; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; In a sum of two products, the first one is fused.
; RUN: %cohort=cohort-relaxed-arithmetic %s | FileCheck %s
target triple = "aarch64-unknown-linux-gnu"
define double @f(double %a, double %b, double %c, double %d) {
; CHECK-LABEL: @f(
; CHECK-NEXT: %q = fmul double %c, %d
; CHECK-NEXT: %s = call double @llvm.fma.f64(double %a, double %b, double %q)
  %p = fmul contract double %a, %b
  %q = fmul contract double %c, %d
  %s = fadd contract double %p, %q
  ret double %s
}
