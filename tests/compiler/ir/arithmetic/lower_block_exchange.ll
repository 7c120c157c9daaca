; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A compare-and-exchange of the block stores the old value where it differs.
; RUN: %cohort=cohort-block-atomics %s | FileCheck %s
define i1 @f(ptr %p) {
; CHECK-LABEL: @f(
; CHECK: [[OLD:%.+]] = load atomic i32, ptr %p monotonic
; CHECK: [[EQUAL:%.+]] = icmp eq i32 [[OLD]], 7
; CHECK: [[NEW:%.+]] = select i1 [[EQUAL]], i32 9, i32 [[OLD]]
; CHECK: store atomic i32 [[NEW]], ptr %p monotonic
  %x = cmpxchg ptr %p, i32 7, i32 9 syncscope("cohort.block") monotonic monotonic
  %y = extractvalue { i32, i1 } %x, 1
  ret i1 %y
}
