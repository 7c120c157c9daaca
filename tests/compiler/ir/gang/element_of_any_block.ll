; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; In blocks of any shape, the threads of a gang are most likely adjacent in x: the code compares and has both accesses.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK-LABEL: define internal void @cohort.lanes.k(
; CHECK: [[FIRST:%.+]] = extractelement <32 x i32> [[X:%.+]], i64 0
; CHECK: icmp ne <32 x i32>
; CHECK: regular.i:
; CHECK: call <32 x i32> @llvm.masked.load.v32i32.p0(
; CHECK: irregular.i:
; CHECK: call <32 x i32> @llvm.masked.gather.v32i32.v32p0(
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = sext i32 %x to i64
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
