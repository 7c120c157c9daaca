; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Lanes of small tiles that walk over rows of their own load adjacent elements: one load for each group of eight lanes.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK: %regular{{.*}}, label %irregular
; CHECK-COUNT-4: call <8 x i32> @llvm.masked.load.v8i32
; CHECK: call <32 x i32> @llvm.masked.gather.v32i32
define void @k(ptr %first, ptr %column, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
entry:
  %x = call i32 @cohort_thread_index(i32 0)
  %row = lshr i32 %x, 3
  %rank = and i32 %x, 7
  %r = zext i32 %row to i64
  %bound = getelementptr i32, ptr %first, i64 %r
  %begin = load i32, ptr %bound
  %start = add i32 %begin, %rank
  br label %loop
loop:
  %k = phi i32 [ %start, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %w = sext i32 %k to i64
  %from = getelementptr i32, ptr %column, i64 %w
  %a = load i32, ptr %from
  %more = add i32 %sum, %a
  %next = add i32 %k, 8
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %t = zext i32 %x to i64
  %to = getelementptr i32, ptr %q, i64 %t
  store i32 %more, ptr %to
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
