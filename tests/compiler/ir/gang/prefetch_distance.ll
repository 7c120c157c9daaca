; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Accesses behind a condition prefetch for later blocks at one distance, which the entry block computes.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
declare i32 @cohort_block_index(i32)
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK: udiv i64 2048
; CHECK-NOT: udiv
; CHECK: ret void
define void @k(ptr %p, ptr %q, i32 %n, i32 %columns) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %block = call i32 @cohort_block_index(i32 0)
  %begin = mul nsw i32 %block, %columns
  %i = add nsw i32 %begin, %x
  %exists = icmp slt i32 %i, %n
  br i1 %exists, label %then, label %next
then:
  %w = sext i32 %i to i64
  %from = getelementptr i32, ptr %q, i64 %w
  %a = load i32, ptr %from
  %to = getelementptr i32, ptr %p, i64 %w
  store i32 %a, ptr %to
  br label %next
next:
  %has.three = icmp slt i32 %i, %columns
  br i1 %has.three, label %add, label %end
add:
  %v = sext i32 %i to i64
  %three = getelementptr i32, ptr %q, i64 %v
  store i32 3, ptr %three
  br label %end
end:
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
