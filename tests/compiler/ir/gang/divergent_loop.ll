; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Lanes leave a loop one by one: it runs while any lane stays, and a lane keeps the values with which it left.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK: [[KEPT:%kept.+]] = phi <32 x i32>
; CHECK: [[LANES:%lanes.+]] = phi <32 x i1>
; CHECK: [[STAY:%.+]] = icmp ne <32 x i32>
; CHECK: [[BOTH:%.+]] = select <32 x i1> [[LANES]], <32 x i1> [[STAY]], <32 x i1> zeroinitializer
; CHECK: [[BITS:%.+]] = bitcast <32 x i1> [[BOTH]] to i32
; CHECK: [[NONE:%.+]] = icmp eq i32 [[BITS]], 0
; CHECK: [[RESULT:%.+]] = select <32 x i1> [[LANES]], <32 x i32> {{%.+}}, <32 x i32> [[KEPT]]
; CHECK: br i1 [[NONE]], label %[[EXIT:.+]], label %loop
; CHECK: [[EXIT]]:
; CHECK: store <32 x i32> [[RESULT]]
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %from = getelementptr i32, ptr %q, i64 %i
  %bound = load i32, ptr %from
  br label %loop
loop:
  %j = phi i32 [ 0, %0 ], [ %next, %loop ]
  %sum = phi i32 [ 1, %0 ], [ %more, %loop ]
  %more = mul i32 %sum, %n
  %next = add i32 %j, 1
  %again = icmp slt i32 %next, %bound
  br i1 %again, label %loop, label %end
end:
  %to = getelementptr i32, ptr %p, i64 %i
  store i32 %more, ptr %to
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
