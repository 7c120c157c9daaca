; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A call of a function that reaches a site pushes its own place on the path of the thread, and pops it.
; RUN: %cohort=cohort-converging-sites %s | FileCheck %s
declare i32 @cohort_wait_converged()
define void @callee() noinline {
  %m = call i32 @cohort_wait_converged()
  ret void
}
define void @caller(ptr %p) {
; CHECK-LABEL: @caller(
; CHECK: %path = alloca
; CHECK: [[PLACE:%.+]] = getelementptr inbounds i8, ptr {{%.+}}, i64 24
; CHECK: [[OUTER:%.+]] = load ptr, ptr [[PLACE]], align 8
; CHECK: store ptr %path, ptr [[PLACE]]
; CHECK-NEXT: notail call void @callee()
; CHECK-NEXT: store ptr [[OUTER]], ptr [[PLACE]]
  call void @callee()
  ret void
}
define void @kernel_or_function() {
  call void @caller(ptr null)
  ret void
}
@address = global ptr @caller
