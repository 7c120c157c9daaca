; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A read by a computed axis selects among the values of the three axes.
; RUN: %cohort=cohort-context-reads %s | FileCheck %s
declare i32 @cohort_block_index(i32)
define i32 @f(i32 %axis) {
; CHECK-LABEL: @f(
; CHECK: [[IS_Y:%.+]] = icmp eq i32 %axis, 1
; CHECK: [[REST:%.+]] = select i1 [[IS_Y]],
; CHECK: [[IS_X:%.+]] = icmp eq i32 %axis, 0
; CHECK: select i1 [[IS_X]], i32 {{%.+}}, i32 [[REST]]
; CHECK-NOT: call i32
  %x = call i32 @cohort_block_index(i32 %axis)
  ret i32 %x
}
