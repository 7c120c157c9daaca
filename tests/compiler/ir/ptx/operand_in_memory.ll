; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An operand in memory is an error.
; RUN: not %cohort=cohort-inline-ptx %s 2>&1 | FileCheck %s
; CHECK: on a CPU: it has an operand in memory
define void @f(ptr %p) {
  call void asm sideeffect "mov.u32 $0, 1;", "=*m"(ptr elementtype(i32) %p)
  ret void
}
