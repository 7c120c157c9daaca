; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A constant that holds the address of a __shared__ variable becomes a local variable of each function that uses it.
; RUN: %cohort=cohort-shared-variables %s | FileCheck %s
@a = internal global i64 undef
@pair = private unnamed_addr constant { ptr, i32 } { ptr @a, i32 5 }
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @a, ptr @mark, ptr @mark, i32 0, ptr null }], section "llvm.metadata"
@mark = private constant [14 x i8] c"cohort.shared\00", section "llvm.metadata"
define ptr @k() {
; CHECK-LABEL: @k(
; CHECK: [[LOCAL:%.+]] = alloca { ptr, i32 }
; CHECK: load ptr, ptr [[LOCAL]]
  %p = load ptr, ptr @pair
  ret ptr %p
}
!cohort.kernels = !{!0}
!0 = !{!"k", !"k", !{}}
