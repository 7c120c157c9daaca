; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Each further CPU has a table of each kernel; the entry for a single thread is shared.
; RUN: %cohort=cohort-module-tables %s | FileCheck %s
; CHECK: @cohort.kernel.k = private global {{.*}} ptr @cohort.thread.k,
; CHECK: @cohort.kernel.k.{{[0-9]+}} = private global {{.*}} ptr @cohort.thread.k,
; CHECK: c"znver5\00"
define void @k() {
  ret void
}
!cohort.cpus = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"znver5", !"+avx512f"}
!1 = !{!"k", !"k", !{}}
