; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Barrier 0 of all threads is the barrier of the block; any other one has a number.
; RUN: %cohort=cohort-inline-ptx %s | FileCheck %s
define void @f() {
; CHECK-LABEL: @f(
; CHECK-NEXT: call void @cohort_wait_block()
; CHECK-NEXT: call void @cohort_wait_named(i32 3, i32 64)
  call void asm sideeffect "bar.sync 0; bar.sync 3, 64;", ""()
  ret void
}
