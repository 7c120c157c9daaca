; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A branch to a label that the asm statement does not define is an error.
; RUN: not %cohort=cohort-inline-ptx %s 2>&1 | FileCheck %s
; CHECK: 'away' is no label of this assembly
define void @f() {
  call void asm sideeffect "bra away;", ""()
  ret void
}
