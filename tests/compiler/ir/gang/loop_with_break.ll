; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop with two exits becomes a loop with one, whose mask has the lanes that stay.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK: %lanes{{.*}} = phi <32 x i1>
; CHECK: call void @llvm.masked.store.v32i32
; CHECK: any:
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %from = getelementptr i32, ptr %q, i64 %i
  %bound = load i32, ptr %from
  br label %loop
loop:
  %j = phi i32 [ 0, %0 ], [ %next, %more ]
  %stop = icmp eq i32 %j, %bound
  br i1 %stop, label %end, label %more
more:
  %place = getelementptr i32, ptr %from, i32 %j
  store volatile i32 %j, ptr %place
  %next = add i32 %j, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
