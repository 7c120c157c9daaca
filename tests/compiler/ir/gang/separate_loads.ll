; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A long run of loads between two stores is split, because code generation would move all of them to its beginning.
; RUN: %cohort='function(cohort-separate-loads)' %s | FileCheck %s
; CHECK: call void asm sideeffect "", "~{memory}"()
target triple = "x86_64-unknown-linux-gnu"
define void @f(ptr %p, ptr %q) {
  %a = load <8192 x i32>, ptr %p
  %b = load <8192 x i32>, ptr %q
  store <8192 x i32> %a, ptr %q
  store <8192 x i32> %b, ptr %p
  ret void
}
