; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A function with exit is always inlined into its kernel, where a return ends the thread.
; RUN: %cohort=cohort-inline-ptx %s | FileCheck %s
; CHECK: define void @f() [[INLINED:#[0-9]+]]
; CHECK: call void @cohort_ptx_exit()
; CHECK: define void @k() [[KERNEL:#[0-9]+]]
; CHECK-DAG: attributes [[INLINED]] = { alwaysinline }
; CHECK-DAG: attributes [[KERNEL]] = { "cohort-ends-thread" }
define void @f() noinline {
  call void asm sideeffect "exit;", ""()
  ret void
}
define void @k() {
  call void @f()
  ret void
}
!cohort.kernels = !{!0}
!0 = !{!"k", !"k", !{}}
