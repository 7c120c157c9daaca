; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Where an index may wrap around between lanes, the code tests this at run time and has both accesses.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK: [[ORDERED:%.+]] = icmp ult i32 [[INDEX:%.+]], -31
; CHECK: br i1 [[ORDERED]], label %regular{{.*}}, label %irregular
; CHECK: load <32 x i32>
; CHECK: @llvm.masked.gather.v32i32
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %g = add i32 %n, %x
  %i = zext i32 %g to i64
  %from = getelementptr i32, ptr %q, i64 %i
  %a = load i32, ptr %from
  %to = getelementptr i32, ptr %p, i64 %i
  store i32 %a, ptr %to
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
