; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A recursive function cannot be inlined into a loop over threads.
; RUN: %cohort=cohort-module-tables,cohort-thread-loops %s 2>&1 | FileCheck %s
; CHECK: has a stack for each thread: f is recursive
define void @f() {
  call void @f()
  ret void
}
define void @k() {
  call void @f()
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"report"}
!1 = !{!"k", !"k", !{}}
