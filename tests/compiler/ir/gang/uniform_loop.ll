; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop that all lanes leave together has no mask; its counter is a scalar.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK: [[J:%.+]] = phi i64 [ 0, %gang2 ]
; CHECK-NOT: phi <32 x i1>
; CHECK: [[PLACE:%.+]] = getelementptr i32, ptr {{%.+}}, i64 [[J]]
; CHECK: load i32, ptr [[PLACE]]
; CHECK: store <32 x i32>
; CHECK: any:
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  br label %loop
loop:
  %j = phi i32 [ 0, %0 ], [ %next, %loop ]
  %w = zext i32 %j to i64
  %place = getelementptr i32, ptr %q, i64 %w
  %a = load i32, ptr %place
  %s = mul i32 %a, %x
  %to = getelementptr i32, ptr %p, i64 %i
  store i32 %s, ptr %to
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
