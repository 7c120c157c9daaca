; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A label belongs to its braces, so two pairs of braces may define equal names.
; RUN: %cohort=cohort-inline-ptx %s | FileCheck %s
; CHECK-NOT: asm
define void @f(i32 %n) {
; CHECK-LABEL: @f(
; CHECK: ret void
  call void asm sideeffect "{ bra end; end: } { bra end; end: }", ""()
  ret void
}
