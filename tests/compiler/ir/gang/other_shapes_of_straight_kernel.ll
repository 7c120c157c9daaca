; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where gangs gain little over a loop over the threads, blocks that are not rows run as such a loop.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s 2>&1 | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK: remark: kernel 'k' runs 64 threads at once; blocks of other shapes than rows of 64 threads run as a loop
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %to = getelementptr i32, ptr %p, i64 %i
  store i32 %n, ptr %to
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"report"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
