; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Static __shared__ variables become offsets in the block's memory; those of one kernel do not overlap.
; RUN: %cohort=cohort-shared-variables %s | FileCheck %s
@a = internal global [4 x i64] undef
@b = internal global i32 undef
@llvm.global.annotations = appending global [2 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @a, ptr @mark, ptr @mark, i32 0, ptr null }, { ptr, ptr, ptr, i32, ptr } { ptr @b, ptr @mark, ptr @mark, i32 0, ptr null }], section "llvm.metadata"
@mark = private constant [14 x i8] c"cohort.shared\00", section "llvm.metadata"
define void @k() {
; CHECK-NOT: @a = {{.*}}global
; CHECK: define void @k() !cohort.shared [[NEED:![0-9]+]]
; CHECK-DAG: [[A:%.+]] = call ptr @cohort_static_shared()
; CHECK-DAG: [[B:%.+]] = getelementptr inbounds i8, ptr {{%.+}}, i64 32
; CHECK: [[NEED]] = !{i64 36, i64 0}
  store i64 1, ptr @a
  store i32 2, ptr @b
  ret void
}
!cohort.kernels = !{!0}
!0 = !{!"k", !"k", !{}}
