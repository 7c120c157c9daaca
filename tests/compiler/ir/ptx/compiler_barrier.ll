; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An empty asm statement with side effects orders the accesses of its thread.
; RUN: %cohort=cohort-inline-ptx %s | FileCheck %s
define void @f() {
; CHECK-LABEL: @f(
; CHECK-NEXT: fence syncscope("singlethread") seq_cst
  call void asm sideeffect "", "~{memory}"()
  ret void
}
