; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A neighbour that is clamped at an edge: lanes that all have the likely one share one vector access, at lane 0's
; likely neighbour.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
declare i32 @llvm.smax.i32(i32, i32)
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK: [[BEFORE:%.+]] = add {{.*}}i32 %{{.+}}, -1
; CHECK: [[FIRST:%.+]] = insertelement <32 x i32> poison, i32 [[BEFORE]], i64 0
; CHECK: [[LINEAR:%.+]] = shufflevector <32 x i32> [[FIRST]],
; CHECK: [[EXPECTED:%.+]] = add {{.*}}<32 x i32> [[LINEAR]], <i32 0, i32 1, i32 2,
; CHECK: icmp slt <32 x i32> [[EXPECTED]],
; CHECK: [[PLACE:%.+]] = sext i32 [[BEFORE]] to i64
; CHECK: [[ADDRESS:%.+]] = getelementptr i32, ptr %{{.+}}, i64 [[PLACE]]
; CHECK: load <32 x i32>, ptr [[ADDRESS]]
; CHECK: call <32 x i32> @llvm.smax.v32i32(<32 x i32> [[EXPECTED]],
; CHECK: call <32 x i32> @llvm.masked.gather.v32i32.v32p0(
define void @k(ptr %p, ptr %q, i32 %low) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %before = add i32 %x, -1
  %left = call i32 @llvm.smax.i32(i32 %before, i32 %low)
  %i = sext i32 %left to i64
  %from = getelementptr i32, ptr %q, i64 %i
  %a = load i32, ptr %from
  %j = zext i32 %x to i64
  %to = getelementptr i32, ptr %p, i64 %j
  store i32 %a, ptr %to
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
