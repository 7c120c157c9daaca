; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop that lanes leave one by one runs without masks while all lanes stay.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK: store <32 x i32> {{%.+}}, ptr
; CHECK: call void @llvm.masked.store.v32i32
; CHECK: any:
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %some = icmp slt i32 %x, %n
  br i1 %some, label %loop, label %end
loop:
  %j = phi i32 [ %x, %0 ], [ %next, %loop ]
  %w = sext i32 %j to i64
  %to = getelementptr i32, ptr %p, i64 %w
  store i32 %n, ptr %to
  %next = add nsw i32 %j, 512
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
