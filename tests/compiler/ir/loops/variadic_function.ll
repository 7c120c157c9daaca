; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A function with a variable number of arguments reads them in its own frame, so it is not inlined into a loop.
; RUN: %cohort=cohort-module-tables,cohort-thread-loops %s 2>&1 | FileCheck %s
; CHECK: has a stack for each thread: f has a variable number of arguments
define void @f(i32 %count, ...) {
  %list = alloca [24 x i8]
  call void @llvm.va_start.p0(ptr %list)
  call void @llvm.va_end.p0(ptr %list)
  ret void
}
define void @k() {
  call void (i32, ...) @f(i32 1, i32 2)
  ret void
}
declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_end.p0(ptr)
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"report"}
!1 = !{!"k", !"k", !{}}
