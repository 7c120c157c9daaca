; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A barrier that counts predicates passes a bit for each lane.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
declare i32 @cohort_wait_block_count(i32)
; CHECK: store i32 -1431655766, ptr [[BITS:%.+]], align 4
; CHECK: call i32 @cohort_gang_wait_block_count(ptr nonnull [[BITS]], ptr null)
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %odd = and i32 %x, 1
  %count = call i32 @cohort_wait_block_count(i32 %odd)
  %to = getelementptr i32, ptr %p, i64 %i
  store i32 %count, ptr %to
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
