; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A call through a pointer may wait.
; RUN: %cohort=cohort-module-tables,cohort-thread-loops %s 2>&1 | FileCheck %s
; CHECK: has a stack for each thread: it calls a function through a pointer
define void @k(ptr %function) {
  call void %function()
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"report"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}}}
