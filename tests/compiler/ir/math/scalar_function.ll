; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A call of the C library's function, or of LLVM's, becomes a call of SLEEF's, from the family that the CPU permits.
; RUN: %cohort=cohort-device-math %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare float @sinf(float)
declare double @llvm.exp.f64(double)
define float @f(float %x) "target-features"="+fma" {
; CHECK-LABEL: @f(
; CHECK-NEXT: %y = call float @Sleef_finz_sinf1_u10purecfma(float %x)
  %y = call float @sinf(float %x)
  ret float %y
}
define double @g(double %x) {
; CHECK-LABEL: @g(
; CHECK-NEXT: %y = call double @Sleef_cinz_expd1_u10purec(double %x)
  %y = call double @llvm.exp.f64(double %x)
  ret double %y
}
