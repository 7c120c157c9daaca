; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An entry of a table of neighbours is likely the index of adjacent elements, and `x / n` likely equal in all lanes.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK: [[TABLE:%.+]] = load <32 x i32>, ptr
; CHECK: [[VALUES:%.+]] = freeze <32 x i32> [[TABLE]]
; CHECK: [[FIRST:%.+]] = extractelement <32 x i32> [[VALUES]], i64 0
; CHECK: [[ORDER:%.+]] = icmp slt i32 [[FIRST]], 2147483617
; CHECK: and i1 %{{.+}}, [[ORDER]]
; CHECK: load <32 x i32>, ptr
; CHECK: call <32 x i32> @llvm.masked.gather.v32i32.v32p0(
; CHECK: [[ONE:%.+]] = load i32, ptr
; CHECK: insertelement <32 x i32> poison, i32 [[ONE]], i64 0
; CHECK: call <32 x i32> @llvm.masked.gather.v32i32.v32p0(
define void @k(ptr noalias %p, ptr noalias %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %entry = getelementptr i32, ptr %q, i64 %i
  %neighbour = load i32, ptr %entry
  %n64 = sext i32 %neighbour to i64
  %from = getelementptr i32, ptr %q, i64 %n64
  %a = load i32, ptr %from
  %row = udiv i32 %x, %n
  %r = zext i32 %row to i64
  %of_row = getelementptr i32, ptr %q, i64 %r
  %b = load i32, ptr %of_row
  %sum = add i32 %a, %b
  %to = getelementptr i32, ptr %p, i64 %i
  store i32 %sum, ptr %to
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
