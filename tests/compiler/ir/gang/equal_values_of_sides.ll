; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Both sides of a branch compute the thread's element, so after the branch the lanes' elements are adjacent.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK: store <32 x i32> <i32 7, i32 7,
; CHECK-NOT: scatter
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %inside = icmp slt i32 %x, %n
  br i1 %inside, label %then, label %else
then:
  %i = sext i32 %x to i64
  %from = getelementptr i32, ptr %q, i64 %i
  store i32 1, ptr %from
  br label %end
else:
  %j = sext i32 %x to i64
  br label %end
end:
  %place = phi i64 [ %i, %then ], [ %j, %else ]
  %to = getelementptr i32, ptr %p, i64 %place
  store i32 7, ptr %to
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
