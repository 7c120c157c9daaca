; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Gangs of rows need a grid in which the index of a thread cannot wrap around.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK: [[THREADS:%.+]] = mul nuw nsw i64
; CHECK: [[SMALL:%.+]] = icmp ult i64 [[THREADS]], 134217729
; CHECK: [[REST:%.+]] = and i32 {{%.+}}, 31
; CHECK: [[ROWS:%.+]] = icmp eq i32 [[REST]], 0
; CHECK: [[BOTH:%.+]] = and i1 [[ROWS]], [[SMALL]]
; CHECK: br i1 [[BOTH]], label %gang{{.*}}, label %any
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %to = getelementptr i32, ptr %p, i64 %i
  store i32 %n, ptr %to
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
