; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; PTX's exit is a return from the kernel.
; RUN: %cohort=cohort-exits %s | FileCheck %s
declare void @cohort_ptx_exit()
define void @k(ptr %p) "cohort-ends-thread" {
; CHECK-LABEL: @k(
; CHECK-NEXT: ret void
  call void @cohort_ptx_exit()
  store i32 1, ptr %p
  ret void
}
