; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A statement that the table lacks is an error with the text of the statement.
; RUN: not %cohort=cohort-inline-ptx %s 2>&1 | FileCheck %s
; CHECK: cohortcc cannot run the inline PTX 'tcgen05.fence::before_thread_sync' on a CPU
define void @f() {
  call void asm sideeffect "tcgen05.fence::before_thread_sync;", ""()
  ret void
}
