; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An atomic operation returns the old value.
; RUN: %cohort=cohort-inline-ptx %s | FileCheck %s
define i32 @f(ptr %p, i32 %x) {
; CHECK-LABEL: @f(
; CHECK: [[OLD:%.+]] = atomicrmw add ptr %p, i32 %x monotonic
; CHECK: ret i32 [[OLD]]
  %d = call i32 asm sideeffect "atom.add.u32 $0, [$1], $2;", "=r,l,r,~{memory}"(ptr %p, i32 %x)
  ret i32 %d
}
