; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; printf runs for each lane, whose index lies in the context of the thread.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
@format = constant [4 x i8] c"%d\0A\00"
declare i32 @cohort_print(ptr, ...)
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK: [[LANE:%.+]] = phi i64 [ 0, %gang2 ]
; CHECK: trunc i64 [[LANE]] to i32
; CHECK: store i32 {{%.+}}, ptr
; CHECK: call i32 (ptr, ...) @cohort_print(
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %r = call i32 (ptr, ...) @cohort_print(ptr @format, i32 %x)
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
