; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; With -rdc=true, the linker places a __shared__ variable that other files can reach.
; RUN: %cohort=cohort-shared-variables %s | FileCheck %s
@a = global i64 undef
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @a, ptr @mark, ptr @mark, i32 0, ptr null }], section "llvm.metadata"
@mark = private constant [14 x i8] c"cohort.shared\00", section "llvm.metadata"
; CHECK: @a = global i64 0, section "cohort_shared", align 8
; CHECK: @__start_cohort_shared = external hidden global i8
define void @f() {
; CHECK-LABEL: define void @f(
; CHECK: getelementptr inbounds i8, ptr {{%.+}}, i64 sub (i64 ptrtoint (ptr @a to i64), i64 ptrtoint (ptr @__start_cohort_shared to i64)
  store i64 1, ptr @a
  ret void
}
define void @k() {
; CHECK: define void @k() !cohort.shared [[NEED:![0-9]+]]
; CHECK: [[NEED]] = !{i64 0, i64 1}
  call void @f()
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"rdc"}
!1 = !{!"k", !"k", !{}}
