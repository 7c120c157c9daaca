; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A local variable exists once for each lane.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK: %array{{.*}} = alloca [512 x i8], align 4
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %array = alloca [4 x i32]
  %low = and i32 %n, 3
  %own = getelementptr [4 x i32], ptr %array, i32 0, i32 %low
  store i32 %x, ptr %array
  store volatile i32 7, ptr %own
  %a = load i32, ptr %array
  %to = getelementptr i32, ptr %p, i64 %i
  store i32 %a, ptr %to
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
