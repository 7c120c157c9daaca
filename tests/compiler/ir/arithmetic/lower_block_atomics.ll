; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An operation with the scope of the block is a load, an operation and a store, each atomic.
; RUN: %cohort=cohort-block-atomics %s | FileCheck %s
define i32 @f(ptr %p) {
; CHECK-LABEL: @f(
; CHECK-NEXT: [[OLD:%.+]] = load atomic i32, ptr %p acquire, align 4
; CHECK-NEXT: [[NEW:%.+]] = add i32 [[OLD]], 3
; CHECK-NEXT: store atomic i32 [[NEW]], ptr %p release, align 4
; CHECK-NEXT: ret i32 [[OLD]]
  %x = atomicrmw add ptr %p, i32 3 syncscope("cohort.block") acq_rel
  ret i32 %x
}
