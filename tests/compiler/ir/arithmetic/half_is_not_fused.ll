; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Half precision is not fused on any CPU, so that its bits are equal on all.
; RUN: %cohort=cohort-relaxed-arithmetic %s | FileCheck %s
; CHECK-NOT: llvm.fma
target triple = "x86_64-unknown-linux-gnu"
define half @f(half %a, half %b) "target-features"="+fma,+avx512f,+avx512fp16" {
  %m = fmul contract half %a, %b
  %s = fadd contract half %m, %a
  ret half %s
}
