; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Equal sites of two branches stay two: their calls do not merge, nor those of functions that reach them.
; RUN: %cohort=cohort-keep-converged-sites %s | FileCheck %s
; CHECK: call i32 @cohort_wait_converged() [[KEPT:#[0-9]+]]
; CHECK: call void @callee() [[KEPT]]
; CHECK: call void @other(){{$}}
; CHECK: attributes [[KEPT]] = { nomerge }
declare i32 @cohort_wait_converged()
declare void @other()
define void @callee() {
  %m = call i32 @cohort_wait_converged()
  ret void
}
define void @caller() {
  call void @callee()
  call void @other()
  ret void
}
