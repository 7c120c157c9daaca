; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A product with two uses stays, and so does one in another block.
; RUN: %cohort=cohort-relaxed-arithmetic %s | FileCheck %s
; CHECK-NOT: llvm.fma
target triple = "aarch64-unknown-linux-gnu"
define float @two_uses(float %a, float %b, ptr %p) {
  %m = fmul contract float %a, %b
  store float %m, ptr %p
  %s = fadd contract float %m, %a
  ret float %s
}
define float @two_blocks(float %a, float %b) {
  %m = fmul contract float %a, %b
  br label %next
next:
  %s = fadd contract float %m, %a
  ret float %s
}
