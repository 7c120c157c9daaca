; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; An index computed from a loaded value has no likely relation between the lanes: its use gathers.
; RUN: %cohort=cohort-module-tables,cohort-gangs %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"
declare i32 @cohort_thread_index(i32)
; CHECK-LABEL: define internal void @cohort.block.k(
; CHECK: [[LOADED:%.+]] = load <32 x i32>, ptr
; CHECK: [[INDEX:%.+]] = xor <32 x i32> [[LOADED]],
; CHECK: [[WIDE:%.+]] = sext <32 x i32> [[INDEX]] to <32 x i64>
; CHECK: [[PLACES:%.+]] = getelementptr i32, ptr {{%.+}}, <32 x i64> [[WIDE]]
; CHECK: @llvm.masked.gather.v32i32.v32p0(<32 x ptr> [[PLACES]]
define void @k(ptr %p, ptr %q, i32 %n) "target-features"="+avx512f,+avx512vl,+avx512bw,+avx512dq" {
  %x = call i32 @cohort_thread_index(i32 0)
  %i = zext i32 %x to i64
  %from = getelementptr i32, ptr %q, i64 %i
  %a = load i32, ptr %from
  %mixed = xor i32 %a, 5
  %index = sext i32 %mixed to i64
  %place = getelementptr i32, ptr %q, i64 %index
  %b = load i32, ptr %place
  %to = getelementptr i32, ptr %p, i64 %i
  store i32 %b, ptr %to
  ret void
}
!cohort.options = !{!0}
!cohort.kernels = !{!1}
!0 = !{!"gangs=force=32"}
!1 = !{!"k", !"k", !{!{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 8, i64 8, i64 0}, !{!"values", i64 4, i64 4, i64 0}}}
