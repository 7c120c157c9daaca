; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A parameter with two registers is two arguments; one that the callee may change is a copy.
; RUN: %cohort=cohort-module-tables %s | FileCheck %s
define void @k(i64 %low, i64 %high, ptr %object) {
  ret void
}
; CHECK-LABEL: @cohort.thread.k(
; CHECK: [[LOW:%.+]] = load i64, ptr {{%.+}}, align 8
; CHECK: getelementptr inbounds i8, ptr {{%.+}}, i64 8
; CHECK: [[HIGH:%.+]] = load i64, ptr {{%.+}}, align 8
; CHECK: [[COPY:%.+]] = alloca [24 x i8], align 8
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 8 [[COPY]], ptr align 8 {{%.+}}, i64 24, i1 false)
; CHECK: call void @k(i64 [[LOW]], i64 [[HIGH]], ptr [[COPY]])
!cohort.kernels = !{!0}
!0 = !{!"k", !"k", !{!{!"values", i64 16, i64 8, i64 0, i64 8}, !{!"reference", i64 24, i64 8}}}
