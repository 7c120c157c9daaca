; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A loop that waits and steps down the rows of a matrix prefetches the next row. Words within one cache line are not
; prefetched, nor is shared memory.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
declare ptr @cohort_static_shared()
declare void @cohort_wait_block()
; CHECK: define internal void @cohort.gang.k(
; CHECK: [[ROW:%.+]] = getelementptr i32, ptr %{{.+}}, i64 %place
; CHECK-NEXT: [[NEXT:%.+]] = getelementptr i8, ptr [[ROW]], i64 %
; CHECK-NEXT: call void @llvm.prefetch.p0(ptr [[NEXT]], i32 0, i32 3, i32 1)
; CHECK: call void @llvm.prefetch.p0(
; CHECK-NEXT: load <32 x i32>, ptr [[ROW]]
; CHECK-NOT: @llvm.prefetch.p0(
; CHECK: ret void
define void @k(ptr %p, ptr %q, i64 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %shared = call ptr @cohort_static_shared()
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  br label %turn
turn:
  %row = phi i64 [ 0, %0 ], [ %next, %turn ]
  %first = mul i64 %row, %n
  %place = add i64 %first, %i
  %from = getelementptr i32, ptr %q, i64 %place
  %a = load i32, ptr %from
  %near = add i64 %row, %i
  %close = getelementptr i32, ptr %p, i64 %near
  %b = load i32, ptr %close
  %to = getelementptr i32, ptr %shared, i64 %place
  %sum = add i32 %a, %b
  store i32 %sum, ptr %to
  call void @cohort_wait_block()
  %next = add i64 %row, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %turn, label %end
end:
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}}}
