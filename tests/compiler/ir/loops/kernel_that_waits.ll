; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A kernel that waits has a stack for each thread, and no second entry.
; RUN: %cohort=cohort-module-tables,cohort-thread-loops %s 2>&1 | FileCheck %s
; CHECK: remark: kernel 'space::k' has a stack for each thread: it calls cohort_wait_block
; CHECK: @cohort.kernel.k = private global {{.*}} ptr @cohort.thread.k, ptr null,
declare void @cohort_wait_block()
define void @k() {
  call void @cohort_wait_block()
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"report"}
!1 = !{!"k", !"space::k", !{}}
