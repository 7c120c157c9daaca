; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Without optimization no kernel becomes a loop, because a debugger should show each thread as written.
; RUN: %cohort=cohort-module-tables,cohort-report-no-loops %s 2>&1 | FileCheck %s
; CHECK: has a stack for each thread: it is compiled without optimization
define void @k() {
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"report"}
!1 = !{!"k", !"k", !{}}
