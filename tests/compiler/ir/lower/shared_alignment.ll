; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A __shared__ variable has an alignment of at most 1024 bytes.
; RUN: not %cohort=cohort-shared-variables %s 2>&1 | FileCheck %s
; CHECK: __shared__ variable 'a' needs an alignment of 2048 bytes; the limit is 1024
@a = internal global i64 undef, align 2048
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @a, ptr @mark, ptr @mark, i32 0, ptr null }], section "llvm.metadata"
@mark = private constant [14 x i8] c"cohort.shared\00", section "llvm.metadata"
define void @k() {
  store i64 1, ptr @a
  ret void
}
!cohort.kernels = !{!0}
!0 = !{!"k", !"k", !{}}
