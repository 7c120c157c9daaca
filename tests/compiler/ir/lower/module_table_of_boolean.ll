; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A bool is a byte in memory and one bit as an argument.
; RUN: %cohort=cohort-module-tables %s | FileCheck %s
define void @k(i1 %b) {
  ret void
}
; CHECK-LABEL: @cohort.thread.k(
; CHECK: [[BYTE:%.+]] = load i8, ptr {{%.+}}, align 1
; CHECK: [[BIT:%.+]] = trunc i8 [[BYTE]] to i1
; CHECK: call void @k(i1 [[BIT]])
!cohort.kernels = !{!0}
!0 = !{!"k", !"k", !{!{!"values", i64 1, i64 1, i64 0}}}
