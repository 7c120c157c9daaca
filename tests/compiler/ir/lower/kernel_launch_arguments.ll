; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A stub stores the registers of a structure at their offsets, a bool as a byte, and passes on what lies in memory.
; RUN: %cohort=cohort-kernel-launches %s | FileCheck %s
define void @k(i64 %low, i32 %high, i1 %flag, ptr byval(i128) %large) {
  ret void
}
define ptr @address() {
  ret ptr @k
}
; CHECK-LABEL: define ptr @address(
; CHECK: ret ptr @k.launch
; CHECK-LABEL: define void @k.launch(ptr %0, i64 %1, i32 %2, i1 %3, ptr byval(i128) %4)
; CHECK: [[PARTS:%.+]] = alloca [16 x i8], align 8
; CHECK: store i64 %1, ptr {{.+}}, align 8
; CHECK: [[HIGH:%.+]] = getelementptr inbounds i8, ptr [[PARTS]], i64 8
; CHECK: store i32 %2, ptr [[HIGH]], align 8
; CHECK: [[BYTE:%.+]] = zext i1 %3 to i8
; CHECK: store i8 [[BYTE]],
; CHECK: store ptr %4,
!cohort.kernels = !{!0}
!0 = !{!"k", !"k", !{!1, !2, !3}, i32 1024, i32 0, i32 0, i32 0}
!1 = !{!"values", i64 12, i64 4, i64 0, i64 8}
!2 = !{!"values", i64 1, i64 1, i64 0}
!3 = !{!"copy", i64 16, i64 16}
