; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A product of matrices is one call for all lanes. Each register is a vector in memory; a word that the program has not
; written, the second one here, is not stored.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
declare void @cohort_wait_warp(i32, ptr, ptr, ptr)
declare void @cohort_multiply_matrices(i32, ptr)
@name = private constant [9 x i8] c"mma.sync\00"
; CHECK-LABEL: define internal void @cohort.gang.k(
; CHECK: %[[registers:.*]] = alloca [33 x <32 x i32>], align 128
; CHECK: %[[c:.*]] = load <32 x i32>, ptr
; CHECK: %[[first:.*]] = getelementptr inbounds i8, ptr %[[registers]], i64 128
; CHECK-NEXT: store <32 x i32> %[[c]], ptr %[[first]]
; CHECK-NEXT: call void @cohort_multiply_registers(i64 5, ptr nonnull %[[registers]])
; CHECK-NEXT: %[[d:.*]] = load <32 x i32>, ptr %[[first]]
; CHECK-NEXT: store <32 x i32> %[[d]], ptr
define void @k(ptr %p) {
  %operand = alloca [24 x i8], align 8
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %place = getelementptr i32, ptr %p, i64 %i
  %c = load i32, ptr %place
  store i64 5, ptr %operand
  %first = getelementptr i8, ptr %operand, i64 16
  store i32 %c, ptr %first
  call void @cohort_wait_warp(i32 -1, ptr @cohort_multiply_matrices, ptr %operand, ptr @name)
  %d = load i32, ptr %first
  store i32 %d, ptr %place
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}}}
