; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Before inlining, position reads are pure functions, and their calls are free to merge.
; RUN: %cohort=cohort-pure-context-reads %s | FileCheck %s
; CHECK: declare i32 @cohort_thread_index(i32) [[PURE:#[0-9]+]]
declare i32 @cohort_thread_index(i32) convergent
define i32 @f() {
; CHECK: %x = call i32 @cohort_thread_index(i32 0){{$}}
; CHECK: attributes [[PURE]] = { nocallback nosync nounwind speculatable willreturn memory(none) }
  %x = call i32 @cohort_thread_index(i32 0) convergent
  ret i32 %x
}
