; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A match of words with few unknown bits is a vote on each bit, without a round for each distinct word.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
declare i32 @cohort_gang_match32(i32, i32, ptr)
@name = constant [6 x i8] c"match\00"
; CHECK: define internal void @cohort.block.k(
; CHECK-NOT: cttz
; CHECK-COUNT-3: bitcast <32 x i1> %{{.+}} to i32
; CHECK-NOT: bitcast <32 x i1> %{{.+}} to i32
; CHECK: store <32 x i32>
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %from = getelementptr i32, ptr %q, i64 %i
  %a = load i32, ptr %from
  %word = and i32 %a, 7
  %equal = call i32 @cohort_gang_match32(i32 -1, i32 %word, ptr @name)
  %to = getelementptr i32, ptr %p, i64 %i
  store i32 %equal, ptr %to
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
