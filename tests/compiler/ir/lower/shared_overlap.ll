; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; __shared__ variables that no kernel reaches together share one address.
; RUN: %cohort=cohort-shared-variables %s | FileCheck %s
@a = internal global i64 undef
@b = internal global i64 undef
@llvm.global.annotations = appending global [2 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @a, ptr @mark, ptr @mark, i32 0, ptr null }, { ptr, ptr, ptr, i32, ptr } { ptr @b, ptr @mark, ptr @mark, i32 0, ptr null }], section "llvm.metadata"
@mark = private constant [14 x i8] c"cohort.shared\00", section "llvm.metadata"
define void @j() {
; CHECK: define void @j() !cohort.shared [[NEED:![0-9]+]]
  store i64 1, ptr @a
  ret void
}
define void @k() {
; CHECK: define void @k() !cohort.shared [[NEED]]
; CHECK: %b = getelementptr inbounds i8, ptr {{%.+}}, i64 0
; CHECK: [[NEED]] = !{i64 8, i64 0}
  store i64 1, ptr @b
  ret void
}
!cohort.kernels = !{!0, !1}
!0 = !{!"j", !"j", !{}}
!1 = !{!"k", !"k", !{}}
