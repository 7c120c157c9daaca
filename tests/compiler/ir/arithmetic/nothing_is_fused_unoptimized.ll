; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; At -O0 products and sums stay apart, but lose the flag that lets the backend fuse them.
; RUN: %cohort='cohort-relaxed-arithmetic<O0>' %s | FileCheck %s
target triple = "aarch64-unknown-linux-gnu"
define float @f(float %a, float %b) {
; CHECK: fmul float %a, %b
; CHECK: fadd float
  %m = fmul contract float %a, %b
  %s = fadd contract float %m, %a
  ret float %s
}
