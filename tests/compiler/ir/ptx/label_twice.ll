; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A label that is defined twice in its braces is an error.
; RUN: not %cohort=cohort-inline-ptx %s 2>&1 | FileCheck %s
; CHECK: cohortcc cannot run the inline PTX 'end:' on a CPU: the label stands twice
define void @f() {
  call void asm sideeffect "end: end:", ""()
  ret void
}
