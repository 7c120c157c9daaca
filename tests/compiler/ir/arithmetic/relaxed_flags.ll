; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The step removes all flags that let the bits of a result change; flags about NaN and zeros stay.
; RUN: %cohort=cohort-relaxed-arithmetic %s | FileCheck %s
define float @f(float %a, float %b) "approx-func-fp-math"="true" {
; CHECK: %s = fadd nnan nsz float %a, %b
; CHECK-NOT: approx-func-fp-math
  %s = fadd nnan nsz arcp contract afn float %a, %b
  ret float %s
}
