; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop with two entries becomes a loop with one.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK: remark: kernel 'k' runs 32 threads at once
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %from = getelementptr i32, ptr %q, i64 %i
  %a = load i32, ptr %from
  %c = icmp sgt i32 %a, 3
  br i1 %c, label %first, label %second
first:
  store volatile i32 1, ptr %from
  br label %second
second:
  %b = load volatile i32, ptr %from
  %d = icmp sgt i32 %b, %n
  br i1 %d, label %first, label %end
end:
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32", !"report"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
