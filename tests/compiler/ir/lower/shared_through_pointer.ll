; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A call through a pointer reaches each function whose address is taken, and the __shared__ variables of these
; functions.
; RUN: %cohort=cohort-shared-variables %s | FileCheck %s
@a = internal global i64 undef
@taken = global ptr @f
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @a, ptr @mark, ptr @mark, i32 0, ptr null }], section "llvm.metadata"
@mark = private constant [14 x i8] c"cohort.shared\00", section "llvm.metadata"
define void @f() {
  store i64 1, ptr @a
  ret void
}
define void @k(ptr %function) {
; CHECK: define void @k(ptr %function) !cohort.shared [[NEED:![0-9]+]]
; CHECK: [[NEED]] = !{i64 8, i64 0}
  call void %function()
  ret void
}
!cohort.kernels = !{!0}
!0 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}}}
