; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The index of a thread is loaded from its context, once in a function, with the range of CUDA's limits.
; RUN: %cohort=cohort-context-reads %s | FileCheck %s
declare i32 @cohort_thread_index(i32)
define i32 @f() {
; CHECK-LABEL: @f(
; CHECK: [[CONTEXT:%.+]] = load ptr, ptr {{%.+}}, align 8, !invariant.load
; CHECK: [[X:%.+]] = load i32, ptr {{%.+}}, align 4, !range [[RANGE:![0-9]+]], !invariant.load
; CHECK-NOT: load i32
; CHECK: add i32 [[X]], [[X]]
; CHECK: [[RANGE]] = !{i32 0, i32 1024}
  %x = call i32 @cohort_thread_index(i32 0)
  %y = call i32 @cohort_thread_index(i32 0)
  %s = add i32 %x, %y
  ret i32 %s
}
